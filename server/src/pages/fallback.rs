//! Addresses and methods that no route has.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::{Method, Uri};
use axum::response::{IntoResponse, Response};

use super::error::{Loaded, PageError};
use super::form::see_other;
use super::request::PageRequest;
use crate::codes;
use crate::state::AppState;
use app::components::error_page::LoadError;
use app::components::subjects::SUBJECT;
use platform::http::problem::Problem;

/// The answer if no route matches: a problem under `/api` and `/pkg`, elsewhere the page “Page not found”.
pub async fn not_found(State(state): State<AppState>, request: Request) -> Result<Response, Problem> {
    let path = request.uri().path();
    let is_api = path == "/api" || path.starts_with("/api/");
    let is_file = path.starts_with("/pkg/");
    if is_api || is_file || !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Err(Problem::not_found());
    }
    let request = PageRequest::from_request_parts(&mut request.into_parts().0, &state).await?;
    let missing: Loaded<Infallible> = Err(PageError(LoadError::NotFound));
    Ok(request.render(missing, |missing| match missing {}))
}

/// The answer to a method that the address of a page or form does not support. A browser that asks for the
/// address of a button, such as after an error, gets the page on which the button is, the closest of `pages`
/// above it.
pub async fn wrong_method(pages: Arc<[&'static str]>, method: Method, uri: Uri) -> Response {
    match method {
        Method::GET | Method::HEAD => see_other(&with_subject(page_above(&pages, uri.path()), uri.path())),
        _ => Problem::plain(codes::METHOD_NOT_ALLOWED).into_response(),
    }
}

/// The address of a page, and where it has subjects, of the one that the form is in.
fn with_subject(page: String, form: &str) -> String {
    let is_of_auction = page.starts_with("/auctions/") && page.ends_with("/settings");
    let has_subjects = is_of_auction || ["/account", "/admin"].contains(&page.as_str());
    let first = form.strip_prefix(&page).and_then(|rest| rest.split('/').nth(1));
    match first.filter(|_| has_subjects) {
        Some(subject) => format!("{page}?{SUBJECT}={subject}"),
        None => page,
    }
}

fn page_above(pages: &[&str], path: &str) -> String {
    let is_page = |path: &str| {
        let same = |(part, pattern): (&str, &str)| pattern.starts_with('{') || part == pattern;
        pages.iter().any(|page| {
            page.split('/').count() == path.split('/').count()
                && path.split('/').zip(page.split('/')).all(same)
        })
    };
    let mut above = path;
    while let Some((rest, _)) = above.rsplit_once('/').filter(|(rest, _)| !rest.is_empty()) {
        if is_page(rest) {
            return rest.to_owned();
        }
        above = rest;
    }
    "/".to_owned()
}

//! The routes of forms that require a signed-in user.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::handler::Handler;
use axum::http::{Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, post};
use serde::de::DeserializeOwned;

use super::form::{Form, see_other};
use super::redraw::{preview, redraw};
use crate::codes;
use crate::state::AppState;
use accounts::extract::MaybeUser;
use accounts::ids::SessionId;
use accounts::session::SignedIn;
use accounts::session::Visitor;
use app::components::description_field::PREVIEW;
use app::components::subjects::SUBJECT;
use auction_house::ids::UserId;
use platform::http::HttpSettings;
use platform::http::cookie;
use platform::http::path::At;
use platform::http::problem::Problem;

/// A submitted form, the signed-in user, and the ids in the form's address.
pub struct FormRequest<P> {
    pub state: AppState,
    pub user: UserId,
    pub path: P,
    pub form: Arc<Form>,
}

/// A submitted form with the session that submitted it.
pub struct SessionFormRequest<P> {
    pub request: FormRequest<P>,
    pub session: SessionId,
    pub visitor: Visitor,
}

impl<P> From<SessionFormRequest<P>> for FormRequest<P> {
    fn from(by: SessionFormRequest<P>) -> Self {
        by.request
    }
}

/// What an accepted form is answered with.
pub enum NextPage {
    Page {
        path: String,
        signs_out: bool,
    },
    /// A file, which the browser saves.
    File(Response),
}

impl NextPage {
    /// The session of the form has ended, and its cookie ends too.
    pub fn signed_out(path: &str) -> Self {
        Self::Page { path: path.to_owned(), signs_out: true }
    }

    /// A file with a name of letters, digits, dots and underscores.
    pub fn file(name: &str, content: Body) -> Self {
        let headers = [
            (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
            (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
        ];
        Self::File((headers, content).into_response())
    }

    fn answer(self, settings: &HttpSettings) -> Response {
        let (path, signs_out) = match self {
            Self::File(response) => return response,
            Self::Page { path, signs_out } => (path, signs_out),
        };
        let mut response = see_other(&path);
        if signs_out {
            response.headers_mut().extend(cookie::end(settings));
        }
        response
    }
}

impl From<String> for NextPage {
    fn from(path: String) -> Self {
        Self::Page { path, signs_out: false }
    }
}

/// The route of a form. `verb` returns the path of the next page. If it fails, `page` is shown again, at the
/// address that `address` makes of that of the form.
pub fn form_route<P, Input, Verb, Done, Next, T: 'static>(
    verb: Verb,
    address: impl Fn(&Uri) -> Uri + Clone + Send + Sync + 'static,
    page: impl Handler<T, AppState>,
) -> MethodRouter<AppState>
where
    P: DeserializeOwned + Send + 'static,
    Input: From<SessionFormRequest<P>> + 'static,
    Verb: Fn(Input) -> Done + Clone + Send + Sync + 'static,
    Done: Future<Output = Result<Next, Problem>> + Send,
    Next: Into<NextPage> + Send,
{
    post(
        async move |State(state): State<AppState>,
                    MaybeUser(user): MaybeUser,
                    visitor: Visitor,
                    path: Result<At<P>, Problem>,
                    uri: Uri,
                    form: Form| {
            let form = Arc::new(form);
            let request = SessionFormRequest::of(&state, user.as_deref(), visitor, path, &form);
            let done = match request {
                Ok(_) if form.get(PREVIEW).is_some() => {
                    return preview(&state, &form, page, address(&uri)).await;
                }
                Ok(request) => verb(request.into()).await,
                Err(problem) => Err(problem),
            };
            match done {
                Ok(next) => next.into().answer(&state.http),
                Err(problem) => redraw(&state, &form, page, address(&uri), problem).await,
            }
        },
    )
}

impl<P> SessionFormRequest<P> {
    pub(super) fn of(
        state: &AppState,
        user: Option<&SignedIn>,
        visitor: Visitor,
        path: Result<At<P>, Problem>,
        form: &Arc<Form>,
    ) -> Result<Self, Problem> {
        let user = user.ok_or_else(|| Problem::plain(codes::UNAUTHENTICATED))?;
        let (user, session) = (user.id, user.session);
        state.limits.write(user)?;
        let At(path) = path?;
        form.check()?;
        let request = FormRequest { state: state.clone(), user, path, form: Arc::clone(form) };
        Ok(Self { request, session, visitor })
    }
}

/// Address of the page of a form whose own address has this number of segments more, of which the first names
/// the subject of the page. Without any it is the same, with its query.
pub fn up(uri: &Uri, segments: usize) -> Uri {
    if segments == 0 {
        return uri.clone();
    }
    let (mut path, mut first) = (uri.path(), "");
    for _ in 0..segments {
        (path, first) = path.rsplit_once('/').unwrap_or_default();
    }
    format!("{path}?{SUBJECT}={first}").parse().unwrap_or_default()
}

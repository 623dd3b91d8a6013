//! `?limit=&cursor=` (SPEC, section 1).

use std::str::FromStr;

use axum::extract::RawQuery;

use super::problem::Problem;
use crate::fields::FieldError;
use crate::paging::Page;

/// The parameters of a query, none if it can't be read.
pub fn parameters(RawQuery(query): &RawQuery) -> Vec<(String, String)> {
    serde_urlencoded::from_str(query.as_deref().unwrap_or("")).unwrap_or_default()
}

/// Whether a request only shows what it would write: `?dryRun=true`.
pub fn is_dry_run(query: &RawQuery) -> Result<bool, Problem> {
    flag(query, "dryRun")
}

/// A parameter that is true or false, by default false.
pub fn flag(query: &RawQuery, name: &str) -> Result<bool, Problem> {
    let parameters = parameters(query);
    let given = parameters.iter().find(|(parameter, _)| parameter == name);
    match given.map(|(_, value)| value.as_str()) {
        None | Some("false") => Ok(false),
        Some("true") => Ok(true),
        Some(_) => Err(Problem::field(name, "must be true or false")),
    }
}

/// Reads the page from a query. `cursor` is the `nextCursor` of an earlier page.
pub fn page<C: FromStr>(query: &RawQuery) -> Result<Page<C>, Problem> {
    let query = parameters(query);
    let given = |name: &str| query.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    let mut page = Page::after(None);
    let mut errors = Vec::new();
    if let Some(text) = given("limit") {
        let limit = text.parse().ok().filter(|limit| (1..=Page::<C>::LIMIT_MAX).contains(limit));
        match limit {
            Some(limit) => page.limit = limit,
            None => errors.push(FieldError::new("limit", "must be an integer from 1 to 100")),
        }
    }
    if let Some(text) = given("cursor") {
        page.after = text.parse().ok();
        if page.after.is_none() {
            errors.push(FieldError::new("cursor", "must be the `nextCursor` of an earlier page"));
        }
    }
    if errors.is_empty() { Ok(page) } else { Err(Problem::fields(errors)) }
}

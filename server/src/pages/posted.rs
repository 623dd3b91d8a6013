//! The handler of every form that requires a signed-in user.

use std::sync::Arc;

use axum::extract::State;
use axum::http::Uri;
use axum::routing::{MethodRouter, post};
use serde::de::DeserializeOwned;

use super::form::{Form, redraw, see_other};
use crate::state::AppState;
use auction_house::accounts::User;
use auction_house::accounts::extract::MaybeUser;
use auction_house::ids::UserId;
use platform::http::path::At;
use platform::http::problem::{Code, Problem};

/// A submitted form, the signed-in user, and the ids in the form's address.
pub struct Posted<P> {
    pub state: AppState,
    pub user: UserId,
    pub path: P,
    pub form: Arc<Form>,
}

/// A route to which a form is posted. `verb` returns the path of the next page. If it fails, the page of the form is
/// shown again: `page` maps the form's address to that page's.
pub fn takes<P, Verb, Done>(verb: Verb, page: fn(&Uri) -> Uri) -> MethodRouter<AppState>
where
    P: DeserializeOwned + Send + 'static,
    Verb: Fn(Posted<P>) -> Done + Clone + Send + Sync + 'static,
    Done: Future<Output = Result<String, Problem>> + Send,
{
    post(
        async move |State(state): State<AppState>,
                    MaybeUser(user): MaybeUser,
                    path: Result<At<P>, Problem>,
                    uri: Uri,
                    form: Form| {
            let form = Arc::new(form);
            let posted = Posted::of(&state, user.as_deref(), path, &form);
            let done = match posted {
                Ok(posted) => verb(posted).await,
                Err(problem) => Err(problem),
            };
            match done {
                Ok(path) => see_other(&path),
                Err(problem) => redraw(state, user, page(&uri), &form, problem).await,
            }
        },
    )
}

impl<P> Posted<P> {
    fn of(
        state: &AppState,
        user: Option<&User>,
        path: Result<At<P>, Problem>,
        form: &Arc<Form>,
    ) -> Result<Self, Problem> {
        let user = user.ok_or_else(|| Problem::plain(Code::Unauthenticated))?.id;
        let At(path) = path?;
        form.check()?;
        Ok(Self { state: state.clone(), user, path, form: Arc::clone(form) })
    }
}

/// Page of a form that is posted to the page's own address.
pub fn same(uri: &Uri) -> Uri {
    uri.clone()
}

/// Page of a button whose address is one segment longer than the page's.
pub fn parent(uri: &Uri) -> Uri {
    let path = uri.path().rsplit_once('/').map_or("/", |(page, _)| page);
    path.parse().unwrap_or_default()
}

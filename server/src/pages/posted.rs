//! The handler of every form that requires a signed-in user.

use std::sync::Arc;

use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use axum::routing::{MethodRouter, post};
use serde::de::DeserializeOwned;

use super::form::{Form, preview, redraw, see_other};
use crate::state::AppState;
use accounts::extract::{MaybeUser, Visitor};
use accounts::ids::SessionId;
use accounts::session::SignedIn;
use app::components::description_field::PREVIEW;
use auction_house::ids::UserId;
use platform::http::HttpSettings;
use platform::http::cookie;
use platform::http::path::At;
use platform::http::problem::{Code, Problem};

/// A submitted form, the signed-in user, and the ids in the form's address.
pub struct Posted<P> {
    pub state: AppState,
    pub user: UserId,
    pub path: P,
    pub form: Arc<Form>,
}

/// A submitted form with the session that submitted it.
pub struct PostedBy<P> {
    pub posted: Posted<P>,
    pub session: SessionId,
    pub visitor: Visitor,
}

impl<P> From<PostedBy<P>> for Posted<P> {
    fn from(by: PostedBy<P>) -> Self {
        by.posted
    }
}

/// The page after an accepted form.
pub struct NextPage {
    path: String,
    signs_out: bool,
}

impl NextPage {
    /// The session of the form has ended, and its cookie ends too.
    pub fn signed_out(path: &str) -> Self {
        Self { path: path.to_owned(), signs_out: true }
    }

    fn answer(&self, settings: &HttpSettings) -> Response {
        let mut response = see_other(&self.path);
        if self.signs_out {
            response.headers_mut().extend(cookie::end(settings));
        }
        response
    }
}

impl From<String> for NextPage {
    fn from(path: String) -> Self {
        Self { path, signs_out: false }
    }
}

/// A route to which a form is posted. `verb` returns the path of the next page. If it fails, the page of the form is
/// shown again: `page` maps the form's address to that page's.
pub fn takes<P, Input, Verb, Done, Next>(verb: Verb, page: fn(&Uri) -> Uri) -> MethodRouter<AppState>
where
    P: DeserializeOwned + Send + 'static,
    Input: From<PostedBy<P>> + 'static,
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
            let posted = PostedBy::of(&state, user.as_deref(), visitor, path, &form);
            let done = match posted {
                Ok(_) if form.get(PREVIEW).is_some() => {
                    return preview(state, user, page(&uri), &form).await;
                }
                Ok(posted) => verb(posted.into()).await,
                Err(problem) => Err(problem),
            };
            match done {
                Ok(next) => next.into().answer(&state.http),
                Err(problem) => redraw(state, user, page(&uri), &form, problem).await,
            }
        },
    )
}

impl<P> PostedBy<P> {
    fn of(
        state: &AppState,
        user: Option<&SignedIn>,
        visitor: Visitor,
        path: Result<At<P>, Problem>,
        form: &Arc<Form>,
    ) -> Result<Self, Problem> {
        let user = user.ok_or_else(|| Problem::plain(Code::Unauthenticated))?;
        let (user, session) = (user.id, user.session);
        state.limits.write(user)?;
        let At(path) = path?;
        form.check()?;
        let posted = Posted { state: state.clone(), user, path, form: Arc::clone(form) };
        Ok(Self { posted, session, visitor })
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

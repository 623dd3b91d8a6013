//! `GET /api/user/events`: server-sent events (SPEC, section 13).

use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use axum::response::Response;

use super::stream::{UserStream, UserStreamError};
use crate::codes;
use crate::ids::NotificationId;
use crate::live::Live;
use crate::live::routes::given_id;
use accounts::extract::CurrentUser;
use accounts::session::Visitor;
use platform::http::problem::Problem;
use platform::http::sse;

/// The events of the signed-in user: server-sent events.
///
/// `balance` is what the user has in a book, after each change: `bookId`, `balance`, `committed` and
/// `available`. It has no id. `notification` is a notification; its id is the event's id. With
/// `Last-Event-ID` or `after` the stream begins with those that were missed, at most the newest 100, and with
/// the balances of all books; otherwise it begins now.
#[utoipa::path(get, path = "/api/user/events", tag = "notifications", params(
        ("Last-Event-ID" = Option<String>, Header, description = "The id of the last notification that was received"),
        ("after" = Option<String>, Query, description = "The same; the header goes before it")),
    responses((status = 200, content_type = "text/event-stream", body = String)))]
pub async fn get_user_events(
    State(live): State<Live>,
    CurrentUser(user): CurrentUser,
    visitor: Visitor,
    query: RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let after = given_id(&query, &headers).map(|(name, text)| read_id(name, &text)).transpose()?;
    let session = visitor.session.ok_or_else(|| Problem::plain(codes::UNAUTHENTICATED))?;
    let stream = UserStream::open(&live, user.id, session, after).await?;
    Ok(sse::prepared(futures::stream::unfold(stream, |mut stream| async {
        let text = stream.next().await?;
        Some((text, stream))
    })))
}

fn read_id(name: &str, text: &str) -> Result<NotificationId, Problem> {
    text.parse().map_err(|_| Problem::field(name, "must be the id of a notification"))
}

impl From<UserStreamError> for Problem {
    fn from(error: UserStreamError) -> Self {
        match error {
            UserStreamError::Db(error) => error.into(),
            UserStreamError::Limit(limit) => limit.into(),
        }
    }
}

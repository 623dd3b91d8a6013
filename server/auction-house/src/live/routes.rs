//! `…/events`: server-sent events (SPEC, section 6).

use super::Live;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, HeaderName};
use axum::response::Response;

use super::StreamLimit;
use super::request::{StreamError, StreamRequest};
use super::stream::{self, LiveStream};
use crate::auctions::access::{AccessError, authorize};
use crate::codes;
use crate::ids::UserId;
use crate::items::access::view_in_auction;
use crate::path::{AuctionPath, ItemPath};
use accounts::extract::Reader;
use accounts::session::Visitor;
use platform::http::problem::Problem;
use platform::http::sse;
use platform::token::TokenHash;

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
/// The events of one item: server-sent events.
///
/// `item` is the item, with its description as in a list; one always comes first. `bid` is a bid as this
/// viewer sees it; its id is the `sequence`. `withdrawn` is a bid that was withdrawn; a stream that resumes
/// repeats it for every one. `gone` with `{itemId}` ends the stream: the item was deleted, or this viewer may
/// not see it any more. With `Last-Event-ID` or `after` the stream goes on from there; an id that is too old,
/// one with more than 64 withdrawn bids before it, or one with more than 255 KiB after it, gives `reset` with
/// `{item, bids}`, the last 50.
#[utoipa::path(get, path = "/api/auctions/{auction_id}/items/{item_id}/events", tag = "live", params(
        ("auction_id" = String, Path), ("item_id" = String, Path),
        ("Last-Event-ID" = Option<i64>, Header, description = "The `sequence` of the last bid that was received"),
        ("after" = Option<i64>, Query, minimum = 0, description = "The same; the header goes before it")),
    responses((status = 200, content_type = "text/event-stream", body = String)))]
pub async fn get_item_events(
    State(live): State<Live>,
    Reader { viewer, client, path }: Reader<ItemPath>,
    visitor: Visitor,
    query: RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let after = match read_after(&query, &headers) {
        Ok(after) => after,
        Err(problem) => {
            // A viewer who may not see the item is not told what is wrong with the request.
            let conn = &mut live.database().read().await?;
            view_in_auction(conn, path.auction_id, path.item_id, viewer, live.now()).await?;
            return Err(problem);
        }
    };
    let request = StreamRequest { user: viewer, client, session: session_of(viewer, visitor), after };
    Ok(respond(stream::of_item(&live, request, path.auction_id, path.item_id).await?))
}

/// The events of an auction: server-sent events.
///
/// A stream like an item's, for every item that this viewer may see. Ids are opaque and rise. Without one the
/// items come first, as far as the first page of their list goes; with one those to which something has
/// happened since; one that is too old, or has more than 255 KiB after it, gives `reset` with the first page
/// of `{items}`. `block` with `{itemId}` is the item on the block, or null: on each change, and at the
/// beginning of a stream if there is one. `gone` of that item means null, too. `order` says that the running
/// order has changed.
#[utoipa::path(get, path = "/api/auctions/{auction_id}/events", tag = "live", params(
        ("auction_id" = String, Path),
        ("Last-Event-ID" = Option<i64>, Header, description = "The id of the last event that was received"),
        ("after" = Option<i64>, Query, minimum = 0, description = "The same; the header goes before it")),
    responses((status = 200, content_type = "text/event-stream", body = String)))]
pub async fn get_auction_events(
    State(live): State<Live>,
    Reader { viewer, client, path }: Reader<AuctionPath>,
    visitor: Visitor,
    query: RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let after = match read_after(&query, &headers) {
        Ok(after) => after,
        Err(problem) => {
            authorize(&mut live.database().read().await?, path.auction_id, viewer, live.now()).await?;
            return Err(problem);
        }
    };
    let request = StreamRequest { user: viewer, client, session: session_of(viewer, visitor), after };
    Ok(respond(stream::of_auction(&live, request, path.auction_id).await?))
}

/// The session on which the stream of a signed-in viewer depends.
fn session_of(viewer: UserId, visitor: Visitor) -> Option<TokenHash> {
    visitor.session.filter(|_| viewer != UserId::NOBODY)
}

fn read_after(query: &RawQuery, headers: &HeaderMap) -> Result<Option<i64>, Problem> {
    given_id(query, headers).map(|(name, text)| read_id(name, &text)).transpose()
}

/// The id to resume from, and where it was given. A browser that reconnects sends the header to the address
/// that it began with, so the header is newer.
pub(super) fn given_id(RawQuery(query): &RawQuery, headers: &HeaderMap) -> Option<(&'static str, String)> {
    if let Some(value) = headers.get(LAST_EVENT_ID).filter(|value| !value.is_empty()) {
        return Some(("Last-Event-ID", value.to_str().unwrap_or_default().to_owned()));
    }
    let query: Vec<(String, String)> =
        serde_urlencoded::from_str(query.as_deref().unwrap_or_default()).unwrap_or_default();
    query.into_iter().find(|(name, _)| name == "after").map(|(_, text)| ("after", text))
}

fn read_id(name: &str, text: &str) -> Result<i64, Problem> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let id = digits.then(|| text.parse().ok()).flatten();
    id.ok_or_else(|| Problem::field(name, "must be the id of an event of this stream"))
}

fn respond(stream: LiveStream) -> Response {
    sse::prepared(futures::stream::unfold(stream, |mut stream| async {
        let text = stream.next().await?;
        Some((text, stream))
    }))
}

impl From<StreamError> for Problem {
    fn from(error: StreamError) -> Self {
        match error {
            StreamError::Access(AccessError::Db(error)) => error.into(),
            StreamError::Access(error) => error.into(),
            StreamError::Limit(limit) => limit.into(),
        }
    }
}

impl From<StreamLimit> for Problem {
    fn from(limit: StreamLimit) -> Self {
        match limit {
            StreamLimit::TooMany => {
                Self::new(codes::TOO_MANY_REQUESTS, "You have too many streams open: close one first.")
                    .retry_after(5)
            }
            StreamLimit::TooManyOfAddress => {
                let sentence =
                    "Your address has too many streams open without an account: sign in, or close one first.";
                Self::new(codes::TOO_MANY_REQUESTS, sentence).retry_after(5)
            }
            StreamLimit::FullWithoutAccount => {
                let sentence =
                    "There is no room for another stream without an account: sign in, or try again later.";
                Self::new(codes::OVERLOADED, sentence).retry_after(5)
            }
            StreamLimit::Full => {
                Self::new(codes::OVERLOADED, "There is no room for another stream.").retry_after(1)
            }
        }
    }
}

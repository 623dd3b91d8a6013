//! `GET /api/events`: several live streams in one response. A browser has six connections to a server over
//! HTTP/1.1; by this all its windows occupy one.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::LazyLock;
use std::task::{Context, Poll};

use axum::Router;
use axum::body::{Body, BodyDataStream, Bytes};
use axum::extract::{Query, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use futures::{Stream, StreamExt};
use tower::Service;

use crate::pages::hall::screen;
use crate::state::AppState;
use accounts::extract::FARTHING_FOR;
use auction_house::live;
use installation::updates;
use platform::http::problem::Problem;
use platform::http::sse;

/// Streams of one response.
const STREAMS_MAX: usize = 32;
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
/// Lies between two events.
const EMPTY_LINE: &[u8] = b"\n\n";
/// Beginnings of blocks that are no events and have no id.
const NO_EVENTS: [&[u8]; 2] = [b":", b"retry:"];

/// The streams that can be combined.
static STREAMS: LazyLock<Router<AppState>> = LazyLock::new(|| {
    Router::new()
        .route("/api/auctions/{auction_id}/events", get(live::routes::get_auction_events))
        .route("/api/auctions/{auction_id}/items/{item_id}/events", get(live::routes::get_item_events))
        .route("/api/user/events", get(live::user::routes::get_user_events))
        .route("/api/system/update/events", get(updates::routes::get_update_events))
        .route("/screen/{token}/events", get(screen::get_events))
});

/// Several streams as one: server-sent events.
///
/// Each `stream` is the address of a stream, with its `after`, or the id of the user of the session, a blank
/// and that address; without the id it is the stream of a visitor without an account. In the data of each
/// event the number of its stream, counted from 0 as they are named, is a line before the stream's own data.
/// An event without an id of its own has an empty one; one that has nothing but number and id says from where
/// the stream goes on later. `end` says that a stream has ended, or in a second line with which status it is
/// refused: 409 in the session of another user. If all are refused, the answer is the first refusal.
#[utoipa::path(get, path = "/api/events", tag = "live", params(
        ("stream" = Vec<String>, Query, min_items = 1, max_items = 32, description = "The streams")),
    responses((status = 200, content_type = "text/event-stream", body = String)))]
pub async fn get_events(
    State(state): State<AppState>,
    Query(query): Query<Vec<(String, String)>>,
    request: Request,
) -> Result<Response, Problem> {
    let streams: Vec<String> =
        query.into_iter().filter_map(|(name, stream)| (name == "stream").then_some(stream)).collect();
    if streams.is_empty() || streams.len() > STREAMS_MAX {
        return Err(Problem::field("stream", "must be given, at most 32 times"));
    }
    let (parts, _) = request.into_parts();
    let mut routes = STREAMS.clone().with_state(state);
    let mut combined = CombinedStream::default();
    let mut refusal = None;
    for (number, stream) in streams.iter().enumerate() {
        let answer = match request_of(&parts, stream) {
            Ok(request) => answer(&mut routes, request).await,
            Err(problem) => problem.into_response(),
        };
        if answer.status() == StatusCode::OK {
            combined.add(number, answer.into_body());
        } else {
            combined.texts.push_back(end(number, Some(answer.status())));
            refusal.get_or_insert(answer);
        }
    }
    match refusal {
        Some(refusal) if combined.parts.is_empty() => Ok(refusal),
        _ => Ok(sse::prepared(combined)),
    }
}

async fn answer(routes: &mut Router, request: Request) -> Response {
    let answer: Result<Response, Infallible> = routes.call(request).await;
    let Ok(answer) = answer;
    answer
}

/// The request for one stream, in the session of its user or without any.
fn request_of(parts: &Parts, stream: &str) -> Result<Request, Problem> {
    let (user, address) = match stream.split_once(' ') {
        Some((user, address)) => (Some(user), address),
        None => (None, stream),
    };
    let invalid = || Problem::field("stream", "must be the address of a stream");
    let mut parts = parts.clone();
    parts.method = Method::GET;
    parts.uri = address.parse::<Uri>().map_err(|_| invalid())?;
    // The cursor of a stream stands in its address.
    parts.headers.remove(LAST_EVENT_ID);
    parts.headers.remove(FARTHING_FOR);
    match user {
        Some(user) => {
            let user = HeaderValue::from_str(user).map_err(|_| invalid())?;
            parts.headers.insert(FARTHING_FOR, user);
        }
        None => {
            parts.headers.remove(header::COOKIE);
        }
    }
    Ok(Request::from_parts(parts, Body::empty()))
}

/// The event of a stream that has ended, or was refused.
fn end(number: usize, refused: Option<StatusCode>) -> Bytes {
    let refused = refused.map(|status| format!("data: {}\n", status.as_u16())).unwrap_or_default();
    format!("id\nevent: end\ndata: {number}\n{refused}\n").into()
}

/// The bytes of several streams, one event after the other. Their texts are shared, not copied.
#[derive(Default)]
struct CombinedStream {
    parts: Vec<Part>,
    /// What is sent next.
    texts: VecDeque<Bytes>,
    /// The part that is asked next.
    turn: usize,
}

struct Part {
    number: usize,
    /// Stands before each event, and empties the id that a browser keeps of the event before.
    mark: Bytes,
    body: BodyDataStream,
    /// The next bytes belong to the event of the last ones, so that no other part may send between them.
    is_within: bool,
}

impl CombinedStream {
    fn add(&mut self, number: usize, body: Body) {
        let mark = format!("id\ndata: {number}\n").into();
        self.parts.push(Part { number, mark, body: body.into_data_stream(), is_within: false });
    }
}

impl Part {
    /// Adds its next bytes to the texts, with its mark before each event.
    fn push(&mut self, mut bytes: Bytes, texts: &mut VecDeque<Bytes>) {
        while !bytes.is_empty() {
            if !self.is_within && !NO_EVENTS.iter().any(|beginning| bytes.starts_with(beginning)) {
                texts.push_back(self.mark.clone());
            }
            let end = bytes.windows(EMPTY_LINE.len()).position(|window| window == EMPTY_LINE);
            self.is_within = end.is_none();
            let length = end.map_or(bytes.len(), |end| end + EMPTY_LINE.len());
            texts.push_back(bytes.split_to(length));
        }
    }
}

impl Stream for CombinedStream {
    type Item = Bytes;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let this = &mut *self;
        let mut asked = 0;
        while this.texts.is_empty() && asked < this.parts.len() {
            let at = this.turn % this.parts.len();
            let Some(part) = this.parts.get_mut(at) else { break };
            match part.body.poll_next_unpin(context) {
                Poll::Ready(Some(Ok(bytes))) => part.push(bytes, &mut this.texts),
                // The rest of an event is missing. The browser drops what it has of it with the response.
                Poll::Ready(_) if part.is_within => return Poll::Ready(None),
                Poll::Ready(_) => {
                    this.texts.push_back(end(part.number, None));
                    this.parts.remove(at);
                    continue;
                }
                Poll::Pending if part.is_within => return Poll::Pending,
                Poll::Pending => asked += 1,
            }
            if !part.is_within {
                this.turn = at + 1;
            }
        }
        match this.texts.pop_front() {
            Some(text) => Poll::Ready(Some(text)),
            None if this.parts.is_empty() => Poll::Ready(None),
            None => Poll::Pending,
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::stream;

    use super::*;

    fn body(texts: &[&'static str]) -> Body {
        Body::from_stream(stream::iter(texts.to_vec()).map(Ok::<_, Infallible>))
    }

    async fn combined(parts: Vec<Body>) -> String {
        let mut combined = CombinedStream::default();
        for (number, part) in parts.into_iter().enumerate() {
            combined.add(number, part);
        }
        let texts: Vec<Bytes> = combined.collect().await;
        String::from_utf8(texts.concat()).unwrap()
    }

    #[tokio::test]
    async fn events_of_two_streams_take_turns_and_are_marked() {
        let one = body(&["retry: 1000\n\n", ": alive\n\n", "event: bid\nid: 7\ndata: {}\n\nid: 8\n\n"]);
        let two = body(&["event: block\ndata: null\n\n"]);
        let expected = "retry: 1000\n\nid\ndata: 1\nevent: block\ndata: null\n\n: alive\n\n\
            id\nevent: end\ndata: 1\n\n\
            id\ndata: 0\nevent: bid\nid: 7\ndata: {}\n\nid\ndata: 0\nid: 8\n\nid\nevent: end\ndata: 0\n\n";
        assert_eq!(combined(vec![one, two]).await, expected);
    }

    #[tokio::test]
    async fn an_event_in_pieces_is_not_interrupted() {
        let one = body(&["event: reset\ndata: [", "1,", "2]\n\n"]);
        let two = body(&["event: block\ndata: null\n\n"]);
        let expected = "id\ndata: 0\nevent: reset\ndata: [1,2]\n\nid\ndata: 1\nevent: block\ndata: null\n\n\
            id\nevent: end\ndata: 0\n\nid\nevent: end\ndata: 1\n\n";
        assert_eq!(combined(vec![one, two]).await, expected);
    }

    #[tokio::test]
    async fn half_an_event_ends_the_response() {
        let one = body(&["event: reset\ndata: ["]);
        let two = body(&["event: block\ndata: null\n\n"]);
        assert_eq!(combined(vec![one, two]).await, "id\ndata: 0\nevent: reset\ndata: [");
    }
}

use std::time::Duration;

use reqwest::{RequestBuilder, Response};
use serde_json::Value;

use super::{Client, log};

/// How long to wait for an event. A stream checks for missed events every three seconds.
const EVENT_TIMEOUT: Duration = Duration::from_secs(5);

/// An open stream of server-sent events.
pub struct Events {
    pub response: Response,
    /// A chunk may end within a character.
    read: Vec<u8>,
}

/// One event.
#[derive(Debug, PartialEq)]
pub struct Event {
    pub kind: String,
    /// Id of the event. A notification has a UUID instead, in its data.
    pub id: Option<i64>,
    pub data: Value,
}

impl Events {
    /// Opens the stream at `path`, which must succeed.
    pub async fn open(client: &Client, path: &str) -> Self {
        Self::of(client.request("GET", path)).await
    }

    pub async fn of(request: RequestBuilder) -> Self {
        let response = request.send().await.unwrap();
        let status = response.status();
        assert_eq!(status, 200, "{}", log::of(status.as_u16(), ""));
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self { response, read: Vec::new() }
    }

    /// The next event; `None` at the end of the stream.
    #[track_caller]
    pub fn next(&mut self) -> impl Future<Output = Option<Event>> {
        let at = std::panic::Location::caller();
        async move {
            let next = tokio::time::timeout(EVENT_TIMEOUT, self.read_next()).await;
            next.unwrap_or_else(|_| panic!("no event in time, at {at}"))
        }
    }

    async fn read_next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = event(&self.read_block().await?) {
                return Some(event);
            }
        }
    }

    /// The next event of a response with several streams, with the number of its stream, as text.
    #[track_caller]
    pub fn numbered(&mut self) -> impl Future<Output = Option<(usize, String)>> {
        let at = std::panic::Location::caller();
        let next = async move {
            loop {
                let block = self.read_block().await?;
                if let Some((_, data)) = block.split_once("data: ") {
                    let (number, rest) = data.split_once('\n').expect("a line");
                    let before = block.lines().take_while(|line| !line.starts_with("data: "));
                    let texts: Vec<&str> =
                        before.chain(rest.lines()).filter(|line| !line.is_empty()).collect();
                    return Some((number.parse().expect("a number"), texts.join("|")));
                }
            }
        };
        async move {
            let next = tokio::time::timeout(EVENT_TIMEOUT, next).await;
            next.unwrap_or_else(|_| panic!("no event in time, at {at}"))
        }
    }

    async fn read_block(&mut self) -> Option<String> {
        loop {
            if let Some(end) = self.read.windows(2).position(|window| window == b"\n\n") {
                let block: Vec<u8> = self.read.drain(..end + 2).collect();
                return Some(String::from_utf8(block).unwrap());
            }
            // A broken connection also ends the stream.
            let chunk = self.response.chunk().await.ok().flatten()?;
            self.read.extend_from_slice(&chunk);
        }
    }

    /// The next event, which must be an item.
    #[track_caller]
    pub fn item(&mut self) -> impl Future<Output = Value> {
        let next = self.next();
        async move {
            let event = next.await.expect("an event");
            assert_eq!((event.kind.as_str(), event.id), ("item", None), "{event:?}");
            event.data
        }
    }

    /// The id of the item that is gone with the next event.
    #[track_caller]
    pub fn gone(&mut self) -> impl Future<Output = String> {
        let next = self.next();
        async move {
            let event = next.await.expect("an event");
            assert_eq!((event.kind.as_str(), event.id), ("gone", None), "{event:?}");
            event.data["itemId"].as_str().expect("an id").to_owned()
        }
    }

    /// The next event, which must be a bid.
    #[track_caller]
    pub fn bid(&mut self) -> impl Future<Output = (i64, Value)> {
        let next = self.next();
        async move {
            let event = next.await.expect("an event");
            assert_eq!(event.kind, "bid", "{event:?}");
            (event.id.expect("an id"), event.data)
        }
    }
}

/// Parses a block of the stream. A block without data is not an event.
fn event(block: &str) -> Option<Event> {
    let field = |name: &str| {
        let mut lines = block.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(field, _)| *field == name).map(|(_, value)| value)
    };
    Some(Event {
        data: serde_json::from_str(field("data")?).unwrap(),
        kind: field("event")?.to_owned(),
        id: field("id").and_then(|id| id.parse().ok()),
    })
}

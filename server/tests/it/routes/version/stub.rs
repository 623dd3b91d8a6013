//! A release API that answers correctly, incorrectly, or not at all.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use futures::stream;
use tokio::sync::watch;

/// Incorrect answers with the expected errors.
pub const QUICK: &[(&str, &str)] = &[
    ("/missing", "the release source answered with status 404"),
    ("/loop", "the release source led elsewhere too often"),
    ("/huge", "the release source answered with more than is read"),
    ("/page", "the release source answered with something else than a release"),
    ("/list", "the release source answered with something else than a release"),
    ("/deep", "the release source answered with something else than a release"),
    ("/nightly", "the release source names no plain version such as v1.2.3"),
    ("/option", "the release source names no plain version such as v1.2.3"),
];

const NEW: &str = r#"{"tag_name": "v99.10.0", "html_url": "https://example.org/releases/99.10.0", "name": "Ten",
    "assets": [{"size": 1e400}], "author": {"login": "x"}}"#;

pub struct Stub {
    address: SocketAddr,
    seen: Arc<Seen>,
}

struct Seen {
    count: watch::Sender<u64>,
    agent: Mutex<String>,
}

impl Stub {
    pub async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Seen { count: watch::Sender::new(0), agent: Mutex::default() });
        let router = Router::new().fallback(answer).with_state(Arc::clone(&seen));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, seen }
    }

    pub fn at(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Number of requests.
    pub fn count(&self) -> u64 {
        *self.seen.count.borrow()
    }

    /// Waits for a request.
    pub async fn asked(&self) {
        let asked = async { self.seen.count.subscribe().wait_for(|count| *count > 0).await.map(|_| ()) };
        tokio::time::timeout(Duration::from_secs(10), asked).await.expect("a request in time").unwrap();
    }

    /// User agent of the last request.
    pub fn agent(&self) -> String {
        self.seen.agent.lock().unwrap().clone()
    }
}

async fn answer(State(seen): State<Arc<Seen>>, request: Request) -> Response {
    seen.count.send_modify(|count| *count += 1);
    let agent = request.headers().get("user-agent").map_or("", |agent| agent.to_str().unwrap());
    agent.clone_into(&mut seen.agent.lock().unwrap());
    let is_first = *seen.count.borrow() == 1;
    match request.uri().path() {
        "/new" => NEW.into_response(),
        "/once" if is_first => NEW.into_response(),
        "/once" => StatusCode::SERVICE_UNAVAILABLE.into_response(),
        "/old" => r#"{"tag_name": "0.0.9"}"#.into_response(),
        "/pre-release" => r#"{"tag_name": "v99.0.0-rc1"}"#.into_response(),
        "/script" => r#"{"tag_name": "v99.10.0", "html_url": "javascript:alert(1)"}"#.into_response(),
        "/moved" => Redirect::temporary("/moved/again").into_response(),
        "/moved/again" => Redirect::permanent("/new").into_response(),
        "/loop" => Redirect::temporary("/loop").into_response(),
        "/huge" => {
            let chunk = Bytes::from(vec![b' '; 65536]);
            let endless = stream::repeat_with(move || Ok::<_, Infallible>(chunk.clone()));
            Body::from_stream(endless).into_response()
        }
        "/dripping" => {
            let drops = stream::unfold((), |()| async {
                tokio::time::sleep(Duration::from_millis(200)).await;
                Some((Ok::<_, Infallible>(Bytes::from_static(b" ")), ()))
            });
            Body::from_stream(drops).into_response()
        }
        "/silent" => std::future::pending().await,
        "/page" => "<!DOCTYPE html><title>Sign in</title>".into_response(),
        "/list" => format!("[{NEW}]").into_response(),
        "/deep" => format!(r#"{{"tag_name": {}"#, "[".repeat(100_000)).into_response(),
        "/nightly" => r#"{"tag_name": "nightly"}"#.into_response(),
        "/option" => r#"{"tag_name": "--upload-pack=x"}"#.into_response(),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

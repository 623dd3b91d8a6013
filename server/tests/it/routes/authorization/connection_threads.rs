//! What a request does on the thread of its connection, which serves many others: less than a bid may wait.
//! It is measured for every route that writes, in an auction with many items, with small and with large
//! bodies.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};
use tower::Service;

use super::callers::Callers;
use super::table::{API, PAGES};

/// A poll takes at most as long as this many readings of the reference, each of which takes 2 ms on a small
/// server. Most take a tenth of it.
const READINGS_MAX: f64 = 1.0;
/// Bytes of a JSON list that is read before each request: the reference. A slow or busy machine reads it as
/// slowly as it polls.
const REFERENCE_BYTES: usize = 100_000;
/// A request that takes longer is repeated: the first one fills caches, and a machine has other work.
const TRIES: usize = 20;
/// Items of the auction.
const ITEMS: usize = 3_000;
/// Bytes of a large body: nearly as many as are read.
const LARGE_BYTES: usize = 60_000;
/// What ends the session or deletes what other routes need.
const LAST: &[&str] =
    &["/logout", "/sign-out", "/delete", "/leave", "/close", "/logout-all", "/sessions/end"];

/// A future that measures its polls.
struct Measured<F> {
    future: Pin<Box<F>>,
    longest: Duration,
}

impl<F: Future> Future for Measured<F> {
    type Output = (F::Output, Duration);

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let before = processor_time();
        let polled = self.future.as_mut().poll(context);
        self.longest = self.longest.max(processor_time().saturating_sub(before));
        polled.map(|output| (output, self.longest))
    }
}

/// Time of a processor that `work` takes.
fn time_of<T>(work: impl FnOnce() -> T) -> Duration {
    let before = processor_time();
    std::hint::black_box(work());
    processor_time().saturating_sub(before)
}

/// The time that the calling thread has had a processor: other load of the machine does not count.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap())
}

#[tokio::test]
async fn no_write_keeps_the_thread_of_its_connection_busy() {
    let callers = Callers::start().await;
    callers.add_items(ITEMS).await;
    let cookie = callers.cookie_of_owner().await;
    let reference = format!("[{}1]", "{\"name\": 1}, ".repeat(REFERENCE_BYTES / 13));
    let mut late = Vec::new();
    let routes = API.iter().chain(PAGES).filter(|(method, ..)| *method != "get" && *method != "delete");
    for (method, path, _) in routes.filter(|(_, path, _)| !LAST.iter().any(|last| path.ends_with(last))) {
        for (name, media_type, body) in bodies(path.starts_with("/api/"), &callers.item()) {
            let (mut least, mut status) = (f64::MAX, 0);
            for _ in 0..TRIES {
                let reading = time_of(|| serde_json::from_str::<Value>(&reference).unwrap());
                let request =
                    Request::builder().method(method.to_ascii_uppercase().as_str()).uri(callers.fill(path));
                let request = request.header("host", "localhost").header("cookie", &cookie);
                let request = request.header("content-type", media_type).header("if-match", "\"0\"");
                let request = request.header("content-length", body.len()).body(Body::from(body.clone()));
                let answer = callers.site().call(request.unwrap());
                let measured = Measured { future: Box::pin(answer), longest: Duration::ZERO };
                let (answer, took) = measured.await;
                status = answer.unwrap().status().as_u16();
                least = least.min(took.as_secs_f64() / reading.as_secs_f64());
                if least <= READINGS_MAX {
                    break;
                }
            }
            if least > READINGS_MAX {
                late.push(format!("{method} {path} ({name}): {least:.1} readings, status {status}"));
            }
        }
    }
    assert!(late.is_empty(), "\n{}\n", late.join("\n"));
}

/// Bodies that are small but may ask for much, and large ones that are refused.
fn bodies(is_api: bool, item: &str) -> Vec<(&'static str, &'static str, String)> {
    const FORM: &str = "application/x-www-form-urlencoded";
    const JSON: &str = "application/json";
    let repeated = |text: &dyn Fn(usize) -> String| {
        let mut body = String::new();
        for number in 0.. {
            let next = text(number);
            if body.len() + next.len() > LARGE_BYTES {
                break;
            }
            body.push_str(&next);
        }
        body
    };
    if is_api {
        let members = repeated(&|number| format!("\"member{number}\": [{{\"a\": 1}}, null, \"x\"], "));
        let items = repeated(&|_| "{\"name\": 1}, ".to_owned());
        let text = json!({"name": "ä\u{301}".repeat(LARGE_BYTES / 4), "description": 1});
        return vec![
            ("small", JSON, "{\"name\": \"\"}".to_owned()),
            ("many members", JSON, format!("{{{members}\"last\": 1}}")),
            (
                "many entries",
                JSON,
                format!("{{\"items\": [{items}1], \"people\": [{items}1], \"rows\": [{items}1]}}"),
            ),
            ("a long text", JSON, text.to_string()),
            ("a table", "text/csv", repeated(&|number| format!("{number},Ä lot,,,x\n"))),
        ];
    }
    let lots = repeated(&|number| format!("lots.{}.minimum=1%2C2%2C3&lots.{0}.ends=x&", number % 64));
    vec![
        ("a call of an unknown lot", FORM, "call=UP&lot=00000000-0000-7000-8000-000000000000".to_owned()),
        ("a call of the last lot", FORM, format!("call=DOWN&lot={item}")),
        ("many fields", FORM, lots),
        ("many names", FORM, repeated(&|number| format!("field{number}=%C3%A4&"))),
        ("a long text", FORM, format!("name={}&description={0}", "%C3%A4".repeat(LARGE_BYTES / 12))),
    ]
}

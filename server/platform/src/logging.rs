//! The log, on standard error. A line that is written while a request is handled names the request.

use std::borrow::Cow;
use std::fmt;
use std::io::IsTerminal;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use tracing::{Dispatch, Event, Subscriber};
use tracing_log::NormalizeEvent;
use tracing_serde::AsSerde;
use tracing_serde::fields::AsMap;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::field::RecordFields;
use tracing_subscriber::filter::{Directive, LevelFilter};
use tracing_subscriber::fmt::format::{DefaultFields, Writer};
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields, MakeWriter};
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;

use crate::http::request_id::CurrentRequest;

/// How the log is written to standard error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    Text,
    Json,
}

/// Starts logging. `RUST_LOG` filters; the default is level INFO. Call it once.
pub fn start_logging(format: LogFormat) {
    #[expect(
        clippy::disallowed_methods,
        reason = "the variable of the log, which every program of its library reads"
    )]
    let given = std::env::var(EnvFilter::DEFAULT_ENV).unwrap_or_default();
    let (filter, mistakes) = filter(&given);
    subscriber(format, filter, std::io::stderr().is_terminal(), std::io::stderr).init();
    for mistake in mistakes {
        tracing::warn!("`{mistake}` in RUST_LOG is neither a level nor `target=level`");
    }
}

/// The filter of these directives, which begin with level INFO, and the parts that are none. A word that is
/// no level would be the name of a target, and silence everything else.
fn filter(given: &str) -> (EnvFilter, Vec<&str>) {
    let parts = given.split(',').map(str::trim).filter(|part| !part.is_empty());
    let is_directive = |part: &str| match part.contains(['=', '[', ':']) {
        true => part.parse::<Directive>().is_ok(),
        false => part.parse::<LevelFilter>().is_ok(),
    };
    let (directives, mistakes): (Vec<&str>, Vec<&str>) = parts.partition(|part| is_directive(part));
    let filter = EnvFilter::builder().parse_lossy(["info", &directives.join(",")].join(","));
    (filter, mistakes)
}

fn subscriber<W>(format: LogFormat, filter: EnvFilter, has_colours: bool, writer: W) -> Dispatch
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(has_colours).with_writer(writer);
    match format {
        LogFormat::Text => log.map_fmt_fields(TextFields).finish().into(),
        LogFormat::Json => log.event_format(JsonLines).finish().into(),
    }
}

/// Writes the fields of an event, then the fields of the current request. The latter are a task-local value
/// instead of a span, because log lines are rare: a span for each request took a tenth of a bid's time.
struct TextFields(DefaultFields);

impl<'writer> FormatFields<'writer> for TextFields {
    fn format_fields<R: RecordFields>(&self, mut writer: Writer<'writer>, fields: R) -> fmt::Result {
        self.0.format_fields(writer.by_ref(), fields)?;
        let Some(request) = CurrentRequest::get() else { return Ok(()) };
        let (id, method, path) = (request.id, &request.method, request.path());
        // Quoted, since a path may contain control characters of a terminal.
        write!(writer, " request={id} method={method} path={path:?}")
    }
}

/// One JSON object for each line.
struct JsonLines;

#[derive(Serialize)]
struct Line<'a, L, F> {
    timestamp: &'a str,
    level: L,
    fields: F,
    target: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    request: Option<Request<'a>>,
}

#[derive(Serialize)]
struct Request<'a> {
    id: String,
    method: &'a str,
    path: Cow<'a, str>,
}

impl<S, N> FormatEvent<S, N> for JsonLines
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        _: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let normalized = event.normalized_metadata();
        let metadata = normalized.as_ref().unwrap_or_else(|| event.metadata());
        let mut timestamp = String::new();
        SystemTime.format_time(&mut Writer::new(&mut timestamp))?;
        let current = CurrentRequest::get();
        let line = Line {
            timestamp: &timestamp,
            level: metadata.level().as_serde(),
            fields: event.field_map(),
            target: metadata.target(),
            request: current.as_deref().map(|request| Request {
                id: request.id.to_string(),
                method: request.method.as_str(),
                path: request.path(),
            }),
        };
        let line = serde_json::to_string(&line).map_err(|_| fmt::Error)?;
        writeln!(writer, "{line}")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use axum::body::Body;
    use axum::extract::Request;
    use futures::FutureExt;

    use super::*;
    use crate::http::request_id::RequestId;
    use crate::time::Moment;

    /// Two lines, the second one within a request.
    fn written(format: LogFormat, id: RequestId) -> Vec<String> {
        let written: &Mutex<Vec<u8>> = Box::leak(Box::default());
        let log = subscriber(format, EnvFilter::new("info"), false, || written.make_writer());
        tracing::dispatcher::with_default(&log, || {
            tracing::info!(n = 1, "outside");
            let request = Request::post("/\u{9b}2J?token=secret").body(Body::empty()).unwrap();
            let current = CurrentRequest::new(id, &request);
            current.scope(async { tracing::error!(n = 2, "inside") }).now_or_never().unwrap();
        });
        let written = String::from_utf8(written.lock().unwrap().clone()).unwrap();
        written.lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_mistake_in_the_filter_silences_nothing() {
        for (given, expected, mistakes) in [
            ("", "info", &[][..]),
            ("warn", "warn", &[]),
            ("off", "off", &[]),
            ("inof", "info", &["inof"]),
            ("platform=debug, wran", "info,platform=debug", &["wran"]),
        ] {
            let (filter, found) = filter(given);
            let mut directives: Vec<String> = filter.to_string().split(',').map(str::to_owned).collect();
            directives.sort_unstable();
            assert_eq!((directives.join(",").as_str(), found.as_slice()), (expected, mistakes), "{given}");
        }
    }

    #[test]
    fn a_token_in_a_path_is_not_logged() {
        let token = crate::random::new_token().unwrap();
        let id = "0198a6f0-5c1e-7d3a-9b1f-3f0e7c2a4d11";
        for (path, logged) in [
            (format!("/reset-password/{token}"), "/reset-password/…".to_owned()),
            (format!("/join/{token}.&x=1/more"), "/join/…/more".to_owned()),
            (format!("/auctions/{id}"), format!("/auctions/{id}")),
        ] {
            let request = Request::post(&path).body(Body::empty()).unwrap();
            let id = RequestId::new(Moment::from_millis(0).unwrap());
            assert_eq!(CurrentRequest::new(id, &request).path(), logged);
        }
    }

    #[test]
    fn a_line_names_its_request() {
        let id = RequestId::new(Moment::from_millis(0).unwrap());
        let text = written(LogFormat::Text, id);
        assert!(text[0].ends_with("outside n=1"), "{}", text[0]);
        let named = format!("inside n=2 request={id} method=POST path=\"/\\u{{9b}}2J\"");
        assert!(text[1].contains(" ERROR ") && text[1].ends_with(&named), "{}", text[1]);
        let json = written(LogFormat::Json, id);
        let json = json.iter().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let [outside, inside] = &json.collect::<Vec<_>>()[..] else { panic!("two lines") };
        assert_eq!(outside["request"], serde_json::Value::Null);
        assert_eq!(
            inside["request"],
            serde_json::json!({"id": id.to_string(), "method": "POST", "path": "/\u{9b}2J"})
        );
        assert_eq!((&inside["level"], &inside["fields"]["n"]), (&"ERROR".into(), &2.into()));
        assert_eq!(
            (&inside["fields"]["message"], &inside["target"]),
            (&"inside".into(), &module_path!().into())
        );
        assert!(inside["timestamp"].as_str().unwrap().parse::<Moment>().is_ok());
    }
}

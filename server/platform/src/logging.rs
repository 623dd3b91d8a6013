//! The log, on standard error. A line that is written while a request is answered names it.

use std::fmt;
use std::io::IsTerminal;

use tracing::{Dispatch, Event, Subscriber};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields, MakeWriter};
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;

use clap::ValueEnum;
use serde::Deserialize;

use crate::http::request_id::Answered;

/// How the log is written to standard error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    Text,
    Json,
}

/// Begins to log. `RUST_LOG` filters; without it what matters to an operator is written. Call it once.
pub fn start_logging(format: LogFormat) {
    let filter = EnvFilter::builder().with_default_directive(LevelFilter::INFO.into()).from_env_lossy();
    log(format, filter, std::io::stderr().is_terminal(), std::io::stderr).init();
}

fn log<W>(of: LogFormat, filter: EnvFilter, is_colourful: bool, writer: W) -> Dispatch
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(is_colourful).with_writer(writer);
    match of {
        LogFormat::Text => log.map_event_format(|format| Naming { of, format }).finish().into(),
        LogFormat::Json => log.json().map_event_format(|format| Naming { of, format }).finish().into(),
    }
}

/// Names the request in lines that `format` writes. A span would do so too, but is made for every request, and a line is
/// rare: it took a tenth of a bid's time.
struct Naming<F> {
    of: LogFormat,
    format: F,
}

impl<S, N, F> FormatEvent<S, N> for Naming<F>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
    F: FormatEvent<S, N>,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let Some(answered) = Answered::here() else {
            return self.format.format_event(context, writer, event);
        };
        let mut line = String::new();
        self.format.format_event(context, Writer::new(&mut line), event)?;
        let line = line.trim_end();
        let Answered { id, method, uri } = &*answered;
        let path = uri.path();
        match self.of {
            // Quoted, since a path may hold what a terminal obeys.
            LogFormat::Text => writeln!(writer, "{line} request={id} method={method} path={path:?}"),
            LogFormat::Json => {
                let request =
                    serde_json::json!({"id": id.to_string(), "method": method.as_str(), "path": path});
                let members = line.strip_prefix('{').unwrap_or("}");
                writeln!(writer, "{{\"request\":{request},{members}")
            }
        }
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

    /// Two lines, the second of them in a request.
    fn written(format: LogFormat, id: RequestId) -> Vec<String> {
        let written: &Mutex<Vec<u8>> = Box::leak(Box::default());
        let log = log(format, EnvFilter::new("info"), false, || written.make_writer());
        tracing::dispatcher::with_default(&log, || {
            tracing::info!(n = 1, "outside");
            let request = Request::post("/\u{9b}2J?token=secret").body(Body::empty()).unwrap();
            let answering = Answered::new(id, &request).during(async { tracing::error!(n = 2, "inside") });
            answering.now_or_never().unwrap();
        });
        let written = String::from_utf8(written.lock().unwrap().clone()).unwrap();
        written.lines().map(str::to_owned).collect()
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
    }
}

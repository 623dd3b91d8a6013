//! A release API: one address whose answer is the latest release.

use std::error::Error;
use std::time::Duration;

use reqwest::header::ACCEPT;
use reqwest::{Client, ClientBuilder, Response, Url, redirect};
use serde::Deserialize;
use serde_json::Value;

use super::{CheckError, Release};
use platform::log_field::logged;

/// The timeout of a check, redirects included.
const WAIT_MAX: Duration = Duration::from_secs(10);
const ANSWER_BYTES_MAX: usize = 1024 * 1024;
const REDIRECTS_MAX: usize = 3;
const URL_CHARS_MAX: usize = 2000;

/// The members that are read of the answer.
#[derive(Deserialize)]
struct Answer {
    tag_name: String,
    /// Anything but a text counts as no link.
    #[serde(default)]
    html_url: Value,
    #[serde(default)]
    draft: bool,
    #[serde(default)]
    prerelease: bool,
}

pub(super) async fn latest(address: &str) -> Result<Release, CheckError> {
    let asked = tokio::time::timeout(WAIT_MAX, ask(address)).await;
    let body = asked.unwrap_or(Err(CheckError::TooSlow))?;
    read(&body)
}

async fn ask(address: &str) -> Result<Vec<u8>, CheckError> {
    let client = client().map_err(|error| unreachable(&error))?;
    let request = client.get(address).header(ACCEPT, "application/json");
    let response = request.send().await.map_err(|error| unreachable(&error))?;
    match response.status().as_u16() {
        200 => body(response).await,
        status => Err(CheckError::Status(status)),
    }
}

/// Built for each check: there is one per hour, and an idle client only takes memory.
fn client() -> Result<Client, reqwest::Error> {
    // Fails if it is installed already, which is the same provider.
    let _ = rustls::crypto::ring::default_provider().install_default();
    // Without the certificates of the system, plain http still works.
    builder().build().or_else(|_| builder().tls_certs_only([]).build())
}

fn builder() -> ClientBuilder {
    let redirects = redirect::Policy::custom(|attempt| {
        let was_https = attempt.previous().last().is_some_and(|url| url.scheme() == "https");
        if attempt.previous().len() > REDIRECTS_MAX || (was_https && attempt.url().scheme() != "https") {
            attempt.error(TooManyRedirects)
        } else {
            attempt.follow()
        }
    });
    Client::builder()
        .user_agent(concat!("farthing/", env!("CARGO_PKG_VERSION")))
        .timeout(WAIT_MAX)
        .redirect(redirects)
}

#[derive(Debug, thiserror::Error)]
#[error("too many redirects, or a redirect away from https")]
struct TooManyRedirects;

async fn body(mut response: Response) -> Result<Vec<u8>, CheckError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| unreachable(&error))? {
        if body.len() + chunk.len() > ANSWER_BYTES_MAX {
            return Err(CheckError::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

fn read(body: &[u8]) -> Result<Release, CheckError> {
    let answer: Answer = serde_json::from_slice(body).map_err(|error| {
        tracing::warn!(error = logged(&error), "the release source's answer can't be read");
        CheckError::NotARelease
    })?;
    if answer.draft || answer.prerelease {
        return Err(CheckError::NoPlainVersion);
    }
    let tag = answer.tag_name.parse().map_err(|_| CheckError::NoPlainVersion)?;
    Ok(Release { tag, url: answer.html_url.as_str().and_then(https) })
}

/// The address if it may be shown as a link: https, without a user name or password.
pub(super) fn https(text: &str) -> Option<String> {
    let url = Url::parse(text).ok()?;
    let is_plain = url.scheme() == "https" && url.username().is_empty() && url.password().is_none();
    let url = url.to_string();
    (is_plain && url.len() <= URL_CHARS_MAX).then_some(url)
}

/// Logs the cause without the address, which may contain a password.
fn unreachable(error: &reqwest::Error) -> CheckError {
    let mut cause: Option<&(dyn Error + 'static)> = error.source();
    while let Some(deeper) = cause.and_then(Error::source) {
        cause = Some(deeper);
    }
    tracing::warn!(error = cause, "the release source could not be asked");
    if error.is_timeout() {
        CheckError::TooSlow
    } else if error.is_redirect() {
        CheckError::TooManyRedirects
    } else {
        CheckError::Unreachable
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url_of(html_url: &str) -> Option<String> {
        read(format!(r#"{{"tag_name": "v1.2.3", "html_url": {html_url}}}"#).as_bytes()).unwrap().url
    }

    #[test]
    fn only_a_plain_https_address_becomes_a_link() {
        assert_eq!(
            url_of(r#""https://example.org/r/1?a=b""#).as_deref(),
            Some("https://example.org/r/1?a=b")
        );
        for link in [
            "null",
            "1",
            "[]",
            r#"{"a": 1}"#,
            r#""""#,
            r#""javascript:alert(1)""#,
            r#""http://example.org/""#,
            r#""data:text/html,x""#,
            r#""//example.org""#,
            r#""https://user:word@example.org/""#,
        ] {
            assert_eq!(url_of(link), None, "{link}");
        }
        let long = format!(r#""https://example.org/{}""#, "a".repeat(URL_CHARS_MAX));
        assert_eq!(url_of(&long), None);
    }

    #[test]
    fn an_unreadable_answer_differs_from_a_release_that_is_not_offered() {
        for body in ["", "x", "[]", "{}", "null", r#"{"tag_name": 1}"#, r#"{"tag_name": null}"#] {
            assert_eq!(read(body.as_bytes()), Err(CheckError::NotARelease), "{body}");
        }
        for body in [
            r#"{"tag_name": "v2.0.0-rc1"}"#,
            r#"{"tag_name": "nightly"}"#,
            r#"{"tag_name": "v2.0.0", "prerelease": true}"#,
            r#"{"tag_name": "v2.0.0", "draft": true}"#,
        ] {
            assert_eq!(read(body.as_bytes()), Err(CheckError::NoPlainVersion), "{body}");
        }
    }
}

//! Requests to a release source: with limits on time, size and redirects.

use std::error::Error;
use std::time::Duration;

use reqwest::header::ACCEPT;
use reqwest::{Client, ClientBuilder, Response, Url, redirect};

use platform::log_field::logged;

/// How long a source may be silent.
const SILENCE_MAX: Duration = Duration::from_secs(30);
const REDIRECTS_MAX: usize = 3;

/// Why there is no answer. The address is not named, because it may contain a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    #[error("it could not be reached")]
    Unreachable,
    #[error("it took too long")]
    TooSlow,
    #[error("it led elsewhere too often, or away from https")]
    TooManyRedirects,
    #[error("the answer has status {0}")]
    Status(u16),
    #[error("the answer is larger than {0} bytes")]
    TooLarge(u64),
    #[error("the answer ended early")]
    Truncated,
}

/// Asks for what is at the address. All of it has to arrive within `limit`.
pub(super) async fn get(address: &str, accept: &str, limit: Duration) -> Result<Response, FetchError> {
    let client = client(limit).map_err(|error| failure(&error))?;
    let response = client.get(address).header(ACCEPT, accept).send().await;
    let response = response.map_err(|error| failure(&error))?;
    match response.status().as_u16() {
        200 => Ok(response),
        status => Err(FetchError::Status(status)),
    }
}

/// Reads an answer of at most `bytes_max` bytes.
pub(super) async fn read(mut response: Response, bytes_max: usize) -> Result<Vec<u8>, FetchError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| failure(&error))? {
        if body.len() + chunk.len() > bytes_max {
            return Err(FetchError::TooLarge(bytes_max as u64));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// Logs the cause without the address.
pub(super) fn failure(error: &reqwest::Error) -> FetchError {
    let mut cause: Option<&(dyn Error + 'static)> = error.source();
    while let Some(deeper) = cause.and_then(Error::source) {
        cause = Some(deeper);
    }
    tracing::warn!(error = cause, "the release source could not be asked");
    if error.is_timeout() {
        FetchError::TooSlow
    } else if error.is_redirect() {
        FetchError::TooManyRedirects
    } else if error.is_body() || error.is_decode() {
        FetchError::Truncated
    } else {
        FetchError::Unreachable
    }
}

/// Built for each request: they are rare, and an idle client only takes memory.
fn client(limit: Duration) -> Result<Client, reqwest::Error> {
    // Fails if it is installed already, which is the same provider.
    let _ = rustls::crypto::ring::default_provider().install_default();
    // Without the certificates of the system, plain http still works.
    builder(limit).build().or_else(|error| {
        tracing::debug!(error = logged(&error), "the certificates of the system can't be used");
        builder(limit).tls_certs_only([]).build()
    })
}

fn builder(limit: Duration) -> ClientBuilder {
    let redirects = redirect::Policy::custom(|attempt| {
        if may_follow(attempt.previous(), attempt.url()) {
            attempt.follow()
        } else {
            attempt.error(NotFollowed)
        }
    });
    Client::builder()
        .user_agent(concat!("farthing/", env!("CARGO_PKG_VERSION")))
        .timeout(limit)
        .read_timeout(SILENCE_MAX)
        .redirect(redirects)
}

/// Whether a redirect is followed: a few, to any host, as forges lead to their stores, but not away from
/// https.
fn may_follow(previous: &[Url], next: &Url) -> bool {
    let is_secure = |url: &Url| url.scheme() == "https";
    let is_plain = next.scheme() == "http" && !previous.iter().any(is_secure);
    previous.len() <= REDIRECTS_MAX && (is_secure(next) || is_plain)
}

#[derive(Debug, thiserror::Error)]
#[error("too many redirects, or a redirect away from https")]
struct NotFollowed;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_redirect_never_leads_away_from_https() {
        let url = |text: &str| Url::parse(text).unwrap();
        let [secure, plain] = ["https://example.org/a", "http://example.org/a"].map(url);
        let store = url("https://store.example.net/b");
        assert!(may_follow(std::slice::from_ref(&secure), &store));
        assert!(may_follow(std::slice::from_ref(&plain), &store));
        assert!(may_follow(std::slice::from_ref(&plain), &plain));
        assert!(!may_follow(std::slice::from_ref(&secure), &plain));
        assert!(!may_follow(std::slice::from_ref(&plain), &url("file:///etc/passwd")));
        assert!(!may_follow(&[secure.clone(), store.clone()], &url("http://127.0.0.1/")));
        assert!(!may_follow(&[secure.clone(), secure.clone(), secure.clone(), secure], &store));
    }
}

//! Health check: the server has to answer with the expected version.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use reqwest::Client;
use reqwest::redirect::Policy;
use semver::Version;
use tokio::time::Instant;

use crate::supervisor::RunningServer;

/// The timeout of one request.
const ANSWER_MAX: Duration = Duration::from_secs(5);
const RETRY_INTERVAL: Duration = Duration::from_millis(200);
const OBSERVE_INTERVAL: Duration = Duration::from_secs(1);
/// A release on probation may be silent for this long, for example under load.
const SILENCE_MAX: Duration = Duration::from_secs(10);
const ANSWER_BYTES_MAX: usize = 64 * 1024;

/// Why the check failed, for the Deployment Admin.
#[derive(Debug, thiserror::Error)]
pub enum HealthError {
    #[error("can't send a request to `{url}`: {reason}")]
    Client { url: String, reason: String },
    #[error("`{url}` did not answer as {wanted} within {seconds} s: {last}")]
    Unhealthy { url: String, wanted: Version, seconds: u64, last: String },
    #[error("the running server has no version number but `{0}`")]
    Version(String),
    #[error("`{url}` no longer answers as {wanted}: {last}")]
    Silent { url: String, wanted: Version, last: String },
}

/// The member of `/api/version` that matters here.
#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    current_version: String,
}

/// The address of a listener, as seen from this machine.
pub fn default_url(listens: SocketAddr) -> String {
    let ip = match listens.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    format!("http://{}/api/version", SocketAddr::new(ip, listens.port()))
}

/// Asks a running server once. Fails unless it answers with its version.
pub async fn answers(server: &RunningServer) -> Result<(), HealthError> {
    let version =
        Version::parse(&server.version).map_err(|_| HealthError::Version(server.version.clone()))?;
    let url = default_url(server.address);
    let answered = ask_version(&client(&url)?, &url, &version).await;
    answered.map_err(|last| HealthError::Unhealthy {
        url,
        wanted: version,
        seconds: ANSWER_MAX.as_secs(),
        last,
    })
}

/// Retries until the server answers with `version`, for at most `timeout`.
pub async fn check(url: &str, version: &Version, timeout: Duration) -> Result<(), HealthError> {
    let client = client(url)?;
    let began = Instant::now();
    loop {
        let Err(last) = ask_version(&client, url, version).await else { return Ok(()) };
        if began.elapsed() + RETRY_INTERVAL > timeout {
            let (url, wanted, seconds) = (url.to_owned(), version.clone(), timeout.as_secs());
            return Err(HealthError::Unhealthy { url, wanted, seconds, last });
        }
        tokio::time::sleep(RETRY_INTERVAL).await;
    }
}

/// Fails if the server does not answer with `version` for ten seconds within `time`.
pub async fn observe(url: &str, version: &Version, time: Duration) -> Result<(), HealthError> {
    let client = client(url)?;
    let began = Instant::now();
    let mut answered = began;
    while began.elapsed() < time {
        tokio::time::sleep(OBSERVE_INTERVAL.min(time)).await;
        match ask_version(&client, url, version).await {
            Ok(()) => answered = Instant::now(),
            Err(last) if answered.elapsed() > SILENCE_MAX => {
                return Err(HealthError::Silent { url: url.to_owned(), wanted: version.clone(), last });
            }
            Err(_) => {}
        }
    }
    Ok(())
}

/// Fails with a reason unless the server answers with `version`.
async fn ask_version(client: &Client, url: &str, version: &Version) -> Result<(), String> {
    match tokio::time::timeout(ANSWER_MAX, ask(client, url)).await {
        Ok(Ok(found)) if found.cmp_precedence(version).is_eq() => Ok(()),
        Ok(Ok(found)) => Err(format!("it answers as {found}")),
        Ok(Err(reason)) => Err(reason),
        Err(_) => Err("it takes too long to answer".to_owned()),
    }
}

fn client(url: &str) -> Result<Client, HealthError> {
    // Fails if it is installed already, which is the same provider.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = || Client::builder().timeout(ANSWER_MAX).redirect(Policy::none()).no_proxy();
    // Without the certificates of the system, plain http still works.
    let client = builder().build().or_else(|_| builder().tls_certs_only([]).build());
    client.map_err(|error| HealthError::Client { url: url.to_owned(), reason: error.to_string() })
}

async fn ask(client: &Client, url: &str) -> Result<Version, String> {
    let mut response = client.get(url).send().await.map_err(|_| "it does not answer".to_owned())?;
    if !response.status().is_success() {
        return Err(format!("it answers with status {}", response.status().as_u16()));
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|_| "its answer broke off".to_owned())? {
        body.extend_from_slice(&chunk);
        if body.len() > ANSWER_BYTES_MAX {
            return Err("its answer is too long".to_owned());
        }
    }
    let answer: Result<Answer, _> = serde_json::from_slice(&body);
    let version = answer.ok().and_then(|answer| Version::parse(&answer.current_version).ok());
    version.ok_or_else(|| "its answer names no version".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listener_on_all_addresses_is_checked_on_the_loopback_address() {
        for (listens, url) in [
            ("0.0.0.0:80", "http://127.0.0.1:80/api/version"),
            ("[::]:80", "http://[::1]:80/api/version"),
            ("192.0.2.7:3000", "http://192.0.2.7:3000/api/version"),
        ] {
            assert_eq!(default_url(listens.parse().unwrap()), url);
        }
    }
}

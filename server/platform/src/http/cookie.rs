//! The session's cookie.

use axum::http::{HeaderMap, HeaderValue, header};

use super::HttpSettings;

/// Longer than any session lives; the server knows when it has ended.
const SECONDS: u32 = 90 * 24 * 60 * 60;

/// Under https the name itself keeps other hosts of the domain from setting it.
fn name(settings: &HttpSettings) -> &'static str {
    if settings.is_https() { "__Host-farthing_session" } else { "farthing_session" }
}

/// The token that came with a request.
pub fn token<'a>(headers: &'a HeaderMap, settings: &HttpSettings) -> Option<&'a str> {
    let cookies = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(found, _)| *found == name(settings)).map(|(_, token)| token)
}

/// `Set-Cookie` for a session that begins. `token` is hexadecimal.
pub fn begin(token: &str, settings: &HttpSettings) -> Option<HeaderValue> {
    write(token, SECONDS, settings)
}

/// `Set-Cookie` for a session that has ended.
pub fn end(settings: &HttpSettings) -> Option<HeaderValue> {
    write("", 0, settings)
}

fn write(token: &str, seconds: u32, settings: &HttpSettings) -> Option<HeaderValue> {
    let secure = if settings.is_https() { "; Secure" } else { "" };
    let name = name(settings);
    let cookie = format!("{name}={token}; Path=/; HttpOnly; SameSite=Lax; Max-Age={seconds}{secure}");
    HeaderValue::from_str(&cookie).ok()
}

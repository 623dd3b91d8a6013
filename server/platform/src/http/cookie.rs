//! Cookies: the one of the session, and one with the browser's time zone.

use axum::http::{HeaderMap, HeaderValue, header};
use cookie::time::Duration;
use cookie::{Cookie, SameSite};

use super::HttpSettings;
use crate::zone::Zone;

/// Longer than any session lasts; the server knows when a session has ended.
const LIFETIME: Duration = Duration::days(90);

/// Name of the cookie with the time zone. `app/src/zone.js` sets it.
const ZONE: &str = "tz";

/// Under https the prefix `__Host-` keeps other hosts of the domain from setting the cookie.
fn name(settings: &HttpSettings) -> &'static str {
    if settings.is_https() { "__Host-farthing_session" } else { "farthing_session" }
}

/// The session token of a request.
pub fn token<'a>(headers: &'a HeaderMap, settings: &HttpSettings) -> Option<&'a str> {
    value(headers, name(settings))
}

/// The time zone of the browser, which a script of the pages stores in a cookie. UTC without one, or if it names none.
pub fn zone(headers: &HeaderMap) -> Zone {
    value(headers, ZONE).and_then(Zone::named).unwrap_or_default()
}

fn value<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let values = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
    let mut cookies = values.flat_map(Cookie::split_parse).filter_map(Result::ok);
    cookies.find(|cookie| cookie.name() == name)?.value_raw()
}

/// `Set-Cookie` for a new session. `token` is hexadecimal.
pub fn begin(token: &str, settings: &HttpSettings) -> Option<HeaderValue> {
    write(token, LIFETIME, settings)
}

/// The header that removes the cookie of an ended session.
pub fn end(settings: &HttpSettings) -> HeaderMap {
    let cookie = write("", Duration::ZERO, settings);
    cookie.map(|cookie| (header::SET_COOKIE, cookie)).into_iter().collect()
}

fn write(token: &str, max_age: Duration, settings: &HttpSettings) -> Option<HeaderValue> {
    let cookie = Cookie::build((name(settings), token))
        .path("/")
        .http_only(true)
        .same_site(SameSite::Lax)
        .max_age(max_age)
        .secure(settings.is_https());
    HeaderValue::from_str(&cookie.to_string()).ok()
}

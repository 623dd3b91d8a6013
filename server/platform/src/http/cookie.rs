//! Cookies: the one of the session, one by which a browser is known again, and one with the browser's time
//! zone.

use axum::http::{HeaderMap, HeaderValue, header};
use cookie::time::Duration;
use cookie::{Cookie, SameSite};

use super::HttpSettings;
use crate::zone::Zone;

/// Longer than any session lasts; the server knows when a session has ended.
const SESSION_LIFETIME: Duration = Duration::days(90);
/// The longest that browsers keep a cookie.
const DEVICE_LIFETIME: Duration = Duration::days(400);

/// Name of the cookie with the time zone. `app/src/page.js` sets it.
const ZONE: &str = "tz";

/// A cookie that scripts can't read. Under https the prefix `__Host-` keeps other hosts of the domain from
/// setting it.
#[derive(Clone, Copy)]
enum Private {
    Session,
    Device,
}

impl Private {
    fn name(self, settings: &HttpSettings) -> &'static str {
        match (self, settings.is_https()) {
            (Self::Session, true) => "__Host-farthing_session",
            (Self::Session, false) => "farthing_session",
            (Self::Device, true) => "__Host-farthing_device",
            (Self::Device, false) => "farthing_device",
        }
    }

    fn write(self, value: &str, max_age: Duration, settings: &HttpSettings) -> Option<HeaderValue> {
        let cookie = Cookie::build((self.name(settings), value))
            .path("/")
            .http_only(true)
            .same_site(SameSite::Lax)
            .max_age(max_age)
            .secure(settings.is_https());
        HeaderValue::from_str(&cookie.to_string()).ok()
    }
}

/// The session token of a request.
pub fn token<'a>(headers: &'a HeaderMap, settings: &HttpSettings) -> Option<&'a str> {
    value(headers, Private::Session.name(settings))
}

/// The value by which the browser of a request is known again.
pub fn device<'a>(headers: &'a HeaderMap, settings: &HttpSettings) -> Option<&'a str> {
    value(headers, Private::Device.name(settings))
}

/// The time zone of the browser, which a script of the pages stores in a cookie. UTC without one, or if it
/// names none.
pub fn zone(headers: &HeaderMap) -> Zone {
    value(headers, ZONE).and_then(Zone::named).unwrap_or_default()
}

/// The value of a cookie.
pub fn value<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let values = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
    let mut cookies = values.flat_map(Cookie::split_parse).filter_map(Result::ok);
    cookies.find(|cookie| cookie.name() == name)?.value_raw()
}

/// `Set-Cookie` for a new session and for its browser. Both values are free of characters that a cookie can't
/// contain.
pub fn begin(token: &str, device: &str, settings: &HttpSettings) -> HeaderMap {
    let cookies = [
        Private::Session.write(token, SESSION_LIFETIME, settings),
        Private::Device.write(device, DEVICE_LIFETIME, settings),
    ];
    let mut headers = HeaderMap::new();
    for cookie in cookies.into_iter().flatten() {
        headers.append(header::SET_COOKIE, cookie);
    }
    headers
}

/// The header that removes the cookie of an ended session.
pub fn end(settings: &HttpSettings) -> HeaderMap {
    let cookie = Private::Session.write("", Duration::ZERO, settings);
    cookie.map(|cookie| (header::SET_COOKIE, cookie)).into_iter().collect()
}

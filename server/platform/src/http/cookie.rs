//! Cookies: the one of the session, one by which a browser is known again, one between the two steps of a
//! sign-in, and one with the browser's time zone.

use std::borrow::Cow;

use axum::http::{HeaderMap, HeaderValue, header};
use cookie::time::Duration;
use cookie::{Cookie, SameSite};

use super::HttpSettings;
use crate::zone::Zone;

/// Longer than any session lasts; the server knows when a session has ended.
const SESSION_LIFETIME: Duration = Duration::days(90);
/// Longer than a ticket is good for.
const TICKET_LIFETIME: Duration = Duration::minutes(10);
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
    Ticket,
}

impl Private {
    fn plain_name(self) -> &'static str {
        match self {
            Self::Session => "farthing_session",
            Self::Device => "farthing_device",
            Self::Ticket => "farthing_ticket",
        }
    }

    fn name(self, settings: &HttpSettings) -> Cow<'static, str> {
        let name = self.plain_name();
        match settings.cookie_port {
            _ if settings.is_https() => format!("__Host-{name}").into(),
            None => name.into(),
            Some(port) => format!("{name}_{port}").into(),
        }
    }

    /// The value that a browser has sent. One from when the port was the default counts until there is
    /// another.
    fn read<'a>(self, headers: &'a HeaderMap, settings: &HttpSettings) -> Option<&'a str> {
        let earlier = || value(headers, self.plain_name()).filter(|_| !settings.is_https());
        value(headers, &self.name(settings)).or_else(earlier)
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
    Private::Session.read(headers, settings)
}

/// The value by which the browser of a request is known again.
pub fn device<'a>(headers: &'a HeaderMap, settings: &HttpSettings) -> Option<&'a str> {
    Private::Device.read(headers, settings)
}

/// The ticket of a browser whose sign-in takes a second step.
pub fn ticket<'a>(headers: &'a HeaderMap, settings: &HttpSettings) -> Option<&'a str> {
    Private::Ticket.read(headers, settings)
}

/// `Set-Cookie` for a ticket.
pub fn begin_ticket(ticket: &str, settings: &HttpSettings) -> HeaderMap {
    one(Private::Ticket.write(ticket, TICKET_LIFETIME, settings))
}

/// Adds the header that removes the cookie of a ticket to those of the session.
pub fn end_ticket(headers: &mut HeaderMap, settings: &HttpSettings) {
    if let Some(cookie) = Private::Ticket.write("", Duration::ZERO, settings) {
        headers.append(header::SET_COOKIE, cookie);
    }
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
    one(Private::Session.write("", Duration::ZERO, settings))
}

fn one(cookie: Option<HeaderValue>) -> HeaderMap {
    cookie.map(|cookie| (header::SET_COOKIE, cookie)).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_servers_on_one_host_have_cookies_of_their_own() {
        let of_port = |port| HttpSettings { cookie_port: port, ..HttpSettings::default() };
        let (one, other) = (of_port(None), of_port(Some(3001)));
        let set = begin("token", "device", &other);
        let cookies: Vec<_> =
            set.get_all(header::SET_COOKIE).iter().map(|value| value.to_str().unwrap()).collect();
        assert!(cookies[0].starts_with("farthing_session_3001=token;"), "{cookies:?}");
        assert!(cookies[1].starts_with("farthing_device_3001=device;"), "{cookies:?}");
        let sent =
            [(header::COOKIE, HeaderValue::from_static("farthing_session=a; farthing_session_3001=b"))];
        let headers: HeaderMap = sent.into_iter().collect();
        assert_eq!((token(&headers, &one), token(&headers, &other)), (Some("a"), Some("b")));
        let public_url = "https://bids.example".parse().ok();
        let secure = HttpSettings { public_url, ..of_port(Some(3001)) };
        assert_eq!(Private::Session.name(&secure), "__Host-farthing_session");
    }
}

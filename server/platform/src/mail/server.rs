//! The address of an SMTP server.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use percent_encoding::percent_decode_str;
use serde::Deserialize;
use url::Url;

/// For submission, with STARTTLS where the server offers it.
const SUBMISSION_PORT: u16 = 587;
/// The part after the `?` of an address.
const TLS_OFF: &str = "tls=off";
/// For submission over TLS.
const SUBMISSIONS_PORT: u16 = 465;

/// `smtp://[USER:PASSWORD@]HOST[:PORT]`, or `smtps://…` for TLS from the first byte. `?tls=off` at the end
/// lets the password go out without TLS.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct SmtpUrl {
    pub(super) host: String,
    pub(super) port: u16,
    /// TLS from the first byte; otherwise STARTTLS where the server offers it.
    pub(super) is_tls: bool,
    pub(super) credentials: Option<(String, String)>,
    /// Whether the password may be sent to another machine without TLS.
    pub(super) allows_plain: bool,
}

impl SmtpUrl {
    /// Whether the password may be sent over a connection without TLS.
    pub(super) fn trusts_plain(&self) -> bool {
        let is_loopback = self.host.parse::<IpAddr>().map_or(self.host == "localhost", |ip| ip.is_loopback());
        self.allows_plain || is_loopback
    }
}

/// The text is not such an address. It is not repeated, since it may hold a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be an address such as smtp://USER:PASSWORD@mail.example.org:587 or smtps://mail.example.org")]
pub struct NoSmtpUrl;

/// Without the credentials.
impl fmt::Display for SmtpUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.is_tls { "smtps" } else { "smtp" };
        write!(f, "{scheme}://{}:{}", self.host, self.port)
    }
}

impl fmt::Debug for SmtpUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl FromStr for SmtpUrl {
    type Err = NoSmtpUrl;

    fn from_str(text: &str) -> Result<Self, NoSmtpUrl> {
        let url = Url::parse(text).map_err(|_| NoSmtpUrl)?;
        let is_tls = match url.scheme() {
            "smtp" => false,
            "smtps" => true,
            _ => return Err(NoSmtpUrl),
        };
        let allows_plain = url.query() == Some(TLS_OFF) && !is_tls;
        let is_bare = matches!(url.path(), "" | "/") && url.fragment().is_none();
        let is_bare = is_bare && (allows_plain || url.query().is_none());
        let host = url.host_str().filter(|host| is_bare && !host.is_empty()).ok_or(NoSmtpUrl)?;
        let decoded = |text: &str| percent_decode_str(text).decode_utf8().map(String::from);
        let credentials = match (url.username(), url.password()) {
            ("", None) => None,
            (user, password) => {
                let user = decoded(user).map_err(|_| NoSmtpUrl)?;
                Some((user, decoded(password.unwrap_or_default()).map_err(|_| NoSmtpUrl)?))
            }
        };
        let port = url.port().unwrap_or(if is_tls { SUBMISSIONS_PORT } else { SUBMISSION_PORT });
        // An IPv6 address is in brackets.
        let host = host.trim_matches(['[', ']']).to_owned();
        Ok(Self { host, port, is_tls, credentials, allows_plain })
    }
}

impl TryFrom<String> for SmtpUrl {
    type Error = NoSmtpUrl;

    fn try_from(text: String) -> Result<Self, NoSmtpUrl> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::SmtpUrl;

    #[test]
    fn an_address_has_a_server_and_perhaps_credentials() {
        let url: SmtpUrl = "smtp://ada%40example.org:p%3Aw@mail.example.org".parse().unwrap();
        assert_eq!((url.host.as_str(), url.port, url.is_tls), ("mail.example.org", 587, false));
        assert_eq!(url.credentials, Some(("ada@example.org".to_owned(), "p:w".to_owned())));
        assert_eq!(format!("{url:?}"), "smtp://mail.example.org:587", "the password is not shown");
        let url: SmtpUrl = "smtps://[::1]:2525".parse().unwrap();
        assert_eq!((url.host.as_str(), url.port, url.is_tls), ("::1", 2525, true));
        assert_eq!("smtps://mail".parse::<SmtpUrl>().unwrap().port, 465);
        for text in [
            "",
            "mail.example.org",
            "http://mail",
            "smtp://",
            "smtp://mail/path",
            "smtp://mail?tls=1",
            "smtps://mail?tls=off",
            "smtp://user:Pa#ss@mail",
        ] {
            assert!(text.parse::<SmtpUrl>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_password_leaves_this_machine_with_tls_only_unless_the_address_says_so() {
        for (text, is_trusted) in [
            ("smtp://ada:x@mail.example.org", false),
            ("smtp://ada:x@192.0.2.7", false),
            ("smtp://ada:x@127.0.0.1", true),
            ("smtp://ada:x@[::1]:25", true),
            ("smtp://ada:x@localhost", true),
            ("smtp://ada:x@mail.example.org?tls=off", true),
        ] {
            assert_eq!(text.parse::<SmtpUrl>().unwrap().trusts_plain(), is_trusted, "{text}");
        }
    }
}

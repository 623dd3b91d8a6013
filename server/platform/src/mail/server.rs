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

/// `smtp://[USER:PASSWORD@]HOST[:PORT]`, or `smtps://…` for TLS from the first byte. With `?tls=off` at the
/// end no TLS begins, and the password goes out without.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct SmtpUrl {
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) tls: Tls,
    pub(super) credentials: Option<(String, String)>,
}

/// Whether a connection has TLS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tls {
    /// From the first byte.
    Always,
    /// After STARTTLS, where the server offers it.
    WhereOffered,
    /// Never.
    Off,
}

/// What a connection becomes after STARTTLS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Starttls {
    /// It is not sent.
    Never,
    /// TLS with a certificate that is valid for the server.
    Verified,
    /// TLS with any certificate; without TLS if it fails.
    Unverified,
}

impl SmtpUrl {
    /// What STARTTLS is for, where the server offers it.
    pub(super) fn starttls(&self) -> Starttls {
        match self.tls {
            Tls::Always | Tls::Off => Starttls::Never,
            // Nobody listens in on this machine, and a mail server as Debian installs it has a certificate
            // that nobody has signed (RFC 7435).
            Tls::WhereOffered if self.is_loopback() && self.credentials.is_none() => Starttls::Unverified,
            Tls::WhereOffered => Starttls::Verified,
        }
    }

    /// Whether the password may be sent over a connection without TLS.
    pub(super) fn trusts_plain(&self) -> bool {
        self.tls == Tls::Off || self.is_loopback()
    }

    /// Whether the server is on this machine.
    pub(super) fn is_loopback(&self) -> bool {
        let is_loopback = |ip: IpAddr| ip.to_canonical().is_loopback();
        self.host.parse().map_or_else(
            |_| {
                let name = self.host.trim_end_matches('.').to_ascii_lowercase();
                // Names that never leave this machine (RFC 6761).
                name == "localhost" || name.ends_with(".localhost")
            },
            is_loopback,
        )
    }
}

/// The text is not such an address. It is not repeated, since it may hold a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be an address such as smtp://USER:PASSWORD@mail.example.org:587 or smtps://mail.example.org")]
pub struct NoSmtpUrl;

/// Without the credentials.
impl fmt::Display for SmtpUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.tls == Tls::Always { "smtps" } else { "smtp" };
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
        let tls = match (url.scheme(), url.query()) {
            ("smtp", None) => Tls::WhereOffered,
            ("smtp", Some(TLS_OFF)) => Tls::Off,
            ("smtps", None) => Tls::Always,
            _ => return Err(NoSmtpUrl),
        };
        let is_bare = matches!(url.path(), "" | "/") && url.fragment().is_none();
        let host = url.host_str().filter(|host| is_bare && !host.is_empty()).ok_or(NoSmtpUrl)?;
        let decoded = |text: &str| percent_decode_str(text).decode_utf8().map(String::from);
        let credentials = match (url.username(), url.password()) {
            ("", None) => None,
            (user, password) => {
                let user = decoded(user).map_err(|_| NoSmtpUrl)?;
                Some((user, decoded(password.unwrap_or_default()).map_err(|_| NoSmtpUrl)?))
            }
        };
        let port = url.port().unwrap_or(if tls == Tls::Always { SUBMISSIONS_PORT } else { SUBMISSION_PORT });
        // An IPv6 address is in brackets. Other letters than ASCII are percent-encoded.
        let host = host.trim_matches(['[', ']']);
        let host = if host.contains('%') {
            idna::domain_to_ascii(&decoded(host).map_err(|_| NoSmtpUrl)?).map_err(|_| NoSmtpUrl)?
        } else {
            host.to_owned()
        };
        Ok(Self { host, port, tls, credentials })
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
    use super::{SmtpUrl, Starttls, Tls};

    #[test]
    fn an_address_has_a_server_and_perhaps_credentials() {
        let url: SmtpUrl = "smtp://ada%40example.org:p%3Aw@mail.example.org".parse().unwrap();
        assert_eq!((url.host.as_str(), url.port, url.tls), ("mail.example.org", 587, Tls::WhereOffered));
        assert_eq!(url.credentials, Some(("ada@example.org".to_owned(), "p:w".to_owned())));
        assert_eq!(format!("{url:?}"), "smtp://mail.example.org:587", "the password is not shown");
        let url: SmtpUrl = "smtps://[::1]:2525".parse().unwrap();
        assert_eq!((url.host.as_str(), url.port, url.tls), ("::1", 2525, Tls::Always));
        let url: SmtpUrl = "smtp://mail.bücher.example?tls=off".parse().unwrap();
        assert_eq!((url.host.as_str(), url.tls), ("mail.xn--bcher-kva.example", Tls::Off));
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

    #[test]
    fn a_certificate_is_verified_unless_a_mail_without_a_password_stays_on_this_machine() {
        for (text, starttls) in [
            ("smtp://mail.example.org", Starttls::Verified),
            ("smtp://ada:x@mail.example.org", Starttls::Verified),
            ("smtp://mail.example.org?tls=off", Starttls::Never),
            ("smtp://ada:x@mail.example.org?tls=off", Starttls::Never),
            ("smtp://127.0.0.1:25?tls=off", Starttls::Never),
            ("smtps://127.0.0.1", Starttls::Never),
            ("smtp://127.0.0.1:25", Starttls::Unverified),
            ("smtp://127.8.0.1", Starttls::Unverified),
            ("smtp://localhost", Starttls::Unverified),
            ("smtp://LOCALHOST.", Starttls::Unverified),
            ("smtp://mail.localhost", Starttls::Unverified),
            ("smtp://[::1]:25", Starttls::Unverified),
            ("smtp://[::ffff:127.0.0.1]", Starttls::Unverified),
            ("smtp://ada:x@localhost", Starttls::Verified),
            ("smtp://localhost.example.org", Starttls::Verified),
            ("smtp://192.0.2.7", Starttls::Verified),
        ] {
            assert_eq!(text.parse::<SmtpUrl>().unwrap().starttls(), starttls, "{text}");
        }
    }
}

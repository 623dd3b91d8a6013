//! The address of an SMTP server.

use std::fmt;
use std::str::FromStr;

use percent_encoding::percent_decode_str;
use serde::Deserialize;
use url::Url;

/// For submission, with STARTTLS where the server offers it.
const SUBMISSION_PORT: u16 = 587;
/// For submission over TLS.
const SUBMISSIONS_PORT: u16 = 465;

/// `smtp://[USER:PASSWORD@]HOST[:PORT]`, or `smtps://…` for TLS from the first byte.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct SmtpUrl {
    pub(super) host: String,
    pub(super) port: u16,
    /// TLS from the first byte; otherwise STARTTLS where the server offers it.
    pub(super) is_tls: bool,
    pub(super) credentials: Option<(String, String)>,
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
        let is_bare = matches!(url.path(), "" | "/") && url.query().is_none() && url.fragment().is_none();
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
        Ok(Self { host, port, is_tls, credentials })
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
        for text in
            ["", "mail.example.org", "http://mail", "smtp://", "smtp://mail/path", "smtp://mail?tls=1"]
        {
            assert!(text.parse::<SmtpUrl>().is_err(), "{text}");
        }
    }
}

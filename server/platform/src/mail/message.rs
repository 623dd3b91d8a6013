//! One mail.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, SystemTime};

use lettre::Message;
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use serde::Deserialize;

use crate::time::Moment;

/// The sender: an address, or `NAME <ADDRESS>`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct MailFrom(Mailbox);

/// The text is not a sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be an address such as auctions@example.org or Auctions <auctions@example.org>")]
pub struct NoMailFrom;

impl MailFrom {
    /// The sender with a name: its own, or else this one.
    #[must_use]
    pub fn or_named(mut self, name: &str) -> Self {
        self.0.name.get_or_insert_with(|| name.to_owned());
        self
    }
}

impl fmt::Display for MailFrom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for MailFrom {
    type Err = NoMailFrom;

    fn from_str(text: &str) -> Result<Self, NoMailFrom> {
        text.parse().map(Self).map_err(|_| NoMailFrom)
    }
}

impl TryFrom<String> for MailFrom {
    type Error = NoMailFrom;

    fn try_from(text: String) -> Result<Self, NoMailFrom> {
        text.parse()
    }
}

/// A mail to one address.
#[derive(Debug, Clone)]
pub struct MailMessage {
    pub to: String,
    pub subject: String,
    pub text: String,
    pub html: String,
    /// `LEFT@RIGHT`, the same in every attempt, so that a mailbox may recognize a repeat.
    pub id: String,
    /// The address that ends mails of this kind, by a POST (RFC 8058).
    pub unsubscribe: Option<String>,
    pub at: Moment,
}

impl MailMessage {
    /// The mail as it is sent.
    ///
    /// # Errors
    /// The address can't be written to.
    pub(super) fn build(self, from: &MailFrom) -> Result<Message, Box<dyn std::error::Error + Send + Sync>> {
        let to = Mailbox::new(None, self.to.parse()?);
        let millis = u64::try_from(self.at.millis()).unwrap_or(0);
        let mut message = Message::builder()
            .from(from.0.clone())
            .to(to)
            .subject(self.subject)
            .date(SystemTime::UNIX_EPOCH + Duration::from_millis(millis))
            .message_id(Some(format!("<{}>", self.id)))
            .raw_header(header("Auto-Submitted", "auto-generated"));
        if let Some(address) = self.unsubscribe {
            message = message
                .raw_header(header("List-Unsubscribe", &format!("<{address}>")))
                .raw_header(header("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"));
        }
        Ok(message.multipart(MultiPart::alternative_plain_html(self.text, self.html))?)
    }
}

fn header(name: &'static str, value: &str) -> HeaderValue {
    // An address is not to be folded or encoded.
    HeaderValue::dangerous_new_pre_encoded(
        HeaderName::new_from_ascii_str(name),
        value.to_owned(),
        value.to_owned(),
    )
}

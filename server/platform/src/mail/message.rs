//! One mail.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, SystemTime};

use lettre::Message;
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use serde::Deserialize;

use crate::email::with_ascii_domain;
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
        let to = Mailbox::new(None, with_ascii_domain(&self.to).parse()?);
        let millis = u64::try_from(self.at.millis()).unwrap_or(0);
        let mut message = Message::builder()
            .from(from.0.clone())
            .to(to)
            .date(SystemTime::UNIX_EPOCH + Duration::from_millis(millis))
            .message_id(Some(format!("<{}>", self.id)))
            .raw_header(header("Auto-Submitted", "auto-generated"));
        message = match encoded_words(&self.subject) {
            Some(encoded) => message.raw_header(HeaderValue::dangerous_new_pre_encoded(
                HeaderName::new_from_ascii_str("Subject"),
                self.subject,
                encoded,
            )),
            None => message.subject(self.subject),
        };
        if let Some(address) = self.unsubscribe {
            message = message
                .raw_header(header("List-Unsubscribe", &format!("<{address}>")))
                .raw_header(header("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"));
        }
        Ok(message.multipart(MultiPart::alternative_plain_html(self.text, self.html))?)
    }
}

/// A subject that contains what looks like an encoded word, encoded as a whole: sent as it is, a mail program
/// would decode it, and show other letters than those that were checked.
fn encoded_words(subject: &str) -> Option<String> {
    /// With its frame a word has at most 75 bytes (RFC 2047).
    const BYTES_MAX: usize = 60;
    if !subject.contains("=?") {
        return None;
    }
    let mut words = vec![String::new()];
    for letter in subject.chars() {
        let bytes =
            letter.encode_utf8(&mut [0; 4]).bytes().map(|byte| format!("={byte:02X}")).collect::<String>();
        match words.last_mut() {
            Some(word) if word.len() + bytes.len() <= BYTES_MAX => word.push_str(&bytes),
            _ => words.push(bytes),
        }
    }
    Some(words.iter().map(|word| format!("=?utf-8?q?{word}?=")).collect::<Vec<_>>().join("\r\n "))
}

fn header(name: &'static str, value: &str) -> HeaderValue {
    // An address is not to be folded or encoded.
    HeaderValue::dangerous_new_pre_encoded(
        HeaderName::new_from_ascii_str(name),
        value.to_owned(),
        value.to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::{MailMessage, encoded_words};
    use crate::time::Moment;

    #[test]
    fn a_subject_with_an_encoded_word_is_shown_as_it_is() {
        let subject =
            "You won: =?utf-8?B?4oCudG9uIGVyYSB1b1k=?= (bids.example.org), and a long name — ünd so on";
        let message = MailMessage {
            to: "ada@example.org".to_owned(),
            subject: subject.to_owned(),
            text: String::new(),
            html: String::new(),
            id: "1@example.org".to_owned(),
            unsubscribe: None,
            at: Moment::from_millis(0).unwrap(),
        };
        let sent = message.build(&"auctions@example.org".parse().unwrap()).unwrap().formatted();
        let sent = String::from_utf8(sent).unwrap();
        let start = sent.find("Subject: ").unwrap() + "Subject: ".len();
        let unfolded = sent[start..].replace("\r\n ", " ");
        let words: Vec<&str> = unfolded.split("\r\n").next().unwrap().split(' ').collect();
        let decode = |word: &&str| -> Vec<u8> {
            let inner = word.strip_prefix("=?utf-8?q?").unwrap().strip_suffix("?=").unwrap();
            const_hex::decode(inner.replace('=', "")).unwrap()
        };
        assert!(words.iter().all(|word| word.len() <= 75), "{words:?}");
        let decoded: Vec<u8> = words.iter().flat_map(decode).collect();
        assert_eq!(String::from_utf8(decoded).unwrap(), subject);
        assert_eq!(encoded_words("You won: a vase"), None);
    }
}

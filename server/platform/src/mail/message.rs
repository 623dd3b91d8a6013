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

/// The sender: an address, or `NAME <ADDRESS>`. Its domain is in ASCII.
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
        let mut mailbox: Mailbox = text.parse().map_err(|_| NoMailFrom)?;
        mailbox.email = with_ascii_domain(mailbox.email.as_ref()).parse().map_err(|_| NoMailFrom)?;
        Ok(Self(mailbox))
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
    /// What a mail belongs to that its reader may end.
    pub list: Option<MailList>,
    pub at: Moment,
}

/// Mails of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailList {
    /// What mail programs show, in ASCII: `Outbid`.
    pub name: String,
    /// The label of the kind among those of the installation: `outbid`.
    pub label: String,
    /// The host of the installation, perhaps with a port.
    pub host: String,
    /// The address that ends mails of this kind, by a POST (RFC 8058).
    pub unsubscribe: String,
}

impl MailList {
    /// `Outbid <outbid.bids.example.org>` (RFC 2919): filters of spam take a mail with an end and without
    /// this for one of a half-made list.
    fn id(&self) -> String {
        let Self { name, label, host, .. } = self;
        // A port, and an IPv6 address, have letters that no label has.
        let host = host.replace(|letter: char| !letter.is_ascii_alphanumeric() && letter != '.', "-");
        format!("{name} <{label}.{}>", host.trim_matches('-'))
    }
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
        if let Some(list) = self.list {
            message = message
                .raw_header(header("List-Id", &list.id()))
                .raw_header(header("List-Unsubscribe", &format!("<{}>", list.unsubscribe)))
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
    use super::{MailFrom, MailList, MailMessage, encoded_words};
    use crate::time::Moment;

    fn message(to: &str) -> MailMessage {
        MailMessage {
            to: to.to_owned(),
            subject: String::new(),
            text: String::new(),
            html: String::new(),
            id: "1@example.org".to_owned(),
            list: None,
            at: Moment::from_millis(0).unwrap(),
        }
    }

    #[test]
    fn a_domain_in_other_letters_is_sent_in_ascii() {
        let from: MailFrom = "Börse <auktion@bücher.example>".parse().unwrap();
        let sent = message("jo@bücher.example").build(&from).unwrap();
        let envelope = sent.envelope();
        assert_eq!(envelope.from().unwrap().to_string(), "auktion@xn--bcher-kva.example");
        assert_eq!(envelope.to()[0].to_string(), "jo@xn--bcher-kva.example");
        assert!(sent.formatted().is_ascii(), "{:?}", String::from_utf8(sent.formatted()));
        let sent = message("jörg@bücher.example").build(&from).unwrap();
        assert_eq!(sent.envelope().to()[0].to_string(), "jörg@xn--bcher-kva.example");
    }

    #[test]
    fn a_kind_of_mail_has_an_id_of_labels() {
        for (host, id) in [
            ("bids.example.org", "Leading again <leading-again.bids.example.org>"),
            ("bids.example.org:8080", "Leading again <leading-again.bids.example.org-8080>"),
            ("[::1]:3000", "Leading again <leading-again.1--3000>"),
        ] {
            let list = MailList {
                name: "Leading again".to_owned(),
                label: "leading-again".to_owned(),
                host: host.to_owned(),
                unsubscribe: format!("http://{host}/unsubscribe/1"),
            };
            assert_eq!(list.id(), id);
            let sent = MailMessage { list: Some(list), ..message("ada@example.org") };
            let sent = sent.build(&"auctions@example.org".parse().unwrap()).unwrap().formatted();
            let sent = String::from_utf8(sent).unwrap();
            assert!(sent.contains(&format!("\r\nList-Id: {id}\r\nList-Unsubscribe: <http")), "{sent}");
        }
    }

    #[test]
    fn a_subject_with_an_encoded_word_is_shown_as_it_is() {
        let subject =
            "You won: =?utf-8?B?4oCudG9uIGVyYSB1b1k=?= (bids.example.org), and a long name — ünd so on";
        let message = MailMessage { subject: subject.to_owned(), ..message("ada@example.org") };
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

//! What mails say, as plain text and as HTML.

use html_escape::{encode_double_quoted_attribute, encode_text};

use super::job::MailJob;
use crate::notifications::mails::OutgoingMail;
use crate::notifications::{Kind, sentence};
use platform::mail::MailMessage;
use platform::time::Moment;

/// Subject, text and link of a mail.
pub(super) struct MailContent {
    subject: String,
    text: String,
    /// Of the link.
    action: &'static str,
}

impl MailContent {
    pub(super) fn password_reset(name: &str) -> Self {
        Self {
            subject: "Set a new password".to_owned(),
            text: format!(
                "{name}, a new password was requested for your account. The link works once, for an hour. If it was not you, ignore this mail: your password stays."
            ),
            action: "Set a new password",
        }
    }

    pub(super) fn invite(auction: &str) -> Self {
        Self::notification(Kind::Invited, auction, None)
    }

    pub(super) fn notification(kind: Kind, title: &str, detail: Option<&str>) -> Self {
        let subject = match kind {
            Kind::Outbid => format!("You were outbid: {title}"),
            Kind::LeadingAgain => format!("You lead again: {title}"),
            Kind::Won => format!("You have won: {title}"),
            Kind::Sold => format!("Sold: {title}"),
            Kind::Unsold => format!("Not sold: {title}"),
            Kind::EndsSoon => format!("Ends soon: {title}"),
            Kind::NewItem => format!("New item: {title}"),
            Kind::Invited => format!("You are invited: {title}"),
            Kind::ItemChanged => format!("Changed: {title}"),
            Kind::Balance => format!("Your balance: {title}"),
        };
        let action = match kind {
            Kind::Invited => "See the invitation",
            Kind::Balance => "See your notifications",
            _ => "See the item",
        };
        Self { subject, text: format!("{title}: {}", sentence(kind, detail)), action }
    }
}

/// The message, which names the installation.
pub(super) fn message(
    job: &MailJob,
    mail: &OutgoingMail,
    to: String,
    content: &MailContent,
    address: &str,
    unsubscribe: Option<String>,
    now: Moment,
) -> MailMessage {
    let MailContent { subject, text, action } = content;
    let site = job.site.as_str();
    let (host, sent) = (job.site.host(), format!("This mail was sent by the auctions at {site}."));
    let mut plain = format!("{text}\n\n{action}: {address}\n\n--\n{sent}\n");
    let mut html = format!(
        "<!DOCTYPE html><html lang=\"en\"><body style=\"font-family:sans-serif;line-height:1.5\"><p>{}</p>\
         <p><a href=\"{}\">{action}</a></p><hr><p><small>{}",
        encode_text(text),
        encode_double_quoted_attribute(address),
        encode_text(&sent),
    );
    if let Some(link) = &unsubscribe {
        plain.push_str(&format!("No more mails of this kind: {link}\n"));
        html.push_str(&format!(
            " <a href=\"{}\">No more mails of this kind</a>.",
            encode_double_quoted_attribute(link)
        ));
    }
    html.push_str("</small></p></body></html>");
    MailMessage {
        to,
        subject: format!("{subject} ({host})"),
        text: plain,
        html,
        id: format!("{}@{host}", mail.id),
        unsubscribe,
        at: now,
    }
}

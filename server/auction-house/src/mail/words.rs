//! What mails say, as plain text and as HTML.

use std::net::Ipv4Addr;

use html_escape::{encode_double_quoted_attribute, encode_text};

use super::job::MailJob;
use crate::notifications::{NotificationKind, sentence};
use accounts::outbox::OutgoingMail;
use platform::mail::{MailList, MailMessage};
use platform::text::{folded, is_letter, is_letter_or_number};
use platform::time::Moment;

/// Subject, text and link of a mail.
pub(super) struct MailContent {
    subject: String,
    text: String,
    /// Label of the link.
    action: &'static str,
}

impl MailContent {
    /// Without the name: perhaps nobody has confirmed that the address is the user's.
    pub(super) fn password_reset() -> Self {
        Self {
            subject: "Set a new password".to_owned(),
            text: "A new password was requested for your account. The link works once, for an hour. If it was not you, ignore this mail: your password stays.".to_owned(),
            action: "Set a new password",
        }
    }

    /// Without the name: the address may be a stranger's, and the name a message to them.
    pub(super) fn confirm_email() -> Self {
        Self {
            subject: "Confirm your e-mail".to_owned(),
            text: "An account was registered with this e-mail. Confirm that it is yours. The link works once, for a week. If it was not you, ignore this mail.".to_owned(),
            action: "Confirm the e-mail",
        }
    }

    pub(super) fn password_changed(name: &str) -> Self {
        Self {
            subject: "Your password was changed".to_owned(),
            text: format!(
                "{name}, the password of your account was changed, and every other browser was signed out. If it was not you, set a new password at once."
            ),
            action: "Set a new password",
        }
    }

    /// To the e-mail before.
    pub(super) fn email_changed(name: &str) -> Self {
        Self {
            subject: "Your e-mail was changed".to_owned(),
            text: format!(
                "{name}, your account has another e-mail now, and this one no longer signs you in. If it was not you, tell the person who runs the site."
            ),
            action: "Open the site",
        }
    }

    /// To the e-mail that the account had.
    pub(super) fn upgrade_undone() -> Self {
        Self {
            subject: "Your account belongs to its group again".to_owned(),
            text: "The keeper of the group took back the account that was registered with this e-mail, which no longer signs anybody in. If you don't know why, ask the keeper.".to_owned(),
            action: "Open the site",
        }
    }

    pub(super) fn second_factor_on(name: &str) -> Self {
        Self::second_factor("Your second factor was turned on", "a second factor was turned on", name)
    }

    pub(super) fn second_factor_off(name: &str) -> Self {
        Self::second_factor("Your second factor was turned off", "the second factor was turned off", name)
    }

    pub(super) fn recovery_codes_renewed(name: &str) -> Self {
        Self::second_factor(
            "You have new recovery codes",
            "the recovery codes were replaced by new ones",
            name,
        )
    }

    fn second_factor(subject: &str, done: &str, name: &str) -> Self {
        Self {
            subject: subject.to_owned(),
            text: format!(
                "{name}, {done} for your account. If it was not you, set a new password at once, and tell the person who runs the site."
            ),
            action: "See your second factor",
        }
    }

    /// The name of the auction is the sender's text: it is quoted, and left out if a mail program could make
    /// a link of it.
    pub(super) fn invite(auction: &str) -> Self {
        let name = if is_linkable(auction) { String::new() } else { format!(" “{auction}”") };
        Self {
            subject: format!("Invitation to an auction{}{name}", if name.is_empty() { "" } else { ":" }),
            text: format!("You are invited to the auction{name}. Its page says who invites you."),
            action: "See the invitation",
        }
    }

    /// The name of the book is the keeper's text: it is quoted, and left out if a mail program could make a
    /// link of it.
    pub(super) fn waiting_grant(book: &str) -> Self {
        let name = if is_linkable(book) { String::new() } else { format!(" in “{book}”") };
        Self {
            subject: format!("A balance waits for you{name}"),
            text: format!(
                "Something was put aside for you{name}, for 30 days. Its page says who asks you to take part: you get it by taking part with this e-mail."
            ),
            action: "See the balances",
        }
    }

    pub(super) fn notification(
        kind: NotificationKind,
        title: &str,
        detail: Option<&str>,
        price: Option<&str>,
    ) -> Self {
        let subject = match kind {
            NotificationKind::Outbid => format!("You were outbid: {title}"),
            NotificationKind::LeadingAgain => format!("You lead again: {title}"),
            NotificationKind::Won => format!("You have won: {title}"),
            NotificationKind::Sold => format!("Sold: {title}"),
            NotificationKind::Unsold => format!("Not sold: {title}"),
            NotificationKind::EndsSoon => format!("Ends soon: {title}"),
            NotificationKind::NewItem => format!("New item: {title}"),
            NotificationKind::Invited => return Self::invite(title),
            NotificationKind::ItemChanged => format!("Changed: {title}"),
            NotificationKind::Balance => format!("Your balance: {title}"),
            NotificationKind::NewBrowser => "A sign-in in a new browser".to_owned(),
            NotificationKind::Upgraded => format!("An account of their own: {title}"),
        };
        let action = match kind {
            NotificationKind::Balance => "See your notifications",
            NotificationKind::NewBrowser => "See where you are signed in",
            NotificationKind::Upgraded => "See your groups",
            _ => "See the item",
        };
        Self { subject, text: format!("{title}: {}", sentence(kind, detail, price)), action }
    }
}

/// Whether a mail program may make a link of the text: of an address, of a dot within a word, or of the
/// numbers of a host. Forms of a dot, and of digits, are those that a browser makes of them (UTS 46).
fn is_linkable(text: &str) -> bool {
    let text = folded(text).replace('。', ".");
    let letters: Vec<char> = text.chars().collect();
    let has_inner_dot = letters.windows(3).any(
        |three| matches!(three, [before, '.', after] if is_letter_or_number(*before) && is_letter(*after)),
    );
    let is_other = |letter: char| !letter.is_ascii_digit() && letter != '.';
    let has_host = text.split(is_other).any(|word| word.parse::<Ipv4Addr>().is_ok());
    has_inner_dot || has_host || text.contains('@') || text.contains("//")
}

/// What ends further mails, and by which link.
pub(super) struct Unsubscribe {
    words: &'static str,
    kind: NotificationKind,
    link: String,
}

impl Unsubscribe {
    pub(super) fn of_kind(kind: NotificationKind, link: String) -> Self {
        Self { words: "No more mails of this kind", kind, link }
    }

    pub(super) fn of_invitations(link: String) -> Self {
        Self { words: "No more invitations to this address", kind: NotificationKind::Invited, link }
    }

    /// The list of the kind at this host: `Leading again <leading-again.HOST>`.
    fn list(self, host: &str) -> MailList {
        let label = self.kind.as_str().to_ascii_lowercase().replace('_', "-");
        let words = label.replace('-', " ");
        let name =
            words.get(..1).unwrap_or_default().to_ascii_uppercase() + words.get(1..).unwrap_or_default();
        MailList { name, label, host: host.to_owned(), unsubscribe: self.link }
    }
}

/// The message, which names the installation.
pub(super) fn message(
    job: &MailJob,
    mail: &OutgoingMail,
    to: String,
    content: &MailContent,
    address: &str,
    unsubscribe: Option<Unsubscribe>,
    now: Moment,
) -> MailMessage {
    let MailContent { subject, text, action } = content;
    let site = job.site.as_str();
    let (host, sent) = (job.site.host(), format!("This mail was sent by the auctions at {site}."));
    // The line by which mail programs know a signature ends with a space.
    let mut plain = format!("{text}\n\n{action}: {address}\n\n-- \n{sent}\n");
    let mut html = format!(
        "<!DOCTYPE html><html lang=\"en\"><body style=\"font-family:sans-serif;line-height:1.5\"><p>{}</p>\
         <p><a href=\"{}\">{action}</a></p><hr><p><small>{}",
        encode_text(text),
        encode_double_quoted_attribute(address),
        encode_text(&sent),
    );
    if let Some(Unsubscribe { words, link, .. }) = &unsubscribe {
        plain.push_str(&format!("{words}: {link}\n"));
        html.push_str(&format!(" <a href=\"{}\">{words}</a>.", encode_double_quoted_attribute(link)));
    }
    html.push_str("</small></p></body></html>");
    MailMessage {
        to,
        subject: format!("{subject} ({host})"),
        text: plain,
        html,
        id: format!("{}@{host}", mail.id),
        list: unsubscribe.map(|one| one.list(host)),
        at: now,
    }
}

#[cfg(test)]
mod tests {
    use super::MailContent;

    #[test]
    fn the_name_of_an_auction_is_quoted_and_becomes_no_link() {
        let invite = MailContent::invite("School fair");
        assert_eq!(invite.subject, "Invitation to an auction: “School fair”");
        assert!(invite.text.starts_with("You are invited to the auction “School fair”."), "{}", invite.text);
        for name in [
            "http://phish.example/login verify now",
            "phish.example",
            "mail me@phish",
            "mail me＠phish",
            "a．example",
            "phish｡example",
            "phish․example",
            "1.2.3.4/login",
            "see １.2.3.4",
        ] {
            let invite = MailContent::invite(name);
            assert_eq!(invite.subject, "Invitation to an auction");
            assert!(!invite.text.contains(name), "{}", invite.text);
        }
        assert!(MailContent::invite("St. Mary, 5.30 pm").subject.contains("5.30"));
    }
}

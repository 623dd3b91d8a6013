//! The outbox: mails that are to be sent. The transaction of a change writes the mail about it, so that there
//! is neither without the other. The auction house sends the mails.

pub mod store;

use std::str::FromStr;

use platform::db::{DbError, Transaction, WriteBatch, text_column};
use platform::ids::Uuid;
use platform::text_enum;
use platform::text_enum::UnknownText;
use platform::time::Moment;

use crate::ids::{MailId, UserId};
use crate::preferences::kind::NotificationKind;

/// Adds mails, if this installation sends any.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outbox {
    pub sends_mail: bool,
}

impl Outbox {
    /// Adds a mail about the account of a user. A mail with a link replaces an earlier one that was not sent
    /// yet. `detail` is an e-mail that is not the account's, for the kinds that go to one.
    pub async fn add(
        self,
        db: &mut Transaction,
        kind: AccountMail,
        user: UserId,
        detail: Option<&str>,
        now: Moment,
    ) -> Result<(), DbError> {
        match self.sends_mail {
            true => store::insert_of_account(db, kind, Some(user), detail, now).await,
            false => Ok(()),
        }
    }

    /// Adds the mails about notifications to `writes`, each for a user who wants mails of its kind.
    pub fn add_all(self, writes: &mut WriteBatch, new: impl Iterator<Item = NewMail>, now: Moment) {
        if self.sends_mail {
            store::insert(writes, new, now);
        }
    }
}

text_enum! {
    /// A mail about an account, which its user gets whatever the preferences say.
    pub enum AccountMail {
        /// A link with which the user sets a new password.
        PasswordReset = "PASSWORD_RESET",
        /// A link with which the user confirms the e-mail.
        ConfirmEmail = "CONFIRM_EMAIL",
        /// The password was changed.
        PasswordChanged = "PASSWORD_CHANGED",
        /// The e-mail was changed: to the old one, which is the detail.
        EmailChanged = "EMAIL_CHANGED",
        /// The account of the e-mail, which is the detail, is that of a group again.
        UpgradeUndone = "UPGRADE_UNDONE",
        SecondFactorOn = "SECOND_FACTOR_ON",
        SecondFactorOff = "SECOND_FACTOR_OFF",
        /// There are new recovery codes.
        RecoveryCodesRenewed = "RECOVERY_CODES_RENEWED",
    }
}

impl AccountMail {
    /// Whether a later mail of this kind to the same user takes the place of an earlier one.
    fn has_link(self) -> bool {
        matches!(self, Self::PasswordReset | Self::ConfirmEmail)
    }
}

/// The subject of a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailKind {
    Account(AccountMail),
    Notification(NotificationKind),
}

impl MailKind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Account(kind) => kind.as_str(),
            Self::Notification(kind) => kind.as_str(),
        }
    }

    /// Whether the mail goes to an e-mail that the account had before.
    pub fn is_to_former_email(self) -> bool {
        matches!(self, Self::Account(AccountMail::EmailChanged | AccountMail::UpgradeUndone))
    }
}

impl FromStr for MailKind {
    type Err = UnknownText;

    fn from_str(text: &str) -> Result<Self, UnknownText> {
        text.parse().map(Self::Account).or_else(|_| text.parse().map(Self::Notification))
    }
}

text_column!(MailKind);

/// A mail about a notification.
pub struct NewMail {
    pub user_id: UserId,
    pub kind: NotificationKind,
    pub auction_id: Option<Uuid>,
    pub item_id: Option<Uuid>,
    /// A title where neither an item nor an auction gives one.
    pub title: Option<String>,
    pub detail: Option<String>,
    /// The bid of the item whose price the mail names.
    pub sequence: Option<i64>,
}

/// A mail of the outbox.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct OutgoingMail {
    pub id: MailId,
    /// Absent for an invite to an e-mail without an account.
    pub user_id: Option<UserId>,
    pub kind: MailKind,
    pub auction_id: Option<Uuid>,
    pub item_id: Option<Uuid>,
    /// Absent where the item, or else the auction, gives the title.
    pub title: Option<String>,
    pub detail: Option<String>,
    /// The bid of the item whose price the mail names.
    pub sequence: Option<i64>,
    /// Attempts that have failed.
    pub failures: i64,
    /// Attempts of which it is not known whether the mail was sent.
    pub unconfirmed: i64,
    pub created_at: Moment,
    pub due_at: Moment,
}

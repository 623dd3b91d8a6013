//! The outbox: mails that are to be sent. `mail` sends them.

pub mod store;

use std::str::FromStr;

use crate::ids::{AuctionId, ItemId, MailId, UserId};
use crate::notifications::Kind;
use platform::db::text_column;
use platform::text_enum::UnknownText;
use platform::time::Moment;

/// How long a mail about a higher bid waits: a duel produces one mail.
const OUTBID_SECONDS: i64 = 60;

/// What a mail is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailKind {
    Notification(Kind),
    /// A link with which the user sets a new password.
    PasswordReset,
    /// A link with which the user confirms the e-mail.
    ConfirmEmail,
    /// The password was changed.
    PasswordChanged,
    /// The e-mail was changed: to the old one, which is the detail.
    EmailChanged,
    /// The account of the e-mail, which is the detail, is that of a group again.
    UpgradeUndone,
    SecondFactorOn,
    SecondFactorOff,
    /// There are new recovery codes.
    RecoveryCodesRenewed,
}

impl MailKind {
    /// The kinds that are no notifications.
    const OF_ACCOUNTS: [Self; 8] = [
        Self::PasswordReset,
        Self::ConfirmEmail,
        Self::PasswordChanged,
        Self::EmailChanged,
        Self::UpgradeUndone,
        Self::SecondFactorOn,
        Self::SecondFactorOff,
        Self::RecoveryCodesRenewed,
    ];

    /// Whether a later mail of this kind to the same user takes the place of an earlier one.
    pub fn replaces_earlier(self) -> bool {
        matches!(self, Self::PasswordReset | Self::ConfirmEmail)
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Notification(kind) => kind.as_str(),
            Self::PasswordReset => "PASSWORD_RESET",
            Self::ConfirmEmail => "CONFIRM_EMAIL",
            Self::PasswordChanged => "PASSWORD_CHANGED",
            Self::EmailChanged => "EMAIL_CHANGED",
            Self::UpgradeUndone => "UPGRADE_UNDONE",
            Self::SecondFactorOn => "SECOND_FACTOR_ON",
            Self::SecondFactorOff => "SECOND_FACTOR_OFF",
            Self::RecoveryCodesRenewed => "RECOVERY_CODES_RENEWED",
        }
    }
}

impl FromStr for MailKind {
    type Err = UnknownText;

    fn from_str(text: &str) -> Result<Self, UnknownText> {
        match Self::OF_ACCOUNTS.into_iter().find(|kind| kind.as_str() == text) {
            Some(kind) => Ok(kind),
            None => text.parse().map(Self::Notification),
        }
    }
}

text_column!(MailKind);

/// A mail of the outbox.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct OutgoingMail {
    pub id: MailId,
    /// Absent for an invite to an e-mail without an account.
    pub user_id: Option<UserId>,
    pub kind: MailKind,
    pub auction_id: Option<AuctionId>,
    pub item_id: Option<ItemId>,
    /// The name of the item, of the auction or of the book.
    pub title: String,
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

//! Users: people with an account.

pub mod store;

use platform::email::Email;
use platform::time::Moment;

use crate::ids::UserId;
use crate::preferences::Preferences;

/// A person with an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    pub id: UserId,
    /// The e-mail, with the capitals that were typed. None for a managed user.
    pub email: Option<String>,
    /// When the user opened the link of a mail to this e-mail. Without it the e-mail gives no rights.
    pub email_verified_at: Option<Moment>,
    /// When a mail to this e-mail could not be sent. None once one is sent, or the e-mail is another.
    pub email_failed_at: Option<Moment>,
    pub name: String,
    /// BCP 47.
    pub locale: Option<String>,
    pub preferences: Preferences,
    /// Signing in takes a code besides the password.
    pub has_second_factor: bool,
    pub created_at: Moment,
}

/// Result of a search by e-mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundPerson {
    pub id: UserId,
    pub name: String,
    /// The user has confirmed the e-mail.
    pub is_verified: bool,
}

impl User {
    /// The user has no e-mail, and signs in with the number in a group (SPEC, section 14).
    pub fn is_managed(&self) -> bool {
        self.email.is_none()
    }

    /// The e-mail, in the form in which it is compared with others.
    pub fn parsed_email(&self) -> Option<Email> {
        self.email.as_ref()?.parse().ok()
    }
}

//! People: accounts, passwords, sessions, links to set a new password, preferences, their management by the
//! Deployment Admin, the audit log (SPEC, section 2), and groups with their managed users (section 14).

pub mod codes;
pub mod ids;
pub mod locks;
pub mod path;
pub mod signal;

pub mod administration;
pub mod audit;
mod change_locale;
pub mod change_password;
pub mod confirm_email;
pub mod credentials;
pub mod device;
pub mod erase;
pub mod extract;
pub mod failed_sign_ins;
pub mod forgot_password;
pub mod groups;
pub mod hashing;
pub mod limits;
pub mod locale;
pub mod manage;
pub mod managed;
pub mod name;
pub mod new_browser;
pub mod outbox;
pub mod own_sessions;
pub mod password;
pub mod person;
pub mod preferences;
pub mod profile;
pub mod register;
pub mod reset_password;
pub mod routes;
pub mod second_factor;
pub mod send_email_link;
pub mod session;
pub mod session_cache;
pub mod sign_in;
pub mod sign_in_by_number;
pub mod sign_out;
pub mod store;
pub mod upgrade;
pub mod user_agent;

use std::sync::Arc;

use platform::db::Database;
use platform::email::Email;
use platform::http::HttpSettings;
use platform::signals::Signals;
use platform::time::{Clock, Moment};

use failed_sign_ins::FailedSignIns;
use hashing::Passwords;
use ids::UserId;
use limits::Limits;
use new_browser::NewBrowserNews;
use outbox::Outbox;
pub use person::Person;
use preferences::Preferences;
use register::RegistrationMode;
use session_cache::SessionCache;
pub use signal::Signal;

/// What the verbs of accounts work with.
pub struct Accounts {
    pub db: Database,
    pub clock: Arc<dyn Clock>,
    pub signals: Signals<Signal>,
    pub limits: Arc<Limits>,
    pub passwords: Passwords,
    pub sessions: Arc<SessionCache>,
    pub failed_sign_ins: FailedSignIns,
    pub http: Arc<HttpSettings>,
    pub registration: RegistrationMode,
    pub outbox: Outbox,
    /// None for commands of a shell, with which nobody signs in.
    pub new_browser: Option<Box<dyn NewBrowserNews>>,
}

impl Accounts {
    /// The host of this site, where the settings have one: a word that is no password here.
    pub fn site_name(&self) -> &str {
        let url = self.http.public_url.as_ref().map_or("", |url| url.as_str());
        url.split_once("://").map_or(url, |(_, host)| host)
    }
}

/// A person with an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    pub id: UserId,
    /// The e-mail, with the capitals that were typed. None for a managed user.
    pub email: Option<String>,
    /// When the user opened the link of a mail to this e-mail. Without it the e-mail gives no rights.
    pub email_verified_at: Option<Moment>,
    pub name: String,
    /// BCP 47.
    pub locale: Option<String>,
    pub preferences: Preferences,
    /// Signing in takes a code besides the password.
    pub has_second_factor: bool,
    pub created_at: Moment,
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

//! Accounts and sessions (contract, section 2).

pub mod change_password;
pub mod credentials;
pub mod delete;
pub mod device;
pub mod extract;
pub mod hashing;
pub mod limits;
pub mod locale;
pub mod manage;
pub mod name;
pub mod own_sessions;
pub mod password;
pub mod person;
pub mod preferences;
pub mod profile;
pub mod register;
pub mod reset_password;
pub mod routes;
pub mod session;
pub mod session_cache;
pub mod sign_in;
pub mod sign_out;
pub mod store;
pub mod user_agent;

use std::sync::Arc;

use async_trait::async_trait;
use platform::db::{Connection, Database, DbError, Transaction};
use platform::http::HttpSettings;
use platform::time::{Clock, Moment};

use crate::events::Events;
use crate::ids::UserId;
use hashing::Passwords;
use limits::Limits;
pub use person::Person;
use preferences::Preferences;
use register::RegistrationMode;
use session_cache::SessionCache;

/// What the verbs of accounts work with.
pub struct Accounts {
    pub db: Database,
    pub clock: Arc<dyn Clock>,
    pub events: Events,
    pub limits: Arc<Limits>,
    pub passwords: Passwords,
    pub sessions: Arc<SessionCache>,
    pub http: Arc<HttpSettings>,
    pub registration: RegistrationMode,
    pub administration: Arc<dyn Administration>,
}

/// What the administration of the installation has to do with accounts.
#[async_trait]
pub trait Administration: Send + Sync {
    /// Whether this user is the Deployment Admin, whose account can't be deleted or disabled.
    async fn is_admin(&self, db: &mut Connection, user: UserId) -> Result<bool, DbError>;

    /// Called in the transaction that changes the user's e-mail.
    async fn email_changed(&self, db: &mut Transaction, user: UserId, now: Moment) -> Result<(), DbError>;

    /// Records the action in the audit log, in its transaction. Without an actor, the owner of the machine acts from a
    /// shell.
    async fn record(
        &self,
        db: &mut Transaction,
        now: Moment,
        actor: Option<UserId>,
        action: AccountAction,
        subject: UserId,
    ) -> Result<(), DbError>;
}

/// An action on an account that the audit log contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccountAction {
    PasswordChanged,
    Disabled,
    Enabled,
    /// A link to set a new password was made.
    ResetLink,
}

/// A person with an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    pub id: UserId,
    /// As typed.
    pub email: String,
    pub name: String,
    /// BCP 47.
    pub locale: Option<String>,
    pub preferences: Preferences,
    pub created_at: Moment,
}

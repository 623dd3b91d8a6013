//! Accounts, as far as the installation needs them. The server implements [`Accounts`] and [`Sessions`].

mod extract;

use std::collections::HashMap;

use async_trait::async_trait;
use platform::db::{Connection, DbError, Transaction};
use platform::email::Email;
use platform::limits::TooMany;
use platform::token::TokenHash;

use crate::ids::UserId;

pub use extract::SignedIn;

/// A registered user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    pub id: UserId,
    /// As typed.
    pub email: String,
    pub name: String,
}

/// Questions about accounts.
#[async_trait]
pub trait Accounts: Send + Sync {
    async fn by_id(&self, db: &mut Connection, id: UserId) -> Result<Option<Account>, DbError>;

    /// The account with this e-mail, locked until the end of the transaction against changes. None if it is disabled.
    async fn lock_by_email(&self, db: &mut Transaction, email: &Email) -> Result<Option<Account>, DbError>;

    /// The names to show for these users, deleted ones included.
    async fn names(&self, db: &mut Connection, ids: &[UserId]) -> Result<HashMap<UserId, String>, DbError>;
}

/// Questions about sessions.
#[async_trait]
pub trait Sessions: Send + Sync {
    /// The user of a session that has not ended.
    async fn user(&self, session: &TokenHash) -> Result<Option<UserId>, DbError>;

    /// Counts a request that changes something as a write of its user.
    fn count_write(&self, user: UserId) -> Result<(), TooMany>;
}

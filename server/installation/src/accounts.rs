//! Accounts, as far as the installation needs them. The server implements [`Accounts`] and [`Sessions`].

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use axum::extract::{FromRef, FromRequestParts};
use axum::http::request::Parts;
use platform::db::{Connection, DbError, Transaction};
use platform::email::Email;
use platform::http::problem::{Code, Problem};
use platform::http::{HttpSettings, cookie};
use platform::token::TokenHash;

use crate::ids::UserId;

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

    /// The account with this e-mail, locked until the end of the transaction against deletion and renaming.
    async fn lock_by_email(&self, db: &mut Transaction, email: &Email) -> Result<Option<Account>, DbError>;

    /// The names to show for these users, deleted ones included.
    async fn names(&self, db: &mut Connection, ids: &[UserId]) -> Result<HashMap<UserId, String>, DbError>;
}

/// Questions about sessions.
#[async_trait]
pub trait Sessions: Send + Sync {
    /// The user of a session that has not ended.
    async fn user(&self, session: &TokenHash) -> Result<Option<UserId>, DbError>;
}

/// The signed-in user of a request and the session. A request without one is refused with 401.
#[derive(Debug, Clone)]
pub struct SignedIn {
    pub user: UserId,
    pub session: TokenHash,
}

impl<S> FromRequestParts<S> for SignedIn
where
    S: Send + Sync,
    Arc<HttpSettings>: FromRef<S>,
    Arc<dyn Sessions>: FromRef<S>,
{
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let unauthenticated = || Problem::plain(Code::Unauthenticated);
        let http = Arc::<HttpSettings>::from_ref(state);
        let token = cookie::token(&parts.headers, &http).ok_or_else(unauthenticated)?;
        let session = TokenHash::of(token);
        let user = Arc::<dyn Sessions>::from_ref(state).user(&session).await?.ok_or_else(unauthenticated)?;
        Ok(Self { user, session })
    }
}

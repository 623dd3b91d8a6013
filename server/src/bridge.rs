//! Implements the traits by which the sale and the installation use each other.

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use auction_house::accounts::{AccountAction, Accounts, Administration, User, session, store};
use auction_house::locks;
use installation::accounts::{Account, Sessions};
use installation::audit::{self, AuditAction};
use platform::db::{Connection, DbError, Transaction};
use platform::email::Email;
use platform::ids::UserId;
use platform::limits::TooMany;
use platform::time::Moment;
use platform::token::TokenHash;

/// Registered users, for the installation.
pub struct AccountDirectory;

/// Sessions, for the installation.
pub struct SessionsOfAccounts(pub Arc<Accounts>);

/// The Deployment Admin, for accounts.
pub struct AdministrationOfAccounts;

fn account(user: User) -> Account {
    Account { id: user.id, email: user.email, name: user.name }
}

#[async_trait]
impl installation::accounts::Accounts for AccountDirectory {
    async fn by_id(&self, db: &mut Connection, id: UserId) -> Result<Option<Account>, DbError> {
        Ok(store::user_by_id(db, id).await?.map(account))
    }

    async fn lock_by_email(&self, db: &mut Transaction, email: &Email) -> Result<Option<Account>, DbError> {
        let Some((found, _)) = store::by_email(db, email).await? else { return Ok(None) };
        locks::lock_account(db, found.id).await?;
        // Before the lock the account may have been deleted or disabled, or another may have taken its e-mail.
        let locked = store::by_email(db, email).await?;
        Ok(locked.map(|(user, _)| user).filter(|user| user.id == found.id).map(account))
    }

    async fn names(&self, db: &mut Connection, ids: &[UserId]) -> Result<HashMap<UserId, String>, DbError> {
        let mut names = HashMap::new();
        for id in ids {
            names.extend(store::name(db, *id).await?.map(|name| (*id, name)));
        }
        Ok(names)
    }
}

#[async_trait]
impl Sessions for SessionsOfAccounts {
    async fn user(&self, session: &TokenHash) -> Result<Option<UserId>, DbError> {
        Ok(session::find(&self.0, session.clone()).await?.map(|user| user.id))
    }

    fn count_write(&self, user: UserId) -> Result<(), TooMany> {
        self.0.limits.write(user)
    }
}

#[async_trait]
impl Administration for AdministrationOfAccounts {
    async fn is_admin(&self, db: &mut Connection, user: UserId) -> Result<bool, DbError> {
        installation::settings::admin::is_admin(db, user).await
    }

    async fn email_changed(&self, db: &mut Transaction, user: UserId, now: Moment) -> Result<(), DbError> {
        installation::settings::store::admin_has_moved(db, user, now).await
    }

    async fn record(
        &self,
        db: &mut Transaction,
        now: Moment,
        actor: Option<UserId>,
        action: AccountAction,
        subject: UserId,
    ) -> Result<(), DbError> {
        let action = match action {
            AccountAction::PasswordChanged => AuditAction::PasswordChanged(subject),
            AccountAction::Disabled => AuditAction::AccountDisabled(subject),
            AccountAction::Enabled => AuditAction::AccountEnabled(subject),
            AccountAction::ResetLink => AuditAction::ResetLink(subject),
        };
        audit::record(db, now, actor, &action).await
    }
}

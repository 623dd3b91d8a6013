//! What the sale and the installation know of each other, through the traits that each declares.

use std::sync::Arc;

use async_trait::async_trait;
use auction_house::accounts::{Accounts, Administration, User, session, store};
use auction_house::locks;
use installation::accounts::{Account, Sessions};
use platform::db::{Connection, DbError, Transaction};
use platform::email::Email;
use platform::ids::UserId;
use platform::time::Moment;
use platform::token::TokenHash;

/// The registered users, as the installation asks for them.
pub struct AccountDirectory;

/// The sessions of users, as the installation asks for them.
pub struct SessionsOfAccounts(pub Arc<Accounts>);

/// The administration of the installation, as accounts ask for it.
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
        // Before the lock the account may have been deleted, or another may have taken its e-mail.
        let locked = store::by_email(db, email).await?;
        Ok(locked.map(|(user, _)| user).filter(|user| user.id == found.id).map(account))
    }
}

#[async_trait]
impl Sessions for SessionsOfAccounts {
    async fn user(&self, session: &TokenHash) -> Result<Option<UserId>, DbError> {
        Ok(session::find(&self.0, session.clone()).await?.map(|user| user.id))
    }
}

#[async_trait]
impl Administration for AdministrationOfAccounts {
    async fn is_admin(&self, db: &mut Connection, user: UserId) -> Result<bool, DbError> {
        installation::settings::admin::is_admin(db, user).await
    }

    async fn email_changed(&self, db: &mut Connection, user: UserId, now: Moment) -> Result<(), DbError> {
        installation::settings::store::admin_has_moved(db, user, now).await
    }
}

//! Locks of groups and accounts. A transaction that changes an account locks it first. One that locks other
//! rows as well, locks them before the account, so that no two transactions wait for each other: groups
//! before accounts.

mod store;

use std::collections::BTreeSet;

use platform::db::{Batch, Database, DbError, Transaction};
use platform::email::Email;
use platform::ids::Id;

use crate::groups::GroupCode;
use crate::groups::store::by_code;
use crate::ids::{GroupId, UserId};
use crate::user::User;
use crate::user::store::by_email;

/// A transaction with this user's account locked.
pub async fn write_as(db: &Database, user: UserId) -> Result<Transaction, DbError> {
    db.write_locking(store::ACCOUNTS, &[user.uuid()]).await
}

/// A transaction with this group locked: its people don't change until the commit.
pub async fn write_in_group(db: &Database, group: GroupId) -> Result<Transaction, DbError> {
    db.write_locking(store::GROUPS, &[group.uuid()]).await
}

/// Waits until the transaction has locked this group, after auctions and before books and accounts.
pub async fn lock_group(transaction: &mut Transaction, group: GroupId) -> Result<(), DbError> {
    transaction.lock(store::GROUPS, &[group.uuid()]).await
}

/// A transaction with the group locked that has this code, if there is one.
pub async fn write_in_group_of_code(db: &Database, code: &GroupCode) -> Result<Transaction, DbError> {
    let mut transaction = db.write().await?;
    let group = by_code(&mut transaction, code).await?.map(|(group, _)| group.uuid());
    transaction.lock(store::GROUPS, &[group.unwrap_or_default()]).await?;
    Ok(transaction)
}

/// Waits until the transaction has locked this account.
pub async fn lock_account(transaction: &mut Transaction, user: UserId) -> Result<(), DbError> {
    transaction.lock(store::ACCOUNTS, &[user.uuid()]).await
}

/// Waits for transactions that delete one of these accounts, and keeps others from doing so until the commit
/// of the batch. An optimistic batch, which locks nothing before its commit, does not lock the accounts
/// either.
pub async fn keep_accounts(batch: &mut Batch, users: &BTreeSet<UserId>) -> Result<(), DbError> {
    let ids: Vec<_> = users.iter().map(|id| id.uuid()).collect();
    batch.lock(store::KEPT_ACCOUNTS, &ids).await
}

/// The account with this e-mail, locked. None if it is disabled.
pub async fn lock_by_email(transaction: &mut Transaction, email: &Email) -> Result<Option<User>, DbError> {
    let Some((found, _)) = by_email(transaction, email).await? else { return Ok(None) };
    lock_account(transaction, found.id).await?;
    // Before the lock the account may have been deleted or disabled, or another may have taken its e-mail.
    let locked = by_email(transaction, email).await?;
    Ok(locked.map(|(user, _)| user).filter(|user| user.id == found.id))
}

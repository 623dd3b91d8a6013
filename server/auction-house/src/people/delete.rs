//! Deletes an account. The person is erased, never an auction's record: their bids and items stay, as those
//! of a deleted user.

use accounts::administration::is_admin;
use accounts::audit::{self, AuditAction};
use accounts::change_password::{PasswordRefusal, check_password, limited};
use accounts::erase;
use accounts::groups::UNDO_UPGRADE_SECONDS;
use accounts::groups::store as groups;
use accounts::locks::lock_account;
use accounts::session::Visitor;
use accounts::user::store;
use accounts::{Accounts, Signal};
use platform::body::Body;
use platform::db::{DbError, Transaction};
use platform::refusals;
use platform::shape::{self, Members, Shape};
use platform::time::Moment;
use platform::verb::VerbError;

use crate::access;
use crate::codes;
use crate::ids::UserId;
use crate::imports;
use crate::locks::LockingWrites;
use crate::usage;
use crate::waiting;

/// The password as a proof.
#[derive(Clone, Default)]
pub struct DeleteBody {
    password: Option<String>,
}

impl Shape for DeleteBody {
    const NAME: &'static str = "DeleteBody";

    fn members(&mut self, members: &mut Members<'_>) {
        members.required_secret("password", &mut self.password);
    }
}

refusals! {
    /// Why an account is not deleted.
    pub enum DeleteRefusal {
        DeploymentAdmin => codes::DEPLOYMENT_ADMIN, "You must transfer deployment admin rights before deleting your account";
        TooEarly => codes::TOO_EARLY, "The keepers of your group can undo your upgrade for a day: delete your account after that.";
        OwnsAuctions => codes::OWNS_AUCTIONS, "You own auctions: hand each over to another member, or delete it, before you delete your account.";
        LastKeeper => codes::LAST_KEEPER, "You are the only keeper of a group: make another person its keeper, or delete it, before you delete your account.";
        OwnsBooks => codes::OWNS_BOOKS, "You own books: make another holder the owner of each, before you delete your account.";
        LeadsOpenItems => codes::LEADS_OPEN_ITEMS, "You lead, or have a sealed bid or tickets, on an open item: your account can go once it is closed, or your bid counts no more.";
    }
    holds { Password(PasswordRefusal) }
}

/// Erases the person and ends their sessions and memberships. Refused while others depend on them.
pub async fn delete_account(
    accounts: &Accounts,
    visitor: &Visitor,
    user: UserId,
    body: impl Body,
) -> Result<(), VerbError<DeleteRefusal>> {
    let is_wrong =
        |refusal: &DeleteRefusal| matches!(refusal, DeleteRefusal::Password(wrong) if wrong.is_wrong());
    limited(accounts, visitor, user, delete(accounts, visitor, user, body), is_wrong).await
}

async fn delete(
    accounts: &Accounts,
    visitor: &Visitor,
    user: UserId,
    body: impl Body,
) -> Result<(), VerbError<DeleteRefusal>> {
    // INVARIANT: a required member that is absent is an error.
    let DeleteBody { password } = shape::parse(body.read()?)?;
    let verified = check_password(accounts, user, password.unwrap_or_default())
        .await
        .map_err(|error| error.map_refusal(DeleteRefusal::Password))?;
    // The lock keeps the user from bidding or joining concurrently.
    let auctions = access::store::auctions_of(&mut accounts.db.read().await?, &[user]).await?;
    let mut db = accounts.db.write_in(&auctions).await?;
    lock_account(&mut db, user).await?;
    if access::store::auctions_of(&mut db, &[user]).await? != auctions {
        return Err(DbError::Overtaken.into());
    }
    if store::password_hash(&mut db, user).await? != Some(verified) {
        return Err(DeleteRefusal::Password(PasswordRefusal::WrongPassword).into());
    }
    let now = accounts.clock.now();
    erase(&mut db, user, now).await?;
    let action = AuditAction::AccountDeleted(user);
    audit::record_from(&mut db, now, visitor.address, Some(user), &action).await?;
    db.commit().await?;
    accounts.signals.publish(&Signal::User(user));
    Ok(())
}

/// INVARIANT: every deletion of an account with an e-mail passes here, so that none skips the checks. The
/// transaction has locked the account and its auctions.
async fn erase(db: &mut Transaction, user: UserId, now: Moment) -> Result<(), VerbError<DeleteRefusal>> {
    if is_admin(db, user).await? {
        return Err(DeleteRefusal::DeploymentAdmin.into());
    }
    if groups::is_upgraded_since(db, user, now.plus_seconds(-UNDO_UPGRADE_SECONDS)).await? {
        return Err(DeleteRefusal::TooEarly.into());
    }
    if access::store::owns_any(db, user).await? {
        return Err(DeleteRefusal::OwnsAuctions.into());
    }
    if usage::owns_book(db, user).await? {
        return Err(DeleteRefusal::OwnsBooks.into());
    }
    if groups::keeps_any_alone(db, user).await? {
        return Err(DeleteRefusal::LastKeeper.into());
    }
    if !usage::leaders_among(db, &[user]).await?.is_empty() {
        return Err(DeleteRefusal::LeadsOpenItems.into());
    }
    access::store::leave_all(db, &[user]).await?;
    let account = store::user_by_id(db, user).await?;
    if let Some(email) = account.and_then(|account| account.parsed_email()) {
        access::store::invites::delete_of_user(db, user, &email).await?;
        waiting::store::delete_of_email(db, &email).await?;
    }
    imports::store::forget_people(db, &[user]).await?;
    Ok(erase::erase(db, user, now).await?)
}

/// Why managed users are not erased.
#[derive(Debug, thiserror::Error)]
pub enum EraseManagedError {
    #[error("a managed user leads an open item")]
    LeadsOpenItems,
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Erases managed users, who own nothing. The transaction has locked their auctions.
pub async fn erase_managed(
    db: &mut Transaction,
    users: &[UserId],
    now: Moment,
) -> Result<(), EraseManagedError> {
    if !usage::leaders_among(db, users).await?.is_empty() {
        return Err(EraseManagedError::LeadsOpenItems);
    }
    access::store::leave_all(db, users).await?;
    imports::store::forget_people(db, users).await?;
    Ok(erase::erase_managed(db, users, now).await?)
}

//! Takes back within a day that a managed user became a full account.

use accounts::administration::is_admin;
use accounts::audit::{self, AuditAction};
use accounts::email_links::store as email_links;
use accounts::groups::store as groups;
use accounts::groups::store::number_failures;
use accounts::groups::{CardKeys, PersonKey, UNDO_UPGRADE_SECONDS};
use accounts::hashing::HashError;
use accounts::locks::lock_account;
use accounts::outbox::AccountMail;
use accounts::reset_links::store as reset_links;
use accounts::second_factor::store as second_factors;
use accounts::session::Visitor;
use accounts::session::store as sessions;
use accounts::user::store;
use accounts::{Accounts, Signal, signal};

use super::add::WithKeys;
use super::pins::credentials;
use crate::access;
use crate::books;
use crate::codes;
use crate::context::Context;
use crate::groups::GroupWrite;
use crate::groups::access::authorize_keeper;
use crate::ids::{GroupId, UserId};
use platform::db::{Connection, DbError};
use platform::refusals;
use platform::time::Moment;
use platform::verb::VerbError;

refusals! {
    /// Why an upgrade is not undone.
    pub enum UndoUpgradeRefusal {
        NotUpgraded => codes::NOT_UPGRADED;
        TooLate => codes::TOO_LATE, "A day has passed: the account is the user's own.";
        DeploymentAdmin => codes::DEPLOYMENT_ADMIN, "The account is the Deployment Admin's: the role must be transferred first.";
    }
    holds { Hash(HashError) }
}

/// The account is a managed user of the group again, with a new PIN: e-mail, password and second factor are
/// gone, and every session ends. What the account has come to manage meanwhile is the keeper's.
pub async fn undo_upgrade(
    context: &Context,
    accounts: &Accounts,
    visitor: &Visitor,
    (group_id, user, key): (GroupId, UserId, PersonKey),
) -> Result<WithKeys, VerbError<UndoUpgradeRefusal>> {
    let now = context.clock.now();
    let mut conn = context.db.read().await?;
    authorize_keeper(&mut conn, group_id, user).await?;
    let undone = upgraded(&mut conn, group_id, key, now).await?;
    let others = access::store::auctions_of(&mut conn, &[undone]).await?;
    drop(conn);
    let keys = CardKeys::new().map_err(DbError::from)?;
    let hashed = credentials(accounts, user, std::slice::from_ref(&keys)).await;
    let hashed = hashed.map_err(UndoUpgradeRefusal::Hash)?;

    let GroupWrite { mut db, .. } = GroupWrite::begin(context, group_id, &others).await?;
    let seen = authorize_keeper(&mut db, group_id, user).await?;
    if upgraded(&mut db, group_id, key, now).await? != undone {
        return Err(DbError::Overtaken.into());
    }
    lock_account(&mut db, undone).await?;
    if is_admin(&mut db, undone).await? {
        return Err(UndoUpgradeRefusal::DeploymentAdmin.into());
    }
    let account = store::user_by_id(&mut db, undone).await?.ok_or(VerbError::NotFound)?;
    if let Some(email) = account.parsed_email() {
        access::store::invites::delete_of_user(&mut db, undone, &email).await?;
    }
    access::store::hand_over(&mut db, undone, user, now).await?;
    books::store::holders::hand_over(&mut db, undone, user, now).await?;
    groups::leave_others(&mut db, undone, group_id, user).await?;
    reset_links::delete(&mut db, undone).await?;
    email_links::delete(&mut db, undone).await?;
    second_factors::delete(&mut db, undone).await?;
    sessions::delete_others(&mut db, undone, None).await?;
    for credentials in &hashed {
        store::downgrade_user(&mut db, undone, credentials).await?;
    }
    groups::set_upgraded(&mut db, group_id, undone, None).await?;
    if let Some(old) = account.email.as_deref().filter(|_| account.email_verified_at.is_some()) {
        accounts.outbox.add(&mut db, AccountMail::UpgradeUndone, undone, Some(old), now).await?;
    }
    let action = AuditAction::UpgradeUndone(undone);
    audit::record_from(&mut db, now, visitor.address, Some(user), &action).await?;
    signal::send(&mut db, &Signal::User(undone)).await?;
    let person = groups::person(&mut db, group_id, key, now).await?.ok_or(VerbError::NotFound)?;
    number_failures::delete_of_numbers(&mut db, &seen.code, person.number.as_slice()).await?;
    db.commit().await?;
    accounts.signals.publish(&Signal::User(undone));
    Ok(WithKeys { person, keys: Some(keys) })
}

/// The user whose upgrade may be undone.
async fn upgraded(
    conn: &mut Connection,
    group_id: GroupId,
    key: PersonKey,
    now: Moment,
) -> Result<UserId, VerbError<UndoUpgradeRefusal>> {
    let person = groups::person(conn, group_id, key, now).await?.ok_or(VerbError::NotFound)?;
    let at = person.upgraded_at.filter(|_| !person.is_managed).ok_or(UndoUpgradeRefusal::NotUpgraded)?;
    if at.plus_seconds(UNDO_UPGRADE_SECONDS) <= now {
        return Err(UndoUpgradeRefusal::TooLate.into());
    }
    Ok(person.person.id)
}

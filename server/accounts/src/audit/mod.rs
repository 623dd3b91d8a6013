//! The audit log of the installation. An entry is written in the transaction of the action, and never
//! changed.

mod store;

use std::collections::BTreeSet;

use crate::ids::{AuditId, UserId};
use crate::user::store::names;
use platform::db::{Connection, DbError, Transaction};
use platform::net::ClientAddress;
use platform::time::Moment;

/// The maximum length of a detail, in characters.
const DETAIL_MAX: usize = 200;

/// An action on the installation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuditAction {
    /// The actor became the first Deployment Admin.
    Claimed,
    /// The actor made this user the Deployment Admin.
    Transferred(UserId),
    /// The owner of the machine made this user the Deployment Admin.
    Appointed(UserId),
    AutoCheckOn,
    AutoCheckOff,
    /// The Deployment Admin needs a second factor from now on.
    AdminSecondFactorOn,
    AdminSecondFactorOff,
    UpdateStarted,
    RollbackStarted,
    /// The result.
    UpdateFinished(String),
    /// The name of the backup.
    BackedUp(String),
    /// The name of the backup.
    BackupDownloaded(String),
    /// The backup.
    Restored(String),
    /// The backup and the reason.
    NotRestored(String),
    PasswordChanged(UserId),
    EmailChanged(UserId),
    EmailConfirmed(UserId),
    Registered(UserId),
    SignedIn(UserId),
    /// The account of the e-mail, if there is one.
    SignInFailed(Option<UserId>),
    AccountDeleted(UserId),
    AccountDisabled(UserId),
    AccountEnabled(UserId),
    /// The actor ended all sessions of this user.
    SessionsEnded(UserId),
    /// The actor made a link with which this user can set a new password.
    ResetLink(UserId),
    SecondFactorOn(UserId),
    SecondFactorOff(UserId),
    RecoveryCodesRenewed(UserId),
    /// A keeper made the account a managed user of the group again.
    UpgradeUndone(UserId),
}

impl AuditAction {
    /// The action in the database.
    fn name(&self) -> &'static str {
        match self {
            Self::Claimed => "CLAIMED",
            Self::Transferred(_) => "TRANSFERRED",
            Self::Appointed(_) => "APPOINTED",
            Self::AutoCheckOn => "AUTO_CHECK_ON",
            Self::AutoCheckOff => "AUTO_CHECK_OFF",
            Self::AdminSecondFactorOn => "ADMIN_SECOND_FACTOR_ON",
            Self::AdminSecondFactorOff => "ADMIN_SECOND_FACTOR_OFF",
            Self::UpdateStarted => "UPDATE_STARTED",
            Self::RollbackStarted => "ROLLBACK_STARTED",
            Self::UpdateFinished(_) => "UPDATE_FINISHED",
            Self::BackedUp(_) => "BACKED_UP",
            Self::BackupDownloaded(_) => "BACKUP_DOWNLOADED",
            Self::Restored(_) => "RESTORED",
            Self::NotRestored(_) => "NOT_RESTORED",
            Self::PasswordChanged(_) => "PASSWORD_CHANGED",
            Self::EmailChanged(_) => "EMAIL_CHANGED",
            Self::EmailConfirmed(_) => "EMAIL_CONFIRMED",
            Self::Registered(_) => "REGISTERED",
            Self::SignedIn(_) => "SIGN_IN",
            Self::SignInFailed(_) => "SIGN_IN_FAILED",
            Self::AccountDeleted(_) => "ACCOUNT_DELETED",
            Self::AccountDisabled(_) => "ACCOUNT_DISABLED",
            Self::AccountEnabled(_) => "ACCOUNT_ENABLED",
            Self::SessionsEnded(_) => "SESSIONS_ENDED",
            Self::ResetLink(_) => "RESET_LINK",
            Self::SecondFactorOn(_) => "SECOND_FACTOR_ON",
            Self::SecondFactorOff(_) => "SECOND_FACTOR_OFF",
            Self::RecoveryCodesRenewed(_) => "RECOVERY_CODES_RENEWED",
            Self::UpgradeUndone(_) => "UPGRADE_UNDONE",
        }
    }

    fn subject(&self) -> Option<UserId> {
        match self {
            Self::Transferred(user)
            | Self::Appointed(user)
            | Self::PasswordChanged(user)
            | Self::EmailChanged(user)
            | Self::EmailConfirmed(user)
            | Self::Registered(user)
            | Self::SignedIn(user)
            | Self::AccountDeleted(user)
            | Self::AccountDisabled(user)
            | Self::AccountEnabled(user)
            | Self::SessionsEnded(user)
            | Self::ResetLink(user)
            | Self::SecondFactorOn(user)
            | Self::SecondFactorOff(user)
            | Self::RecoveryCodesRenewed(user)
            | Self::UpgradeUndone(user) => Some(*user),
            Self::SignInFailed(user) => *user,
            _ => None,
        }
    }

    fn detail(&self) -> Option<String> {
        match self {
            Self::UpdateFinished(detail)
            | Self::BackedUp(detail)
            | Self::BackupDownloaded(detail)
            | Self::Restored(detail)
            | Self::NotRestored(detail) => Some(detail.chars().take(DETAIL_MAX).collect()),
            _ => None,
        }
    }
}

/// An entry of the log, with users by their ids or by their names.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct AuditEntry<U> {
    pub at: Moment,
    /// `None`: the owner of the machine, from a shell.
    pub actor: Option<U>,
    /// The name of an [`AuditAction`], of this release or another.
    pub action: String,
    pub subject: Option<U>,
    pub detail: Option<String>,
    /// Where a sign-in was tried.
    pub address: Option<String>,
}

/// Writes an entry. Without an actor, the owner of the machine acts from a shell.
pub async fn record(
    db: &mut Transaction,
    now: Moment,
    actor: Option<UserId>,
    action: &AuditAction,
) -> Result<(), DbError> {
    record_at(db, now, actor, action, None).await
}

/// A sign-in that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FailedSignIn {
    pub at: Moment,
    pub address: ClientAddress,
    /// The account of the e-mail, if there is one.
    pub user: Option<UserId>,
}

/// Writes an entry for each failed sign-in.
pub async fn record_failed_sign_ins(db: &mut Transaction, failures: &[FailedSignIn]) -> Result<(), DbError> {
    for FailedSignIn { at, address, user } in failures {
        let action = AuditAction::SignInFailed(*user);
        record_at(db, *at, None, &action, Some(*address)).await?;
    }
    Ok(())
}

/// Writes an entry of what a user did with an account from an address, and a line of the log.
pub async fn record_from(
    db: &mut Transaction,
    now: Moment,
    address: ClientAddress,
    actor: Option<UserId>,
    action: &AuditAction,
) -> Result<(), DbError> {
    let user = action.subject().map(|user| user.to_string()).unwrap_or_default();
    tracing::info!(%address, user, action = action.name(), "an account was used or changed");
    record_at(db, now, actor, action, Some(address)).await
}

async fn record_at(
    db: &mut Transaction,
    now: Moment,
    actor: Option<UserId>,
    action: &AuditAction,
    address: Option<ClientAddress>,
) -> Result<(), DbError> {
    let id = AuditId::new(now);
    store::insert_entry(db, id, actor, action, address, now).await
}

/// The latest entries about the installation, newest first.
pub async fn latest(db: &mut Connection, limit: i64) -> Result<Vec<AuditEntry<String>>, DbError> {
    named(db, false, limit).await
}

/// The latest sign-ins, also failed ones, and what users did with their accounts, newest first.
pub async fn latest_of_people(db: &mut Connection, limit: i64) -> Result<Vec<AuditEntry<String>>, DbError> {
    named(db, true, limit).await
}

async fn named(db: &mut Connection, of_people: bool, limit: i64) -> Result<Vec<AuditEntry<String>>, DbError> {
    let rows = store::latest_entries(db, of_people, limit).await?;
    let ids: BTreeSet<UserId> = rows.iter().flat_map(|row| [row.actor, row.subject]).flatten().collect();
    let names = names(db, ids).await?;
    let name = |id: Option<UserId>| id.and_then(|id| names.get(&id).cloned());
    let entry = |row: AuditEntry<UserId>| AuditEntry {
        at: row.at,
        actor: name(row.actor),
        action: row.action,
        subject: name(row.subject),
        detail: row.detail,
        address: row.address,
    };
    Ok(rows.into_iter().map(entry).collect())
}

//! The audit log: what was done to the installation, by whom, when. An entry is written in the transaction that does
//! it, and never changed.

pub mod store;

use crate::ids::{AuditId, UserId};
use platform::db::{Connection, DbError};
use platform::time::Moment;

/// How much of a detail is kept, in characters.
const DETAIL_MAX: usize = 200;

/// What can be done to the installation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// Somebody became the first Deployment Admin.
    Claimed,
    /// The administration went over to this user.
    Transferred(UserId),
    /// The owner of the machine gave the administration to this user.
    Appointed(UserId),
    AutoCheckOn,
    AutoCheckOff,
    UpdateStarted,
    /// What came of it.
    UpdateFinished(String),
    /// The backup's name.
    BackedUp(String),
    /// Which backup.
    Restored(String),
    /// Which backup, and why.
    NotRestored(String),
}

impl Act {
    /// As a row holds it.
    fn name(&self) -> &'static str {
        match self {
            Self::Claimed => "CLAIMED",
            Self::Transferred(_) => "TRANSFERRED",
            Self::Appointed(_) => "APPOINTED",
            Self::AutoCheckOn => "AUTO_CHECK_ON",
            Self::AutoCheckOff => "AUTO_CHECK_OFF",
            Self::UpdateStarted => "UPDATE_STARTED",
            Self::UpdateFinished(_) => "UPDATE_FINISHED",
            Self::BackedUp(_) => "BACKED_UP",
            Self::Restored(_) => "RESTORED",
            Self::NotRestored(_) => "NOT_RESTORED",
        }
    }

    fn subject(&self) -> Option<UserId> {
        match self {
            Self::Transferred(to) | Self::Appointed(to) => Some(*to),
            _ => None,
        }
    }

    fn detail(&self) -> Option<String> {
        match self {
            Self::UpdateFinished(detail)
            | Self::BackedUp(detail)
            | Self::Restored(detail)
            | Self::NotRestored(detail) => Some(detail.chars().take(DETAIL_MAX).collect()),
            _ => None,
        }
    }
}

/// An entry as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub at: Moment,
    /// Nobody: the owner of the machine, from its shell.
    pub actor: Option<String>,
    /// The name of an [`Act`], of this release or another.
    pub act: String,
    pub subject: Option<String>,
    pub detail: Option<String>,
}

/// Writes an entry. No actor: the owner of the machine, from its shell.
pub async fn record(
    db: &mut Connection,
    now: Moment,
    actor: Option<UserId>,
    act: &Act,
) -> Result<(), DbError> {
    let id = AuditId::new(now)?;
    store::insert_entry(db, id, actor, act.name(), act.subject(), act.detail(), now).await
}

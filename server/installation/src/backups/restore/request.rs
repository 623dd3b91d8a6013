//! The request to restore a backup: a file beside the journal, which also survives the exchange of the
//! database.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::ids::UserId;
use crate::journal::{JournalError, UpdateLock, read_file, remove_file, write_file};

const FILE: &str = "restore.json";

/// What the next server restores before it opens the database, and afterwards the outcome.
///
/// INVARIANT: the next server may be of another version: the serde names are the format of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RestoreRequest {
    /// Its name among the backups, or its path.
    pub backup: String,
    /// `None`: the owner of the machine.
    #[serde(rename = "askedBy")]
    pub requested_by: Option<Requester>,
    #[serde(rename = "askedAtMillis")]
    pub requested_at_millis: i64,
    /// The backup of the replaced database. Set before that backup is begun.
    #[serde(rename = "kept")]
    pub replaced: Option<String>,
    pub outcome: Option<Outcome>,
}

/// The requesting user, with the name: the restored database may not know the account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Requester {
    pub id: UserId,
    pub name: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Outcome {
    Restored,
    /// Nothing was changed, for this reason.
    Failed(String),
}

pub(super) fn read(data_dir: &Path) -> Result<Option<RestoreRequest>, JournalError> {
    read_file(data_dir, FILE)
}

/// Replaces the request durably.
pub(super) fn write(
    lock: &UpdateLock,
    data_dir: &Path,
    request: &RestoreRequest,
) -> Result<(), JournalError> {
    write_file(lock, data_dir, FILE, request)
}

pub(super) fn remove(lock: &UpdateLock, data_dir: &Path) -> Result<(), JournalError> {
    remove_file(lock, data_dir, FILE)
}

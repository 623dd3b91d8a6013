//! Lists and finds accounts.

use super::SystemUser;
use super::store;
use crate::ids::UserId;
use platform::db::{Connection, DbError};
use platform::text::searchable;

/// Accounts that are read at once.
const CHUNK: usize = 500;

/// Accounts after this one in the order of their registration, at most `limit`. With `wanted`, those whose
/// e-mail or name contains this text, without regard to case and accents.
pub async fn list_users(
    db: &mut Connection,
    wanted: Option<&str>,
    mut after: Option<UserId>,
    limit: usize,
) -> Result<Vec<SystemUser>, DbError> {
    let wanted = wanted.map(searchable);
    let mut found = Vec::new();
    // Compared here, because SQLite ignores the case of ASCII letters only.
    while found.len() < limit {
        let chunk = store::list(db, after, CHUNK as i64).await?;
        let is_last = chunk.len() < CHUNK;
        after = chunk.last().map(|last| last.user.id);
        found.extend(chunk.into_iter().filter(|one| wanted.as_deref().is_none_or(|wanted| one.has(wanted))));
        if is_last {
            break;
        }
    }
    found.truncate(limit);
    Ok(found)
}

impl SystemUser {
    /// Whether the e-mail or the name contains this [`searchable`] text.
    fn has(&self, wanted: &str) -> bool {
        let texts = self.user.email.iter().chain([&self.user.name]);
        texts.into_iter().any(|text| searchable(text).contains(wanted))
    }
}

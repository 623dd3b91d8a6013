//! The locks in SQL.

use platform::db::RowLock;

pub(super) const ACCOUNTS: RowLock =
    RowLock { sqlite: None, postgres: "SELECT 1 FROM users WHERE id = ANY($1) ORDER BY id FOR UPDATE" };

/// Keeps accounts from being deleted, not from other changes.
pub(super) const KEPT_ACCOUNTS: RowLock =
    RowLock { sqlite: None, postgres: "SELECT 1 FROM users WHERE id = ANY($1) ORDER BY id FOR KEY SHARE" };

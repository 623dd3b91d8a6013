//! The locks in SQL.

use platform::db::RowLock;

pub(super) const ACCOUNTS: RowLock =
    RowLock { sqlite: None, postgres: "SELECT 1 FROM users WHERE id = ANY($1) ORDER BY id FOR UPDATE" };

/// Keeps accounts from being deleted, not from other changes.
pub(super) const KEPT_ACCOUNTS: RowLock =
    RowLock { sqlite: None, postgres: "SELECT 1 FROM users WHERE id = ANY($1) ORDER BY id FOR KEY SHARE" };

/// Keeps the people of groups from changing. An auction that refers to the group is not kept waiting.
pub(super) const GROUPS: RowLock = RowLock {
    sqlite: None,
    postgres: "SELECT 1 FROM groups WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE",
};

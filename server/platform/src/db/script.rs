//! What a transaction changes, put together before any of it is done: each statement with the rows that it is done
//! for. SQLite does one row after the other; PostgreSQL is given all statements and rows at once. Each text is prepared
//! once, however many rows there are.

use super::postgres::Statement;
use super::query::{Sql, Value, query};
use super::{Connection, DbError, Driver};

/// A statement that is done for each of some rows. [`change`] writes it.
#[derive(Debug, Clone, Copy)]
pub struct Change {
    /// For the cells of one row, `?` or `?1`, `?2` ….
    pub sqlite: &'static str,
    pub postgres: PostgresChange,
}

/// The same for all rows at once, from what stands before and after the table `given` of them.
#[derive(Debug, Clone, Copy)]
pub struct PostgresChange {
    /// As which table later changes of the same part of a script read what it returns.
    pub name: Option<&'static str>,
    pub before: &'static str,
    /// The names and types of the table's columns.
    pub columns: &'static [(&'static str, &'static str)],
    pub after: &'static str,
}

/// A [`Change`], from what stands before and after the table `given` of its rows, and the names and types of that
/// table's columns; or for a table's new rows from its columns alone. What is done with every batch of bids has a text
/// of its own for SQLite, which takes twice as long for a table of one row.
#[macro_export]
macro_rules! change {
    (insert $table:ident [$first:ident $first_type:ident $(, $name:ident $type:ident)* $(,)?]) => {
        $crate::change!(
            sqlite: concat!(
                "INSERT INTO ", stringify!($table), " (", stringify!($first), $(", ", stringify!($name),)*
                ") VALUES (?", $($crate::another!($name),)* ")"
            ),
            concat!(
                "INSERT INTO ", stringify!($table), " (", stringify!($first), $(", ", stringify!($name),)*
                ") SELECT given.* FROM"
            ),
            [$first $first_type $(, $name $type)*],
            ""
        )
    };
    ($before:expr, [$first:ident $first_type:ident $(, $name:ident $type:ident)* $(,)?], $after:expr) => {
        $crate::change!(
            sqlite: concat!(
                $before, " (SELECT ? AS ", stringify!($first), $(", ? AS ", stringify!($name),)* ") AS given ", $after
            ),
            $before,
            [$first $first_type $(, $name $type)*],
            $after
        )
    };
    (
        sqlite: $sqlite:expr, $before:expr, [$($name:ident $type:ident),+ $(,)?], $after:expr
    ) => {
        $crate::db::Change {
            sqlite: $sqlite,
            postgres: $crate::db::PostgresChange {
                name: None,
                before: $before,
                columns: &[$((stringify!($name), stringify!($type))),+],
                after: $after,
            },
        }
    };
}
pub use change;

/// The place of a further cell.
#[macro_export]
macro_rules! another {
    ($name:ident) => {
        ", ?"
    };
}
pub use another;

impl Change {
    /// What it returns on PostgreSQL, later changes of the same part of a script read as the table `name`.
    pub const fn returning_as(mut self, name: &'static str) -> Self {
        self.postgres.name = Some(name);
        self
    }
}

/// Writes that are sent together.
#[derive(Debug)]
pub struct Script {
    /// INVARIANT: never empty.
    pub(super) parts: Vec<Part>,
    /// What other servers on the same database are told with the commit.
    pub(super) told: Vec<String>,
}

/// Changes of which none sees what the others do.
pub(super) type Part = Vec<(Change, Vec<Cells>)>;

impl Default for Script {
    fn default() -> Self {
        Self { parts: vec![Vec::new()], told: Vec::new() }
    }
}

/// One row.
pub(super) type Cells = Vec<Value>;

/// The cells of one row, in the order of the change's columns.
#[macro_export]
macro_rules! cells {
    ($($cell:expr),+ $(,)?) => {
        vec![$($crate::db::Value::from($cell)),+]
    };
}
pub use cells;

impl Script {
    /// Does `change` for each of `rows`. On PostgreSQL it does not see what the other changes of the same part do,
    /// apart from what they return.
    pub fn add(&mut self, change: Change, rows: impl IntoIterator<Item = Vec<Value>>) {
        let rows: Vec<Cells> = rows.into_iter().collect();
        if let Some(part) = self.parts.last_mut()
            && !rows.is_empty()
        {
            part.push((change, rows));
        }
    }

    /// Begins a part of the script that sees what was done before.
    pub fn then(&mut self) {
        self.parts.push(Vec::new());
    }

    /// Tells the other servers on the same database something, once this is committed. At most
    /// [`TELL_BYTES`](super::TELL_BYTES) of it.
    pub fn tell(&mut self, text: String) {
        self.told.push(text);
    }

    pub(super) fn changes(&self) -> impl Iterator<Item = &(Change, Vec<Cells>)> {
        self.parts.iter().flatten()
    }
}

impl Connection {
    /// Does what the script says, inside the transaction that this is.
    pub async fn run(&mut self, script: Script) -> Result<(), DbError> {
        match self.driver() {
            Driver::Sqlite(_) => {
                for (change, rows) in script.parts.into_iter().flatten() {
                    for row in rows {
                        query(Sql::from(change.sqlite)).bind_all(row).execute(self).await?;
                    }
                }
            }
            Driver::Postgres(connection) => {
                let Some((last, before)) = script.parts.split_last() else { return Ok(()) };
                for part in before {
                    Statement::of(part)?.run(connection, &[]).await?;
                }
                Statement::of(last)?.run(connection, &script.told).await?;
            }
        }
        Ok(())
    }
}

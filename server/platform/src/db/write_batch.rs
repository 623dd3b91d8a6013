//! What a transaction writes, gathered before any of it is executed: each statement with its rows. SQLite executes one row
//! after the other; PostgreSQL gets all statements and rows at once. Each text is prepared once, however many rows there
//! are.

use super::postgres::Statement;
use super::query::{Sql, Value, query};
use super::{Connection, DbError, Driver};

/// A statement that is executed for each of some rows. [`bulk_statement`] writes it.
#[derive(Debug, Clone, Copy)]
pub struct BulkStatement {
    /// For the cells of one row, `?` or `?1`, `?2` ….
    pub sqlite: &'static str,
    pub postgres: PostgresBulkStatement,
}

/// The text for all rows at once, from what stands before and after the table `given` of them.
#[derive(Debug, Clone, Copy)]
pub struct PostgresBulkStatement {
    /// The name of the table as which later statements of the same stage read what it returns.
    pub name: Option<&'static str>,
    pub before: &'static str,
    /// The names and types of the table's columns.
    pub columns: &'static [(&'static str, &'static str)],
    pub after: &'static str,
}

/// A [`BulkStatement`], from what stands before and after the table `given` of its rows, and the names and types of that
/// table's columns; or for a table's new rows from its columns alone. What is done with every batch of bids has a text
/// of its own for SQLite, which takes twice as long for a table of one row.
#[macro_export]
macro_rules! bulk_statement {
    (insert $table:ident [$first:ident $first_type:ident $(, $name:ident $type:ident)* $(,)?]) => {
        $crate::bulk_statement!(
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
        $crate::bulk_statement!(
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
        $crate::db::BulkStatement {
            sqlite: $sqlite,
            postgres: $crate::db::PostgresBulkStatement {
                name: None,
                before: $before,
                columns: &[$((stringify!($name), stringify!($type))),+],
                after: $after,
            },
        }
    };
}
pub use bulk_statement;

/// The place of a further cell.
#[macro_export]
macro_rules! another {
    ($name:ident) => {
        ", ?"
    };
}
pub use another;

impl BulkStatement {
    /// Later statements of the same stage read what it returns on PostgreSQL as the table `name`.
    pub const fn returning_as(mut self, name: &'static str) -> Self {
        self.postgres.name = Some(name);
        self
    }
}

/// Statements with their rows, in stages.
#[derive(Debug)]
pub struct WriteBatch {
    /// INVARIANT: never empty.
    pub(super) stages: Vec<Stage>,
    /// What the other servers on the same database are notified of with the commit.
    pub(super) notifications: Vec<String>,
}

/// Statements of which none sees what the others do.
pub(super) type Stage = Vec<(BulkStatement, Vec<Row>)>;

impl Default for WriteBatch {
    fn default() -> Self {
        Self { stages: vec![Vec::new()], notifications: Vec::new() }
    }
}

/// One row.
pub(super) type Row = Vec<Value>;

/// The cells of one row, in the order of the change's columns.
#[macro_export]
macro_rules! row {
    ($($cell:expr),+ $(,)?) => {
        vec![$($crate::db::Value::from($cell)),+]
    };
}
pub use row;

impl WriteBatch {
    /// Does `change` for each of `rows`. On PostgreSQL it does not see what the other changes of the same stage do,
    /// apart from what they return.
    pub fn add(&mut self, change: BulkStatement, rows: impl IntoIterator<Item = Vec<Value>>) {
        let rows: Vec<Row> = rows.into_iter().collect();
        if let Some(stage) = self.stages.last_mut()
            && !rows.is_empty()
        {
            stage.push((change, rows));
        }
    }

    /// Begins a stage that sees what was done before.
    pub fn then(&mut self) {
        self.stages.push(Vec::new());
    }

    /// Notifies the other servers on the same database, once this is committed. At most
    /// [`NOTIFICATION_BYTES`](super::NOTIFICATION_BYTES) of it.
    pub fn notify(&mut self, text: String) {
        self.notifications.push(text);
    }

    pub(super) fn changes(&self) -> impl Iterator<Item = &(BulkStatement, Vec<Row>)> {
        self.stages.iter().flatten()
    }
}

impl Connection {
    /// Executes the batch inside the transaction that this is.
    pub async fn run(&mut self, writes: WriteBatch) -> Result<(), DbError> {
        match self.driver() {
            Driver::Sqlite(_) => {
                for (change, rows) in writes.stages.into_iter().flatten() {
                    for row in rows {
                        query(Sql::from(change.sqlite)).bind_all(row).execute(self).await?;
                    }
                }
            }
            Driver::Postgres(connection) => {
                let Some((last, before)) = writes.stages.split_last() else { return Ok(()) };
                for stage in before {
                    Statement::of(stage)?.run(connection, &[]).await?;
                }
                Statement::of(last)?.run(connection, &writes.notifications).await?;
            }
        }
        Ok(())
    }
}

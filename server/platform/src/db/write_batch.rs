//! The writes of a transaction, collected before any is executed: statements with their rows. SQLite
//! executes few rows one after the other, and many together; PostgreSQL gets all statements and rows at once.
//! Each text is prepared once for any number of rows.

use serde::{Serialize, Serializer};

use super::postgres::Statement;
use super::query::{Query, Sql, Value, is_join, query};
use super::{DbError, Driver, Transaction};
use crate::touched_rows::table_of;

/// Rows that SQLite executes together: each alone costs two switches between threads.
const TOGETHER: usize = 8;

/// Statements for which a batch has room at first: a batch of bids has about as many.
const STATEMENTS: usize = 8;

/// A statement that is executed for many rows, made with [`bulk_statement`].
#[derive(Debug, Clone, Copy)]
pub struct BulkStatement {
    /// For the cells of one row, `?` or `?1`, `?2` ….
    pub sqlite: &'static str,
    /// SQLite takes the text for many rows, too.
    pub is_common: bool,
    pub postgres: PostgresBulkStatement,
}

/// The text for all rows at once: the parts before and after the table `given` of the rows.
#[derive(Debug, Clone, Copy)]
pub struct PostgresBulkStatement {
    /// The name under which later statements of the same stage read the returned rows.
    pub name: Option<&'static str>,
    pub before: &'static str,
    /// The names and types of the table's columns.
    pub columns: &'static [(&'static str, &'static str)],
    pub after: &'static str,
}

/// Makes a [`BulkStatement`] from the text before the table `given` of its rows, the names and types of the
/// table's columns, and the text after it. `insert` makes one from the columns of the new rows. A statement
/// of every batch of bids has a separate text for SQLite, which is twice as fast as a table of one row.
#[macro_export]
macro_rules! bulk_statement {
    (insert $table:ident [$first:ident $first_type:ident $(, $name:ident $type:ident)* $(,)?]) => {
        $crate::bulk_statement!(
            common: concat!(
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
            common: concat!(
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
            is_common: false,
            ..$crate::bulk_statement!(common: $sqlite, $before, [$($name $type),+], $after)
        }
    };
    (
        common: $sqlite:expr, $before:expr, [$($name:ident $type:ident),+ $(,)?], $after:expr
    ) => {
        $crate::db::BulkStatement {
            sqlite: $sqlite,
            is_common: true,
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

/// The placeholder of a further cell. Internal to [`bulk_statement`].
#[macro_export]
macro_rules! another {
    ($name:ident) => {
        ", ?"
    };
}
pub use another;

impl BulkStatement {
    /// On PostgreSQL, lets later statements of the same stage read the returned rows as the table `name`.
    pub const fn returning_as(mut self, name: &'static str) -> Self {
        self.postgres.name = Some(name);
        self
    }

    /// On SQLite, executes the text of PostgreSQL for many rows.
    pub const fn common_for_many(mut self) -> Self {
        self.is_common = true;
        self
    }

    /// The statement for all rows at once, which are the JSON of `?1`. Each cell of it costs time: a column
    /// that is the same in all rows is a value of its own.
    fn sqlite_together(&self, rows: &Rows) -> Result<Query, DbError> {
        let PostgresBulkStatement { before, columns, after, .. } = self.postgres;
        let common = rows.common();
        let (mut cells, mut values, mut place) = (Vec::new(), Vec::new(), 0..);
        for ((name, kind), common) in columns.iter().zip(&common) {
            cells.push(match (common, *kind) {
                (Some(value), _) => {
                    values.push((*value).clone());
                    format!("?{} AS {name}", values.len() + 1)
                }
                (None, "uuid") => format!("unhex(value ->> {}, '-') AS {name}", place.next().unwrap_or(0)),
                (None, _) => format!("value ->> {} AS {name}", place.next().unwrap_or(0)),
            });
        }
        let differing = rows.iter().map(|row| {
            let cells = row.iter().zip(&common).filter(|(_, common)| common.is_none());
            cells.map(|(cell, _)| Cell(cell)).collect::<Vec<_>>()
        });
        values.insert(0, super::rows(differing)?.into());
        // The rows are read once, whatever table is joined to them.
        let order = if is_join(after) { "CROSS " } else { "" };
        let cells = cells.join(", ");
        let text = format!("{before} (SELECT {cells} FROM json_each(?1)) AS given {order}{after}");
        Ok(Query::built(text, values))
    }
}

/// A value in JSON, from which SQLite reads it back.
struct Cell<'a>(&'a Value);

impl Serialize for Cell<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Text(text) => text.serialize(serializer),
            Value::Id(id) => id.serialize(serializer),
            Value::Number(number) => number.serialize(serializer),
            Value::Flag(flag) => flag.serialize(serializer),
        }
    }
}

/// Statements with their rows, in stages.
#[derive(Debug)]
pub struct WriteBatch {
    /// INVARIANT: never empty.
    pub(super) stages: Vec<Stage>,
    /// Notifications for the other servers on the same database, sent with the commit.
    pub(super) notifications: Vec<String>,
}

/// Statements that do not see each other's writes.
pub(super) type Stage = Vec<(BulkStatement, Rows)>;

impl Default for WriteBatch {
    fn default() -> Self {
        Self { stages: vec![Vec::with_capacity(STATEMENTS)], notifications: Vec::new() }
    }
}

/// The cells of all rows, one row after the other.
#[derive(Debug)]
pub(super) struct Rows {
    cells: Vec<Value>,
    /// Cells of each row.
    width: usize,
}

impl Rows {
    fn new<const WIDTH: usize>(rows: impl IntoIterator<Item = [Value; WIDTH]>) -> Self {
        Self { cells: rows.into_iter().flatten().collect(), width: WIDTH }
    }

    pub(super) fn len(&self) -> usize {
        self.cells.len() / self.width.max(1)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[Value]> {
        self.cells.chunks(self.width.max(1))
    }

    /// For each column the value that all rows have, if they have the same.
    fn common(&self) -> Vec<Option<&Value>> {
        let mut rows = self.iter();
        let mut common: Vec<Option<&Value>> = rows.next().unwrap_or_default().iter().map(Some).collect();
        for row in rows {
            for (common, cell) in common.iter_mut().zip(row) {
                *common = common.filter(|common| *common == cell);
            }
        }
        common
    }

    fn into_rows(self) -> impl Iterator<Item = Vec<Value>> {
        let (mut cells, width) = (self.cells.into_iter(), self.width);
        std::iter::from_fn(move || {
            let row = Vec::from_iter(cells.by_ref().take(width));
            (!row.is_empty()).then_some(row)
        })
    }
}

/// The cells of one row, in the order of the statement's columns.
#[macro_export]
macro_rules! row {
    ($($cell:expr),+ $(,)?) => {
        [$($crate::db::Value::from($cell)),+]
    };
}
pub use row;

impl WriteBatch {
    /// Adds `change` for each of `rows`. On PostgreSQL it does not see the writes of other changes of the
    /// same stage, except the rows that they return.
    pub fn add<const WIDTH: usize>(
        &mut self,
        change: BulkStatement,
        rows: impl IntoIterator<Item = [Value; WIDTH]>,
    ) {
        let rows = Rows::new(rows);
        if let Some(stage) = self.stages.last_mut()
            && rows.len() > 0
        {
            stage.push((change, rows));
        }
    }

    /// Begins a stage that sees the writes of all earlier stages.
    pub fn then(&mut self) {
        self.stages.push(Vec::new());
    }

    /// Notifies the other servers on the same database with the commit. The text has at most
    /// [`NOTIFICATION_BYTES`](super::NOTIFICATION_BYTES).
    pub fn notify(&mut self, text: String) {
        self.notifications.push(text);
    }

    pub(super) fn changes(&self) -> impl Iterator<Item = &(BulkStatement, Rows)> {
        self.stages.iter().flatten()
    }
}

impl Transaction {
    /// Executes the batch.
    pub async fn run(&mut self, writes: WriteBatch) -> Result<(), DbError> {
        if let Driver::Postgres(_) = self.driver() {
            for (change, rows) in writes.changes() {
                self.touch(table_of(change.postgres.before), rows.len() as u64);
            }
        }
        match self.driver() {
            Driver::Sqlite(_) => {
                for (change, rows) in writes.stages.into_iter().flatten() {
                    if change.is_common && rows.len() >= TOGETHER {
                        change.sqlite_together(&rows)?.execute(self).await?;
                        continue;
                    }
                    for row in rows.into_rows() {
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

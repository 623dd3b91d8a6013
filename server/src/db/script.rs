//! What a transaction changes, put together before any of it is done: each statement with the rows that it is done
//! for. SQLite does it for one row after the other, PostgreSQL for all rows at once; each text is prepared once,
//! however many rows there are.

use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};

use super::query::{Sql, Value, query};
use super::{Connection, DbError, Driver, postgres};

/// A statement that is done for each of some rows. [`change`] writes it.
#[derive(Debug, Clone, Copy)]
pub struct Change {
    /// For the cells of one row, `?` or `?1`, `?2` ….
    pub sqlite: &'static str,
    /// With `$1` for all rows, a JSON array of objects.
    pub postgres: &'static str,
    /// The cells' names, in their order.
    pub columns: &'static [&'static str],
}

/// A [`Change`], from what stands before and after the table `given` of its rows, and the names and types of that
/// table's columns; or for a table's new rows from its columns alone. What is done with every batch of bids has a text
/// of its own for SQLite, which takes twice as long for a table of one row.
macro_rules! change {
    (insert $table:ident [$first:ident $first_type:ident $(, $name:ident $type:ident)* $(,)?]) => {
        $crate::db::change!(
            sqlite: concat!(
                "INSERT INTO ", stringify!($table), " (", stringify!($first), $(", ", stringify!($name),)*
                ") VALUES (?", $($crate::db::another!($name),)* ")"
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
        $crate::db::change!(
            sqlite: concat!(
                $before, " (SELECT ? AS ", stringify!($first), $(", ? AS ", stringify!($name),)* ") AS given ", $after
            ),
            $before,
            [$first $first_type $(, $name $type)*],
            $after
        )
    };
    (
        sqlite: $sqlite:expr,
        $before:expr, [$first:ident $first_type:ident $(, $name:ident $type:ident)* $(,)?], $after:expr
    ) => {
        $crate::db::Change {
            sqlite: $sqlite,
            postgres: concat!(
                $before, " json_to_recordset(CAST($1 AS json)) AS given (", stringify!($first), " ",
                stringify!($first_type), $(", ", stringify!($name), " ", stringify!($type),)* ") ", $after
            ),
            columns: &[stringify!($first), $(stringify!($name)),*],
        }
    };
}
pub(crate) use change;

/// The place of a further cell.
macro_rules! another {
    ($name:ident) => {
        ", ?"
    };
}
pub(crate) use another;

/// See the module.
#[derive(Debug, Default)]
pub struct Script {
    pub(super) changes: Vec<(Change, Vec<Cells>)>,
    /// What other servers on the same database are told with the commit.
    told: Vec<String>,
}

/// One row.
pub(super) type Cells = Vec<Value>;

/// The cells of one row, in the order of the change's columns.
macro_rules! cells {
    ($($cell:expr),+ $(,)?) => {
        vec![$($crate::db::Value::from($cell)),+]
    };
}
pub(crate) use cells;

impl Script {
    /// Does `change` for each of `rows`, after what is in the script already.
    pub fn add(&mut self, change: Change, rows: impl IntoIterator<Item = Vec<Value>>) {
        let rows: Vec<Cells> = rows.into_iter().collect();
        if !rows.is_empty() {
            self.changes.push((change, rows));
        }
    }

    /// Tells the other servers on the same database something, once this is committed. At most
    /// [`TELL_BYTES`](super::TELL_BYTES) of it.
    pub fn tell(&mut self, text: String) {
        self.told.push(text);
    }
}

impl Connection {
    /// Does what the script says, inside the transaction that this is.
    pub async fn run(&mut self, script: Script) -> Result<(), DbError> {
        for (change, rows) in script.changes {
            match self.driver() {
                Driver::Sqlite(_) => {
                    for row in rows {
                        query(Sql::from(change.sqlite)).bind_all(row).execute(self).await?;
                    }
                }
                Driver::Postgres(_) => {
                    let rows = Rows { columns: change.columns, rows: &rows };
                    let rows =
                        serde_json::to_string(&rows).map_err(|error| DbError::Corrupt(error.to_string()))?;
                    query(Sql::from(change.postgres)).bind(rows).execute(self).await?;
                }
            }
        }
        for text in script.told {
            if let Driver::Postgres(connection) = self.driver() {
                postgres::notify(connection, &text).await?;
            }
        }
        Ok(())
    }
}

/// Rows as PostgreSQL takes them.
struct Rows<'a> {
    columns: &'static [&'static str],
    rows: &'a [Cells],
}

struct Row<'a>(&'static [&'static str], &'a Cells);

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut rows = serializer.serialize_seq(Some(self.rows.len()))?;
        for row in self.rows {
            rows.serialize_element(&Row(self.columns, row))?;
        }
        rows.end()
    }
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut row = serializer.serialize_map(Some(self.0.len()))?;
        for (name, cell) in self.0.iter().zip(self.1) {
            match cell {
                Value::Text(text) => row.serialize_entry(name, text)?,
                Value::Number(number) => row.serialize_entry(name, number)?,
                Value::Flag(flag) => row.serialize_entry(name, flag)?,
            }
        }
        row.end()
    }
}

//! What a transaction changes, put together before any of it is done: each statement with the rows that it is done
//! for. SQLite does it for one row after the other, PostgreSQL for all rows at once; each text is prepared once,
//! however many rows there are.

use sqlx::Arguments;
use sqlx::postgres::PgArguments;

use super::query::{Sql, Value, query};
use super::{Connection, DbError, Driver, postgres};
use crate::ids::IdText;

/// A statement that is done for each of some rows. [`change`] writes it.
#[derive(Debug, Clone, Copy)]
pub struct Change {
    /// For the cells of one row, `?` or `?1`, `?2` ….
    pub sqlite: &'static str,
    /// With an array for each column, `$1`, `$2` …, which PostgreSQL takes apart sooner than JSON.
    pub postgres: &'static str,
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
                $before, " unnest(",
                $crate::db::arrays!(
                    [$first_type $($type)*] ["$1" "$2" "$3" "$4" "$5" "$6" "$7" "$8" "$9" "$10" "$11" "$12"]
                ),
                ") AS given (", stringify!($first), $(", ", stringify!($name),)* ") ", $after
            ),
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

/// The arrays of columns of these types, one after the other.
macro_rules! arrays {
    ([$type:ident] [$place:literal $($places:literal)*]) => {
        concat!("CAST(", $place, " AS ", stringify!($type), "[])")
    };
    ([$type:ident $($types:ident)+] [$place:literal $($places:literal)*]) => {
        concat!($crate::db::arrays!([$type] [$place]), ", ", $crate::db::arrays!([$($types)+] [$($places)*]))
    };
}
pub(crate) use arrays;

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
                Driver::Postgres(connection) => {
                    let query = sqlx::query_with(change.postgres, columns(&rows)?);
                    Box::pin(query.execute(connection)).await?;
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

/// One column of some rows.
enum Column<'a> {
    Texts(Vec<Option<&'a str>>),
    Numbers(Vec<Option<i64>>),
    Flags(Vec<bool>),
}

/// Rows as PostgreSQL takes them: by columns.
///
/// # Errors
/// Where a row has other cells than the first.
fn columns(rows: &[Cells]) -> Result<PgArguments, DbError> {
    let first = rows.first().into_iter().flatten();
    let mut columns: Vec<Column> = first.map(|cell| Column::of(cell, rows.len())).collect();
    for row in rows {
        for (column, cell) in columns.iter_mut().zip(row) {
            column.push(cell)?;
        }
    }
    let mut arguments = PgArguments::default();
    for column in columns {
        match column {
            Column::Texts(texts) => arguments.add(texts),
            Column::Numbers(numbers) => arguments.add(numbers),
            Column::Flags(flags) => arguments.add(flags),
        }
        .map_err(sqlx::Error::Encode)?;
    }
    Ok(arguments)
}

impl<'a> Column<'a> {
    /// An empty one for cells such as this.
    fn of(cell: &Value, rows: usize) -> Self {
        match cell {
            Value::Text(_) | Value::Id(_) => Self::Texts(Vec::with_capacity(rows)),
            Value::Number(_) => Self::Numbers(Vec::with_capacity(rows)),
            Value::Flag(_) => Self::Flags(Vec::with_capacity(rows)),
        }
    }

    fn push(&mut self, cell: &'a Value) -> Result<(), DbError> {
        match (self, cell) {
            (Self::Texts(texts), Value::Text(text)) => texts.push(text.as_deref()),
            (Self::Texts(texts), Value::Id(id)) => texts.push(id.as_ref().map(IdText::as_str)),
            (Self::Numbers(numbers), Value::Number(number)) => numbers.push(*number),
            (Self::Flags(flags), Value::Flag(flag)) => flags.push(*flag),
            _ => return Err(DbError::Corrupt("a column with cells of two types".to_owned())),
        }
        Ok(())
    }
}

//! Bulk writes on PostgreSQL: many changes as the common table expressions of one statement, because each
//! round trip costs as much as several bids.

use sqlx::postgres::{PgArguments, PgConnection};
use sqlx::{Arguments, AssertSqlSafe};
use uuid::Uuid;

use super::CHANNEL;
use crate::db::DbError;
use crate::db::lease::IS_CLOSED;
use crate::db::lock::{RowVersions, VersionedLock};
use crate::db::query::Value;
use crate::db::write_batch::{BulkStatement, PostgresBulkStatement, Rows};

/// One statement that makes several changes.
#[derive(Debug)]
pub(in crate::db) struct Statement {
    text: String,
    arguments: PgArguments,
    /// If it is false, nothing is written.
    condition: &'static str,
}

impl Statement {
    /// Makes all of these changes.
    ///
    /// # Errors
    /// The rows of a change have cells of different types.
    pub(in crate::db) fn of(changes: &[(BulkStatement, Rows)]) -> Result<Self, DbError> {
        let mut statement =
            Self { text: String::new(), arguments: PgArguments::default(), condition: "TRUE" };
        statement.add_all(changes)?;
        Ok(statement)
    }

    /// Makes all of these changes if the rows have the `expected` versions and writes are not closed, and
    /// nothing otherwise. The rows are locked first: this waits for transactions that change them, and
    /// compares the versions after that.
    ///
    /// # Errors
    /// The rows of a change have cells of different types.
    pub(in crate::db) fn expecting(
        lock: VersionedLock,
        expected: &RowVersions,
        changes: &[(BulkStatement, Rows)],
    ) -> Result<Self, DbError> {
        let text = format!(
            "WITH locked AS ({}), comparison AS (
                 SELECT (SELECT COUNT(*) FROM locked
                         JOIN unnest(CAST($1 AS uuid[]), CAST($2 AS bigint[])) AS expected (id, version)
                              USING (id, version)) = cardinality($1)
                    AND NOT EXISTS ({}) AS is_equal
             )",
            lock.postgres, IS_CLOSED.postgres
        );
        let condition = "(SELECT is_equal FROM comparison)";
        let mut statement = Self { text, arguments: PgArguments::default(), condition };
        statement.bind(Column::Ids(expected.keys().copied().map(Some).collect()))?;
        statement.bind(Column::Numbers(expected.values().map(|version| Some(*version)).collect()))?;
        statement.add_all(changes)?;
        Ok(statement)
    }

    fn add_all(&mut self, changes: &[(BulkStatement, Rows)]) -> Result<(), DbError> {
        for (n, (change, rows)) in changes.iter().enumerate() {
            self.add(n, change, rows)?;
        }
        Ok(())
    }

    fn add(&mut self, n: usize, change: &BulkStatement, rows: &Rows) -> Result<(), DbError> {
        let PostgresBulkStatement { name, before, columns, after } = change.postgres;
        self.text.push_str(if self.text.is_empty() { "WITH " } else { ", " });
        match name {
            Some(name) => self.text.push_str(name),
            None => self.text.extend(["change_", &n.to_string()]),
        }
        self.text.extend([" AS (", before, " (SELECT * FROM unnest("]);
        for (n, (cells, (_, kind))) in Column::all(rows)?.into_iter().zip(columns).enumerate() {
            self.bind(cells)?;
            let place = self.arguments.len().to_string();
            self.text.extend([if n == 0 { "" } else { ", " }, "CAST($", &place, " AS ", kind, "[])"]);
        }
        self.text.push_str(") AS given (");
        for (n, (name, _)) in columns.iter().enumerate() {
            self.text.extend([if n == 0 { "" } else { ", " }, name]);
        }
        self.text.extend([") WHERE ", self.condition, ") AS given ", after, ")"]);
        Ok(())
    }

    fn bind(&mut self, column: Column) -> Result<(), DbError> {
        let bound = match column {
            Column::Texts(texts) => self.arguments.add(texts),
            Column::Ids(ids) => self.arguments.add(ids),
            Column::Numbers(numbers) => self.arguments.add(numbers),
            Column::Flags(flags) => self.arguments.add(flags),
        };
        Ok(bound.map_err(sqlx::Error::Encode)?)
    }

    /// Executes the statement and sends the `notifications` to the other servers with its commit. Returns
    /// whether the condition was true.
    pub(in crate::db) async fn run(
        mut self,
        connection: &mut PgConnection,
        notifications: &[String],
    ) -> Result<bool, DbError> {
        self.bind(Column::Texts(notifications.iter().map(|text| Some(&**text)).collect()))?;
        let Self { text, arguments, condition } = self;
        let place = arguments.len();
        let text = format!(
            "{text} SELECT {condition}, (SELECT COUNT(pg_notify('{CHANNEL}', notification.text))
             FROM unnest(CAST(${place} AS text[])) AS notification (text) WHERE {condition})"
        );
        // Reads the complete answer: outside a transaction, the commit is done by then.
        let query = sqlx::query_as_with(AssertSqlSafe(text), arguments);
        let (done, _): (bool, i64) = Box::pin(query.fetch_one(connection)).await?;
        Ok(done)
    }
}

/// The values of one column.
enum Column<'a> {
    Texts(Vec<Option<&'a str>>),
    Ids(Vec<Option<Uuid>>),
    Numbers(Vec<Option<i64>>),
    Flags(Vec<bool>),
}

impl<'a> Column<'a> {
    /// The columns of `rows`: PostgreSQL unnests arrays of columns faster than rows.
    fn all(rows: &'a Rows) -> Result<Vec<Self>, DbError> {
        let first = rows.iter().next().into_iter().flatten();
        let mut columns: Vec<Self> = first.map(|cell| Self::of(cell, rows.len())).collect();
        for row in rows.iter() {
            for (column, cell) in columns.iter_mut().zip(row) {
                column.push(cell)?;
            }
        }
        Ok(columns)
    }

    /// An empty column for values of the type of `cell`.
    fn of(cell: &Value, rows: usize) -> Self {
        match cell {
            Value::Text(_) => Self::Texts(Vec::with_capacity(rows)),
            Value::Id(_) => Self::Ids(Vec::with_capacity(rows)),
            Value::Number(_) => Self::Numbers(Vec::with_capacity(rows)),
            Value::Flag(_) => Self::Flags(Vec::with_capacity(rows)),
        }
    }

    fn push(&mut self, cell: &'a Value) -> Result<(), DbError> {
        match (self, cell) {
            (Self::Texts(texts), Value::Text(text)) => texts.push(text.as_deref()),
            (Self::Ids(ids), Value::Id(id)) => ids.push(*id),
            (Self::Numbers(numbers), Value::Number(number)) => numbers.push(*number),
            (Self::Flags(flags), Value::Flag(flag)) => flags.push(*flag),
            _ => return Err(DbError::Corrupt("a column with cells of two types".to_owned())),
        }
        Ok(())
    }
}

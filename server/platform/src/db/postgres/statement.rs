//! Changes as PostgreSQL is given them: together, as the tables of one statement, since each turn between server and
//! database costs as much as some bids.

use sqlx::postgres::{PgArguments, PgConnection};
use sqlx::{Arguments, AssertSqlSafe};
use uuid::Uuid;

use super::CHANNEL;
use crate::db::DbError;
use crate::db::lease::IS_CLOSED;
use crate::db::lock::{RowVersions, VersionedLock};
use crate::db::query::Value;
use crate::db::write_batch::{BulkStatement, PostgresBulkStatement, Row};

/// Changes, together.
#[derive(Debug)]
pub(in crate::db) struct Statement {
    text: String,
    arguments: PgArguments,
    /// Where this is not so, nothing is done.
    condition: &'static str,
}

impl Statement {
    /// All of these changes.
    ///
    /// # Errors
    /// Where a change has rows with other cells than its first.
    pub(in crate::db) fn of(changes: &[(BulkStatement, Vec<Row>)]) -> Result<Self, DbError> {
        let mut statement =
            Self { text: String::new(), arguments: PgArguments::default(), condition: "TRUE" };
        statement.add_all(changes)?;
        Ok(statement)
    }

    /// All of these changes where the rows have the `expected` versions and writes are not closed, nothing otherwise.
    /// The rows are locked first; a row that another transaction is about to change is waited for, and compared as it is
    /// after that.
    ///
    /// # Errors
    /// Where a change has rows with other cells than its first.
    pub(in crate::db) fn expecting(
        lock: VersionedLock,
        expected: &RowVersions,
        changes: &[(BulkStatement, Vec<Row>)],
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

    fn add_all(&mut self, changes: &[(BulkStatement, Vec<Row>)]) -> Result<(), DbError> {
        for (n, (change, rows)) in changes.iter().enumerate() {
            self.add(n, change, rows)?;
        }
        Ok(())
    }

    fn add(&mut self, n: usize, change: &BulkStatement, rows: &[Row]) -> Result<(), DbError> {
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

    /// Does it, and has the other servers told with its commit. Whether it was done.
    pub(in crate::db) async fn run(
        mut self,
        connection: &mut PgConnection,
        told: &[String],
    ) -> Result<bool, DbError> {
        self.bind(Column::Texts(told.iter().map(|text| Some(&**text)).collect()))?;
        let Self { text, arguments, condition } = self;
        let place = arguments.len();
        let text = format!(
            "{text} SELECT {condition}, (SELECT COUNT(pg_notify('{CHANNEL}', told.text))
             FROM unnest(CAST(${place} AS text[])) AS told (text) WHERE {condition})"
        );
        // Reads whatever is answered: where this is a transaction by itself, it is committed then.
        let query = sqlx::query_as_with(AssertSqlSafe(text), arguments);
        let (done, _): (bool, i64) = Box::pin(query.fetch_one(connection)).await?;
        Ok(done)
    }
}

/// One column of some rows.
enum Column<'a> {
    Texts(Vec<Option<&'a str>>),
    Ids(Vec<Option<Uuid>>),
    Numbers(Vec<Option<i64>>),
    Flags(Vec<bool>),
}

impl<'a> Column<'a> {
    /// Rows as PostgreSQL takes them apart soonest.
    fn all(rows: &'a [Row]) -> Result<Vec<Self>, DbError> {
        let first = rows.first().into_iter().flatten();
        let mut columns: Vec<Self> = first.map(|cell| Self::of(cell, rows.len())).collect();
        for row in rows {
            for (column, cell) in columns.iter_mut().zip(row) {
                column.push(cell)?;
            }
        }
        Ok(columns)
    }

    /// An empty one for cells such as this.
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

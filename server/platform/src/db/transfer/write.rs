//! Writing rows of a table: statement by statement to SQLite, as a stream of `COPY` to PostgreSQL.

use std::fmt::Write as _;

use sqlx::postgres::{PgConnection, PgCopyIn};
use sqlx::sqlite::{SqliteArguments, SqliteConnection};
use sqlx::{Arguments, AssertSqlSafe, SqlSafeStr, SqlStr};

use super::catalogue::Table;
use super::rows::{Cell, Row};
use crate::db::{Connection, DbError, Driver, Transaction};

/// Appends rows to a table.
pub(super) enum Writer<'t> {
    Sqlite { connection: &'t mut SqliteConnection, insert: SqlStr },
    Postgres(PgCopyIn<&'t mut PgConnection>),
}

/// Keeps others from writing to the tables until the transaction ends. SQLite has one writer.
pub(super) async fn lock(target: &mut Transaction, tables: &[Table]) -> Result<(), DbError> {
    let target: &mut Connection = target;
    if let Driver::Postgres(connection) = target.driver() {
        let names: Vec<_> = tables.iter().map(|table| table.name.as_str()).collect();
        let sql = format!("LOCK TABLE {} IN EXCLUSIVE MODE", names.join(", "));
        sqlx::query(AssertSqlSafe(sql)).execute(connection).await?;
    }
    target.answered();
    Ok(())
}

impl<'t> Writer<'t> {
    pub async fn begin(target: &'t mut Transaction, table: &Table) -> Result<Self, DbError> {
        let target: &mut Connection = target;
        let (name, columns) = (&table.name, table.column_list());
        Ok(match target.driver() {
            Driver::Sqlite(connection) => {
                let places: Vec<_> = (1..=table.columns.len()).map(|place| format!("${place}")).collect();
                let insert = format!("INSERT INTO {name} ({columns}) VALUES ({})", places.join(", "));
                Self::Sqlite { connection, insert: AssertSqlSafe(insert).into_sql_str() }
            }
            Driver::Postgres(connection) => {
                let copy = format!("COPY {name} ({columns}) FROM STDIN");
                Self::Postgres(connection.copy_in_raw(&copy).await?)
            }
        })
    }

    pub async fn write(&mut self, rows: &[Row]) -> Result<(), DbError> {
        match self {
            Self::Sqlite { connection, insert } => {
                for row in rows {
                    let query = sqlx::query_with(insert.clone(), arguments(row)?);
                    query.execute(&mut **connection).await?;
                }
            }
            Self::Postgres(copy) => {
                copy.send(lines(rows).into_bytes()).await?;
            }
        }
        Ok(())
    }

    pub async fn finish(self) -> Result<(), DbError> {
        match self {
            Self::Sqlite { .. } => Ok(()),
            Self::Postgres(copy) => Ok(copy.finish().await.map(drop)?),
        }
    }
}

fn arguments(row: &Row) -> Result<SqliteArguments, sqlx::Error> {
    let mut arguments = SqliteArguments::default();
    for cell in row {
        match cell {
            Cell::Null => arguments.add(Option::<i64>::None),
            Cell::Id(id) => arguments.add(*id),
            Cell::Text(text) => arguments.add(text.clone()),
            Cell::Number(number) => arguments.add(*number),
            Cell::Flag(flag) => arguments.add(*flag),
        }
        .map_err(sqlx::Error::Encode)?;
    }
    Ok(arguments)
}

/// Rows in PostgreSQL's text format: tabs between cells, a line per row.
fn lines(rows: &[Row]) -> String {
    let mut text = String::new();
    for row in rows {
        for (place, cell) in row.iter().enumerate() {
            if place > 0 {
                text.push('\t');
            }
            push(cell, &mut text);
        }
        text.push('\n');
    }
    text
}

fn push(cell: &Cell, text: &mut String) {
    // Writing to a string can't fail.
    let _ = match cell {
        Cell::Null => write!(text, "\\N"),
        Cell::Id(id) => write!(text, "{id}"),
        Cell::Number(number) => write!(text, "{number}"),
        Cell::Flag(flag) => write!(text, "{flag}"),
        Cell::Text(given) => {
            for char in given.chars() {
                match char {
                    '\\' => text.push_str("\\\\"),
                    '\t' => text.push_str("\\t"),
                    '\n' => text.push_str("\\n"),
                    '\r' => text.push_str("\\r"),
                    char => text.push(char),
                }
            }
            Ok(())
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_keeps_its_tabs_lines_and_backslashes() {
        let rows = [
            vec![Cell::Text("a\tb\\N\r\n".to_owned()), Cell::Null, Cell::Flag(true)],
            vec![Cell::Text(String::new()), Cell::Number(-7), Cell::Flag(false)],
        ];
        assert_eq!(lines(&rows), "a\\tb\\\\N\\r\\n\t\\N\ttrue\n\t-7\tfalse\n");
    }
}

//! Reads rows. The error of a corrupt column names its table and the id of its row.

use sqlx::{ColumnIndex, Decode, FromRow, Row, Type};

use crate::ids::Uuid;

/// Reads a row of the statement `sql`.
pub(super) fn read_row<T, R: Row>(row: &R, sql: &str) -> Result<T, sqlx::Error>
where
    T: for<'r> FromRow<'r, R>,
    usize: ColumnIndex<R>,
    Uuid: for<'r> Decode<'r, R::Database> + Type<R::Database>,
{
    T::from_row(row).map_err(|error| match error {
        sqlx::Error::ColumnDecode { index, source } => {
            let id = (0..row.len()).find_map(|place| row.try_get::<Uuid, _>(place).ok());
            let id = id.map_or_else(String::new, |id| format!(" of the row {id}"));
            let index = format!("{}.{}{id}", table(sql), index.trim_matches('"'));
            sqlx::Error::ColumnDecode { index, source }
        }
        error => error,
    })
}

/// The first table that a statement reads, subqueries apart.
fn table(sql: &str) -> &str {
    let mut depth = 0;
    let mut is_next = false;
    for word in sql.split_whitespace() {
        if is_next && !word.starts_with('(') {
            return word;
        }
        depth += word.matches('(').count();
        depth = depth.saturating_sub(word.matches(')').count());
        is_next = depth == 0 && matches!(word, "FROM" | "JOIN");
    }
    "?"
}

#[cfg(test)]
mod tests {
    use sqlx::{Connection, Executor, SqliteConnection};

    use super::*;
    use crate::db::{DbError, Parsed};

    #[test]
    fn the_table_is_found_past_subqueries() {
        for (sql, found) in [
            ("SELECT id FROM books WHERE id = $1", "books"),
            ("SELECT a.id, CASE WHEN EXISTS (SELECT 1 FROM items i) THEN 1 END\nFROM auctions a", "auctions"),
            (
                "SELECT u.name FROM (SELECT value ->> 0 FROM json_each($1)) AS given JOIN users u ON TRUE",
                "users",
            ),
            ("SELECT 1", "?"),
        ] {
            assert_eq!(table(sql), found, "{sql}");
        }
    }

    #[tokio::test]
    async fn an_error_names_table_id_and_column() {
        let sql = "SELECT id, level FROM lamps";
        let mut conn = SqliteConnection::connect("sqlite::memory:").await.unwrap();
        conn.execute("CREATE TABLE lamps (id BLOB, level TEXT)").await.unwrap();
        conn.execute("INSERT INTO lamps VALUES (x'0190a0b0c0d0700080000000000000aa', 'dim')").await.unwrap();
        let row = conn.fetch_one(sql).await.unwrap();
        let error = read_row::<(Uuid, Parsed<i64>), _>(&row, sql).unwrap_err();
        assert_eq!(
            DbError::from(error).to_string(),
            "the database contains invalid data: error occurred while decoding column lamps.1 of the row \
             0190a0b0-c0d0-7000-8000-0000000000aa: `dim` is not a value of this column"
        );
    }
}

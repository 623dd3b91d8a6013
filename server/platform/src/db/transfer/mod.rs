//! All rows of a database to another one, which may be of the other kind: SQLite or PostgreSQL. The target is
//! empty before, and is written in one transaction, in which everything is read back and compared.

mod catalogue;
mod rows;
mod write;

use self::catalogue::{Table, tables};
use self::rows::{Digest, each_batch};
use self::write::Writer;
use super::query::{Query, Value};
use super::{Connection, Database, DbError, OpenError, Snapshot, Transaction, query, query_scalar};
use crate::random;

/// Copying takes as long as it takes, also while one side waits for the other. SQLite has no such limits.
const WITHOUT_LIMITS: &str =
    "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0";

/// Why nothing was copied. The target has no new rows.
#[derive(Debug, thiserror::Error)]
pub enum TransferError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Db(#[from] DbError),
    #[error("an update has closed writes: start the server once to finish the update or roll it back")]
    Paused,
    #[error("the two databases have different schemas: copy with the release that serves the first one")]
    OtherSchema,
    #[error("the column {table}.{column} has the type {kind}, which can't be copied")]
    Kind { table: String, column: String, kind: String },
    #[error("the tables {0} refer to each other, and can't be copied one after the other")]
    Cycle(String),
    #[error("the target is not empty: its table {table} has rows. Nothing was copied")]
    NotEmpty { table: String },
    #[error("the table {0} differs after copying. Nothing was copied")]
    Differs(String),
}

/// What is told while rows are copied.
#[derive(Debug, Clone, Copy)]
pub struct Progress<'t> {
    pub table: &'t str,
    pub copied: u64,
    pub of: u64,
}

/// All rows, written and compared, but not yet visible to others.
#[derive(Debug)]
pub struct Copied {
    transaction: Transaction,
    pub tables: usize,
    pub rows: u64,
}

impl Copied {
    /// Makes the rows durable and visible. Without it nothing was copied. The target has an identity of
    /// its own, which takes over what belongs to the source.
    pub async fn commit(mut self) -> Result<(), DbError> {
        query("UPDATE database_identity SET name = $1, replaces = name, place = NULL")
            .bind(random::new_token()?)
            .execute(&mut self.transaction)
            .await?;
        self.transaction.commit().await
    }
}

/// Copies all rows of `from`, as they are at one moment, to `to`, which has the same schema and no rows.
pub async fn copy_all(
    from: &Database,
    to: &Database,
    mut progress: impl FnMut(Progress<'_>),
) -> Result<Copied, TransferError> {
    let mut source = from.long_snapshot().await?;
    let mut target = to.write_always().await?;
    for connection in [&mut *source, &mut *target] {
        without_limits(connection).await?;
    }
    let tables = common_tables(&mut source, &mut target).await?;
    if query_scalar("SELECT CAST(count(*) AS BIGINT) FROM database_lease WHERE writes_closed")
        .fetch_one::<i64>(&mut source)
        .await?
        > 0
    {
        return Err(TransferError::Paused);
    }
    write::lock(&mut target, &tables).await?;
    for table in &tables {
        if table.count(&mut target).await? > 0 {
            return Err(TransferError::NotEmpty { table: table.name.clone() });
        }
    }
    let mut rows = 0;
    for table in &tables {
        rows += copy_table(table, &mut source, &mut target, &mut progress).await?;
    }
    Ok(Copied { transaction: target, tables: tables.len(), rows })
}

/// Copies a table, reads it back, and returns the number of its rows.
async fn copy_table(
    table: &Table,
    source: &mut Snapshot,
    target: &mut Transaction,
    progress: &mut impl FnMut(Progress<'_>),
) -> Result<u64, TransferError> {
    let of = table.count(source).await?;
    let (mut given, mut copied) = (Digest::default(), 0);
    let mut writer = Writer::begin(target, table).await?;
    each_batch(source, table, async |batch| {
        batch.iter().for_each(|row| given.add(row));
        writer.write(&batch).await?;
        copied += batch.len() as u64;
        progress(Progress { table: &table.name, copied, of });
        Ok(())
    })
    .await?;
    writer.finish().await?;
    let mut found = Digest::default();
    each_batch(target, table, async |batch| {
        batch.iter().for_each(|row| found.add(row));
        Ok(())
    })
    .await?;
    if found == given { Ok(copied) } else { Err(TransferError::Differs(table.name.clone())) }
}

/// The tables of both databases, a table after those that it refers to.
async fn common_tables(
    source: &mut Connection,
    target: &mut Connection,
) -> Result<Vec<Table>, TransferError> {
    let sql = "SELECT version FROM _sqlx_migrations ORDER BY version";
    let versions: Vec<i64> = query_scalar(sql).fetch_all(source).await?;
    let (theirs, ours) = (tables(source).await?, tables(target).await?);
    if versions != query_scalar(sql).fetch_all::<i64>(target).await? || theirs != ours {
        return Err(TransferError::OtherSchema);
    }
    catalogue::in_order(ours)
}

async fn without_limits(connection: &mut Connection) -> Result<(), DbError> {
    connection.control("SELECT 1", WITHOUT_LIMITS).await.map_err(DbError::from)
}

impl Table {
    async fn count(&self, connection: &mut Connection) -> Result<u64, DbError> {
        let sql = format!("SELECT CAST(count(*) AS BIGINT) FROM {}", self.name);
        let counted: Option<(i64,)> =
            Query::built(sql, Vec::<Value>::new()).fetch_optional(connection).await?;
        Ok(counted.map_or(0, |(rows,)| rows.unsigned_abs()))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    async fn database(folder: &Path, name: &str) -> Database {
        Database::open(&format!("sqlite://{}", folder.join(name).display())).await.unwrap()
    }

    async fn execute(db: &Database, statements: &[&'static str]) {
        let mut transaction = db.write().await.unwrap();
        for statement in statements {
            query(*statement).execute(&mut transaction).await.unwrap();
        }
        transaction.commit().await.unwrap();
    }

    const SERVERS: &str = "INSERT INTO servers (id, host, version, seen_at)
        VALUES ('a', 'tab\tline\nback\\slash ünï', '1', 1), ('b', '', '2', -9007199254740993)";

    async fn hosts(db: &Database) -> Vec<String> {
        let sql = "SELECT host FROM servers ORDER BY id";
        query_scalar(sql).fetch_all(&mut db.read().await.unwrap()).await.unwrap()
    }

    #[tokio::test]
    async fn nothing_is_visible_before_the_commit_and_everything_after() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (database(folder.path(), "a.db").await, database(folder.path(), "b.db").await);
        execute(&from, &[SERVERS]).await;
        drop(copy_all(&from, &to, |_| {}).await.unwrap());
        assert!(hosts(&to).await.is_empty());
        let mut told = Vec::new();
        let copied =
            copy_all(&from, &to, |at| told.push((at.table.to_owned(), at.copied, at.of))).await.unwrap();
        assert_eq!((copied.rows, told), (2, vec![("servers".to_owned(), 2, 2)]));
        copied.commit().await.unwrap();
        assert_eq!(hosts(&to).await, hosts(&from).await);
        assert!(matches!(
            copy_all(&from, &to, |_| {}).await,
            Err(TransferError::NotEmpty { table }) if table == "servers"
        ));
    }

    #[tokio::test]
    async fn another_schema_and_an_unfinished_update_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (database(folder.path(), "a.db").await, database(folder.path(), "b.db").await);
        let mut transaction = from.write_always().await.unwrap();
        let closed = "INSERT INTO database_lease (id, holder, expires_at, writes_closed) VALUES ('lease', 'x', 1, TRUE)";
        query(closed).execute(&mut transaction).await.unwrap();
        transaction.commit().await.unwrap();
        assert!(matches!(copy_all(&from, &to, |_| {}).await, Err(TransferError::Paused)));
        execute(&to, &["ALTER TABLE servers ADD COLUMN more TEXT"]).await;
        assert!(matches!(copy_all(&from, &to, |_| {}).await, Err(TransferError::OtherSchema)));
    }

    #[tokio::test]
    async fn a_column_of_an_unknown_type_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (database(folder.path(), "a.db").await, database(folder.path(), "b.db").await);
        for db in [&from, &to] {
            execute(db, &["CREATE TABLE counted (id INTEGER PRIMARY KEY)"]).await;
        }
        let error = copy_all(&from, &to, |_| {}).await.unwrap_err().to_string();
        assert_eq!(error, "the column counted.id has the type INTEGER, which can't be copied");
    }
}

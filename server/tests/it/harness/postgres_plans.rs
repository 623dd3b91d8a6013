//! How PostgreSQL finds the rows of statements: one for which no index leads to the rows reads a whole table,
//! even where the planner is told to avoid that.

use std::collections::BTreeSet;
use std::sync::{LazyLock, Mutex};

use platform::db::Database;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, Row};
use tokio::runtime::{Builder, Runtime};

use super::database::fresh_postgres;
use super::plans::SMALL;

/// Rows of each table. Each auction, book and group has some hundred.
const ROWS: usize = 10_000;
const AUCTIONS: usize = 40;

/// Scans that are right: a part of the statement, the table, and why.
const SCANS: &[(&str, &str, &str)] = &[];

/// A database whose tables have thousands of rows.
struct Grown {
    runtime: Runtime,
    connection: PgConnection,
    _folder: tempfile::TempDir,
}

/// What is wrong with statements. Those of SQLite alone are passed over, and those whose parameters have no
/// type that PostgreSQL finds out by itself.
pub fn faults(statements: &BTreeSet<String>) -> Vec<(String, Vec<String>)> {
    static GROWN: LazyLock<Mutex<Grown>> = LazyLock::new(|| Mutex::new(Grown::fill()));
    let explained = || {
        let mut grown = GROWN.lock().unwrap();
        statements.iter().map(|sql| (sql.clone(), grown.scans(sql))).collect::<Vec<_>>()
    };
    // The test's own thread may have a runtime, in which no other one can wait.
    let explained = std::thread::scope(|threads| threads.spawn(explained).join().unwrap());
    explained.into_iter().filter(|(_, scans)| !scans.is_empty()).collect()
}

impl Grown {
    fn fill() -> Self {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let connection = runtime.block_on(async {
            let address = fresh_postgres(folder.path()).await;
            Database::open(&address).await.unwrap().close().await;
            let mut connection = PgConnection::connect(&address).await.unwrap();
            connection.execute("SET session_replication_role = replica").await.unwrap();
            fill(&mut connection).await;
            connection.execute("SET enable_seqscan = off").await.unwrap();
            connection
        });
        Self { runtime, connection, _folder: folder }
    }

    fn scans(&mut self, sql: &str) -> Vec<String> {
        let explain = AssertSqlSafe(format!("EXPLAIN (GENERIC_PLAN) {sql}"));
        let explained = self.runtime.block_on(self.connection.fetch_all(sqlx::raw_sql(explain)));
        let lines = explained.unwrap_or_default();
        let lines = lines.iter().map(|line| line.get::<String, _>(0));
        let tables = lines.filter_map(|line| {
            let (_, scanned) = line.split_once("Seq Scan on ")?;
            Some(scanned.split(' ').next()?.to_owned())
        });
        let is_right =
            |table: &str| SCANS.iter().any(|(part, right, _)| sql.contains(part) && table == *right);
        let wrong = tables.filter(|table| !SMALL.contains(&table.as_str()) && !is_right(table));
        wrong.map(|table| format!("{table}: {sql}")).collect()
    }
}

/// Fills every table as far as its constraints admit it, and counts what it has.
async fn fill(connection: &mut PgConnection) {
    let columns = "SELECT table_name, string_agg(column_name, ','), string_agg(data_type, ',')
                   FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
                   WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' GROUP BY table_name";
    let tables = connection.fetch_all(columns).await.unwrap();
    for table in tables {
        let [name, columns, types]: [String; 3] = std::array::from_fn(|at| table.get(at));
        let values = columns.split(',').zip(types.split(',')).map(|(column, kind)| match (column, kind) {
            ("auction_id" | "book_id" | "group_id", _) => {
                format!("CAST(lpad(to_hex(n % {AUCTIONS}), 32, '0') AS UUID)")
            }
            (_, "uuid") => "CAST(lpad(to_hex(n), 32, '0') AS UUID)".to_owned(),
            (_, "boolean") => "n % 2 = 0".to_owned(),
            (_, "text") => "'text' || n".to_owned(),
            _ => "n".to_owned(),
        });
        let values = values.collect::<Vec<_>>().join(", ");
        let insert = format!(
            "INSERT INTO {name} ({columns}) SELECT {values} FROM generate_series(1, {ROWS}) AS rows (n)
             ON CONFLICT DO NOTHING"
        );
        // Tables of one row have constraints that no other row keeps.
        let _ = connection.execute(AssertSqlSafe(insert)).await;
        // Without a name it would be the tables of all tests.
        connection.execute(AssertSqlSafe(format!("ANALYZE {name}"))).await.unwrap();
    }
}

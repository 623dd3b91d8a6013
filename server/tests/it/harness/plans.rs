//! How SQLite finds the rows of statements, in a database that has grown: every statement that any test
//! executes is explained, and one that reads a whole table fails the test that has executed it. A statement
//! with a list of rows is executed besides, on tables with thousands of rows, and the steps that it takes are
//! counted.

use std::collections::BTreeSet;
use std::sync::{LazyLock, Mutex, Once, mpsc};
use std::time::Duration;

use platform::db::Database;
use rusqlite::types::Value;
use rusqlite::{Connection, StatementStatus};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

use super::{database, large_transactions, log, postgres_plans};

/// Tables of few rows.
pub const SMALL: &[&str] = &[
    "database_identity",
    "database_lease",
    "release_checks",
    "servers",
    "system_settings",
    "_sqlx_migrations",
];

/// Scans that are right: a part of the statement, what it scans, and why.
const SCANS: &[(&str, &str, &str)] = &[
    ("LEFT JOIN members m ON FALSE", "m LEFT-JOIN", "no row is read"),
    ("LEFT JOIN members m ON FALSE", "m USING INDEX members_by_user LEFT-JOIN", "no row is read"),
    (
        "ORDER BY a.id DESC LIMIT $4",
        "a USING INDEX sqlite_autoindex_auctions_1",
        "the newest auctions, until a page is full",
    ),
    (
        "FROM audit_log WHERE (act IN",
        "audit_log USING INDEX sqlite_autoindex_audit_log_1",
        "the newest entries, until a page of the Deployment Admin is full",
    ),
    (
        "FROM users u WHERE u.erased_at IS NULL AND",
        "u USING INDEX sqlite_autoindex_users_1",
        "accounts, until a page of the Deployment Admin is full",
    ),
    (
        "SELECT EXISTS (SELECT 1 FROM users)",
        "users USING COVERING INDEX sqlite_autoindex_users_3",
        "the first row",
    ),
    (
        "SELECT id, images FROM items WHERE images <> '[]'",
        "items USING INDEX sqlite_autoindex_items_1",
        "a part of the pictures in use, for the job that removes others",
    ),
    (
        "SELECT DISTINCT n.user_id FROM notifications n JOIN users u",
        "n USING INDEX sqlite_autoindex_notifications_1",
        "the job that deletes old notifications, at most once an hour",
    ),
    (
        "LEFT JOIN (SELECT f.number, SUM(CASE WHEN f.failed_at",
        "f LEFT-JOIN",
        "the failures of one group within half an hour, at most some for each number",
    ),
];

/// Rows of each table, and of a list.
const ROWS: usize = 10_000;
const LIST: usize = 500;
/// Steps of SQLite's machine for a statement with a list: some thousand for each row of the list. One that
/// reads the rows of a table for each row of the list takes five million.
const STEPS_MAX: i32 = 1_500_000;

/// A statement that takes longer is ended: it has taken far too many steps.
const SLOW: Duration = Duration::from_secs(2);

/// The statements that were executed and are not checked yet, and all that were seen.
static SEEN: LazyLock<Mutex<(BTreeSet<String>, BTreeSet<String>)>> = LazyLock::new(Mutex::default);

/// Collects the statements that the database driver logs.
struct Collector;

impl Subscriber for Collector {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "sqlx::query"
            || metadata.target() == large_transactions::TARGET
            || *metadata.level() == Level::ERROR
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        if *event.metadata().level() == Level::ERROR {
            return log::add(event);
        }
        if event.metadata().target() == large_transactions::TARGET {
            return large_transactions::add(event);
        }
        let mut texts = Texts::default();
        event.record(&mut texts);
        let sql = if texts.statement.is_empty() { texts.summary } else { texts.statement };
        let sql = sql.split_whitespace().collect::<Vec<_>>().join(" ");
        if is_query(&sql) {
            let mut seen = SEEN.lock().unwrap();
            if seen.1.insert(sql.clone()) {
                seen.0.insert(sql);
            }
        }
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// Whether a text is a statement that reads or writes rows.
pub fn is_query(sql: &str) -> bool {
    ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"].iter().any(|verb| sql.starts_with(verb))
}

#[derive(Default)]
struct Texts {
    statement: String,
    summary: String,
}

impl Visit for Texts {
    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "db.statement" => value.clone_into(&mut self.statement),
            "summary" => value.clone_into(&mut self.summary),
            _ => {}
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        self.record_str(field, format!("{value:?}").trim_matches('"'));
    }
}

/// Whether a scan of a statement is right.
pub fn is_right(sql: &str, scan: &str) -> bool {
    SCANS.iter().any(|(part, right, _)| sql.contains(part) && scan == *right)
}

/// Collects statements from now on.
pub fn collect() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| tracing::subscriber::set_global_default(Collector).unwrap());
}

/// What is wrong with the statements that were executed since the last check.
pub fn faults() -> Vec<String> {
    static GROWN: LazyLock<Mutex<Grown>> = LazyLock::new(|| Mutex::new(Grown::fill()));
    let new = std::mem::take(&mut SEEN.lock().unwrap().0);
    if new.is_empty() {
        return Vec::new();
    }
    let found: Vec<(String, Vec<String>)> = if database::is_postgres() {
        postgres_plans::faults(&new)
    } else {
        let grown = GROWN.lock().unwrap();
        let faults = new.iter().map(|sql| (sql.clone(), grown.faults(sql)));
        faults.filter(|(_, faults)| !faults.is_empty()).collect()
    };
    found.into_iter().filter(|(sql, _)| !is_of_a_test(sql)).flat_map(|(_, faults)| faults).collect()
}

/// What only statements of tests contain, some of which have no text of their own in a file.
const OF_TESTS: &[&str] = &[
    "WITH RECURSIVE n (",
    "randomblob(",
    "INSERT INTO book_holders (book_id, user_id, role, joined_at) SELECT b.id",
];

/// Whether a test has the text of a statement: it may read and write what it likes.
fn is_of_a_test(sql: &str) -> bool {
    if OF_TESTS.iter().any(|part| sql.contains(part)) {
        return true;
    }
    static TESTS: LazyLock<String> = LazyLock::new(|| {
        let mut folders = vec![std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it"))];
        let mut text = String::new();
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|kind| kind == "rs") {
                    text.push_str(&std::fs::read_to_string(path).unwrap());
                }
            }
        }
        text.replace(['\\', '"', ','], " ").split_whitespace().collect::<Vec<_>>().join(" ")
    });
    let sql = sql.replace(',', " ").split_whitespace().collect::<Vec<_>>().join(" ");
    TESTS.contains(&sql)
}

/// A database whose tables have thousands of rows, all of one auction, one book and one group.
struct Grown {
    file: Connection,
    schema: Schema,
}

impl Grown {
    fn fill() -> Self {
        let file = Connection::open_in_memory().unwrap();
        file.execute_batch(&schema_of_a_new_database()).unwrap();
        file.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; BEGIN").unwrap();
        let schema = Schema::read(&file);
        for table in &schema.tables {
            let mut columns =
                file.prepare(&format!("SELECT name, type FROM pragma_table_info('{table}')")).unwrap();
            let columns = columns.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
            let columns: Vec<(String, String)> = columns.map(Result::unwrap).collect();
            let (names, values): (Vec<_>, Vec<_>) =
                columns.iter().map(|(name, kind)| (name.as_str(), value_of(name, kind))).unzip();
            let sql = format!(
                "WITH RECURSIVE rows (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM rows WHERE n < {ROWS})
                 INSERT OR IGNORE INTO {table} ({}) SELECT {} FROM rows",
                names.join(", "),
                values.join(", ")
            );
            file.execute_batch(&sql).unwrap();
        }
        file.execute_batch("COMMIT").unwrap();
        Self { file, schema }
    }

    fn faults(&self, sql: &str) -> Vec<String> {
        // Statements of PostgreSQL, and of the tests themselves, are not SQLite's.
        let Ok(scans) = scans(&self.file, &self.schema, sql) else { return Vec::new() };
        let mut faults: Vec<String> = scans
            .into_iter()
            .filter(|scan| !is_right(sql, scan))
            .map(|scan| format!("{scan}: {sql}"))
            .collect();
        if let Some(steps) = self.steps(sql).filter(|steps| *steps > STEPS_MAX) {
            faults.push(format!("{steps} steps for {LIST} rows: {sql}"));
        }
        faults
    }

    /// The steps of a statement with a list of rows, which are undone.
    fn steps(&self, sql: &str) -> Option<i32> {
        let (list, place) = list_of(sql)?;
        self.file.execute_batch("SAVEPOINT steps").unwrap();
        let mut statement = self.file.prepare(sql).unwrap();
        let values = (1..=statement.parameter_count()).map(|number| {
            let limits = [format!("LIMIT ${number}"), format!("LIMIT ?{number}")];
            if number == place {
                Value::Text(list.clone())
            } else if limits.iter().any(|limit| sql.contains(limit)) {
                Value::Integer(100)
            } else {
                Value::Blob(id_bytes(1).to_vec())
            }
        });
        for (at, value) in values.collect::<Vec<_>>().into_iter().enumerate() {
            statement.raw_bind_parameter(at + 1, value).unwrap();
        }
        let (interrupt, (ended, end)) = (self.file.get_interrupt_handle(), mpsc::channel::<()>());
        let watch = std::thread::spawn(move || {
            if end.recv_timeout(SLOW) == Err(mpsc::RecvTimeoutError::Timeout) {
                interrupt.interrupt();
            }
        });
        let mut rows = statement.raw_query();
        // A row that breaks a constraint ends it.
        while let Ok(Some(_)) = rows.next() {}
        drop((rows, ended));
        watch.join().unwrap();
        let steps = statement.get_status(StatementStatus::VmStep);
        drop(statement);
        self.file.execute_batch("ROLLBACK TO steps; RELEASE steps").unwrap();
        Some(steps)
    }
}

/// The statements that make the tables, as a new database has them.
fn schema_of_a_new_database() -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("farthing.db");
    let address = format!("sqlite://{}", path.display());
    let made = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async { Database::open(&address).await.unwrap().close().await });
    });
    made.join().unwrap();
    let file = Connection::open(path).unwrap();
    let sql = "SELECT group_concat(sql, ';\n') FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'";
    file.query_row(sql, [], |row| row.get(0)).unwrap()
}

/// The value of a column in the row `n`: everything is of one auction, one book and one group.
fn value_of(name: &str, kind: &str) -> String {
    match (name, kind) {
        ("auction_id" | "book_id" | "group_id", _) => id_text("1"),
        (_, "BLOB") => id_text("n"),
        // No bid follows another, so that no chain of bids is endless.
        ("previous", _) => "NULL".to_owned(),
        ("closed_at" | "deleted_at" | "erased_at" | "left_at" | "read_at" | "disabled_at", _) => {
            "NULL".to_owned()
        }
        (_, "TEXT") => "'text' || n".to_owned(),
        _ => "n".to_owned(),
    }
}

fn id_text(n: &str) -> String {
    format!("unhex(printf('%032x', {n}))")
}

fn id_bytes(n: usize) -> [u8; 16] {
    (n as u128).to_be_bytes()
}

/// A list for the statement that reads one, in the cells of its columns, and which parameter it is.
fn list_of(sql: &str) -> Option<(String, usize)> {
    let (before, after) = sql.split_once("FROM json_each(")?;
    let place: usize = after.trim_start_matches(['$', '?']).split(')').next()?.parse().ok()?;
    let cells = &before[before.rfind("(SELECT ")? + "(SELECT ".len()..];
    let columns = cells.split(", ").filter(|part| part.contains(" AS "));
    let names: Vec<&str> = columns.filter_map(|part| part.trim().rsplit(' ').next()).collect();
    let is_one = names.len() == 1;
    let is_id = |name: &str| name == "id" || name.ends_with("_id") || matches!(name, "original" | "after");
    let row = |n: usize| {
        let cell = |name: &&str| match *name {
            "auction_id" | "book_id" | "group_id" if !is_one => serde_json::json!(format!("{:032x}", 1)),
            name if is_id(name) => serde_json::json!(format!("{n:032x}")),
            name if name.contains("text") || name.contains("key") || name.contains("email") => {
                serde_json::json!(format!("text{n}"))
            }
            _ => serde_json::json!(n),
        };
        names.iter().map(cell).collect::<Vec<_>>()
    };
    let rows: Vec<_> = (1..=LIST).map(row).collect();
    Some((serde_json::to_string(&rows).ok()?, place))
}

/// The tables with more than one row, and the statements of the views by their names.
pub struct Schema {
    tables: BTreeSet<String>,
    views: Vec<(String, String)>,
}

impl Schema {
    pub fn read(file: &Connection) -> Self {
        let mut parts =
            file.prepare("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL").unwrap();
        let parts = parts.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
        let parts: Vec<(String, String, String)> = parts.map(Result::unwrap).collect();
        let tables =
            parts.iter().filter(|(kind, name, _)| kind == "table" && !SMALL.contains(&name.as_str()));
        let tables = tables.map(|(_, name, _)| name.clone()).collect();
        let views = parts.into_iter().filter(|(kind, ..)| kind == "view").map(|(_, name, sql)| (name, sql));
        Self { tables, views: views.collect() }
    }

    /// Whether a statement calls a table so; others are subqueries.
    fn is_table(&self, sql: &str, name: &str) -> bool {
        let views = self.views.iter().filter(|(view, _)| sql.contains(view.as_str()));
        let text = views.fold(sql.to_owned(), |text, (_, of_view)| text + " " + of_view);
        let words: Vec<&str> =
            text.split([' ', '\n', '(', ')', ',']).filter(|word| !word.is_empty()).collect();
        let is_alias = |at: usize| {
            let table = words.get(at + 1).is_some_and(|word| self.tables.contains(*word));
            let alias = words.get(at + 2).filter(|word| **word != "AS").or(words.get(at + 3));
            table && alias == Some(&name)
        };
        let from = (0..words.len()).filter(|at| ["FROM", "JOIN", "UPDATE"].contains(&words[*at]));
        self.tables.contains(name) || from.into_iter().any(is_alias)
    }
}

/// The tables that a statement reads from beginning to end.
///
/// # Errors
/// The text is no statement of SQLite.
pub fn scans(file: &Connection, schema: &Schema, sql: &str) -> rusqlite::Result<Vec<String>> {
    let mut plan = file.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
    // The values are null: the plan does not depend on them.
    let mut steps = plan.raw_query();
    let mut scans = Vec::new();
    while let Some(step) = steps.next().unwrap() {
        let step: String = step.get(3).unwrap();
        scans.extend(step.strip_prefix("SCAN ").map(str::to_owned));
    }
    scans.retain(|scan| {
        let name = scan.split(' ').next().unwrap_or_default();
        schema.is_table(sql, name) && !scan.contains("VIRTUAL TABLE")
    });
    Ok(scans)
}

//! The database of a test: a SQLite file of its own, or a schema of its own on the PostgreSQL server that the
//! test command started.

use std::path::Path;

use sqlx::{AssertSqlSafe, Connection, PgConnection, SqliteConnection};

/// `sqlite` or `postgres`: which database the tests use.
const KIND: &str = "FARTHING_TEST_DATABASE";
/// URL of the PostgreSQL server.
const POSTGRES: &str = "FARTHING_TEST_POSTGRES";

/// URL of a new, empty database for the test whose files are in `folder`.
pub async fn fresh(folder: &Path) -> String {
    match variable(KIND).as_deref() {
        None | Some("sqlite") => format!("sqlite://{}", folder.join("farthing.db").display()),
        Some("postgres") => fresh_postgres(folder).await,
        Some(other) => panic!("{KIND} is `{other}`, neither sqlite nor postgres"),
    }
}

/// URL of a new, empty PostgreSQL database, also when the other tests use SQLite.
pub async fn fresh_postgres(folder: &Path) -> String {
    let server = variable(POSTGRES).unwrap_or_else(|| {
        panic!("{POSTGRES} is not set: run the tests with `cargo xtask test` or `cargo xtask postgres`")
    });
    // The whole path, because folders of two tests may have the same name.
    let name = folder.to_string_lossy().to_ascii_lowercase();
    let schema: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    let mut connection = PgConnection::connect(&server).await.unwrap();
    let create = format!("CREATE SCHEMA test_{schema}");
    sqlx::query(AssertSqlSafe(create)).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    format!("{server}?options=-csearch_path%3Dtest_{schema}")
}

/// Whether the tests use PostgreSQL.
pub fn is_postgres() -> bool {
    variable(KIND).as_deref() == Some("postgres")
}

#[expect(clippy::disallowed_methods, reason = "variables of the tests, not settings of the server")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Invalidates the cache of the bid queue. On PostgreSQL, every manual write needs it.
pub const SEEN: &str = "UPDATE auctions SET revision = revision + 1";

/// Executes a statement on a connection of its own, as another process would.
pub async fn write_elsewhere(address: &str, statement: &'static str) {
    if address.starts_with("sqlite:") {
        let mut connection = SqliteConnection::connect(address).await.unwrap();
        sqlx::query(statement).execute(&mut connection).await.unwrap();
    } else {
        let mut connection = PgConnection::connect(address).await.unwrap();
        for statement in [statement, SEEN] {
            sqlx::query(statement).execute(&mut connection).await.unwrap();
        }
    }
}

/// The number that a query yields on a connection of its own.
pub async fn number_elsewhere(address: &str, query: &'static str) -> i64 {
    let found = if address.starts_with("sqlite:") {
        let mut connection = SqliteConnection::connect(address).await.unwrap();
        sqlx::query_scalar(query).fetch_one(&mut connection).await
    } else {
        let mut connection = PgConnection::connect(address).await.unwrap();
        sqlx::query_scalar(query).fetch_one(&mut connection).await
    };
    found.unwrap()
}

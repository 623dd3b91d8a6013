//! Where a test keeps its data: a SQLite file of its own, or a schema of its own on the PostgreSQL that the test
//! command has started.

use std::path::Path;

use sqlx::{AssertSqlSafe, Connection, PgConnection, SqliteConnection};

/// Says that the tests are to run on PostgreSQL.
const KIND: &str = "FARTHING_TEST_DATABASE";
/// Where it is.
const POSTGRES: &str = "FARTHING_TEST_POSTGRES";

/// The address of a new, empty database for the test whose files are in `folder`.
pub async fn fresh(folder: &Path) -> String {
    match variable(KIND).as_deref() {
        None | Some("sqlite") => format!("sqlite://{}", folder.join("farthing.db").display()),
        Some("postgres") => fresh_postgres(folder).await,
        Some(other) => panic!("{KIND} is `{other}`, neither sqlite nor postgres"),
    }
}

/// The same on PostgreSQL, whatever the other tests run on.
pub async fn fresh_postgres(folder: &Path) -> String {
    let server = variable(POSTGRES).unwrap_or_else(|| {
        panic!("{POSTGRES} is not set: run the tests with `cargo xtask test` or `cargo xtask postgres`")
    });
    // All of the path: a folder in a test's own may have the name of another one's.
    let name = folder.to_string_lossy().to_lowercase();
    let schema: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    let mut connection = PgConnection::connect(&server).await.unwrap();
    let create = format!("CREATE SCHEMA test_{schema}");
    sqlx::query(AssertSqlSafe(create)).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    format!("{server}?options=-csearch_path%3Dtest_{schema}")
}

#[expect(clippy::disallowed_methods, reason = "variables of the tests, not settings of the server")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// What writes by hand on PostgreSQL do beside, so that the batches of bids see them.
pub const SEEN: &str = "UPDATE auctions SET revision = revision + 1";

/// What another process writes to a test's database.
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

//! The session of a connection: its settings, and whether its server accepts writes. The settings are
//! statements, not parameters of the connection, which poolers between the two refuse or drop.

use sqlx::postgres::PgConnection;

/// The timeouts release the locks of a server that stops within a transaction. The data is in memory or on a
/// solid-state disk, where random reads cost hardly more than sequential ones. Compiling a statement takes
/// longer than executing any of these. Commits wait for the disk, whatever the database's default is; a
/// stricter setting, such as waiting for a standby, is kept.
const SETTINGS: &str = "SELECT set_config('lock_timeout', '5s', false),
    set_config('statement_timeout', '30s', false),
    set_config('idle_in_transaction_session_timeout', '10s', false),
    set_config('random_page_cost', '1.1', false),
    set_config('jit', 'off', false)";
const DURABLE: &str = "SELECT set_config('synchronous_commit', 'on', false)
    WHERE current_setting('synchronous_commit') = 'off'";
const IS_WRITABLE: &str = "SELECT NOT pg_is_in_recovery()
    AND NOT CAST(current_setting('default_transaction_read_only') AS BOOLEAN)";

/// Sets the session's settings, and returns whether the server accepts writes.
pub(super) async fn begin_session(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    set_timeouts(connection).await?;
    make_durable(connection).await?;
    is_writable(connection).await
}

pub(super) async fn set_timeouts(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    sqlx::query(SETTINGS).execute(connection).await.map(drop)
}

/// Makes the commits of this connection wait for the disk.
pub(super) async fn make_durable(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    sqlx::query(DURABLE).execute(connection).await.map(drop)
}

/// Whether the server is neither a standby nor set read-only.
pub(super) async fn is_writable(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar(IS_WRITABLE).fetch_one(connection).await
}

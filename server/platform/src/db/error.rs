//! Database errors, and what they mean for the caller.

/// A failed database operation. Its message is for the log.
#[derive(Debug, thiserror::Error)]
pub enum DbError {
    #[error(transparent)]
    Driver(sqlx::Error),
    /// A statement that was prepared is not the one that the server knows by its name.
    #[error("{0}; {POOLER}")]
    Pooler(sqlx::Error),
    /// The database contains contradictory data, or data that this release can't read.
    #[error("the database contains invalid data: {0}")]
    Corrupt(String),
    #[error("a value can't be written as JSON: {0}")]
    Json(serde_json::Error),
    /// An error of the driver that writes SQLite's batches.
    #[error(transparent)]
    BatchWriter(#[from] rusqlite::Error),
    #[error(transparent)]
    Entropy(#[from] crate::random::NoEntropy),
    /// The database was closed.
    #[error("the database is closed")]
    Gone,
    #[error("the connection broke during a commit, and its outcome is unknown")]
    Unknown,
    /// Another transaction changed the data first.
    #[error("another transaction changed the data first")]
    Overtaken,
    #[error("writes are paused for an update")]
    Paused,
    /// The disk with the database is full. Nothing was written.
    #[error("the disk is full")]
    Full,
    /// A standby, or a server that was set read-only. Nothing was written.
    #[error("the database accepts no writes at the moment")]
    ReadOnly,
}

impl DbError {
    /// A column is NULL without which the row of this item or user means nothing.
    pub fn missing(table: &str, column: &str, id: impl std::fmt::Display) -> Self {
        Self::Corrupt(format!("column {table}.{column} of {id} is NULL"))
    }

    /// Whether the disk is full.
    pub fn is_full(&self) -> bool {
        // SQLITE_FULL; SQLITE_IOERR_WRITE, if a limit of the file size is reached; PostgreSQL's disk_full.
        matches!(self, Self::Full) || self.has_code(&["13", "778", "53100"])
    }

    /// Whether the wait for a connection or a lock timed out, or writes are closed. Nothing was written.
    pub fn is_busy(&self) -> bool {
        // SQLITE_BUSY; PostgreSQL's lock_not_available, query_canceled (by the statement timeout),
        // too_many_connections, read_only_sql_transaction.
        self.is_paused()
            || matches!(self, Self::Driver(sqlx::Error::PoolTimedOut) | Self::ReadOnly)
            || self.has_code(&["5", "55P03", "57014", "53300", "25006"])
    }

    /// Whether the database can't be reached at the moment, or is being closed. The operation may or may not
    /// have been executed.
    pub fn is_away(&self) -> bool {
        let is_closed = matches!(self, Self::Driver(sqlx::Error::PoolClosed | sqlx::Error::Tls(_)));
        is_closed || self.is_cut() || matches!(self, Self::Gone | Self::Unknown)
    }

    /// Whether an update has closed writes.
    pub fn is_paused(&self) -> bool {
        matches!(self, Self::Paused)
    }

    /// Whether another transaction interfered. Everything was rolled back and may be retried.
    pub fn is_conflict(&self) -> bool {
        // serialization_failure, deadlock_detected
        matches!(self, Self::Overtaken) || self.has_code(&["40001", "40P01"])
    }

    /// Whether the connection broke. The operation may or may not have been executed.
    pub fn is_cut(&self) -> bool {
        // PostgreSQL's classes of connection failures and of interventions by its operator.
        matches!(self, Self::Driver(sqlx::Error::Io(_) | sqlx::Error::Protocol(_)))
            || self.has_code_like(|code| code.starts_with("08") || code.starts_with("57P0"))
    }

    /// Whether the statement violated a unique constraint.
    pub fn is_unique_violation(&self) -> bool {
        matches!(self, Self::Driver(sqlx::Error::Database(error)) if error.is_unique_violation())
    }

    fn has_code(&self, codes: &[&str]) -> bool {
        self.has_code_like(|code| codes.contains(&code))
    }

    fn has_code_like(&self, is_wanted: impl Fn(&str) -> bool) -> bool {
        match self {
            Self::Driver(sqlx::Error::Database(error)) => error.code().is_some_and(|code| is_wanted(&code)),
            Self::BatchWriter(error) => {
                error.sqlite_error().is_some_and(|error| is_wanted(&error.extended_code.to_string()))
            }
            _ => false,
        }
    }
}

impl From<sqlx::Error> for DbError {
    fn from(error: sqlx::Error) -> Self {
        match error {
            sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => Self::Corrupt(error.to_string()),
            sqlx::Error::Database(ref database) if is_of_pooler(database.code().as_deref()) => {
                Self::Pooler(error)
            }
            error => Self::Driver(error),
        }
    }
}

const POOLER: &str = "this looks like a pooler in transaction mode: use its session mode";

/// Whether a pooler executes statements on another connection than that on which they were prepared, once for
/// each: there they are unknown (`26000`), or their names are those of another client's (`42P05`).
fn is_of_pooler(code: Option<&str>) -> bool {
    matches!(code, Some("26000" | "42P05"))
}

/// Why the database could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("`{0}` is not a database address: write sqlite://PATH or postgres://USER@HOST/NAME")]
    Address(String),
    #[error(
        "there is no database `{0}`: run this in the folder of the installation, or name its database with \
         --database-url; `farthing serve` and `farthing migrate` create one"
    )]
    Missing(String),
    #[error("another farthing serves the database `{0}`: stop it first, or choose another file")]
    Taken(String),
    #[error("can't open the database `{name}`: {reason}")]
    Open { name: String, reason: String },
    #[error("{database} {found} is too old: at least {required} is required")]
    TooOld { database: &'static str, found: String, required: &'static str },
    #[error("PostgreSQL runs with `{0} = off`, which could lose accepted bids: switch it on and start again")]
    NotDurable(&'static str),
    #[error("can't bring the schema up to date: {}", words_of_migration(.0))]
    Migrate(#[from] sqlx::migrate::MigrateError),
}

/// What the database says, without the line of its own source.
pub(super) fn words_of(error: &sqlx::Error) -> String {
    match error {
        sqlx::Error::Database(error) if is_of_pooler(error.code().as_deref()) => {
            format!("{}; {POOLER}", error.message())
        }
        sqlx::Error::Database(error) => error.message().to_owned(),
        error => error.to_string(),
    }
}

fn words_of_migration(error: &sqlx::migrate::MigrateError) -> String {
    use sqlx::migrate::MigrateError::{Execute, ExecuteMigration};
    match error {
        Execute(error) => words_of(error),
        ExecuteMigration(error, version) => format!("migration {version}: {}", words_of(error)),
        error => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pooler_in_transaction_mode_is_named() {
        let refused = |code| is_of_pooler(Some(code));
        assert!(refused("26000") && refused("42P05") && !refused("42P01") && !is_of_pooler(None));
        let words = DbError::Pooler(sqlx::Error::PoolTimedOut).to_string();
        assert!(words.ends_with("a pooler in transaction mode: use its session mode"), "{words}");
    }
}

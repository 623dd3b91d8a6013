//! `/healthz` and `/readyz`

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use platform::db::DbError;
use platform::http::problem::Problem;
use platform::log_field::logged;

use crate::Installation;
use crate::codes;

/// A database that takes longer is not ready.
const ANSWER_MAX: Duration = Duration::from_secs(5);

/// Alive: the process answers.
#[utoipa::path(get, path = "/healthz", tag = "system", responses((status = 200, description = "Alive")))]
pub async fn healthz() -> StatusCode {
    StatusCode::OK
}

/// Ready: a bid could be written. The database answers and accepts writes, and no update has closed them. Its
/// schema was brought up to date before the server began to listen.
#[utoipa::path(get, path = "/readyz", tag = "system", responses((status = 200, description = "Ready")))]
pub async fn readyz(State(installation): State<Arc<Installation>>) -> Result<StatusCode, Problem> {
    let db = &installation.db;
    let checked = async {
        db.check_writable().await?;
        // A database of another process may answer on one connection and not on that of the bids.
        Ok::<bool, DbError>(!db.is_remote() || (installation.bid_probe)().await)
    };
    match tokio::time::timeout(ANSWER_MAX, checked).await {
        Ok(Ok(true)) => Ok(StatusCode::OK),
        Ok(Ok(false)) => {
            tracing::error!("no batch of bids can be committed");
            Err(not_writable())
        }
        Ok(Err(error)) if error.is_paused() => Err(error.into()),
        Ok(Err(error)) => {
            tracing::error!(error = logged(&error), "the database can't be written to");
            Err(not_writable())
        }
        Err(_) => {
            tracing::error!("the database does not answer");
            Err(not_writable())
        }
    }
}

fn not_writable() -> Problem {
    Problem::new(codes::OVERLOADED, "The database can't be written to.").retry_after(5)
}

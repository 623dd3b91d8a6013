//! `/healthz` and `/readyz`

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use platform::http::problem::Problem;
use platform::log_field::logged;

use crate::Installation;
use crate::codes;

/// Alive: the process answers.
#[utoipa::path(get, path = "/healthz", tag = "system", responses((status = 200, description = "Alive")))]
pub async fn healthz() -> StatusCode {
    StatusCode::OK
}

/// Ready: the database answers. Its schema was brought up to date before the server began to listen.
#[utoipa::path(get, path = "/readyz", tag = "system", responses((status = 200, description = "Ready")))]
pub async fn readyz(State(installation): State<Arc<Installation>>) -> Result<StatusCode, Problem> {
    match installation.db.ping().await {
        Ok(()) => Ok(StatusCode::OK),
        Err(error) => {
            tracing::error!(error = logged(&error), "the database does not answer");
            Err(Problem::new(codes::OVERLOADED, "The database does not answer.").retry_after(5))
        }
    }
}

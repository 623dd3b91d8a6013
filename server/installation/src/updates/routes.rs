//! `/api/system/update`: the Deployment Admin starts a run, and follows it.

use std::sync::Arc;

use std::convert::Infallible;
use std::time::Duration;

use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use tokio::time::Instant;

use super::journal::{JournalError, LockError, Run};
use super::run::{self, StartError};
use crate::Installation;
use crate::accounts::SignedIn;
use crate::backups::create::BackupError;
use crate::backups::restore::RestoreError;
use crate::ids::UserId;
use crate::settings::admin;
use platform::http::problem::{Code, Problem};

/// How often it is looked whether the run has changed.
const LOOK_EVERY: Duration = Duration::from_millis(300);
/// How often it is looked whether the viewer may still see it. A comment tells then that the stream lives.
const CHECK_EVERY: Duration = Duration::from_secs(3);
/// So that a proxy hands on each event as it comes.
const UNBUFFERED: (HeaderName, HeaderValue) =
    (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
const EVENT_STREAM: (HeaderName, HeaderValue) =
    (header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));

/// Starts an update to the latest release, which then goes on by itself, also across the server's restart.
///
/// One at a time, for all servers on the database: 409 `UPDATE_IN_PROGRESS`.
#[utoipa::path(post, path = "/api/system/update", tag = "system", responses((status = 202, body = Run)))]
pub async fn post_update(
    State(installation): State<Arc<Installation>>,
    SignedIn { user, .. }: SignedIn,
) -> Result<Response, Problem> {
    admin::require(&installation, user).await?;
    let run = run::start(&installation, user).await?;
    Ok((StatusCode::ACCEPTED, Json(run)).into_response())
}

/// The current or last run, with its steps and their output; null before the first.
#[utoipa::path(get, path = "/api/system/update", tag = "system", responses((status = 200, body = Option<Run>)))]
pub async fn get_update(
    State(installation): State<Arc<Installation>>,
    SignedIn { user, .. }: SignedIn,
) -> Result<Json<Option<Run>>, Problem> {
    admin::require(&installation, user).await?;
    Ok(Json(run::current(&installation)?))
}

/// The run as it changes: server-sent events `run`, each with the whole run as `GET /api/system/update` answers it. One
/// comes first.
#[utoipa::path(get, path = "/api/system/update/events", tag = "system",
    responses((status = 200, content_type = "text/event-stream", body = String)))]
pub async fn get_update_events(
    State(installation): State<Arc<Installation>>,
    SignedIn { user, session }: SignedIn,
) -> Result<Response, Problem> {
    admin::require(&installation, user).await?;
    let viewer = Viewer { installation, user: user, session, told: None, checked_at: Instant::now() };
    let texts = futures::stream::unfold(viewer, |mut viewer| async {
        let text = viewer.next().await?;
        Some((Ok::<Bytes, Infallible>(text), viewer))
    });
    Ok(([EVENT_STREAM, UNBUFFERED], Body::from_stream(texts)).into_response())
}

/// Who follows a run.
struct Viewer {
    installation: Arc<Installation>,
    user: UserId,
    session: platform::token::TokenHash,
    /// What was told last.
    told: Option<Option<Run>>,
    checked_at: Instant,
}

impl Viewer {
    /// What is told next; nothing once the viewer may see no more, or the server stops.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            // What can't be read now is read the next time.
            if let Ok(run) = run::current(&self.installation)
                && self.told.as_ref() != Some(&run)
                && let Ok(data) = serde_json::to_string(&run)
            {
                if !self.is_admin().await {
                    return None;
                }
                self.told = Some(run);
                return Some(format!("event: run\ndata: {data}\n\n").into());
            }
            if self.checked_at.elapsed() >= CHECK_EVERY {
                self.checked_at = Instant::now();
                return self.is_admin().await.then(|| Bytes::from_static(b": well\n\n"));
            }
            tokio::select! {
                () = self.installation.stopping.cancelled() => return None,
                () = tokio::time::sleep(LOOK_EVERY) => {}
            }
        }
    }

    /// Also whether the session lasts.
    async fn is_admin(&self) -> bool {
        let found = self.installation.sessions.user(&self.session).await;
        if !matches!(found, Ok(Some(user)) if user == self.user) {
            return false;
        }
        admin::require(&self.installation, self.user).await.is_ok()
    }
}

impl From<StartError> for Problem {
    fn from(error: StartError) -> Self {
        match error {
            StartError::InProgress => Self::plain(Code::UpdateInProgress),
            StartError::Db(error) => error.into(),
            error => Self::internal(&error),
        }
    }
}

impl From<BackupError> for Problem {
    fn from(error: BackupError) -> Self {
        match error {
            BackupError::Copy(error) => error.into(),
            BackupError::Db(error) => error.into(),
            error => Self::internal(&error),
        }
    }
}

impl From<RestoreError> for Problem {
    fn from(error: RestoreError) -> Self {
        match error {
            RestoreError::Copy(error) => error.into(),
            RestoreError::Backups(error) => error.into(),
            RestoreError::NoSuchBackup => Self::new(Code::InvalidBody, "This backup is no longer there."),
            RestoreError::Update(LockError::Held) | RestoreError::Unfinished => {
                Self::plain(Code::UpdateInProgress)
            }
            RestoreError::Db(error) => error.into(),
            error => Self::internal(&error),
        }
    }
}

impl From<JournalError> for Problem {
    fn from(error: JournalError) -> Self {
        Self::internal(&error)
    }
}

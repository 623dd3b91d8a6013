//! `/api/system/update`: the Deployment Admin starts a run and follows it.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use platform::http::json::Json;
use platform::http::problem::Problem;
use platform::log_field::logged;
use platform::token::TokenHash;
use tokio::sync::watch;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};

use super::document::{RunDocument, fingerprint};
use super::leased_run::run_elsewhere;
use super::run::RunTarget;
use super::start::{StartError, start};
use crate::Installation;
use crate::codes;
use crate::ids::UserId;
use crate::journal::{self, JournalError, Run};
use accounts::administration;
use accounts::extract::CurrentUser;
use accounts::session::Visitor;

/// How often a stream checks that the viewer is still authorized. A comment then keeps the connection alive.
const CHECK_INTERVAL: Duration = Duration::from_secs(3);
/// Proxies have to forward each event at once, and no cache may store the stream.
const STREAM_HEADERS: [(HeaderName, HeaderValue); 2] = [
    (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no")),
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
];

/// Starts an update to the latest release. It runs in the background, also across the server's restart.
///
/// One at a time, for all servers on the database: 409 `UPDATE_IN_PROGRESS`. 409 `RESTORE_REQUIRED` while the
/// backup of a failed run has to be restored.
#[utoipa::path(post, path = "/api/system/update", tag = "system", responses((status = 202, body = RunDocument)))]
pub async fn post_update(
    State(installation): State<Arc<Installation>>,
    CurrentUser(user): CurrentUser,
) -> Result<Response, Problem> {
    administration::require(&installation.db, user.id).await?;
    let run = start(&installation, Some(user.id), RunTarget::Latest).await?;
    Ok((StatusCode::ACCEPTED, Json(RunDocument::from(run))).into_response())
}

/// Returns to the release before the current one, as a run of the same kind.
///
/// 409 `NOTHING_TO_ROLL_BACK`, `UPDATE_IN_PROGRESS`, `RESTORE_REQUIRED`.
#[utoipa::path(post, path = "/api/system/rollback", tag = "system", responses((status = 202, body = RunDocument)))]
pub async fn post_rollback(
    State(installation): State<Arc<Installation>>,
    CurrentUser(user): CurrentUser,
) -> Result<Response, Problem> {
    administration::require(&installation.db, user.id).await?;
    let run = start(&installation, Some(user.id), RunTarget::Previous).await?;
    Ok((StatusCode::ACCEPTED, Json(RunDocument::from(run))).into_response())
}

/// The current or last run, with its steps and their output; null before the first. While a run is under way
/// on another server of the database, it is that run with the step that is under way.
#[utoipa::path(get, path = "/api/system/update", tag = "system",
    responses((status = 200, body = Option<RunDocument>)))]
pub async fn get_update(
    State(installation): State<Arc<Installation>>,
    CurrentUser(user): CurrentUser,
) -> Result<Json<Option<RunDocument>>, Problem> {
    administration::require(&installation.db, user.id).await?;
    let own = journal::read(&installation.settings.data_dir)?.map(|journal| journal.run);
    let elsewhere = run_elsewhere(&installation.db, own.as_ref()).await?;
    Ok(Json(elsewhere.or(own).map(RunDocument::from)))
}

/// The run and its changes: server-sent events `run`, each with the whole run as in `GET /api/system/update`.
/// The first is the current run. The id of an event names the state of the run.
#[utoipa::path(get, path = "/api/system/update/events", tag = "system",
    responses((status = 200, content_type = "text/event-stream", body = String)))]
pub async fn get_update_events(
    State(installation): State<Arc<Installation>>,
    CurrentUser(user): CurrentUser,
    visitor: Visitor,
) -> Result<Response, Problem> {
    administration::require(&installation.db, user.id).await?;
    let session = visitor.session.ok_or_else(|| Problem::plain(codes::UNAUTHENTICATED))?;
    let mut runs = installation.runs.subscribe().await?;
    runs.mark_changed();
    let mut checks = interval_at(Instant::now() + CHECK_INTERVAL, CHECK_INTERVAL);
    checks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let viewer = Viewer { installation, user: user.id, session, runs, elsewhere: None, checks };
    let events = futures::stream::unfold(viewer, |mut viewer| async {
        let event = viewer.next().await?;
        Some((Ok::<Event, Infallible>(event), viewer))
    });
    Ok((STREAM_HEADERS, Sse::new(events)).into_response())
}

/// A stream to one viewer.
struct Viewer {
    installation: Arc<Installation>,
    user: UserId,
    session: TokenHash,
    runs: watch::Receiver<Option<Run>>,
    /// A run on another server, as it was sent.
    elsewhere: Option<Run>,
    checks: Interval,
}

impl Viewer {
    /// The next event; `None` when the viewer is no longer authorized or the server stops.
    async fn next(&mut self) -> Option<Event> {
        let event = tokio::select! {
            biased;
            () = self.installation.stopping.cancelled() => return None,
            changed = self.runs.changed() => {
                changed.ok()?;
                self.find_elsewhere().await;
                self.run()?
            }
            _ = self.checks.tick() => match self.find_elsewhere().await {
                true => self.run()?,
                false => Event::default().comment("well"),
            },
        };
        self.is_authorized().await.then_some(event)
    }

    /// Looks for a run on another server, and returns whether that has changed. If the database does not
    /// answer, nothing has.
    async fn find_elsewhere(&mut self) -> bool {
        let own = self.runs.borrow().clone();
        let Ok(found) = run_elsewhere(&self.installation.db, own.as_ref()).await else { return false };
        let is_changed = found != self.elsewhere;
        self.elsewhere = found;
        is_changed
    }

    fn run(&mut self) -> Option<Event> {
        let own = self.runs.borrow_and_update().clone();
        let run = self.elsewhere.clone().or(own).map(RunDocument::from);
        Event::default().event("run").id(fingerprint(run.as_ref())).json_data(run).ok()
    }

    /// Whether the session has not ended and its user is the Deployment Admin.
    async fn is_authorized(&self) -> bool {
        let found = self.installation.accounts.find_session(self.session.clone()).await;
        if !matches!(found, Ok(Some(user)) if user.id == self.user) {
            return false;
        }
        administration::require(&self.installation.db, self.user).await.is_ok()
    }
}

impl From<StartError> for Problem {
    fn from(error: StartError) -> Self {
        match error {
            StartError::InProgress => Self::plain(codes::UPDATE_IN_PROGRESS),
            StartError::RestoreRequired(_) => Self::plain(codes::RESTORE_REQUIRED),
            StartError::NothingToRollBack => Self::plain(codes::NOTHING_TO_ROLL_BACK),
            StartError::Journal(error) => error.into(),
            StartError::Db(error) => error.into(),
            error => Self::internal(&error),
        }
    }
}

/// The Deployment Admin, who alone asks, learns what to do.
impl From<JournalError> for Problem {
    fn from(error: JournalError) -> Self {
        tracing::error!(error = logged(&error), "can't read the state of the last update");
        Self::new(codes::INTERNAL, format!("{error}: {}", error.remedy()))
    }
}

//! The child process that is measured: it fills an empty database, prints its addresses and paths as JSON,
//! and serves until its standard input is closed.

use std::io::{Read, Write};
use std::sync::Arc;

use accounts::hashing::HashError;
use accounts::password::NoPassword;
use auction_house::context::Context;
use auction_house::ids::UserId;
use auction_house::notifications::store::mark_all_read;
use axum::Json;
use axum::http::StatusCode;
use axum::routing::post;
use installation::config::Settings;
use platform::db::{Database, DbError, OpenError};
use platform::http::body::JsonBody;
use platform::logging::start_logging;
use platform::net::{self, ConnectionLimits, Threads};
use platform::time::SystemClock;
use server::demo::fixtures::FixtureError;
use server::http::layers::layered;
use server::router::routes;
use server::state::AppState;
use tokio::net::TcpListener;

use crate::filling;
use crate::hostile::silent_store;
use crate::subject::BenchSubject;
use crate::target::Target;

/// Path of the route that does nothing.
pub const NOTHING: &str = "/api/nothing";

/// Path of the route that marks the notifications of all holders as read: the next change of their balances
/// notifies them again.
pub const READ_ALL: &str = "/api/read-all";

/// Why the child process has nothing to measure.
#[derive(Debug, thiserror::Error)]
pub enum ChildError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Db(#[from] DbError),
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error(transparent)]
    Fixture(#[from] FixtureError),
    #[error("the password of the bidders is invalid: {0}")]
    Password(#[from] NoPassword),
    #[error(transparent)]
    Hash(#[from] HashError),
    #[error("the database is not empty: the benchmark needs an empty one")]
    NotEmpty,
}

/// Serves the routes of `farthing serve` and [`NOTHING`]. On another port the same threads serve the same
/// routes without the layers around them.
pub async fn run(database_url: String, subject: BenchSubject) -> Result<(), ChildError> {
    let rate_limits = subject.rate_limits();
    let mut settings = Settings { database_url, data_dir: "data".into(), rate_limits, ..Settings::default() };
    if subject == BenchSubject::Hostile {
        silent_store::choose(&mut settings).await?;
        // Mails are written. No job sends them.
        settings.smtp_url = "smtp://127.0.0.1:9".parse().ok();
        settings.mail_from = "bench@example.org".parse().ok();
    }
    let db = Database::open(&settings.database_url).await?;
    start_logging(settings.log_format);
    let state = AppState::new(db, Arc::new(SystemClock), settings)?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let bare_listener = TcpListener::bind("127.0.0.1:0").await?;
    let (address, bare_address) = (listener.local_addr()?, bare_listener.local_addr()?);
    let filled = filling::fill(&state, subject).await?;
    let readers = filling::holders_of(&state, filled.book.as_deref()).await?;
    print(&Target { address, bare_address, filled })?;

    let context = state.context.clone();
    let read_all = post(async move || match read_all(&context, &readers).await {
        Ok(()) => (StatusCode::CREATED, Json("read")),
        Err(_) => (StatusCode::INTERNAL_SERVER_ERROR, Json("unread")),
    });
    let nothing = post(async |_: JsonBody| (StatusCode::CREATED, Json("done")));
    let bare = routes(state.clone()).route(NOTHING, nothing).route(READ_ALL, read_all).with_state(());
    let site = layered(bare.clone(), &state);
    let limits = ConnectionLimits::with_proxies(state.installation.settings.trusted_proxies.clone());
    let threads = Threads::for_this_machine()?;
    let stopping = state.installation.stopping.clone();
    tokio::spawn(state.accounts.follow_changes(stopping.clone()));
    tokio::spawn(state.leads.clone().run(state.context.clone(), stopping.clone()));
    tokio::spawn(async move {
        futures::join!(
            net::serve(listener, site, limits.clone(), stopping.clone(), &threads),
            net::serve(bare_listener, bare, limits, stopping, &threads),
        )
    });
    // The kernel closes standard input at the latest when the parent ends.
    let closed = tokio::task::spawn_blocking(|| std::io::stdin().lock().read_to_end(&mut Vec::new()));
    closed.await.map_err(std::io::Error::from)??;
    Ok(())
}

/// In parts, between which others write.
async fn read_all(context: &Context, users: &[UserId]) -> Result<(), DbError> {
    for part in users.chunks(500) {
        let mut db = context.db.write().await?;
        for user in part {
            mark_all_read(&mut db, *user, context.clock.now()).await?;
        }
        db.commit().await?;
    }
    Ok(())
}

fn print(target: &Target) -> Result<(), ChildError> {
    let mut out = std::io::stdout().lock();
    serde_json::to_writer(&mut out, target)?;
    out.write_all(b"\n")?;
    Ok(out.flush()?)
}

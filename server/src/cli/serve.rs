//! The server, which `farthing serve` runs as its child.

use crate::bridge::AccountDirectory;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

use crate::demo::{self, Demo, DemoError};
use crate::router;
use crate::state::AppState;
use installation::backups::restore;
use installation::config::Settings;
use installation::releases::version;
use installation::supervisor::Supervisor;
use installation::updates;
use platform::db::{Database, DbError, OpenError};
use platform::net::{self, ConnectionLimits, Threads};
use platform::time::SystemClock;

/// How long what was accepted may take after the signal to stop. Leaves time to close the database within
/// the ten seconds that are promised.
const LEAVE_MAX: Duration = Duration::from_secs(8);
const CLOSE_MAX: Duration = Duration::from_millis(1500);

/// Why the server could not start or go on.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("can't read the database's clock: {0}")]
    Clock(#[from] DbError),
    #[error("can't make the folder `{path}`: {cause}")]
    DataDir { path: String, cause: std::io::Error },
    #[error("can't open writes after an update: {0}")]
    Writes(DbError),
    #[error("can't make the demo: {0}")]
    Demo(#[from] DemoError),
    #[error("can't serve: {0}")]
    Io(#[from] std::io::Error),
}

/// Opens the database, brings its schema up to date, and serves on the socket that the supervisor has, until it is
/// told to stop.
pub async fn serve(
    settings: Settings,
    with_demo: bool,
    supervisor: Supervisor,
    on_probation: bool,
) -> Result<(), ServeError> {
    std::fs::create_dir_all(&settings.data_dir)
        .map_err(|cause| ServeError::DataDir { path: settings.data_dir.display().to_string(), cause })?;
    if let Err(error) = restore::carry_out(&settings, &SystemClock).await {
        tracing::error!(error = &error as &dyn std::error::Error, "can't restore what was asked for");
    }
    let db = Database::open(&settings.database_url).await?;
    let clock = db.clock().await?;
    let state = AppState::supervised(db, clock, settings, supervisor.control())?;
    updates::open_writes(&state.installation.settings, &state.context.db)
        .await
        .map_err(ServeError::Writes)?;
    if let Err(error) = restore::note(
        &state.installation.settings,
        &state.context.db,
        &AccountDirectory,
        state.context.clock.now(),
    )
    .await
    {
        tracing::error!(error = &error as &dyn std::error::Error, "can't note what was restored");
    }
    if with_demo {
        tell_sign_ins(&demo::fill(&state).await?);
    }
    let signal = stop_signal()?;
    let listener = TcpListener::from_std(supervisor.listener().await?)?;
    let stop = async {
        tokio::select! {
            () = signal => {}
            _ = supervisor.gone() => tracing::error!("the supervisor is gone, so this server leaves, too"),
        }
    };

    if on_probation {
        tokio::spawn(updates::finish(Arc::clone(&state.installation)));
    }
    tokio::spawn(updates::watch(Arc::clone(&state.installation)));
    let limits = ConnectionLimits::with_proxies(state.installation.settings.trusted_proxies.clone());
    version::follow(Arc::clone(&state.installation));
    // Connections to the database may be theirs: they end after it is closed.
    let threads = Threads::for_this_machine()?;
    let server = net::serve(
        listener,
        router::site(state.clone()),
        limits,
        state.installation.stopping.clone(),
        &threads,
    );
    let too_late = async {
        stop.await;
        // A stream has no end of its own to be waited for.
        state.live.stop();
        state.installation.stopping.cancel();
        tokio::time::sleep(LEAVE_MAX).await;
    };
    tokio::select! {
        () = server => {}
        () = too_late => tracing::warn!("left requests unfinished that took too long"),
    }
    let close = async {
        state.bids.finish().await;
        state.context.db.close().await;
    };
    if tokio::time::timeout(CLOSE_MAX, close).await.is_err() {
        tracing::warn!("the database took too long to close; nothing that was answered is lost");
    }
    Ok(())
}

#[expect(clippy::print_stdout, reason = "who asked for the demo wants to sign in")]
fn tell_sign_ins(demo: &Demo) {
    match demo {
        Demo::Present(sign_ins) => {
            println!("The demo is ready. Sign in with any of these, password `{}`:", sign_ins.password);
            for email in &sign_ins.emails {
                println!("  {email}");
            }
        }
        Demo::NotAdded => println!("The database holds something already, so no demo was added."),
    }
}

/// Ends at SIGTERM or SIGINT.
fn stop_signal() -> Result<impl Future<Output = ()>, std::io::Error> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        tracing::info!("stopping");
    })
}

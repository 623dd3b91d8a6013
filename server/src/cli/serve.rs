//! The server, which the supervisor of `farthing serve` starts.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

use crate::demo::{self, Demo, DemoError};
use crate::router;
use crate::state::AppState;
use auction_house::bids::closing::reconcile;
use auction_house::books::waiting;
use auction_house::inbox::sweep;
use auction_house::items::auction::delete;
use auction_house::items::ends_soon;
use auction_house::items::images::collect;
use installation::backups::{restore, scheduled};
use installation::check::tolerated;
use installation::config::{Settings, unknown_variables};
use installation::control::{Control, Supervisor};
use installation::exposure::{exposed, exposed_file};
use installation::releases::check;
use installation::servers;
use installation::settings::claim;
use installation::supervisor::RunningServer;
use installation::updates;
use platform::db::{Database, DbError, OpenError, copy, without_password};
use platform::file_store::StoreError;
use platform::log_field::logged;
use platform::net::{self, ConnectionLimits, Threads};
use platform::time::SystemClock;

/// The maximum time for open requests after the signal to stop. With the time to close the database it stays
/// below the ten seconds of SPEC, section 9.
const DRAIN_MAX: Duration = Duration::from_secs(8);
/// How often the server reports to its supervisor, which kills it after a long silence.
const ALIVE_INTERVAL: Duration = Duration::from_secs(5);
const CLOSE_MAX: Duration = Duration::from_millis(1500);

/// Why the server could not start or continue.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("can't read from the database: {0}")]
    Read(#[from] DbError),
    #[error("can't make the folder `{path}`: {cause}")]
    DataDir { path: String, cause: std::io::Error },
    #[error("can't open writes after an update: {0}")]
    Writes(DbError),
    #[error("can't keep pictures: {0}")]
    Images(#[from] StoreError),
    #[error("can't make the demo: {0}")]
    Demo(#[from] DemoError),
    #[error("can't serve: {0}")]
    Io(#[from] std::io::Error),
}

/// Opens the database, migrates its schema, and serves on the supervisor's socket until a signal to stop.
pub async fn serve(
    settings: Settings,
    with_demo: bool,
    supervisor: Supervisor,
    on_probation: bool,
) -> Result<(), ServeError> {
    std::fs::create_dir_all(&settings.data_dir)
        .map_err(|cause| ServeError::DataDir { path: settings.data_dir.display().to_string(), cause })?;
    if let Err(error) = restore::carry_out_request(&settings, &SystemClock).await {
        tracing::error!(error = logged(&error), "can't carry out the request to restore");
    }
    let db = Database::open(&settings.database_url).await?;
    let clock = db.clock().await?;
    let state = AppState::supervised(db, clock, settings, supervisor.control())?;
    state.images.store().check().await?;
    updates::open_writes(&state.installation.settings, &state.context.db)
        .await
        .map_err(ServeError::Writes)?;
    if let Err(error) =
        restore::record_outcome(&state.installation.settings, &state.context.db, state.context.clock.now())
            .await
    {
        tracing::error!(error = logged(&error), "can't record the outcome of the restoration");
    }
    recognize_copy(&state).await;
    claim_pictures(&state).await;
    if with_demo {
        let demo = demo::fill(&state).await?;
        print_sign_ins(&demo);
        if let Demo::Present(window) = demo {
            let _ = state.demo.set(window);
        }
    }
    let signal = stop_signal()?;
    let listener = TcpListener::from_std(supervisor.listener().await?)?;
    let address = listener.local_addr()?;
    report_start(&state.installation.settings, &state.context.db).await?;
    publish(&state.installation.settings, address);
    if let Err(error) = claim::log_claim(&state.installation, address).await {
        let error = logged(&error);
        tracing::error!(error, "can't say how the administration is claimed");
    }
    let stop = async {
        tokio::select! {
            () = signal => {}
            _ = supervisor.gone() => tracing::error!("the supervisor has ended, so this server stops"),
        }
    };

    if on_probation {
        tokio::spawn(updates::continue_after_restart(Arc::clone(&state.installation)));
    }
    tokio::spawn(report_alive(state.installation.control.clone()));
    tokio::spawn(scheduled::run(Arc::clone(&state.installation), updates::after_scheduled_backup));
    tokio::spawn(updates::watch(Arc::clone(&state.installation)));
    let announcing = tokio::spawn(servers::run(Arc::clone(&state.installation)));
    tokio::spawn(updates::serve_shells(Arc::clone(&state.installation)));
    tokio::spawn(reconcile::run(
        state.context.clone(),
        state.bids.clone(),
        state.installation.stopping.clone(),
    ));
    tokio::spawn(state.accounts.follow_changes(state.installation.stopping.clone()));
    tokio::spawn(state.leads.clone().run(state.context.clone(), state.installation.stopping.clone()));
    let mails = state.mail_job().map(|job| tokio::spawn(job.run(state.installation.stopping.clone())));
    tokio::spawn(delete::run(state.context.clone(), state.installation.stopping.clone()));
    tokio::spawn(sweep::run(state.context.clone(), state.installation.stopping.clone()));
    tokio::spawn(ends_soon::run(state.context.clone(), state.installation.stopping.clone()));
    tokio::spawn(waiting::run(state.context.clone(), state.installation.stopping.clone()));
    tokio::spawn(collect::run(
        state.context.db.clone(),
        state.images.clone(),
        Arc::clone(&state.context.clock),
        state.installation.stopping.clone(),
    ));
    let limits = ConnectionLimits::with_proxies(state.installation.settings.trusted_proxies.clone());
    check::start_checks(Arc::clone(&state.installation));
    // Dropped after the database is closed, because connections to it may run on these threads.
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
        // Streams do not end by themselves.
        state.live.stop();
        state.installation.stopping.cancel();
        tokio::time::sleep(DRAIN_MAX).await;
    };
    tokio::select! {
        () = server => {}
        () = too_late => tracing::warn!("stopped with unfinished requests, which took too long"),
    }
    let close = async {
        state.bids.finish().await;
        // The mail that is being sent is recorded.
        if let Some(mails) = mails {
            let _ = mails.await;
        }
        let _ = announcing.await;
        state.context.db.close().await;
    };
    if tokio::time::timeout(CLOSE_MAX, close).await.is_err() {
        tracing::warn!("the database took too long to close; nothing that was acknowledged is lost");
    }
    Ok(())
}

/// Warns if the database is a copy that was made by other means than those of this program.
async fn recognize_copy(state: &AppState) {
    match state.context.db.recognize(&state.installation.settings.database_url).await {
        Ok(false) => {}
        Ok(true) => tracing::warn!(
            "this database is a copy of another one, or was moved to another disk: it has an id of its own from now on"
        ),
        Err(error) => {
            tracing::error!(error = logged(&error), "can't tell whether this database is a copy");
        }
    }
}

/// Says in the store of pictures that this installation uses it, and warns if another one does, too: this
/// one may be a copy of it.
async fn claim_pictures(state: &AppState) {
    match collect::claim(&state.context.db, &state.images).await {
        Ok(claimed) => {
            collect::warn(claimed.claim);
            let _ = state.installation.image_store.set(claimed.store);
        }
        Err(error) => {
            tracing::error!(error = logged(&error), "can't read the owner of the store of pictures")
        }
    }
}

/// Reports to the supervisor that this server works, until the supervisor has ended.
async fn report_alive(control: Control) {
    while control.alive().is_ok() {
        tokio::time::sleep(ALIVE_INTERVAL).await;
    }
}

/// Logs what this server works on.
async fn report_start(settings: &Settings, db: &Database) -> Result<(), DbError> {
    let Settings { database_url, data_dir, install_dir, .. } = settings;
    let version = env!("CARGO_PKG_VERSION");
    let exposed = exposed(settings);
    if !exposed.is_empty() {
        tracing::warn!(
            ?exposed,
            "other users of this machine can read the data: run `chmod go-rwx` on these paths"
        );
    }
    if let Some(path) = exposed_file() {
        tracing::warn!(
            "every user of this machine can read the password in `{}`: run `chmod o-r` on it",
            path.display()
        );
    }
    for error in tolerated(settings) {
        tracing::warn!(error = logged(&error), "a setting is not in force");
    }
    for name in unknown_variables() {
        tracing::warn!("the variable `{name}` is not a setting");
    }
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let database = copy::file_of(database_url)
        .map_or_else(|_| without_password(database_url), |path| format!("sqlite://{}", path.display()));
    tracing::info!(
        database,
        data_dir = %absolute(data_dir).display(),
        install_dir = %absolute(install_dir).display(),
        mail = settings.mailer().is_some(),
        "serving as farthing {version}"
    );
    if db.has_later_schema().await? {
        tracing::warn!(
            "a later release than {version} has migrated the schema: this one serves, but start that release soon"
        );
    }
    Ok(())
}

/// Without the files the server works, but commands in a shell have to name its settings.
fn publish(settings: &Settings, address: SocketAddr) {
    let published = RunningServer::this(settings, address).and_then(|server| server.publish());
    if let Err(error) = published {
        let error = logged(&error);
        tracing::warn!(error, "commands in a shell won't know the settings of this server");
    }
}

#[expect(clippy::print_stdout, reason = "the user needs the sign-ins of the demo")]
fn print_sign_ins(demo: &Demo) {
    match demo {
        Demo::Present(window) => {
            println!("The demo is ready. Sign in with any of these, password `{}`:", window.password);
            for person in &window.people {
                println!("  {}: {} {}", person.email, person.name, person.about);
            }
            println!("Its first page leads to a class, a hall and a guild, one press each.");
        }
        Demo::NotAdded => println!("The database is not empty, so no demo was added."),
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

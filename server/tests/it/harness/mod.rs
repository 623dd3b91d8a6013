//! A server of its own for each test, and clients for it.

mod client;
pub mod database;
mod events;
mod installation;
pub mod large_transactions;
mod line;
mod log;
pub mod plans;
mod postgres_plans;
pub mod releases;
mod s3;
mod smtp;
mod spreadsheet;

use std::net::SocketAddr;
use std::sync::Arc;

use ::installation::config::{Networks, Settings, Switch};
use auction_house::bids::closing::reconcile;
use auction_house::bids::leads::{self, recent::RecentBids};
use auction_house::books::waiting::claim_all;
use platform::db::{Database, Sql};
use platform::net::{ConnectionLimits, Threads};
use platform::time::{ManualClock, Moment};
use server::state::{AppState, Parts};

pub use client::{Answer, Client, http};
pub use events::{Event, Events};
pub use installation::{Installation, QUICKLY, git};
pub use line::{Break, Line};
pub use s3::S3;
pub use smtp::{Mail, Smtp, SmtpServer, certificate};
pub use spreadsheet::spreadsheet;

/// Password of every test user.
pub const PASSWORD: &str = "correct horse battery";

/// A server with a port and a database of its own. Dropping it stops the server.
pub struct TestApp {
    pub address: SocketAddr,
    pub clock: Arc<ManualClock>,
    pub state: AppState,
    server: tokio::task::JoinHandle<()>,
    /// Threads that serve connections.
    pub threads: Arc<Threads>,
    folder: Arc<tempfile::TempDir>,
}

impl TestApp {
    /// Starts a server without rate limits.
    pub async fn start() -> Self {
        Self::start_with(|settings| settings.rate_limits = Switch::Off).await
    }

    /// Starts a server on PostgreSQL, also when the other tests use SQLite.
    pub async fn start_on_postgres() -> Self {
        Self::start_on_postgres_with(|_| {}).await
    }

    /// Starts a server on PostgreSQL with the default settings as changed by `choose`.
    pub async fn start_on_postgres_with(choose: impl FnOnce(&mut Settings)) -> Self {
        let folder = Arc::new(tempfile::tempdir().unwrap());
        let database_url = database::fresh_postgres(folder.path()).await;
        let data_dir = folder.path().join("data");
        let mut settings =
            Settings { database_url, data_dir, rate_limits: Switch::Off, ..Settings::default() };
        choose(&mut settings);
        Self::serve(folder, settings, Arc::new(ManualClock::at(start()))).await
    }

    /// Starts another server with the same database, settings and clock.
    pub async fn another(&self) -> Self {
        let (folder, settings) =
            (Arc::clone(&self.folder), Settings::clone(&self.state.installation.settings));
        Self::serve(folder, settings, Arc::clone(&self.clock)).await
    }

    /// Starts another server with the same database and clock and the settings as changed by `choose`.
    pub async fn another_with(&self, choose: impl FnOnce(&mut Settings)) -> Self {
        let (folder, mut settings) =
            (Arc::clone(&self.folder), Settings::clone(&self.state.installation.settings));
        choose(&mut settings);
        Self::serve(folder, settings, Arc::clone(&self.clock)).await
    }

    /// Starts a server with the default settings as changed by `choose`.
    pub async fn start_with(choose: impl FnOnce(&mut Settings)) -> Self {
        let folder = Arc::new(tempfile::tempdir().unwrap());
        let mut settings = Settings {
            database_url: database::fresh(folder.path()).await,
            data_dir: folder.path().join("data"),
            ..Settings::default()
        };
        choose(&mut settings);
        Self::serve(folder, settings, Arc::new(ManualClock::at(start()))).await
    }

    /// Stops the server as a signal does and starts another one on the same database.
    pub async fn restart(self) -> Self {
        self.restart_with(|_| {}).await
    }

    /// Stops the server as a signal does and starts another one on the same database with the settings as
    /// changed by `choose`.
    pub async fn restart_with(mut self, choose: impl FnOnce(&mut Settings)) -> Self {
        self.state.live.stop();
        self.state.installation.stopping.cancel();
        (&mut self.server).await.unwrap();
        self.state.bids.finish().await;
        self.state.context.db.close().await;
        let (folder, mut settings) =
            (Arc::clone(&self.folder), Settings::clone(&self.state.installation.settings));
        choose(&mut settings);
        let clock = Arc::clone(&self.clock);
        drop(self);
        Self::serve(folder, settings, clock).await
    }

    /// The address of another listener of this server, whose pages are made without what earlier ones have
    /// left in caches.
    pub async fn without_kept_pages(&self) -> SocketAddr {
        let state = AppState::of(Parts { pages: Arc::default(), ..Parts::clone(&self.state) });
        listen(&state, Arc::clone(&self.threads)).await.0
    }

    async fn serve(folder: Arc<tempfile::TempDir>, settings: Settings, clock: Arc<ManualClock>) -> Self {
        plans::collect();
        let db = Database::open(&settings.database_url).await.unwrap();
        let state = AppState::new(db, Arc::clone(&clock) as _, settings).unwrap();
        let threads = Arc::new(Threads::start(1).unwrap());
        let (address, server) = listen(&state, Arc::clone(&threads)).await;
        tokio::spawn(state.accounts.follow_changes(state.installation.stopping.clone()));
        Self { address, clock, state, server, threads, folder }
    }

    /// Closes what has ended by the clock, as the server does by itself within seconds.
    pub async fn reconcile(&self) {
        reconcile::reconcile(&self.state.context, &self.state.bids).await;
    }

    /// Writes grants that wait for people who have come, as the server does by itself within seconds.
    pub async fn claim_waiting(&self) {
        claim_all(&self.state.context).await;
    }

    /// Tells bidders who was outbid and who leads again, as the server does by itself within a second.
    pub async fn tell_leads(&self) {
        leads::tell_all(&self.state.context, &self.state.leads.recent()).await.unwrap();
    }

    /// The same from the ledger alone, as another server does.
    pub async fn tell_leads_from_ledger(&self) {
        leads::tell_all(&self.state.context, &RecentBids::default()).await.unwrap();
    }

    /// Sends the mails that are due, as the server does by itself within a second.
    pub async fn send_mails(&self) {
        self.state.mail_job().unwrap().round(&self.state.installation.stopping).await.unwrap();
    }

    /// Confirms every e-mail, as the links of the mails do, and empties the outbox of these mails.
    pub async fn confirm_emails(&self) {
        self.write("UPDATE users SET email_verified_at = created_at WHERE erased_at IS NULL").await;
        self.write("DELETE FROM mails WHERE kind = 'CONFIRM_EMAIL'").await;
    }

    /// Executes a statement that no request executes, as another process would.
    pub async fn write(&self, statement: impl Into<Sql>) {
        let mut transaction = self.state.context.db.write().await.unwrap();
        for statement in [statement.into(), database::SEEN.into()] {
            platform::db::query(statement).execute(&mut transaction).await.unwrap();
        }
        transaction.commit().await.unwrap();
    }

    /// A client that is not signed in.
    pub fn anonymous(&self) -> Client {
        Client::new(self.address)
    }

    /// A client that has just registered as `name` with the e-mail `name@example.org`.
    pub async fn user(&self, name: &str) -> Client {
        let client = self.anonymous();
        let body =
            serde_json::json!({ "email": format!("{name}@example.org"), "password": PASSWORD, "name": name });
        client.post("/api/auth/register", body).await.expect(201);
        client
    }

    /// The cookie of a new session of a registered user, for a request that no client sends.
    pub async fn cookie_of(&self, name: &str) -> String {
        let body = serde_json::json!({ "email": format!("{name}@example.org"), "password": PASSWORD });
        let answer = self.anonymous().post("/api/auth/login", body).await;
        let cookies = answer.headers.get_all("set-cookie").iter().map(|cookie| cookie.to_str().unwrap());
        cookies.filter_map(|cookie| cookie.split(';').next()).collect::<Vec<_>>().join("; ")
    }
}

/// Serves on a free port, until the server stops.
async fn listen(state: &AppState, threads: Arc<Threads>) -> (SocketAddr, tokio::task::JoinHandle<()>) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (site, stopping) = (server::router::site(state.clone()), state.installation.stopping.clone());
    let limits = ConnectionLimits::with_proxies(Networks::default());
    let serve = async move { platform::net::serve(listener, site, limits, stopping, &threads).await };
    (address, tokio::spawn(serve))
}

/// Time of the clock at the start of every test.
fn start() -> Moment {
    "2026-05-01T18:00:00Z".parse().unwrap()
}

impl Drop for TestApp {
    fn drop(&mut self) {
        self.server.abort();
        // What this test has executed first must find its rows by indexes.
        let faults = plans::faults();
        assert!(faults.is_empty() || std::thread::panicking(), "\n{}\n", faults.join("\n"));
    }
}

/// Number of repetitions: `long` with `FARTHING_LONG_TESTS=1`, else `short`.
pub fn times(short: u64, long: u64) -> u64 {
    #[expect(clippy::disallowed_methods, reason = "a variable of the tests, not a setting of the server")]
    let is_long = std::env::var_os("FARTHING_LONG_TESTS").is_some();
    if is_long { long } else { short }
}

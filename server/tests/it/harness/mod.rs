//! What every test begins with: an application of its own, and people who talk to it.

mod client;

use std::net::SocketAddr;
use std::sync::Arc;

use server::clock::{HeldClock, Moment};
use server::config::{Settings, Switch};
use server::db::Database;
use server::state::AppState;

pub use client::{Answer, Client};

/// What everyone's password is.
pub const PASSWORD: &str = "correct horse battery";

/// A server on a port and a database of its own, gone with the value.
pub struct TestApp {
    pub address: SocketAddr,
    pub clock: Arc<HeldClock>,
    pub state: AppState,
    server: tokio::task::JoinHandle<()>,
    _folder: tempfile::TempDir,
}

impl TestApp {
    /// Without limits on how often things are tried.
    pub async fn start() -> Self {
        Self::start_with(|settings| settings.rate_limits = Switch::Off).await
    }

    /// With the settings that `choose` makes of the defaults.
    pub async fn start_with(choose: impl FnOnce(&mut Settings)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut settings = Settings {
            database_url: format!("sqlite://{}", folder.path().join("test.db").display()),
            data_dir: folder.path().join("data"),
            ..Settings::default()
        };
        choose(&mut settings);
        let start: Moment = "2026-05-01T18:00:00Z".parse().unwrap();
        let clock = Arc::new(HeldClock::at(start));
        let db = Database::open(&settings.database_url).await.unwrap();
        let state = AppState::new(db, Arc::clone(&clock) as _, settings);

        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = server::router::router(state.clone());
        let service = router.into_make_service_with_connect_info::<SocketAddr>();
        let server = tokio::spawn(async move { axum::serve(listener, service).await.unwrap() });
        Self { address, clock, state, server, _folder: folder }
    }

    /// Someone who is not signed in.
    pub fn anonymous(&self) -> Client {
        Client::new(self.address)
    }

    /// Someone who has just registered as `name`, with the e-mail `name@example.org`.
    pub async fn user(&self, name: &str) -> Client {
        let client = self.anonymous();
        let body =
            serde_json::json!({ "email": format!("{name}@example.org"), "password": PASSWORD, "name": name });
        client.post("/api/auth/register", body).await.expect(201);
        client
    }
}

impl Drop for TestApp {
    fn drop(&mut self) {
        self.server.abort();
    }
}

//! The context of the verbs of accounts.

use std::sync::Arc;

use platform::db::{Database, DbError};
use platform::http::HttpSettings;
use platform::signals::Signals;
use platform::time::Clock;
use platform::token::TokenHash;
use tokio_util::sync::CancellationToken;

use crate::failed_sign_ins::FailedSignIns;
use crate::hashing::Passwords;
use crate::limits::RateLimits;
use crate::new_browser::NewBrowserNews;
use crate::outbox::Outbox;
use crate::registration::RegistrationMode;
use crate::session::{self, SessionCache, SignedIn};
use crate::signal::{self, Signal};

/// The parts that the verbs of accounts work with.
pub struct Accounts {
    pub db: Database,
    pub clock: Arc<dyn Clock>,
    pub signals: Signals<Signal>,
    pub limits: Arc<RateLimits>,
    pub passwords: Passwords,
    pub sessions: Arc<SessionCache>,
    pub failed_sign_ins: FailedSignIns,
    pub http: Arc<HttpSettings>,
    pub registration: RegistrationMode,
    pub outbox: Outbox,
    /// None in a command of a shell: such a command signs nobody in.
    pub new_browser: Option<Box<dyn NewBrowserNews>>,
}

impl Accounts {
    /// The host of this site, where the settings have one: a word that is no password here.
    pub fn site_name(&self) -> &str {
        let url = self.http.public_url.as_ref().map_or("", |url| url.as_str());
        url.split_once("://").map_or(url, |(_, host)| host)
    }

    /// Hears what other servers and commands of a shell change, until this server stops.
    pub fn follow_changes(&self, stopping: CancellationToken) -> impl Future<Output = ()> + 'static {
        signal::follow(self.db.clone(), self.signals.clone(), self.sessions.current().clone(), stopping)
    }

    /// The user of a session that lasts. The use of the session is recorded once an hour.
    pub async fn find_session(&self, token: TokenHash) -> Result<Option<Arc<SignedIn>>, DbError> {
        session::find(&self.db, &self.sessions, token, self.clock.now()).await
    }
}

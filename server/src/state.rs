//! What every handler can reach.

use std::sync::Arc;

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::accounts::password::Passwords;
use crate::accounts::session_cache::SessionCache;
use crate::bids::queue::BidQueue;
use crate::clock::Clock;
use crate::config::Settings;
use crate::db::Database;
use crate::http::turns::Turns;
use crate::ids::UserId;
use crate::instances;
use crate::limits::Limits;
use crate::live::Live;
use crate::pages::known::Known;
use crate::site::Site;
use crate::supervisor::Control;

/// One pointer, since each layer around a handler clones it for each request.
#[derive(Clone)]
pub struct AppState(Arc<Parts>);

/// What it points to.
#[derive(Clone)]
pub struct Parts {
    pub db: Database,
    pub bids: BidQueue,
    pub live: Live,
    pub clock: Arc<dyn Clock>,
    pub settings: Arc<Settings>,
    pub limits: Arc<Limits>,
    pub passwords: Arc<Passwords>,
    pub sessions: Arc<SessionCache>,
    pub known: Arc<Known>,
    pub site: Arc<Site>,
    pub turns: Arc<Turns>,
    /// Notified where it may be time to ask for the latest release.
    pub check_due: Arc<Notify>,
    /// Cancelled when the server is told to stop: what would go on for long ends then.
    pub stopping: CancellationToken,
    pub control: Control,
}

impl AppState {
    /// Of a server that nobody supervises.
    pub fn new(db: Database, clock: Arc<dyn Clock>, settings: Settings) -> Result<Self, std::io::Error> {
        Self::supervised(db, clock, settings, Control::unsupervised())
    }

    /// # Errors
    /// Where the thread can't be started that works off the queue of bids.
    pub fn supervised(
        db: Database,
        clock: Arc<dyn Clock>,
        settings: Settings,
        control: Control,
    ) -> Result<Self, std::io::Error> {
        let limited = settings.rate_limits == crate::config::Switch::On;
        let limits = Limits::new(limited, Arc::clone(&clock));
        let live = Live::new(db.clone(), Arc::clone(&clock), limited);
        let bids = BidQueue::open(db.clone(), Arc::clone(&clock), live.clone())?;
        let sessions = Arc::<SessionCache>::default();
        let known = Arc::<Known>::default();
        instances::follow(&db, live.clone(), Arc::clone(&sessions), Arc::clone(&known));
        Ok(Self::of(Parts {
            db,
            bids,
            live,
            clock,
            settings: Arc::new(settings),
            limits: Arc::new(limits),
            passwords: Arc::new(Passwords::default()),
            sessions,
            known,
            site: Arc::new(Site::load()),
            turns: Arc::new(Turns::for_this_machine()),
            check_due: Arc::default(),
            stopping: CancellationToken::new(),
            control,
        }))
    }

    pub fn of(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }

    /// To be called once a change of the user, or the end of several of their sessions, is committed.
    pub fn forget_user(&self, id: UserId) {
        self.sessions.forget_user(id);
        self.known.forget_people();
    }
}

impl std::ops::Deref for AppState {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

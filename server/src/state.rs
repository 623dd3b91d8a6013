//! What every handler can reach.

use std::sync::Arc;

use crate::accounts::password::Passwords;
use crate::accounts::session_cache::SessionCache;
use crate::bids::queue::BidQueue;
use crate::clock::Clock;
use crate::config::Settings;
use crate::db::Database;
use crate::limits::Limits;
use crate::live::Live;
use crate::site::Site;

/// Cheap to clone: each handler gets its own.
#[derive(Clone)]
pub struct AppState {
    pub db: Database,
    pub bids: BidQueue,
    pub live: Live,
    pub clock: Arc<dyn Clock>,
    pub settings: Arc<Settings>,
    pub limits: Arc<Limits>,
    pub passwords: Arc<Passwords>,
    pub sessions: Arc<SessionCache>,
    pub site: Arc<Site>,
}

impl AppState {
    pub fn new(db: Database, clock: Arc<dyn Clock>, settings: Settings) -> Self {
        let limited = settings.rate_limits == crate::config::Switch::On;
        let limits = Limits::new(limited, Arc::clone(&clock));
        let live = Live::new(db.clone(), Arc::clone(&clock), limited);
        let bids = BidQueue::open(db.clone(), Arc::clone(&clock), live.clone());
        Self {
            db,
            bids,
            live,
            clock,
            settings: Arc::new(settings),
            limits: Arc::new(limits),
            passwords: Arc::new(Passwords::default()),
            sessions: Arc::default(),
            site: Arc::new(Site::load()),
        }
    }
}

//! The state of the server. Handlers take the parts that they need through `FromRef`.

use std::sync::{Arc, OnceLock};

use accounts::failed_sign_ins::FailedSignIns;
use accounts::limits::RateLimits;
use accounts::outbox::Outbox;
use accounts::registration::RegistrationMode;
use accounts::session::SessionCache;
use accounts::{Accounts, hashing::Passwords};
use app::assets::Assets;
use auction_house::bids::leads::{LeadNotices, OfOtherServers};
use auction_house::bids::probe::probe;
use auction_house::bids::queue::BidQueue;
use auction_house::context::Context;
use auction_house::events::Events;
use auction_house::images::Images;
use auction_house::live::Live;
use auction_house::mail::job::MailJob;
use auction_house::notifications::Notifier;
use auction_house::notifications::new_browser::NotifyOfBrowsers;
use auction_house::work::LongWork;
use axum::extract::FromRef;
use installation::Installation;
use installation::config::{Listen, RegistrationPolicy, Settings, Switch};
use installation::control::Control;
use installation::journal::RunFeed;
use platform::db::Database;
use platform::http::HttpSettings;
use platform::http::answer_memory::AnswerMemory;
use platform::http::large_body::LargeBodies;
use platform::http::read_limiter::ReadLimiter;
use platform::low_priority::LowPriority;
use platform::signals::{self, Signals};
use platform::time::Clock;
use tokio::sync::{Notify, Semaphore};
use tokio_util::sync::CancellationToken;

use crate::http::compression::Compressor;
use crate::http::file_pace::FilePace;
use crate::pages::cache::PageCache;
use crate::pages::demo::DemoWindow;
use crate::pictures::needed_images;
use crate::site;

/// Backups that are sent at the same time: each occupies a thread.
const DOWNLOADS_MAX: usize = 1;

/// A single pointer, because each layer around a handler clones it for each request.
#[derive(Clone)]
pub struct AppState(Arc<Parts>);

/// The parts of the state.
#[derive(Clone)]
pub struct Parts {
    pub context: Context,
    pub accounts: Arc<Accounts>,
    pub limits: Arc<RateLimits>,
    pub http: Arc<HttpSettings>,
    pub images: Images,
    pub bids: BidQueue,
    pub leads: LeadNotices,
    pub live: Live,
    pub installation: Arc<Installation>,
    pub pages: Arc<PageCache>,
    pub assets: Arc<Assets>,
    pub reads: Arc<ReadLimiter>,
    pub large_bodies: LargeBodies,
    pub low_priority: Arc<LowPriority>,
    pub compressor: Arc<Compressor>,
    pub file_pace: Arc<FilePace>,
    pub answer_memory: Arc<AnswerMemory>,
    /// The way into a demo, set at the start of one.
    pub demo: Arc<OnceLock<DemoWindow>>,
}

impl AppState {
    /// The state of a server without a supervisor.
    pub fn new(db: Database, clock: Arc<dyn Clock>, settings: Settings) -> Result<Self, std::io::Error> {
        Self::supervised(db, clock, settings, Control::unsupervised())
    }

    /// # Errors
    /// The threads of the bid queue and of expensive work can't be started, or the access to the bucket of
    /// pictures is incomplete.
    pub fn supervised(
        db: Database,
        clock: Arc<dyn Clock>,
        settings: Settings,
        control: Control,
    ) -> Result<Self, std::io::Error> {
        let limited = settings.rate_limits == Switch::On;
        let http = Arc::new(HttpSettings {
            public_url: settings.public_url.clone(),
            trusted_proxies: settings.trusted_proxies.clone(),
            cookie_port: cookie_port(settings.listen),
        });
        let file_pace = Arc::new(FilePace::new(limited, Arc::clone(&clock)));
        let answer_memory = Arc::<AnswerMemory>::default();
        let low_priority = Arc::new(LowPriority::start()?);
        let live = Live::new(
            db.clone(),
            Arc::clone(&clock),
            Arc::clone(&answer_memory),
            Arc::clone(&low_priority),
            limited,
        );
        let (sessions, pages) = (Arc::<SessionCache>::default(), Arc::<PageCache>::default());
        let signals = Signals::new(vec![
            Box::new(Arc::clone(&sessions)),
            Box::new(Arc::clone(&pages)),
            Box::new(live.clone()),
        ]);
        let leads = LeadNotices::default();
        let events =
            Events::new(vec![Box::new(live.clone()), Box::new(Arc::clone(&pages)), Box::new(leads.clone())]);
        let of_others = Events::new(vec![
            Box::new(live.clone()),
            Box::new(Arc::clone(&pages)),
            Box::new(OfOtherServers(leads.clone())),
        ]);
        signals::follow(&db, vec![Box::new(signals.clone()), Box::new(of_others)]);
        let limits = Arc::new(RateLimits::new(limited, Arc::clone(&clock)));
        let outbox = Outbox { sends_mail: settings.mailer().is_some() };
        let notifier = Notifier { outbox };
        let new_browser = NotifyOfBrowsers { notifier, events: events.clone() };
        let accounts = Arc::new(Accounts {
            db: db.clone(),
            clock: Arc::clone(&clock),
            signals,
            limits: Arc::clone(&limits),
            passwords: Passwords::new(Arc::clone(&low_priority)),
            failed_sign_ins: FailedSignIns::default(),
            sessions,
            http: Arc::clone(&http),
            registration: mode_of(settings.registration),
            outbox,
            new_browser: Some(Box::new(new_browser)),
        });
        let admin_changed = {
            let pages = Arc::clone(&pages);
            Box::new(move || pages.forget_people())
        };
        let store = settings.image_store().map_err(std::io::Error::other)?;
        let images = Images::new(store, settings.uploads_dir(), db.clone(), Arc::clone(&clock));
        let runs = RunFeed::new(settings.data_dir.clone());
        let bids = BidQueue::open(db.clone(), Arc::clone(&clock), events.clone(), notifier, leads.recent())?;
        let probed = bids.clone();
        let installation = Arc::new(Installation {
            db: db.clone(),
            clock: Arc::clone(&clock),
            settings: Arc::new(settings),
            http: Arc::clone(&http),
            accounts: Arc::clone(&accounts),
            admin_changed,
            bid_probe: Box::new(move || {
                let queue = probed.clone();
                Box::pin(async move { probe(&queue).await.is_ok() })
            }),
            control,
            image_store: OnceLock::new(),
            needed_images,
            runs,
            check_due: Notify::new(),
            downloads: Arc::new(Semaphore::new(DOWNLOADS_MAX)),
            stopping: CancellationToken::new(),
        });
        let work = Arc::new(LongWork::new(Arc::clone(&low_priority), Arc::clone(&limits)));
        Ok(Self::of(Parts {
            context: Context { db, clock, events, notifier, work },
            accounts,
            limits,
            http,
            images,
            bids,
            leads,
            live,
            installation,
            pages,
            assets: Arc::new(site::assets()),
            reads: Arc::new(ReadLimiter::for_this_machine()),
            large_bodies: LargeBodies::default(),
            low_priority,
            compressor: Arc::new(Compressor::for_this_machine()),
            file_pace,
            answer_memory,
            demo: Arc::default(),
        }))
    }

    /// The job that sends mail, if this installation sends any.
    pub fn mail_job(&self) -> Option<MailJob> {
        let (mailer, site) = self.installation.settings.mailer()?;
        let (context, accounts) = (self.context.clone(), Arc::clone(&self.accounts));
        Some(MailJob { context, accounts, mailer, site })
    }

    pub fn of(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }
}

/// The port of the names of cookies: two installations on one host have different ones.
fn cookie_port(listen: Listen) -> Option<u16> {
    let is_told_apart = ![0, Listen::default().port()].contains(&listen.port());
    is_told_apart.then(|| listen.port())
}

fn mode_of(registration: RegistrationPolicy) -> RegistrationMode {
    match registration {
        RegistrationPolicy::Open => RegistrationMode::Open,
        RegistrationPolicy::Invited => RegistrationMode::Invited,
        RegistrationPolicy::Closed => RegistrationMode::Closed,
    }
}

impl std::ops::Deref for AppState {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

/// Implements `FromRef` for parts of the state.
macro_rules! parts {
    ($($part:ident: $kind:ty,)*) => {
        $(impl FromRef<AppState> for $kind {
            fn from_ref(state: &AppState) -> Self {
                state.$part.clone()
            }
        })*
    };
}

parts! {
    context: Context,
    accounts: Arc<Accounts>,
    limits: Arc<RateLimits>,
    http: Arc<HttpSettings>,
    images: Images,
    bids: BidQueue,
    live: Live,
    installation: Arc<Installation>,
}

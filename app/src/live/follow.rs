//! A stream of events that is open while the page is visible.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::live::browser::{self, EventStream, StreamEvent};

/// Whether what a page shows is up to date, and if not, why.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Freshness {
    #[default]
    Current,
    /// The server does not respond.
    Stale,
    /// The session has expired.
    SignedOut,
    /// The viewer may not see the page any more.
    Forbidden,
    /// What the page shows was deleted or hidden.
    Gone,
}

impl Freshness {
    /// The freshness in words. Empty if the page is up to date.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Current => "",
            Self::Stale => "Not up to date: the server does not respond. Retrying…",
            Self::SignedOut => "Not up to date: you are signed out. Reload the page to sign in.",
            Self::Forbidden => "Not up to date: you may not see this any more.",
            Self::Gone => "This is no longer available.",
        }
    }
}

/// Sets the freshness after an event of the connection itself. A refusal does not say its reason, so another request asks
/// whether the session has expired.
pub fn freshen(freshness: RwSignal<Freshness>, event: &StreamEvent) {
    if event.kind() != "error" {
        freshness.set(Freshness::Current);
    } else if event.is_refusal() {
        spawn_local(async move {
            freshness.set(match browser::is_signed_in().await {
                Ok(true) => Freshness::Forbidden,
                Ok(false) => Freshness::SignedOut,
                Err(browser::Unreachable) => Freshness::Stale,
            });
        });
    } else {
        freshness.set(Freshness::Stale);
    }
}

/// How often a refused stream is opened again. The browser itself reconnects a broken one.
const RETRY_EVERY: Duration = Duration::from_secs(5);

/// On a hydrated page, opens the stream at `url` and closes it while the page is hidden. `url` is called for each
/// connection, so that it can name the last event received.
pub fn follow(url: Rc<dyn Fn() -> String>, on_event: Rc<dyn Fn(&StreamEvent)>) {
    Effect::new(move |_| {
        let (url, on_event) = (Rc::clone(&url), Rc::clone(&on_event));
        let stream = RefCell::new(None);
        let connect: Rc<dyn Fn()> = Rc::new(move || {
            let mut stream = stream.borrow_mut();
            if browser::hidden() {
                *stream = None;
            } else if stream.as_ref().is_none_or(EventStream::is_closed) {
                *stream = Some(EventStream::open(&url(), Rc::clone(&on_event)));
            }
        });
        connect();
        let retry = Rc::clone(&connect);
        set_interval(move || retry(), RETRY_EVERY);
        // Leaked on purpose: an island lives as long as its page.
        std::mem::forget(window_event_listener(leptos::ev::visibilitychange, move |_| connect()));
    });
}

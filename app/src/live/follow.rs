//! The subscription of an island: to a stream of events, or the page, which is refreshed in the background.

use std::rc::Rc;

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::live::browser::{self, StreamEvent, Subscription};

/// Whether what a page shows is up to date, and if not, why.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Freshness {
    #[default]
    Current,
    /// The server does not respond.
    Stale,
    /// The session has expired, or only those who are signed in may see the page from now on.
    SignedOut,
    /// The server has no room for another stream, of this user, of this address or at all.
    Crowded,
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
            Self::Stale => "Connection lost. Retrying…",
            Self::SignedOut => "You are not signed in. Reload the page to sign in.",
            Self::Crowded => "Not live: too many pages are open. Reload this one to see what is new.",
            Self::Forbidden => "You may not see this any more.",
            Self::Gone => "This is no longer available.",
        }
    }
}

/// Sets the freshness after an event of the connection itself. A refusal does not say its reason, so another
/// request asks for it.
pub fn freshen(freshness: RwSignal<Freshness>, event: &StreamEvent) {
    if event.kind() != "error" {
        freshness.set(Freshness::Current);
    } else if let Some(url) = event.refused_url() {
        spawn_local(async move {
            freshness.set(match browser::status_of(&url).await {
                Ok(401) => Freshness::SignedOut,
                Ok(403 | 404) => Freshness::Forbidden,
                Ok(429 | 503) => Freshness::Crowded,
                // It may have room by now, and is tried again.
                Ok(_) | Err(browser::Unreachable) => Freshness::Stale,
            });
        });
    } else {
        freshness.set(Freshness::Stale);
    }
}

/// On a hydrated page, follows the stream at `url` until the component is removed. `after` in the address is
/// the last event that the page shows.
pub fn follow(url: String, on_event: Rc<dyn Fn(&StreamEvent)>) {
    subscribe(move || browser::follow(&url, Rc::clone(&on_event)));
}

/// On a hydrated page, calls `on_state` with the island's state in JSON after each refresh of the page.
pub fn follow_page(on_state: Rc<dyn Fn(&str)>) {
    let on_event = data_of(on_state);
    subscribe(move || browser::on_refresh(Rc::clone(&on_event)));
}

/// On a hydrated page, calls `on_state` with what the browser keeps of calls in `place`, in JSON, at once and
/// on each change.
pub fn follow_outbox(place: String, on_state: Rc<dyn Fn(&str)>) {
    let on_event = data_of(on_state);
    subscribe(move || browser::follow_outbox(&place, Rc::clone(&on_event)));
}

/// Subscribes once. A subscription may call its listener at once: what that reads does not subscribe again.
fn subscribe(start: impl Fn() -> Subscription + 'static) {
    Effect::new(move |_| untrack(&start));
}

fn data_of(on_state: Rc<dyn Fn(&str)>) -> Rc<dyn Fn(&StreamEvent)> {
    Rc::new(move |event| on_state(&event.data().unwrap_or_default()))
}

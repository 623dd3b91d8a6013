//! What the viewer has available for an item, as it changes.
//!
//! A page has one stream of the user's events, that of the bell (`bell.js`). It marks the element that shows what the viewer
//! has in the page's book when that changes, and dispatches an event.

use std::cell::Cell;
use std::rc::Rc;

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::live::browser;
use crate::model::Balance;

/// What the viewer has available for an item. `rendered` is absent in an auction without a book.
///
/// It is not what the balance has available: that does not contain the viewer's own bid on the item, which a higher one
/// replaces. The page knows this bid from another stream, so that adding it would be wrong whenever one is ahead of the
/// other. Each change of the balance therefore asks the server. Bids on the item itself change nothing in the meantime.
pub fn follow_available(
    auction_id: &str,
    item_id: &str,
    rendered: Option<String>,
) -> RwSignal<Option<String>> {
    let has_book = rendered.is_some();
    let available = RwSignal::new(rendered);
    if !has_book {
        return available;
    }
    let url = format!("/api/auctions/{auction_id}/balance?item={item_id}");
    // A change during a request causes another one.
    let (busy, again) = (Rc::new(Cell::new(false)), Rc::new(Cell::new(false)));
    let ask = move || {
        again.set(true);
        if busy.replace(true) {
            return;
        }
        let (busy, again, url) = (Rc::clone(&busy), Rc::clone(&again), url.clone());
        spawn_local(async move {
            while again.take() {
                if let Ok(balance) = browser::get_json::<Balance>(&url).await {
                    available.set(Some(balance.available));
                }
            }
            busy.set(false);
        });
    };
    Effect::new(move |_| {
        if browser::exists("#own-funds[data-changed]") {
            ask();
        }
        let ask = ask.clone();
        // Leaked on purpose: an island lives as long as its page.
        std::mem::forget(window_event_listener_untyped("balance", move |_| ask()));
    });
    available
}

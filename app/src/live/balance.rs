//! What the viewer has in the book of the page's auction, as it changes.
//!
//! A page has one stream of the user's events, that of the bell (`bell.js`). It writes each balance of this book into an
//! attribute of the element that shows it, from which an island that starts later reads it, and then dispatches an event.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::live::browser;
use crate::model::{Balance, OwnFunds};

/// Id of the element that shows what the viewer has.
pub const ELEMENT: &str = "own-funds";
/// Name of the state with which that element was rendered.
pub const STATE: &str = "own-funds-state";

/// On a hydrated page, calls `on_change` with each balance that differs from the one before.
pub fn follow_balance(on_change: Rc<dyn Fn(Balance)>) {
    Effect::new(move |_| {
        let rendered = browser::read_text_of::<OwnFunds>(STATE).and_then(|funds| funds.balance);
        let (known, on_change) = (RefCell::new(rendered), Rc::clone(&on_change));
        let read = move || {
            let balance: Option<Balance> = browser::read_attribute_of(ELEMENT, "data-balance");
            if let Some(balance) = balance.filter(|balance| known.borrow().as_ref() != Some(balance)) {
                known.replace(Some(balance.clone()));
                on_change(balance);
            }
        };
        read();
        // Leaked on purpose: an island lives as long as its page.
        std::mem::forget(window_event_listener_untyped("balance", move |_| read()));
    });
}

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
    follow_balance(Rc::new(move |_| {
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
    }));
    available
}

//! What the viewer has available for an item, as it changes.
//!
//! A page has one stream of the user's events, that of the bell (`bell.js`). After a change of what the viewer has, it requests
//! the page again, and copies what is available for the item into an attribute.

use leptos::prelude::*;

use crate::live::browser;

/// What the viewer has available for an item. `rendered` is absent in an auction without a book.
///
/// It is not what the balance has available: that does not contain the viewer's own bid on the item, which a higher one
/// replaces. The page knows this bid from another stream, so that adding it would be wrong whenever one is ahead of the
/// other. The server says it instead. Bids on the item itself change nothing in the meantime.
pub fn follow_available(rendered: Option<String>) -> RwSignal<Option<String>> {
    let available = RwSignal::new(rendered);
    Effect::new(move |_| {
        let read = move || {
            if let newest @ Some(_) = browser::attribute_of("own-funds", "data-available") {
                available.set(newest);
            }
        };
        read();
        // Leaked on purpose: an island lives as long as its page.
        std::mem::forget(window_event_listener_untyped("balance", move |_| read()));
    });
    available
}

//! A stream of news that is listened to as long as somebody looks.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use leptos::prelude::*;

use crate::live::browser::{self, EventStream, Told};

/// A stream that breaks is tried again by the browser itself; one that is refused, by the page.
const RETRY_EVERY: Duration = Duration::from_secs(5);

/// On a page that is awake, opens the stream at `url` and closes it while the page is out of sight. `url` is asked
/// each time, so that it can say from where on.
pub fn follow(url: Rc<dyn Fn() -> String>, hear: Rc<dyn Fn(&Told)>) {
    Effect::new(move |_| {
        let (url, hear) = (Rc::clone(&url), Rc::clone(&hear));
        let stream = RefCell::new(None);
        let look: Rc<dyn Fn()> = Rc::new(move || {
            let mut stream = stream.borrow_mut();
            if browser::hidden() {
                *stream = None;
            } else if stream.as_ref().is_none_or(EventStream::ended) {
                *stream = Some(EventStream::open(&url(), Rc::clone(&hear)));
            }
        });
        look();
        let again = Rc::clone(&look);
        set_interval(move || again(), RETRY_EVERY);
        // Leaked on purpose: an island lives as long as its page.
        std::mem::forget(window_event_listener(leptos::ev::visibilitychange, move |_| look()));
    });
}

//! Refreshes a page that only the server renders: each event makes the island request the page again and copy what has
//! changed. The bundle needs no code to render the page.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use web_sys::Document;

use crate::live::browser;
use crate::live::follow::follow;

/// Class of the elements whose content and class are copied. Each has an id.
const LIVE: &str = "live";

/// Follows the stream at `url`. `shown` is the id of the event whose state the page shows. The signal says whether the
/// page may be out of date.
pub fn refresh_on_events(url: String, shown: String) -> RwSignal<bool> {
    let refresher = Refresher::new(shown);
    let stale = refresher.stale;
    follow(
        Rc::new(move || url.clone()),
        Rc::new(move |event| match event.kind().as_str() {
            "error" => stale.set(true),
            // The first event of each connection is the current state.
            "open" => {}
            _ => refresher.show(event.id()),
        }),
    );
    stale
}

/// Follows the viewer's own events, which the script of the bell hears (`bell.js`). The signal says whether the page may be
/// out of date.
pub fn refresh_on_own_events() -> RwSignal<bool> {
    let refresher = Refresher::new(String::new());
    let stale = refresher.stale;
    Effect::new(move |_| {
        let refresher = refresher.clone();
        let read = move || match browser::attribute_of("bell", "data-stale") {
            Some(_) => stale.set(true),
            None => refresher.show(browser::attribute_of("bell", "data-heard").unwrap_or_default()),
        };
        // There may have been events before this island started.
        read();
        // Leaked on purpose: an island lives as long as its page.
        std::mem::forget(window_event_listener_untyped("own-events", move |_| read()));
    });
    stale
}

/// Requests the page again until it shows the last state that was heard of, with one request at a time.
#[derive(Clone)]
struct Refresher {
    stale: RwSignal<bool>,
    shown: Rc<RefCell<String>>,
    heard: Rc<RefCell<String>>,
    busy: Rc<Cell<bool>>,
    again: Rc<Cell<bool>>,
}

impl Refresher {
    fn new(shown: String) -> Self {
        Self {
            stale: RwSignal::new(false),
            shown: Rc::new(RefCell::new(shown)),
            heard: Rc::default(),
            busy: Rc::default(),
            again: Rc::default(),
        }
    }

    /// Shows this state of the page.
    fn show(&self, state: String) {
        self.heard.replace(state);
        if *self.shown.borrow() == *self.heard.borrow() {
            return self.stale.set(false);
        }
        // A state that arrives during a request causes another one.
        self.again.set(true);
        if !self.busy.replace(true) {
            spawn_local(self.clone().refresh());
        }
    }

    async fn refresh(self) {
        while self.again.take() {
            let state = self.heard.borrow().clone();
            let newer = browser::fetch_page().await;
            self.stale.set(newer.is_err());
            if newer.is_ok() {
                self.shown.replace(state);
            }
            if newer.is_ok_and(|newer| !copy_changes(&newer)) {
                browser::reload();
            }
        }
        self.busy.set(false);
    }
}

/// Copies the content and class of each live element. Returns whether both pages have the same live elements.
fn copy_changes(newer: &Document) -> bool {
    let current = document();
    let (new, old) = (newer.get_elements_by_class_name(LIVE), current.get_elements_by_class_name(LIVE));
    let mut same = new.length() == old.length();
    for new in (0..new.length()).filter_map(|at| new.item(at)) {
        let Some(old) = current.get_element_by_id(&new.id()) else {
            same = false;
            continue;
        };
        if old.class_name() != new.class_name() {
            old.set_class_name(&new.class_name());
        }
        if old.text_content() != new.text_content() {
            old.set_inner_html(&new.inner_html());
        }
    }
    same
}

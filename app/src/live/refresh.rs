//! Refreshes a page that only the server renders: each event of a stream makes the island request the page again and
//! copy what has changed. The bundle needs no code to render the page.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use web_sys::Document;

use crate::live::browser;
use crate::live::follow::follow;

/// Class of the elements whose text and class are copied. Each has an id.
const LIVE: &str = "live";

/// Follows the stream at `url`. `shown` is the id of the event whose state the page shows. The signal says whether the
/// page may be out of date.
pub fn refresh_on_events(url: String, shown: String) -> RwSignal<bool> {
    let stale = RwSignal::new(false);
    let (shown, heard) = (Rc::new(RefCell::new(shown)), Rc::new(RefCell::new(String::new())));
    // An event that arrives during a request causes another one.
    let (busy, again) = (Rc::new(Cell::new(false)), Rc::new(Cell::new(false)));
    follow(
        Rc::new(move || url.clone()),
        Rc::new(move |event| {
            match event.kind().as_str() {
                "error" => return stale.set(true),
                // The first event of each connection is the current state.
                "open" => return,
                _ => {}
            }
            heard.replace(event.id());
            if *shown.borrow() == *heard.borrow() {
                return stale.set(false);
            }
            again.set(true);
            if busy.replace(true) {
                return;
            }
            let (busy, again) = (Rc::clone(&busy), Rc::clone(&again));
            let (shown, heard) = (Rc::clone(&shown), Rc::clone(&heard));
            spawn_local(async move {
                while again.take() {
                    let state = heard.borrow().clone();
                    let newer = browser::fetch_page().await;
                    stale.set(newer.is_err());
                    if newer.is_ok() {
                        shown.replace(state);
                    }
                    if newer.is_ok_and(|newer| !copy_changes(&newer)) {
                        browser::reload();
                    }
                }
                busy.set(false);
            });
        }),
    );
    stale
}

/// Copies the text and class of each live element. Returns whether both pages have the same live elements.
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
            old.set_text_content(new.text_content().as_deref());
        }
    }
    same
}

//! A page that is drawn by the server alone, kept true while one looks: on each news it is asked for once more, and
//! what has changed of it is taken over. So nothing is drawn twice, and the browser need not know what it shows.

use std::cell::Cell;
use std::rc::Rc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use web_sys::Document;

use crate::live::browser;
use crate::live::follow::follow;

/// What stays the same element, and may have another text or class. It has an id.
const MARK: &str = "live";

/// Follows the stream at `url`. Says whether what is shown may be out of date.
pub fn keep_true(url: &'static str) -> RwSignal<bool> {
    let unsure = RwSignal::new(false);
    // What is told while the page is on its way is not lost: then it is asked for again.
    let (busy, again) = (Rc::new(Cell::new(false)), Rc::new(Cell::new(false)));
    follow(
        Rc::new(move || url.to_owned()),
        Rc::new(move |told| {
            if told.kind() == "error" {
                unsure.set(true);
                return;
            }
            again.set(true);
            if busy.replace(true) {
                return;
            }
            let (busy, again) = (Rc::clone(&busy), Rc::clone(&again));
            spawn_local(async move {
                while again.take() {
                    let newer = browser::page_again().await;
                    unsure.set(newer.is_err());
                    if newer.is_ok_and(|newer| !take_over(&newer)) {
                        browser::reload();
                    }
                }
                busy.set(false);
            });
        }),
    );
    unsure
}

/// Whether the newer page has the same elements as this one, which then are as it has them.
fn take_over(newer: &Document) -> bool {
    let here = document();
    let (marked, old) = (newer.get_elements_by_class_name(MARK), here.get_elements_by_class_name(MARK));
    let mut same = marked.length() == old.length();
    for new in (0..marked.length()).filter_map(|at| marked.item(at)) {
        let Some(old) = here.get_element_by_id(&new.id()) else {
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

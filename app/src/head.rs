//! Elements that a page adds to the head of its document: title, description, and the files of its bundle.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use leptos::prelude::*;

/// The elements so far, as HTML, and whether search engines may list the page.
#[derive(Clone, Default)]
pub struct Head {
    elements: Arc<Mutex<String>>,
    is_listed: Arc<AtomicBool>,
}

impl Head {
    /// Returns the elements and leaves none.
    pub fn take(&self) -> String {
        std::mem::take(&mut self.elements.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether search engines may list the page.
    pub fn is_listed(&self) -> bool {
        self.is_listed.load(Ordering::Relaxed)
    }
}

/// Adds elements to the head of the document.
pub fn add_to_head(elements: impl IntoView) {
    let head: Head = expect_context();
    let html = elements.into_view().to_html();
    head.elements.lock().unwrap_or_else(PoisonError::into_inner).push_str(&html);
}

/// Lets search engines list the page. All others ask not to be listed.
pub fn let_search_engines_list() {
    expect_context::<Head>().is_listed.store(true, Ordering::Relaxed);
}

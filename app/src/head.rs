//! Elements that a page adds to the head of its document: title, description, and the files of its bundle.

use std::sync::{Arc, Mutex, PoisonError};

use leptos::prelude::*;

/// The elements so far, as HTML.
#[derive(Clone, Default)]
pub struct Head(Arc<Mutex<String>>);

impl Head {
    /// Returns the elements and leaves none.
    pub fn take(&self) -> String {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Adds elements to the head of the document.
pub fn add_to_head(elements: impl IntoView) {
    let head: Head = expect_context();
    let html = elements.into_view().to_html();
    head.0.lock().unwrap_or_else(PoisonError::into_inner).push_str(&html);
}

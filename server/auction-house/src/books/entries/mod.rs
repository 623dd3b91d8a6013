//! Writing and reading the entries of a book.

pub mod grant;
pub mod list;
pub mod notify;
pub mod reverse;

use crate::books::Entry;

/// A page of entries, newest first, and the sequence before which the next one begins.
#[derive(Debug)]
pub struct EntryPage {
    pub entries: Vec<Entry>,
    pub next_before: Option<i64>,
}

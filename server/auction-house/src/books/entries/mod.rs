//! Writing and reading the entries of a book.

pub mod grant;
pub mod list;
pub mod notify;
pub mod reverse;

//! The holders of a book.

pub mod add;
pub mod change_role;
pub mod list;

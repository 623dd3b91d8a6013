//! The holders of a book.

pub mod add;
pub mod change_role;
pub mod join;
pub mod leave;
pub mod list;
pub mod reach;

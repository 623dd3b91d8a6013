//! Selling aloud in one room.

pub mod clerk;
mod facts;
mod next;
mod price;
pub mod screen;

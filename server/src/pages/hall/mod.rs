//! Selling aloud in one room.

pub mod clerk;
mod facts;
mod price;
pub mod screen;

//! Selling aloud in one room.

pub mod clerk;
mod desk;
mod facts;
mod next;
pub mod order;
mod price;
pub mod screen;

//! Selling aloud in one room.

pub mod clerk;
mod desk;
mod expected;
mod facts;
mod next;
mod odd;
pub mod order;
pub mod present;
mod price;
pub mod screen;

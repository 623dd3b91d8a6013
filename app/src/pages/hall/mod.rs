//! Selling aloud in one room: the page of a clerk, and the screen in the hall.

pub mod clerk;
pub mod next;
pub mod order;
pub mod screen;

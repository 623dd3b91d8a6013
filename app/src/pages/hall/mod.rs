//! Selling aloud in one room: the page of a clerk, the running order, and the screen in the hall.

pub mod calls;
pub mod desk;
pub mod desk_state;
pub mod new_call;
pub mod typed;

//! The desk of a clerk.

pub mod calls;
pub mod desk;
pub mod desk_state;
pub mod new_call;
pub mod typed;

//! Books: what people own in one base unit (contract, section 12).

pub mod funds;
pub mod posting;
pub mod state;
pub mod store;

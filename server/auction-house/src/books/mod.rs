//! Books: what people own in one base unit (contract, section 12).

pub mod funds;
pub mod store;

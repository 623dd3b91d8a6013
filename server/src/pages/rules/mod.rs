//! The pages of an auction's rules. The page of its currencies lists them.

pub mod buttons;
pub mod edit;
mod form;
pub mod new;

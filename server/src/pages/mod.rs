//! The pages' side of the process: drawing them, and taking the forms that they post.

mod auction_model;
mod item_model;
pub mod render;
pub mod services;

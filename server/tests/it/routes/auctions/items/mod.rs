mod assign;
pub mod bids;
mod create;
mod delete;
mod events;
mod patch;
mod price;
mod show;

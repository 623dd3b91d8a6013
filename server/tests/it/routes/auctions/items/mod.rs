pub mod bids;
mod create;
mod delete;
mod patch;
mod price;
mod show;

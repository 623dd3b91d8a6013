pub mod bids;
mod create;
mod price;
mod show;

mod account;
mod admin;
mod bids;
mod frame;
mod wire;

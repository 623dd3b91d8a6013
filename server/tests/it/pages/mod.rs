mod account;
mod admin;
mod bids;
mod bounds;
mod form_fields;
mod frame;
mod own_account;
mod wire;

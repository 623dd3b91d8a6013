mod account;
mod admin;
mod frame;

mod account;
mod frame;

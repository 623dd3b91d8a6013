pub mod auctions;
mod auth;
mod authorization;
mod health;
mod user;

pub mod auctions;
mod auth;
mod authorization;
mod health;
mod system;
mod user;
mod version;

pub mod auctions;
pub mod auth;
mod authorization;
mod health;
pub mod system;
mod user;
mod version;

pub mod auctions;
pub mod auth;
mod authorization;
mod health;
mod quotas;
pub mod system;
mod user;
mod version;

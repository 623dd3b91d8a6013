pub mod auctions;
pub mod auth;
mod authorization;
mod books;
mod health;
mod quotas;
pub mod system;
mod user;
mod version;

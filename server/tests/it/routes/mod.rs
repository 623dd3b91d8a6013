mod auctions;
mod auth;
mod user;

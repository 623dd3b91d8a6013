mod auth;
mod user;

//! Pages: their data, and the forms that they post.

pub mod account;
mod account_model;
pub mod admin;
mod admin_model;
mod auction_model;
pub mod auction_settings;
pub mod auctions;
pub mod bid;
pub mod cache;
pub mod currencies;
mod currency_model;
pub mod form;
mod item_form;
mod item_model;
pub mod items;
mod money_model;
mod outcome_model;
pub mod outcomes;
pub mod own_account;
pub mod posted;
mod results_model;
pub mod rules;
pub mod services;
pub mod show;
pub mod wire;

//! The pages, one folder per noun. The file of a page has the handler that reads its data and renders its
//! view, which is a component of `app`, and the handlers of its forms.

pub mod account;
pub mod admin;
mod amounts;
pub mod auctions;
pub mod books;
pub mod cache;
mod cldr;
pub mod currencies;
pub mod dashboard;
pub mod error;
pub mod fallback;
mod field_problem;
mod form;
pub mod form_route;
pub mod groups;
pub mod hall;
mod header;
mod import_file;
mod iso_currencies;
pub mod items;
pub mod joining;
pub mod members;
mod money;
mod money_style;
pub mod notifications;
mod past_imports;
mod presentation;
mod public_page;
mod qr;
mod redraw;
mod request;
pub mod rules;
pub mod start;
mod table_form;
mod viewer_locale;
pub mod wire;

//! The sale. One folder per noun: `routes.rs` speaks HTTP, `store.rs` speaks SQL, and each verb between them
//! has a file. The folders are rooms in an order: locks, usage, events, notifications, work, access, imports,
//! people, inbox, creations, books, auctions, members, groups, currencies, rules, currency_sets, images,
//! items, bids, export, mail, live. A room imports only from rooms before it (`server/tests/it/tidy/rooms.rs`
//! checks this).

pub mod base_unit;
pub mod codes;
pub mod context;
pub mod denomination;
pub mod engine;
pub mod engine_schema;
pub mod ids;
pub mod locks;
pub mod path;
pub mod work;

pub mod access;
#[macro_use]
pub mod auctions;
pub mod bids;
pub mod books;
pub mod creations;
pub mod currencies;
pub mod currency_sets;
pub mod events;
pub mod export;
pub mod groups;
pub mod images;
pub mod imports;
pub mod inbox;
pub mod items;
pub mod live;
pub mod mail;
pub mod members;
pub mod notifications;
pub mod people;
pub mod rules;
pub mod usage;
pub mod waiting;

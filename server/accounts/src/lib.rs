//! People: accounts, passwords, sessions, links to set a new password, preferences, their management by the
//! Deployment Admin, the audit log (SPEC, section 2), and groups with their managed users (section 14).
//!
//! The rooms (modules) have an order, in which a room imports only from rooms before it
//! (`server/tests/it/tidy/rooms.rs` checks this): the parts of a person → `user`, `groups` → what verbs work
//! with, such as `locks`, `audit` and `session` → `context` → the verbs → `routes`. A table is read and
//! written by the store of its room.

pub mod codes;
pub mod ids;
pub mod locks;
pub mod path;
pub mod signal;

pub mod administration;
pub mod audit;
mod change_locale;
pub mod change_password;
pub mod change_preferences;
pub mod confirm_email;
mod context;
pub mod credentials;
pub mod device;
pub mod email_links;
pub mod erase;
pub mod extract;
pub mod failed_sign_ins;
pub mod forgot_password;
pub mod groups;
pub mod hashing;
pub mod limits;
pub mod locale;
pub mod manage;
pub mod managed;
pub mod name;
pub mod new_browser;
pub mod outbox;
pub mod own_sessions;
pub mod password;
pub mod person;
pub mod preferences;
pub mod profile;
pub mod register;
pub mod registration;
pub mod reset_links;
pub mod reset_password;
pub mod routes;
pub mod second_factor;
pub mod send_email_link;
pub mod session;
pub mod sign_in;
pub mod sign_in_by_number;
pub mod sign_in_with_code;
pub mod sign_out;
pub mod upgrade;
pub mod user;
pub mod user_agent;

pub use context::Accounts;
pub use person::Person;
pub use signal::Signal;
pub use user::User;

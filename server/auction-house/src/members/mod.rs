//! Becoming a member of an auction, by its link, by an invite or by joining it, and what becomes of members.

pub mod balance;
pub mod change_role;
pub mod cursor;
pub mod document;
pub mod invites;
pub mod join;
pub mod link;
pub mod list;
pub mod present;
pub mod remove;
pub mod routes;
pub mod transfer;

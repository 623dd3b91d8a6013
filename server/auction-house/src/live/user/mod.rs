//! The stream of one user's events, on every page: notifications, with ids from which it resumes, and
//! balances in books.
//!
//! One task feeds the streams of all users. A commit wakes it for the users whom it concerns; every few
//! seconds it also reads for all of them, and authorizes them again. What it reads for a user comes from
//! `feed`: each kind of event is one reading there.

mod balances;
mod feed;
mod listeners;
pub mod routes;
mod stream;
mod task;

pub(super) use listeners::UserListeners;

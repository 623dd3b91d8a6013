//! The pages of notifications and of their mails.

pub(super) mod facts;
pub mod list;
pub mod no_invitations;
mod stop_mails;
pub mod unsubscribe;

//! Mails: the job that sends those of the outbox, what they say, and what a link in them does.

pub mod job;
mod prepare;
pub mod refuse_invitations;
pub mod unsubscribe;
mod words;

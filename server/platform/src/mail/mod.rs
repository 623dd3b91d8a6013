//! Mail over SMTP.

mod message;
mod send;
mod server;

pub use message::{MailFrom, MailList, MailMessage, NoMailFrom};
pub use send::{Mailer, SendError, SendTimeouts};
pub use server::{NoSmtpUrl, SmtpUrl};

//! Accounts where the sale has a say: registration by invitation, deletion, and mails about accounts.

mod account_mail;
pub mod change_password;
pub mod change_profile;
pub mod confirm_email;
pub mod delete;
pub mod forgot_password;
pub mod register;
pub mod reset_password;
pub mod routes;
pub mod second_factor;
pub mod send_email_link;
pub mod sign_in;
pub mod upgrade;

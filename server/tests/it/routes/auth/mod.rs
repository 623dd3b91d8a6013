mod login;
mod logout;
mod register;
pub mod reset_password;

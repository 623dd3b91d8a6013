mod guesses;
mod login;
mod logout;
mod passwords;
mod register;
pub mod reset_password;

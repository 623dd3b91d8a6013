mod login;
mod logout;
mod register;

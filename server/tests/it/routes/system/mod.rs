pub mod settings;
mod update;
mod users;

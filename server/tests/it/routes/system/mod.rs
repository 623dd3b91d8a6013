mod second_factor;
pub mod settings;
mod update;
mod users;

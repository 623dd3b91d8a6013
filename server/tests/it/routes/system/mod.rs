pub mod settings;
mod update;

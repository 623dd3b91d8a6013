//! Errors of file operations with the path, which the standard library leaves out.

use std::io;
use std::path::Path;

use anyhow::{Context, Result};

pub trait PathContext<T> {
    /// `action` completes the sentence “cannot … PATH”.
    fn on_path(self, action: &str, path: &Path) -> Result<T>;
}

impl<T> PathContext<T> for io::Result<T> {
    fn on_path(self, action: &str, path: &Path) -> Result<T> {
        self.with_context(|| format!("cannot {action} {}", path.display()))
    }
}

//! The pictures that a copy of the database needs. The sale knows them; the installation is given a function.

use std::path::PathBuf;

use futures::future::BoxFuture;
use platform::db::DbError;
use platform::db::copy::CopyError;

/// The files of pictures that the items of a database need.
#[derive(Debug, Clone)]
pub struct NeededImages {
    pub names: Vec<String>,
    /// Whether a file of this name has these bytes.
    pub is_whole: fn(&str, &[u8]) -> bool,
}

/// Why the copy can't be read.
#[derive(Debug, thiserror::Error)]
pub enum NeededImagesError {
    #[error(transparent)]
    Copy(#[from] CopyError),
    #[error("can't read which pictures the copy needs: {0}")]
    Db(#[from] DbError),
}

/// Finds the pictures that a copy of the database needs.
pub type NeededImagesOf = fn(PathBuf) -> BoxFuture<'static, Result<NeededImages, NeededImagesError>>;

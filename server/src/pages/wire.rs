//! Values that the API spells as text, as the enums of the pages.

use std::any::type_name;
use std::str::FromStr;

use app::components::error_page::LoadError;
use app::model::UnknownSpelling;

use super::error::{Loaded, PageError};

/// The value that the API spells `spelling`.
///
/// # Errors
/// [`LoadError::Unavailable`] if the pages do not know the spelling.
pub fn from_spelling<T: FromStr<Err = UnknownSpelling>>(spelling: &str) -> Loaded<T> {
    spelling.parse().map_err(|UnknownSpelling| {
        tracing::error!(spelling, page_type = type_name::<T>(), "the pages do not know this value");
        PageError(LoadError::Unavailable)
    })
}

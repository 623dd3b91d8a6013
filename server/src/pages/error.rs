//! Why a page could not be loaded.

use std::convert::Infallible;

use app::components::error_page::LoadError;
use auction_house::auctions::access::AccessError;
use platform::db::DbError;
use platform::log_field::logged;
use platform::verb::VerbError;

/// The result of loading the data of a page.
pub type Loaded<T> = Result<T, PageError>;

/// The error that the page shows instead of its data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageError(pub LoadError);

impl From<LoadError> for PageError {
    fn from(error: LoadError) -> Self {
        Self(error)
    }
}

impl From<DbError> for PageError {
    fn from(error: DbError) -> Self {
        tracing::error!(error = logged(&error), "can't read the data of a page");
        Self(LoadError::Unavailable)
    }
}

/// Errors of a list that is requested without a cursor.
impl From<VerbError<Infallible>> for PageError {
    fn from(error: VerbError<Infallible>) -> Self {
        match error {
            VerbError::Unauthenticated => Self(LoadError::SignInRequired),
            VerbError::Forbidden => Self(LoadError::Forbidden),
            VerbError::Db(error) => error.into(),
            _ => Self(LoadError::NotFound),
        }
    }
}

impl From<AccessError> for PageError {
    fn from(error: AccessError) -> Self {
        match error {
            AccessError::Unauthenticated => Self(LoadError::SignInRequired),
            AccessError::NotFound => Self(LoadError::NotFound),
            AccessError::Forbidden => Self(LoadError::Forbidden),
            AccessError::Db(error) => error.into(),
        }
    }
}

//! Problem documents (RFC 9457): the body of every refusal (SPEC, section 1).

pub use axum::http::StatusCode;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::db::DbError;
use crate::db::copy::CopyError;
pub use crate::fields::FieldError;
use crate::fields::Fields;
use crate::file_store::StoreError;
use crate::http::codes;
use crate::log_field::logged;

/// `Retry-After` while an update pauses writes.
const PAUSE_SECONDS: u32 = 5;
/// `Retry-After` while the database can't be reached.
const AWAY_SECONDS: u32 = 2;
/// `Retry-After` while a store of files does not answer.
const STORE_SECONDS: u32 = 10;

/// The reason for a refusal: a stable name with the status and the title of its answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Code {
    name: &'static str,
    status: StatusCode,
    title: &'static str,
}

impl Code {
    /// Only for [`codes!`](crate::codes), which declares a constant of the same name.
    pub const fn new(name: &'static str, status: StatusCode, title: &'static str) -> Self {
        Self { name, status, title }
    }

    pub fn as_str(self) -> &'static str {
        self.name
    }

    pub fn status(self) -> StatusCode {
        self.status
    }

    pub fn title(self) -> &'static str {
        self.title
    }
}

/// Declares the codes of a crate with their status and title, and a list of them all, `ALL`.
#[macro_export]
macro_rules! codes {
    ($($name:ident = $status:ident, $title:literal;)*) => {
        $(
            #[doc = $title]
            pub const $name: $crate::http::problem::Code = $crate::http::problem::Code::new(
                stringify!($name),
                $crate::http::problem::StatusCode::$status,
                $title,
            );
        )*

        /// Every code that this crate declares, in the order of their status.
        pub const ALL: &[$crate::http::problem::Code] = &[$($name,)*];
    };
}

impl Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// A refusal before it is written as a response. The cause of a [`codes::INTERNAL`] is logged, not sent.
#[derive(Debug, Clone)]
pub struct Problem {
    pub code: Code,
    pub detail: String,
    /// The fields of the body that are invalid.
    pub fields: Vec<FieldError>,
    /// The `details` of the response if they say more than the fields.
    own_details: Option<Box<RawValue>>,
    pub retry_after_seconds: Option<u32>,
}

impl Problem {
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        let detail = detail.into();
        Self { code, detail, fields: Vec::new(), own_details: None, retry_after_seconds: None }
    }

    /// A problem whose detail is the title of its code.
    pub fn plain(code: Code) -> Self {
        Self::new(code, format!("{}.", code.title()))
    }

    pub fn fields(fields: Vec<FieldError>) -> Self {
        let detail = match fields.as_slice() {
            [only] if only.is_sentence() && only.path.is_empty() => only.message.clone(),
            [only] if only.path.is_empty() => only.sentence("The body"),
            [only] => only.sentence(&format!("`{}`", only.path)),
            _ => format!("{} fields are invalid.", fields.len()),
        };
        Self { fields, ..Self::new(codes::INVALID_BODY, detail) }
    }

    /// The problem with these `details`, which replace those of its fields in the response.
    pub fn with_details(self, details: &impl Serialize) -> Self {
        match to_raw_value(details) {
            Ok(details) => Self { own_details: Some(details), ..self },
            Err(error) => Self::internal(&error),
        }
    }

    /// The `details` of the response.
    pub fn details(&self) -> Option<Box<RawValue>> {
        #[derive(Serialize)]
        struct Details<'a> {
            fields: &'a [FieldError],
        }
        match &self.own_details {
            None if self.fields.is_empty() => None,
            None => to_raw_value(&Details { fields: &self.fields }).ok(),
            own => own.clone(),
        }
    }

    pub fn field(path: &str, message: impl Into<String>) -> Self {
        Self::fields(vec![FieldError::new(path, message)])
    }

    /// A problem with one field, explained in a sentence for people.
    pub fn explained(path: &str, message: impl Into<String>) -> Self {
        Self::fields(vec![FieldError::explained(path, message)])
    }

    /// The disk is full. Nothing was changed.
    pub fn storage_full() -> Self {
        Self::new(codes::STORAGE_FULL, "The server's disk is full: nothing was changed.").retry_after(30)
    }

    /// An update pauses writes. Nothing was changed.
    pub fn paused() -> Self {
        let detail = "Writes pause for an update: nothing was changed. Try again later.";
        Self::new(codes::UPDATING, detail).retry_after(PAUSE_SECONDS)
    }

    /// The database can't be reached. What was sent to it before may have been executed.
    pub fn away() -> Self {
        let detail = "The database can't be reached. Try again in a moment, with the same Idempotency-Key.";
        Self::new(codes::OVERLOADED, detail).retry_after(AWAY_SECONDS)
    }

    /// A file can't be read or written.
    pub fn of_file(cause: &std::io::Error) -> Self {
        use std::io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        match cause.kind() {
            StorageFull | QuotaExceeded | FileTooLarge => {
                tracing::error!(error = logged(cause), "the disk is full");
                Self::storage_full()
            }
            _ => Self::internal(cause),
        }
    }

    /// A store of files can't be used. Nothing was changed.
    pub fn of_store(cause: &StoreError) -> Self {
        if let StoreError::Folder { cause, .. } = cause {
            return Self::of_file(cause);
        }
        if !matches!(cause, StoreError::Silent { .. }) {
            tracing::error!(error = logged(cause), "the store of files can't be used");
        }
        let detail = "The store of the files does not answer: nothing was changed. Try again in a moment.";
        Self::new(codes::OVERLOADED, detail).retry_after(STORE_SECONDS)
    }

    pub fn not_found() -> Self {
        Self::plain(codes::NOT_FOUND)
    }

    pub fn retry_after(mut self, seconds: u32) -> Self {
        self.retry_after_seconds = Some(seconds);
        self
    }

    /// An internal error. Logs the cause, which the response does not contain.
    pub fn internal(cause: &(dyn std::error::Error + 'static)) -> Self {
        tracing::error!(error = cause, "a request failed with an internal error");
        Self::plain(codes::INTERNAL)
    }
}

impl From<Fields> for Problem {
    fn from(fields: Fields) -> Self {
        Self::fields(fields.finish().err().unwrap_or_default())
    }
}

impl From<crate::limits::TooMany> for Problem {
    fn from(too_many: crate::limits::TooMany) -> Self {
        let seconds = too_many.retry_after_seconds;
        Self::new(codes::TOO_MANY_REQUESTS, format!("Try again in {seconds} s.")).retry_after(seconds)
    }
}

impl From<DbError> for Problem {
    fn from(error: DbError) -> Self {
        if error.is_paused() {
            return Self::paused();
        }
        if error.is_busy() || error.is_conflict() {
            return Self::plain(codes::OVERLOADED).retry_after(1);
        }
        if error.is_full() {
            tracing::error!(error = logged(&error), "the disk is full");
            return Self::storage_full();
        }
        if error.is_away() {
            tracing::warn!(error = logged(&error), "the database can't be reached");
            return Self::away();
        }
        Self::internal(&error)
    }
}

/// The detail contains the cause, because only the Deployment Admin creates and restores backups.
impl From<CopyError> for Problem {
    fn from(error: CopyError) -> Self {
        tracing::error!(error = logged(&error), "a backup can't be used or written");
        match error {
            error if error.is_full() => Self::storage_full(),
            CopyError::Io { .. } | CopyError::Write { .. } => {
                Self::new(codes::INTERNAL, format!("Nothing was changed: {error}."))
            }
            CopyError::Remote(_) => Self::new(
                codes::INVALID_BODY,
                "Only SQLite databases are restored here: restore PostgreSQL with pg_restore.",
            ),
            error => Self::new(codes::INVALID_BODY, format!("The backup is invalid: {error}.")),
        }
    }
}

/// The response has the problem in its extensions: a layer writes it as a document with the request's id, or
/// as a page.
impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = self.code.status().into_response();
        let headers = response.headers_mut();
        if let Some(seconds) = self.retry_after_seconds {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response.extensions_mut().insert(self);
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_error_is_reported_in_a_sentence() {
        for (path, message, detail) in [
            ("name", "must be given", "`name` must be given."),
            ("minBidConstraint", "Enter an amount.", "`minBidConstraint`: Enter an amount."),
            ("name", "invalid type: map, expected a string", "`name`: invalid type: map, expected a string."),
            ("", "The body must be an object.", "The body must be an object."),
            ("", "must have at most 64 members", "The body must have at most 64 members."),
        ] {
            assert_eq!(Problem::field(path, message).detail, detail);
        }
    }
}

//! Problem documents (RFC 9457): the body of every refusal (SPEC, section 1).

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::ser::{Error, SerializeMap};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::db::DbError;
use crate::db::copy::CopyError;
pub use crate::fields::FieldError;
use crate::fields::Fields;
use crate::file_store::StoreError;
use crate::log_field::logged;

/// `Retry-After` while an update pauses writes.
const PAUSE_SECONDS: u64 = 5;
/// `Retry-After` while a store of files does not answer.
const STORE_SECONDS: u64 = 10;

/// Declares the codes with their status and title, and a list of them all for the documents and the tests.
macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $status:ident, $title:literal;)*) => {
        /// The stable name of a reason for a refusal.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Code {
            $($(#[$doc])* $name,)*
        }

        impl Code {
            /// Every code, in the order of their status.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            pub fn status(self) -> StatusCode {
                match self { $(Self::$name => StatusCode::$status,)* }
            }

            pub fn title(self) -> &'static str {
                match self { $(Self::$name => $title,)* }
            }
        }
    };
}

codes! {
    MalformedJson = "MALFORMED_JSON", BAD_REQUEST, "The body is not JSON";
    InvalidHost = "INVALID_HOST", BAD_REQUEST, "The request must name one host";
    Unauthenticated = "UNAUTHENTICATED", UNAUTHORIZED, "Sign in first";
    InvalidCredentials = "INVALID_CREDENTIALS", UNAUTHORIZED, "E-mail or password is wrong";
    Forbidden = "FORBIDDEN", FORBIDDEN, "Not allowed";
    CrossSite = "CROSS_SITE", FORBIDDEN, "The request comes from another site";
    DeploymentAdminTaken = "DEPLOYMENT_ADMIN_TAKEN", FORBIDDEN, "Another user is the Deployment Admin";
    ClaimCodeRequired = "CLAIM_CODE_REQUIRED", FORBIDDEN, "The claim code is missing or wrong";
    WrongPassword = "WRONG_PASSWORD", FORBIDDEN, "The password is wrong";
    RegistrationClosed = "REGISTRATION_CLOSED", FORBIDDEN, "Registration is closed";
    OwnItem = "OWN_ITEM", FORBIDDEN, "You can't bid on your own item";
    NotFound = "NOT_FOUND", NOT_FOUND, "Not found";
    MethodNotAllowed = "METHOD_NOT_ALLOWED", METHOD_NOT_ALLOWED, "Method not supported";
    RequestTimeout = "REQUEST_TIMEOUT", REQUEST_TIMEOUT, "The body took too long to arrive";
    EmailTaken = "EMAIL_TAKEN", CONFLICT, "The e-mail belongs to another account";
    CodeTaken = "CODE_TAKEN", CONFLICT, "The code belongs to another currency of this auction";
    NumberTaken = "NUMBER_TAKEN", CONFLICT, "The lot number belongs to another item of this auction";
    LeadsItem = "LEADS_ITEM", CONFLICT, "The seller leads the item";
    HasBids = "HAS_BIDS", CONFLICT, "Bids exist";
    Frozen = "FROZEN", CONFLICT, "Fixed since its first use";
    InUse = "IN_USE", CONFLICT, "In use";
    LimitReached = "LIMIT_REACHED", CONFLICT, "Limit reached";
    Closed = "CLOSED", CONFLICT, "Closed";
    NotClosed = "NOT_CLOSED", CONFLICT, "Not closed yet";
    NotSold = "NOT_SOLD", CONFLICT, "Not sold";
    TooLate = "TOO_LATE", CONFLICT, "Too late";
    ItemNotOpen = "ITEM_NOT_OPEN", CONFLICT, "The item is not open for bids";
    UpdateInProgress = "UPDATE_IN_PROGRESS", CONFLICT, "An update is under way";
    NothingToRollBack = "NOTHING_TO_ROLL_BACK", CONFLICT, "There is no previous release to return to";
    DeploymentAdmin = "DEPLOYMENT_ADMIN", CONFLICT, "The account is the Deployment Admin's";
    OwnsAuctions = "OWNS_AUCTIONS", CONFLICT, "The account owns auctions";
    OwnsBooks = "OWNS_BOOKS", CONFLICT, "The account owns books";
    NotReversible = "NOT_REVERSIBLE", CONFLICT, "Not reversible";
    AlreadyReversed = "ALREADY_REVERSED", CONFLICT, "Already reversed";
    LeadsOpenItems = "LEADS_OPEN_ITEMS", CONFLICT, "The account leads open items";
    PreconditionFailed = "PRECONDITION_FAILED", PRECONDITION_FAILED, "Changed by another request";
    TooLarge = "TOO_LARGE", PAYLOAD_TOO_LARGE, "The body is too large";
    UnsupportedMediaType = "UNSUPPORTED_MEDIA_TYPE", UNSUPPORTED_MEDIA_TYPE, "The body has another media type";
    InvalidBody = "INVALID_BODY", UNPROCESSABLE_ENTITY, "Some fields are invalid";
    ClaimForSelfOnly = "CLAIM_FOR_SELF_ONLY", UNPROCESSABLE_ENTITY, "Claim the administration with your own e-mail";
    UserNotRegistered = "USER_NOT_REGISTERED", UNPROCESSABLE_ENTITY, "No account has this e-mail";
    BidRejected = "BID_REJECTED", UNPROCESSABLE_ENTITY, "The bid breaks rules";
    IdempotencyKeyReused = "IDEMPOTENCY_KEY_REUSED", UNPROCESSABLE_ENTITY, "The key belongs to another request";
    TokenInvalid = "TOKEN_INVALID", UNPROCESSABLE_ENTITY, "The link is no longer valid";
    TooManyRequests = "TOO_MANY_REQUESTS", TOO_MANY_REQUESTS, "Too many attempts";
    Internal = "INTERNAL", INTERNAL_SERVER_ERROR, "Internal error";
    StorageFull = "STORAGE_FULL", INSUFFICIENT_STORAGE, "The server's disk is full";
    Overloaded = "OVERLOADED", SERVICE_UNAVAILABLE, "Too busy at the moment";
    Updating = "UPDATING", SERVICE_UNAVAILABLE, "Writes pause for an update";
}

impl utoipa::PartialSchema for Code {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        use std::fmt::Write;
        let mut words = String::from("Stable names, by status:\n");
        for code in Self::ALL {
            let _ = write!(words, "\n* `{}` ({}): {}", code.as_str(), code.status().as_u16(), code.title());
        }
        utoipa::openapi::ObjectBuilder::new()
            .schema_type(utoipa::openapi::schema::Type::String)
            .enum_values(Some(Self::ALL.iter().map(|code| code.as_str())))
            .description(Some(words))
            .into()
    }
}

impl ToSchema for Code {
    fn name() -> std::borrow::Cow<'static, str> {
        "ProblemCode".into()
    }
}

impl Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// Details that another crate defines for its own refusals, written as one JSON object.
pub trait ProblemDetails: fmt::Debug + Any + Send + Sync {
    /// The members of `details`.
    fn write(&self) -> Result<Box<RawValue>, serde_json::Error>;
}

/// Machine-readable details of a problem.
#[derive(Debug, Clone)]
pub enum Details {
    Fields(Vec<FieldError>),
    Own(Arc<dyn ProblemDetails>),
}

impl Details {
    /// The details of another crate, if they are of this type.
    pub fn own<T: ProblemDetails>(&self) -> Option<&T> {
        match self {
            Self::Fields(_) => None,
            Self::Own(details) => (&**details as &dyn Any).downcast_ref(),
        }
    }
}

impl Serialize for Details {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Fields(fields) => {
                let mut members = serializer.serialize_map(Some(1))?;
                members.serialize_entry("fields", fields)?;
                members.end()
            }
            Self::Own(details) => details.write().map_err(S::Error::custom)?.serialize(serializer),
        }
    }
}

/// A refusal before it is written as a response. The cause of a [`Code::Internal`] is logged, not sent.
#[derive(Debug, Clone)]
pub struct Problem {
    pub code: Code,
    pub detail: String,
    pub details: Option<Details>,
    pub retry_after_seconds: Option<u64>,
}

impl Problem {
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into(), details: None, retry_after_seconds: None }
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
        Self { details: Some(Details::Fields(fields)), ..Self::new(Code::InvalidBody, detail) }
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
        Self::new(Code::StorageFull, "The server's disk is full: nothing was changed.").retry_after(30)
    }

    /// An update pauses writes. Nothing was changed.
    pub fn paused() -> Self {
        let detail = "Writes pause for an update: nothing was changed. Try again in a moment.";
        Self::new(Code::Updating, detail).retry_after(PAUSE_SECONDS)
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
        tracing::error!(error = logged(cause), "the store of files can't be used");
        let detail = "The store of the files does not answer: nothing was changed. Try again in a moment.";
        Self::new(Code::Overloaded, detail).retry_after(STORE_SECONDS)
    }

    pub fn not_found() -> Self {
        Self::plain(Code::NotFound)
    }

    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after_seconds = Some(seconds);
        self
    }

    /// An internal error. Logs the cause, which the response does not contain.
    pub fn internal(cause: &(dyn std::error::Error + 'static)) -> Self {
        tracing::error!(error = cause, "a request failed with an internal error");
        Self::plain(Code::Internal)
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
        Self::new(Code::TooManyRequests, format!("Try again in {seconds} s.")).retry_after(seconds)
    }
}

impl From<DbError> for Problem {
    fn from(error: DbError) -> Self {
        if error.is_paused() {
            return Self::paused();
        }
        if error.is_busy() || error.is_conflict() {
            return Self::plain(Code::Overloaded).retry_after(1);
        }
        if error.is_full() {
            tracing::error!(error = logged(&error), "the disk is full");
            return Self::storage_full();
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
                Self::new(Code::Internal, format!("Nothing was changed: {error}."))
            }
            CopyError::Remote(_) => Self::new(
                Code::InvalidBody,
                "Only SQLite databases are backed up here: back up and restore PostgreSQL with pg_dump and pg_restore.",
            ),
            error => Self::new(Code::InvalidBody, format!("The backup is invalid: {error}.")),
        }
    }
}

/// The response has the problem in its extensions: a layer writes it as a document with the request's id, or as a page.
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

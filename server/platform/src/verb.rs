//! Errors of verbs: the reasons that all verbs share, and the refusals of a single verb.

use std::convert::Infallible;
use std::error::Error;

use crate::db::DbError;
use crate::fields::FieldError;
use crate::http::codes;
use crate::http::problem::Problem;
use crate::ids::UserId;
use crate::limits::TooMany;
use crate::precondition::Outdated;

/// Why a verb failed. `R` lists the refusals of this verb only.
#[derive(Debug, thiserror::Error)]
pub enum VerbError<R> {
    #[error("the viewer has to sign in first")]
    Unauthenticated,
    /// The resource does not exist, or is hidden from the user.
    #[error("not found")]
    NotFound,
    #[error("the user's role does not allow it")]
    Forbidden,
    /// The body can't be read, or its fields are invalid.
    #[error("{}", .0.detail)]
    Body(Problem),
    #[error(transparent)]
    Outdated(#[from] Outdated),
    #[error("the idempotency key belongs to another request")]
    KeyReused,
    #[error(transparent)]
    TooMany(#[from] TooMany),
    #[error(transparent)]
    Db(#[from] DbError),
    #[error("{0}")]
    Refused(R),
}

/// Why a user has no access to a resource.
#[derive(Debug, thiserror::Error)]
pub enum AccessError {
    #[error("the viewer has to sign in first")]
    Unauthenticated,
    /// The resource does not exist, or is hidden from the user.
    #[error("not found")]
    NotFound,
    #[error("the user's role does not allow it")]
    Forbidden,
    #[error(transparent)]
    Db(#[from] DbError),
}

impl AccessError {
    /// The error for what does not exist, or is hidden from the viewer: without an account both are the same
    /// as what any user may see.
    pub fn hidden_from(viewer: UserId) -> Self {
        if viewer == UserId::NOBODY { Self::Unauthenticated } else { Self::NotFound }
    }
}

/// A reason for which one verb refuses a request.
pub trait Refusal: Error + Sized {
    fn problem(self) -> Problem;
}

impl Refusal for Infallible {
    fn problem(self) -> Problem {
        match self {}
    }
}

impl<R> VerbError<R> {
    /// Converts the error to that of a verb with more refusals.
    pub fn map_refusal<S>(self, map: impl FnOnce(R) -> S) -> VerbError<S> {
        match self {
            Self::Unauthenticated => VerbError::Unauthenticated,
            Self::NotFound => VerbError::NotFound,
            Self::Forbidden => VerbError::Forbidden,
            Self::Body(problem) => VerbError::Body(problem),
            Self::Outdated(error) => VerbError::Outdated(error),
            Self::KeyReused => VerbError::KeyReused,
            Self::TooMany(error) => VerbError::TooMany(error),
            Self::Db(error) => VerbError::Db(error),
            Self::Refused(refusal) => VerbError::Refused(map(refusal)),
        }
    }
}

impl<R> From<AccessError> for VerbError<R> {
    fn from(error: AccessError) -> Self {
        match error {
            AccessError::Unauthenticated => Self::Unauthenticated,
            AccessError::NotFound => Self::NotFound,
            AccessError::Forbidden => Self::Forbidden,
            AccessError::Db(error) => Self::Db(error),
        }
    }
}

impl<R> From<Problem> for VerbError<R> {
    fn from(problem: Problem) -> Self {
        Self::Body(problem)
    }
}

impl<R> From<Vec<FieldError>> for VerbError<R> {
    fn from(errors: Vec<FieldError>) -> Self {
        Self::Body(Problem::fields(errors))
    }
}

impl<R: Refusal> From<VerbError<R>> for Problem {
    fn from(error: VerbError<R>) -> Self {
        match error {
            VerbError::Unauthenticated => Self::plain(codes::UNAUTHENTICATED),
            VerbError::NotFound => Self::not_found(),
            VerbError::Forbidden => Self::plain(codes::FORBIDDEN),
            VerbError::Body(problem) => problem,
            VerbError::Outdated(error) => error.into(),
            VerbError::KeyReused => Self::new(
                codes::IDEMPOTENCY_KEY_REUSED,
                "This key belongs to another request: use a new one.",
            ),
            VerbError::TooMany(error) => error.into(),
            VerbError::Db(error) => error.into(),
            VerbError::Refused(refusal) => refusal.problem(),
        }
    }
}

impl From<AccessError> for Problem {
    fn from(error: AccessError) -> Self {
        VerbError::<Infallible>::from(error).into()
    }
}

/// Declares the refusals of one verb: each with the code of its problem, and with a detail if the code's
/// title is not enough. `wraps` lists refusals of other verbs that this verb returns too. Those of verbs of
/// another crate are in `holds`: [`VerbError::map_refusal`] converts them, since only their crate could
/// implement `From`.
///
/// ```
/// use platform::http::codes;
///
/// platform::refusals! {
///     /// Why a book is not lent.
///     pub enum LendRefusal {
///         NotYours => codes::FORBIDDEN;
///         Busy => codes::OVERLOADED, "Too many readers: try again later.";
///     }
/// }
/// ```
#[macro_export]
macro_rules! refusals {
    (
        $(#[$about:meta])*
        pub enum $name:ident {
            $($(#[$reason_about:meta])* $reason:ident => $code:path $(, $detail:literal)?;)*
        }
        $(wraps { $($wrapper:ident($wrapped:ty)),* $(,)? })?
        $(holds { $($holder:ident($held:ty)),* $(,)? })?
    ) => {
        $(#[$about])*
        #[derive(Debug)]
        pub enum $name {
            $($(#[$reason_about])* $reason,)*
            $($($wrapper($wrapped),)*)?
            $($($holder($held),)*)?
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                match self {
                    $(Self::$reason => {
                        f.write_str([$($detail,)? $code.title()][0])
                    })*
                    $($(Self::$wrapper(wrapped) => ::std::fmt::Display::fmt(wrapped, f),)*)?
                    $($(Self::$holder(held) => ::std::fmt::Display::fmt(held, f),)*)?
                }
            }
        }

        impl ::std::error::Error for $name {}

        impl $crate::verb::Refusal for $name {
            fn problem(self) -> $crate::http::problem::Problem {
                match self {
                    $(Self::$reason => $crate::refusals!(@problem $code $(, $detail)?),)*
                    $($(Self::$wrapper(wrapped) => $crate::verb::Refusal::problem(wrapped),)*)?
                    $($(Self::$holder(held) => $crate::verb::Refusal::problem(held),)*)?
                }
            }
        }

        impl From<$name> for $crate::verb::VerbError<$name> {
            fn from(refusal: $name) -> Self {
                Self::Refused(refusal)
            }
        }

        $($(
            impl From<$wrapped> for $name {
                fn from(wrapped: $wrapped) -> Self {
                    Self::$wrapper(wrapped)
                }
            }

            impl From<$wrapped> for $crate::verb::VerbError<$name> {
                fn from(wrapped: $wrapped) -> Self {
                    Self::Refused(wrapped.into())
                }
            }
        )*)?
    };
    (@problem $code:path) => {
        $crate::http::problem::Problem::plain($code)
    };
    (@problem $code:path, $detail:literal) => {
        $crate::http::problem::Problem::new($code, $detail)
    };
}

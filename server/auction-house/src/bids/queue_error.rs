//! Why the bid queue did not execute a request.

use crate::codes;
use platform::http::problem::Problem;
use platform::verb::Refusal;

/// Why the queue did not execute a request. Nothing was changed, except perhaps after `Away`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum QueueError {
    /// Not judged: the queue is full, the request waited too long, or the server is shutting down.
    #[error("the queue is full")]
    Overloaded,
    #[error("writes pause for an update")]
    Paused,
    #[error("the disk is full")]
    StorageFull,
    /// The database can't be reached or does not answer: the request may have been executed, or may be yet.
    #[error("the database does not answer")]
    Away,
    /// The log has the cause.
    #[error("the database did not commit")]
    NotKept,
}

impl QueueError {
    /// The error of a request that can't be judged. Logs the cause.
    pub(super) fn not_kept(cause: &(dyn std::error::Error + 'static)) -> Self {
        tracing::error!(error = cause, "a request in the bid queue could not be judged");
        Self::NotKept
    }
}

impl Refusal for QueueError {
    fn problem(self) -> Problem {
        match self {
            Self::Overloaded => {
                Problem::new(codes::OVERLOADED, "Too many bids wait: nothing was changed.").retry_after(1)
            }
            Self::Paused => Problem::paused(),
            Self::Away => Problem::away(),
            Self::StorageFull => Problem::storage_full(),
            Self::NotKept => {
                Problem::new(codes::INTERNAL, "Something broke on our side: nothing was changed.")
            }
        }
    }
}

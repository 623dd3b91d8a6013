//! Bodies of requests, which verbs read after authorization: a user without access to a resource gets that
//! refusal, not the errors of the body (SPEC, section 1).

use crate::fields::Object;
use crate::http::problem::Problem;
use crate::idempotency::KeyedRequest;

/// The body of a request, which a verb reads once it has authorized the user.
pub trait Body: Send {
    /// # Errors
    /// The body is too large, of another media type, or not a JSON object.
    fn read(self) -> Result<Object, Problem>;

    /// The idempotency key that was sent with the body.
    ///
    /// # Errors
    /// The key is invalid.
    fn keyed(&self) -> Result<Option<KeyedRequest>, Problem> {
        Ok(None)
    }
}

/// A body that is read already, or why it can't be read.
impl Body for Result<Object, Problem> {
    fn read(self) -> Result<Object, Problem> {
        self
    }
}

/// A body that a page or a command has built.
impl Body for Object {
    fn read(self) -> Result<Object, Problem> {
        Ok(self)
    }
}

//! Bodies of requests, read by the verbs: after the user is authorized, since a user who may not know of a resource is
//! not told what is wrong with the body (contract, section 1).

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

/// Members that were put together by a page or a program.
impl Body for Object {
    fn read(self) -> Result<Object, Problem> {
        Ok(self)
    }
}

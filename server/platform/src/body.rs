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

/// A body that is read already, so that its members choose the verb.
#[derive(Debug)]
pub struct ReadBody {
    keyed: Result<Option<KeyedRequest>, Problem>,
    object: Result<Object, Problem>,
}

impl ReadBody {
    pub fn of(body: impl Body) -> Self {
        Self { keyed: body.keyed(), object: body.read() }
    }

    /// Whether the body has a member, which may be null.
    pub fn gives(&self, name: &str) -> bool {
        self.object.as_ref().is_ok_and(|object| object.gives(name))
    }
}

impl Body for ReadBody {
    fn read(self) -> Result<Object, Problem> {
        self.object
    }

    fn keyed(&self) -> Result<Option<KeyedRequest>, Problem> {
        self.keyed.clone()
    }
}

/// A body that a page or a command has built.
impl Body for Object {
    fn read(self) -> Result<Object, Problem> {
        Ok(self)
    }
}

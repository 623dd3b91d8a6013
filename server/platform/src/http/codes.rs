//! Codes of refusals that any server has. A crate declares the codes of its own refusals beside its verbs.

crate::codes! {
    MALFORMED_JSON = BAD_REQUEST, "The body is not JSON";
    INVALID_HOST = BAD_REQUEST, "The request must name one host";
    UNAUTHENTICATED = UNAUTHORIZED, "Sign in first";
    FORBIDDEN = FORBIDDEN, "Not allowed";
    CROSS_SITE = FORBIDDEN, "The request comes from another site";
    NOT_FOUND = NOT_FOUND, "Not found";
    METHOD_NOT_ALLOWED = METHOD_NOT_ALLOWED, "Method not supported";
    REQUEST_TIMEOUT = REQUEST_TIMEOUT, "The body took too long to arrive";
    PRECONDITION_FAILED = PRECONDITION_FAILED, "Changed by another request";
    TOO_LARGE = PAYLOAD_TOO_LARGE, "The body is too large";
    UNSUPPORTED_MEDIA_TYPE = UNSUPPORTED_MEDIA_TYPE, "The body has another media type";
    INVALID_BODY = UNPROCESSABLE_ENTITY, "Some fields are invalid";
    IDEMPOTENCY_KEY_REUSED = UNPROCESSABLE_ENTITY, "The key belongs to another request";
    TOO_MANY_REQUESTS = TOO_MANY_REQUESTS, "Too many attempts";
    INTERNAL = INTERNAL_SERVER_ERROR, "Internal error";
    STORAGE_FULL = INSUFFICIENT_STORAGE, "The server's disk is full";
    OVERLOADED = SERVICE_UNAVAILABLE, "Too busy at the moment";
    UPDATING = SERVICE_UNAVAILABLE, "Writes pause for an update";
}

//! Codes of the refusals of accounts, and those of the crates below.

pub use platform::http::codes::*;

platform::codes! {
    UNAUTHENTICATED = UNAUTHORIZED, "Sign in first";
    INVALID_CREDENTIALS = UNAUTHORIZED, "E-mail or password is wrong";
    WRONG_PASSWORD = FORBIDDEN, "The password is wrong";
    REGISTRATION_CLOSED = FORBIDDEN, "Registration is closed";
    EMAIL_TAKEN = CONFLICT, "The e-mail belongs to another account";
    DEPLOYMENT_ADMIN = CONFLICT, "The account is the Deployment Admin's";
    USER_NOT_REGISTERED = UNPROCESSABLE_ENTITY, "No account has this e-mail";
    TOKEN_INVALID = UNPROCESSABLE_ENTITY, "The link is no longer valid";
}

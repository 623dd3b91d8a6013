//! Codes of the refusals of accounts, and those of the crates below.

pub use platform::http::codes::*;

platform::codes! {
    INVALID_CREDENTIALS = UNAUTHORIZED, "E-mail or password is wrong";
    SECOND_FACTOR_REQUIRED = UNAUTHORIZED, "The password is right: enter the code of your app too";
    INVALID_CODE = UNAUTHORIZED, "The code is wrong, too old, or was used before";
    MANAGED_USER = FORBIDDEN, "A user with a number does not do this";
    WRONG_PASSWORD = FORBIDDEN, "The password is wrong";
    WRONG_CODE = FORBIDDEN, "The code is wrong, too old, or was used before";
    REGISTRATION_CLOSED = FORBIDDEN, "Registration is closed";
    OTHER_USER = CONFLICT, "Another user is signed in";
    LAST_KEEPER = CONFLICT, "The group has no other keeper";
    EMAIL_TAKEN = CONFLICT, "The e-mail belongs to another account";
    DEPLOYMENT_ADMIN = CONFLICT, "The account is the Deployment Admin's";
    SECOND_FACTOR_ON = CONFLICT, "The account has a second factor";
    SECOND_FACTOR_NEEDED = CONFLICT, "The Deployment Admin needs a second factor";
    SECOND_FACTOR_OFF = CONFLICT, "The account has no second factor";
    USER_NOT_REGISTERED = UNPROCESSABLE_ENTITY, "No account has this e-mail";
    TOKEN_INVALID = UNPROCESSABLE_ENTITY, "The link is no longer valid";
}

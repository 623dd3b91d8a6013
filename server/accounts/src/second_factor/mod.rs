//! The second factor of an account: codes of an app that shares a secret with the account (RFC 6238), and
//! recovery codes for a user who has lost the app (SPEC, section 2).

pub mod begin;
pub mod confirm;
mod guess;
mod prove;
mod recovery_code;
pub mod renew_codes;
pub mod routes;
pub mod secret;
pub mod store;
pub mod ticket;
pub mod turn_off;
mod typed;

pub use guess::CodeGuess;
pub use prove::{Proven, prove};
pub use recovery_code::RecoveryCode;
pub use typed::TypedCode;

use secret::Secret;

/// The second factor of an account.
pub struct SecondFactor {
    pub secret: Secret,
    /// A code was confirmed.
    pub is_on: bool,
    /// The newest time step whose code was accepted.
    pub last_step: Option<i64>,
}

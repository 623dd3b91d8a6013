//! Limits on wrong codes: those of wrong passwords, and one that is stricter.

use platform::limits::TooMany;

use super::typed::TypedCode;
use crate::device::DeviceId;
use crate::ids::UserId;
use crate::limits::{Guess, GuessSource, RateLimits};

/// A code that is being verified. It counts as a failure until it is [`forgiven`](CodeGuess::forgive).
#[must_use = "a guess that turned out right is to be forgiven"]
pub struct CodeGuess<'a> {
    limits: &'a RateLimits,
    guess: Guess<'a>,
    /// The key of the limit on codes of the app. Nobody guesses a recovery code, which works whatever others
    /// have tried.
    key: Option<(UserId, Option<DeviceId>)>,
}

impl<'a> CodeGuess<'a> {
    /// `account` identifies the account as for a password.
    pub fn take(
        limits: &'a RateLimits,
        account: Option<&str>,
        user: UserId,
        source: GuessSource,
        code: &TypedCode,
    ) -> Result<Self, TooMany> {
        let device = match source {
            GuessSource::Device(id) => Some(id),
            GuessSource::Address(_) => None,
        };
        let key = matches!(code, TypedCode::App(_)).then_some((user, device));
        if let Some(key) = key {
            limits.code(key)?;
        }
        match limits.guess(account, source) {
            Ok(guess) => Ok(Self { limits, guess, key }),
            Err(too_many) => {
                key.into_iter().for_each(|key| limits.forgive_code(key));
                Err(too_many)
            }
        }
    }

    /// It was right, or was not verified, so it is no failure.
    pub fn forgive(self) {
        self.guess.forgive();
        self.key.into_iter().for_each(|key| self.limits.forgive_code(key));
    }
}

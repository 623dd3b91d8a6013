//! Passwords, kept as argon2id. Hashing takes much memory and time by intent, so only as many are hashed at
//! once as there are cores, away from the threads that answer.

use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use tokio::sync::Semaphore;

use crate::entropy;

/// OWASP's parameters: 19 MiB, two passes, one lane.
const PARAMS: Result<Params, argon2::Error> = Params::new(19_456, 2, 1, None);
const WAIT_MAX: Duration = Duration::from_secs(2);

/// Of no password, made with the parameters above. Compared with where there is no account, so that this
/// takes as long.
const NOBODYS: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$ZmFydGhpbmctbm9ib2R5cw$u0VkN1l7fN0oQ3k9sV4yq2m6wB8Jx5tHc1ZrD7eXgPA";

/// 8–256 characters, as typed.
#[derive(Clone)]
pub struct Password(String);

/// The text is too short or too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be 8 to 256 characters")]
pub struct NoPassword;

impl FromStr for Password {
    type Err = NoPassword;

    fn from_str(text: &str) -> Result<Self, NoPassword> {
        if (8..=256).contains(&text.chars().count()) { Ok(Self(text.to_owned())) } else { Err(NoPassword) }
    }
}

/// Why a password could not be hashed.
#[derive(Debug, thiserror::Error)]
pub enum HashError {
    #[error("too many passwords are being checked")]
    Busy,
    #[error("hashing failed: {0}")]
    Failed(String),
    #[error(transparent)]
    Entropy(#[from] entropy::NoEntropy),
}

/// Hashes and verifies, a bounded number at a time.
pub struct Passwords {
    permits: Arc<Semaphore>,
}

impl Default for Passwords {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self { permits: Arc::new(Semaphore::new(cores)) }
    }
}

impl Passwords {
    /// The text to keep.
    pub async fn hash(&self, password: Password) -> Result<String, HashError> {
        let salt: [u8; 16] = entropy::bytes()?;
        self.work(move |argon2| {
            let hash = argon2.hash_password_with_salt(password.0.as_bytes(), &salt);
            hash.map(|hash| hash.to_string()).map_err(|error| HashError::Failed(error.to_string()))
        })
        .await
    }

    /// Whether `typed` is the password that `kept` was made of. Takes the same time where nothing is kept.
    pub async fn verify(&self, typed: String, kept: Option<String>) -> Result<bool, HashError> {
        self.work(move |argon2| {
            let text = kept.as_deref().unwrap_or(NOBODYS);
            let hash = PasswordHash::new(text).map_err(|error| HashError::Failed(error.to_string()))?;
            let matches = argon2.verify_password(typed.as_bytes(), &hash).is_ok();
            Ok(matches && kept.is_some())
        })
        .await
    }

    async fn work<T: Send + 'static>(
        &self,
        job: impl FnOnce(Argon2<'static>) -> Result<T, HashError> + Send + 'static,
    ) -> Result<T, HashError> {
        let permit = tokio::time::timeout(WAIT_MAX, Arc::clone(&self.permits).acquire_owned());
        let permit = permit.await.map_err(|_| HashError::Busy)?.map_err(|_| HashError::Busy)?;
        let params = PARAMS.map_err(|error| HashError::Failed(error.to_string()))?;
        let job = tokio::task::spawn_blocking(move || {
            // Held by the work, not by whoever waits for it: a caller that leaves frees no core.
            let _permit = permit;
            job(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
        });
        job.await.map_err(|error| HashError::Failed(error.to_string()))?
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_hash_is_argon2id_and_verifies_its_password_only() {
        let passwords = Passwords::default();
        let kept = passwords.hash("correct horse".parse().unwrap()).await.unwrap();
        assert!(kept.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{kept}");
        assert!(passwords.verify("correct horse".to_owned(), Some(kept.clone())).await.unwrap());
        assert!(!passwords.verify("correct horse ".to_owned(), Some(kept)).await.unwrap());
        assert!(!passwords.verify("correct horse".to_owned(), None).await.unwrap());
    }

    #[test]
    fn length_is_counted_in_characters() {
        for (text, fits) in
            [("é".repeat(7), false), ("é".repeat(8), true), ("é".repeat(256), true), ("é".repeat(257), false)]
        {
            assert_eq!(text.parse::<Password>().is_ok(), fits, "{}", text.chars().count());
        }
    }
}

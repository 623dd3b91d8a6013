//! Passwords, kept as argon2id. Hashing takes much memory and time by intent, so only as many are hashed at
//! once as there are cores, away from the threads that answer.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{ARGON2ID_IDENT, Algorithm, Argon2, Block, Params, Version};
use tokio::sync::Semaphore;

use platform::random;

/// OWASP's parameters: 19 MiB, two passes, one lane.
const PARAMS: Result<Params, argon2::Error> = Params::new(19_456, 2, 1, None);
const WAIT_MAX: Duration = Duration::from_secs(2);

/// Address space that is asked for to hash in, in blocks of 1 KiB; what the parameters don't use is never
/// touched. More than 32 MiB the allocator gives back to the system at once; of less it keeps 19 MiB for each
/// thread that ever hashed.
const MEMORY_BLOCKS: usize = 34 * 1024;

/// Of no password, made with the parameters above. Compared with where there is no account, so that this
/// takes as long.
const NOBODYS: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$ZmFydGhpbmctbm9ib2R5cw$u0VkN1l7fN0oQ3k9sV4yq2m6wB8Jx5tHc1ZrD7eXgPA";

/// 8–256 characters, as typed.
#[derive(Clone)]
pub struct Password(String);

impl Password {
    pub const CHARS: RangeInclusive<usize> = 8..=256;
}

/// The text is too short or too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be 8 to 256 characters")]
pub struct NoPassword;

impl FromStr for Password {
    type Err = NoPassword;

    fn from_str(text: &str) -> Result<Self, NoPassword> {
        if Self::CHARS.contains(&text.chars().count()) { Ok(Self(text.to_owned())) } else { Err(NoPassword) }
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
    Entropy(#[from] random::NoEntropy),
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
        let salt: [u8; 16] = random::bytes()?;
        self.work(move || {
            let params = PARAMS.map_err(failed)?;
            let salt = Salt::new(&salt).map_err(failed)?;
            let hash = PasswordHash {
                algorithm: ARGON2ID_IDENT,
                version: Some(Version::V0x13.into()),
                params: ParamsString::try_from(&params).map_err(failed)?,
                salt: Some(salt),
                hash: Some(derive(password.0.as_bytes(), &salt, params)?),
            };
            Ok(hash.to_string())
        })
        .await
    }

    /// Whether `typed` is the password that `kept` was made of. Takes the same time where nothing is kept.
    pub async fn verify(&self, typed: String, kept: Option<String>) -> Result<bool, HashError> {
        self.work(move || {
            let hash = PasswordHash::new(kept.as_deref().unwrap_or(NOBODYS)).map_err(failed)?;
            let (Some(salt), Some(expected)) = (&hash.salt, &hash.hash) else {
                return Err(HashError::Failed("a kept hash lacks a part".to_owned()));
            };
            let found = derive(typed.as_bytes(), salt, Params::try_from(&hash).map_err(failed)?)?;
            // Compared in constant time.
            Ok(found == *expected && kept.is_some())
        })
        .await
    }

    async fn work<T: Send + 'static>(
        &self,
        job: impl FnOnce() -> Result<T, HashError> + Send + 'static,
    ) -> Result<T, HashError> {
        let permit = tokio::time::timeout(WAIT_MAX, Arc::clone(&self.permits).acquire_owned());
        let permit = permit.await.map_err(|_| HashError::Busy)?.map_err(|_| HashError::Busy)?;
        let job = tokio::task::spawn_blocking(move || {
            // The work holds the permit, not its caller: a caller that leaves frees no core.
            let _permit = permit;
            job()
        });
        job.await.map_err(failed)?
    }
}

/// Argon2id, in memory that is gone afterwards.
fn derive(password: &[u8], salt: &Salt, params: Params) -> Result<Output, HashError> {
    let mut memory = Vec::with_capacity(MEMORY_BLOCKS.max(params.block_count()));
    memory.resize(params.block_count(), Block::new());
    let mut output = [0; Params::DEFAULT_OUTPUT_LEN];
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    argon2.hash_password_into_with_memory(password, salt, &mut output, &mut memory).map_err(failed)?;
    Output::new(&output).map_err(failed)
}

fn failed(error: impl Display) -> HashError {
    HashError::Failed(error.to_string())
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

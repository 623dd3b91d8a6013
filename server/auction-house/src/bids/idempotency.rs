//! Idempotency keys (contract, section 6): a request that is repeated with its key places one bid. All bids pass one queue,
//! so a repeat waits for the first.

use std::fmt::Write;
use std::str::FromStr;

use sha2::{Digest, Sha256};

use platform::time::Moment;

/// Keys are kept for at least this long, and until their item closes.
const RETENTION_SECONDS: i64 = 72 * 3600;
/// How often expired keys are deleted.
const PURGE_EVERY_SECONDS: i64 = 3600;
const KEY_BYTES_MAX: usize = 64;

/// 1–64 visible ASCII characters, chosen by the client.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct IdempotencyKey(String);

/// The text is no idempotency key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be 1 to 64 visible ASCII characters")]
pub struct NotAKey;

impl FromStr for IdempotencyKey {
    type Err = NotAKey;

    fn from_str(text: &str) -> Result<Self, NotAKey> {
        let fits =
            (1..=KEY_BYTES_MAX).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        if fits { Ok(Self(text.to_owned())) } else { Err(NotAKey) }
    }
}

impl IdempotencyKey {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A key with the SHA-256 of the body that it stands for. A key counts within one user and one item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyedRequest {
    pub key: IdempotencyKey,
    hash: String,
}

impl KeyedRequest {
    pub fn new(key: IdempotencyKey, body: &[u8]) -> Self {
        let mut hash = String::with_capacity(64);
        for byte in Sha256::digest(body) {
            // Writing to a string can't fail.
            let _ = write!(hash, "{byte:02x}");
        }
        Self { key, hash }
    }

    pub fn hash(&self) -> &str {
        &self.hash
    }
}

/// When to delete expired keys.
#[derive(Debug)]
pub struct KeyPurge {
    last: Moment,
}

impl KeyPurge {
    pub fn starting(now: Moment) -> Self {
        Self { last: now }
    }

    /// The moment before which keys of closed items expire, if a purge is due.
    pub fn due(&mut self, now: Moment) -> Option<Moment> {
        if now < self.last.plus_seconds(PURGE_EVERY_SECONDS) {
            return None;
        }
        self.last = now;
        Some(now.plus_seconds(-RETENTION_SECONDS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_visible_ascii() {
        for good in ["a", "~", "!", &"k".repeat(64)] {
            assert!(good.parse::<IdempotencyKey>().is_ok(), "{good:?}");
        }
        for bad in ["", " ", "a b", "é", "a\n", "\u{7f}", &"k".repeat(65)] {
            assert_eq!(bad.parse::<IdempotencyKey>(), Err(NotAKey), "{bad:?}");
        }
    }

    #[test]
    fn the_hash_is_of_the_bytes() {
        let key = || "k".parse::<IdempotencyKey>().unwrap();
        let hash = |body: &[u8]| KeyedRequest::new(key(), body).hash().to_owned();
        assert_eq!(hash(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_ne!(hash(br#"{"amount":1}"#), hash(br#"{"amount": 1}"#));
    }
}

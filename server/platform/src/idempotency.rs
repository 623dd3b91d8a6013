//! Idempotency keys: a client that repeats a request with its key gets the first answer again.

use std::str::FromStr;
use std::sync::Arc;

use sha2::{Digest, Sha256};

/// Bytes of a key.
pub const KEY_BYTES_MAX: usize = 64;

/// 1–64 visible ASCII characters, chosen by the client.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct IdempotencyKey(Arc<str>);

/// The text is not an idempotency key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be 1 to 64 visible ASCII characters")]
pub struct NotAnIdempotencyKey;

impl FromStr for IdempotencyKey {
    type Err = NotAnIdempotencyKey;

    fn from_str(text: &str) -> Result<Self, NotAnIdempotencyKey> {
        let is_key =
            (1..=KEY_BYTES_MAX).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        if is_key { Ok(Self(text.into())) } else { Err(NotAnIdempotencyKey) }
    }
}

crate::text_column!(IdempotencyKey);

impl IdempotencyKey {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A key with the SHA-256 of the body that it was sent with. A key counts within one user and one collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyedRequest {
    pub key: IdempotencyKey,
    hash: Arc<str>,
}

impl KeyedRequest {
    pub fn new(key: IdempotencyKey, body: &[u8]) -> Self {
        Self { key, hash: const_hex::encode(Sha256::digest(body)).into() }
    }

    pub fn hash(&self) -> &str {
        &self.hash
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
            assert_eq!(bad.parse::<IdempotencyKey>(), Err(NotAnIdempotencyKey), "{bad:?}");
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

//! Secret tokens, and what is kept of them.

use sha2::{Digest, Sha256};

use crate::random::{self, NoEntropy};

/// What the browser keeps: 256 random bits.
pub struct Token(String);

/// What the database keeps of it: its SHA-256, written in hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TokenHash([u8; 32]);

impl Token {
    pub fn new() -> Result<Self, NoEntropy> {
        random::new_token().map(Self)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn hash(&self) -> TokenHash {
        TokenHash::of(&self.0)
    }
}

impl TokenHash {
    pub fn of(token: &str) -> Self {
        Self(Sha256::digest(token.as_bytes()).into())
    }
}

/// The text is not 64 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotAHash;

impl std::str::FromStr for TokenHash {
    type Err = NotAHash;

    fn from_str(text: &str) -> Result<Self, NotAHash> {
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        let byte = |pair: &[u8; 2]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
        let bytes: Option<Vec<u8>> = pairs.iter().map(byte).collect();
        match (bytes.map(<[u8; 32]>::try_from), rest) {
            (Some(Ok(bytes)), []) => Ok(Self(bytes)),
            _ => Err(NotAHash),
        }
    }
}

impl std::fmt::Display for TokenHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

//! Secret tokens and the hashes that the database stores.

use sha2::{Digest, Sha256};

use crate::random::{self, NoEntropy};

/// 256 random bits in hexadecimal digits. Only the client stores it.
pub struct Token(String);

/// SHA-256 of a token, which the database stores in hexadecimal digits.
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

/// The secret in a link that users pass on. The database stores it unchanged, because those who may pass it
/// on read it again.
#[derive(Clone, PartialEq, Eq, sqlx_macros::Type)]
#[sqlx(transparent)]
pub struct LinkToken(String);

impl LinkToken {
    pub fn new() -> Result<Self, NoEntropy> {
        random::new_token().map(Self)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the text is this token. The time that the comparison takes says nothing about the token.
    pub fn is(&self, text: &str) -> bool {
        TokenHash::of(&self.0) == TokenHash::of(text)
    }
}

/// Shows nothing of the secret.
impl std::fmt::Debug for LinkToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("LinkToken")
    }
}

/// The text is not 64 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotAHash;

impl std::str::FromStr for TokenHash {
    type Err = NotAHash;

    fn from_str(text: &str) -> Result<Self, NotAHash> {
        const_hex::decode_to_array(text).map(Self).map_err(|_| NotAHash)
    }
}

impl std::fmt::Display for TokenHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const_hex::display(self.0).fmt(f)
    }
}

crate::text_column!(TokenHash);

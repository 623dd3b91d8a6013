//! Secrets of cards, with which a person signs in by scanning the card.

use std::str::FromStr;

use platform::random::{self, NoEntropy};
use platform::token::TokenHash;

use super::Pin;

/// Crockford's base 32: without the letters I, L, O and U.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const CHARS: usize = 16;

/// 80 random bits. Nobody guesses one, so that the hash needs no salt and no work.
#[derive(Clone, PartialEq, Eq)]
pub struct CardSecret(String);

/// A new PIN with the secret of its card. Each replaces the one before.
#[derive(Debug, Clone)]
pub struct CardKeys {
    pub pin: Pin,
    pub secret: CardSecret,
}

/// The text is not the secret of a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be the 16 letters and digits of a card")]
pub struct NotACardSecret;

impl CardSecret {
    pub fn new() -> Result<Self, NoEntropy> {
        let drawn: [u8; CHARS] = random::bytes()?;
        let letters = drawn.into_iter().filter_map(|byte| ALPHABET.get(usize::from(byte % 32)));
        Ok(Self(letters.map(|letter| char::from(*letter)).collect()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What the database stores.
    pub fn hash(&self) -> TokenHash {
        TokenHash::of(&self.0)
    }
}

impl CardKeys {
    /// A new secret for this PIN.
    pub fn of(pin: Pin) -> Result<Self, NoEntropy> {
        Ok(Self { pin, secret: CardSecret::new()? })
    }

    /// A random PIN and a secret.
    pub fn new() -> Result<Self, NoEntropy> {
        Self::of(Pin::new()?)
    }
}

/// Shows nothing of the secret.
impl std::fmt::Debug for CardSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("CardSecret")
    }
}

/// Without regard to case, blanks and hyphens; I and L are read as 1, O as 0.
impl FromStr for CardSecret {
    type Err = NotACardSecret;

    fn from_str(text: &str) -> Result<Self, NotACardSecret> {
        let typed = text.chars().filter(|letter| !letter.is_whitespace() && *letter != '-');
        let read = typed.map(|letter| match letter.to_ascii_uppercase() {
            'I' | 'L' => '1',
            'O' => '0',
            letter => letter,
        });
        let secret: String = read.take(CHARS + 1).collect();
        let is_secret = secret.len() == CHARS && secret.bytes().all(|byte| ALPHABET.contains(&byte));
        if is_secret { Ok(Self(secret)) } else { Err(NotACardSecret) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_read_as_it_may_be_typed() {
        for _ in 0..200 {
            let secret = CardSecret::new().unwrap();
            let (first, last) = secret.as_str().split_at(8);
            let typed =
                format!(" {}-{} ", first.to_ascii_lowercase(), last.replace('1', "l").replace('0', "o"));
            assert_eq!(typed.parse(), Ok(secret));
        }
        assert_eq!("I1L0O00000000000".parse(), Ok(CardSecret("1110000000000000".to_owned())));
        for text in
            ["", "0123456789ABCDE", "0123456789ABCDEFG", "0123456789ABCDEU", "Ä123456789ABCDEF", "123456"]
        {
            assert_eq!(text.parse::<CardSecret>(), Err(NotACardSecret), "{text}");
        }
    }
}

//! Recovery codes, each of which takes the place of a code of the app once.

use platform::random::{self, NoEntropy};
use platform::token::TokenHash;

use super::typed::TypedCode;

/// The codes of an account.
pub const CODES: usize = 10;
/// The letters of a code, in groups of this many.
const GROUP_LETTERS: usize = 4;

/// 80 random bits in base32: `abcd-efgh-ijkl-mnop`. Nobody guesses one, so that the hash needs no salt and no
/// work.
pub struct RecoveryCode(String);

impl RecoveryCode {
    fn new() -> Result<Self, NoEntropy> {
        let letters = totp_rs::Secret::new(Box::new(random::bytes::<10>()?)).to_base32().to_ascii_lowercase();
        let groups: Vec<_> =
            letters.as_bytes().chunks(GROUP_LETTERS).map(|group| String::from_utf8_lossy(group)).collect();
        Ok(Self(groups.join("-")))
    }

    /// New codes, as many as an account has.
    pub fn set() -> Result<Vec<Self>, NoEntropy> {
        (0..CODES).map(|_| Self::new()).collect()
    }

    /// What the database stores, which is found by what a user types.
    pub fn hash(&self) -> TokenHash {
        match TypedCode::of(&self.0) {
            TypedCode::App(code) => TokenHash::of(&code),
            TypedCode::Recovery(hash) => hash,
        }
    }

    pub fn into_string(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recovery_code_is_found_as_it_may_be_typed() {
        let code = RecoveryCode::new().unwrap();
        assert_eq!(code.0.split('-').map(str::len).collect::<Vec<_>>(), [4, 4, 4, 4]);
        let text = &code.0;
        let is_found =
            |typed: &str| matches!(TypedCode::of(typed), TypedCode::Recovery(hash) if hash == code.hash());
        for typed in [text.clone(), text.to_ascii_uppercase(), text.replace('-', " "), text.replace('-', "")]
        {
            assert!(is_found(&typed), "{typed}");
        }
        assert!(!is_found(&text[1..]) && !is_found(RecoveryCode::new().unwrap().0.as_str()));
    }
}

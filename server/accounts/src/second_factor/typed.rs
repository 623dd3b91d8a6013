//! Codes as they are typed.

use platform::text::ascii_digits;
use platform::token::TokenHash;

/// Digits of a code of the app.
const DIGITS: usize = 6;

/// A code of the app or a recovery code, with or without spaces and hyphens, in digits of any script. Neither
/// may be right.
pub enum TypedCode {
    App(String),
    Recovery(TokenHash),
}

impl TypedCode {
    pub fn of(typed: &str) -> Self {
        let code: String =
            ascii_digits(typed).chars().filter(|letter| !letter.is_whitespace() && *letter != '-').collect();
        if code.len() == DIGITS && code.bytes().all(|byte| byte.is_ascii_digit()) {
            Self::App(code)
        } else {
            Self::Recovery(TokenHash::of(&code.to_ascii_lowercase()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_recognized_as_it_may_be_typed() {
        for typed in ["123456", " 123 456 ", "123-456", "１２３４５６", "١٢٣\u{a0}٤٥٦", "၁၂၃၄၅၆"]
        {
            assert!(matches!(TypedCode::of(typed), TypedCode::App(code) if code == "123456"), "{typed}");
        }
        for typed in ["", "12345", "1234567", "12345x", "²²²²²²", "abcd-efgh-ijkl-mnop"] {
            assert!(matches!(TypedCode::of(typed), TypedCode::Recovery(_)), "{typed}");
        }
    }
}

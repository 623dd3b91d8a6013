//! Passwords as users choose them.

mod guessable;

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::sync::LazyLock;

use platform::fields::FieldError;
use platform::text::{composed, folded};

use crate::user::User;

/// The 17,950 most common passwords of at least 8 characters, in lower case: an excerpt of the list
/// `passwords` of the npm package `@zxcvbn-ts/language-common` 4.1.3 (MIT licence, © 2012–2016 Dan Wheeler
/// and Dropbox, Inc., © 2021 zxcvbn-ts).
const COMMON: &str = include_str!("common_passwords.txt");

/// 8–256 characters in normal form C, so that it does not matter how accents are typed. Not a common
/// password.
#[derive(Clone)]
pub struct Password(String);

/// A password that its user may set: it is neither the user's e-mail nor the user's name.
#[derive(Clone)]
pub struct OwnPassword(String);

/// Why a text is not accepted as a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoPassword {
    #[error("must be 8 to 256 characters")]
    Length,
    #[error("Many people use this password, so it is easily guessed: choose another one.")]
    Common,
    #[error("Choose a password that is neither your e-mail nor your name.")]
    Own,
    #[error(
        "A name, a season, a year or a row of keys is easily guessed: choose a longer password of other words."
    )]
    Guessable,
}

impl Password {
    pub const CHARS: RangeInclusive<usize> = 8..=256;

    /// Refuses the e-mail, the part of it before the `@`, and the name, in any case, and what is made of
    /// their parts or of `words`, such as the name of the site, with a few digits.
    pub fn of(self, email: &str, name: &str, words: &[&str]) -> Result<OwnPassword, NoPassword> {
        let without_blanks = |text: &str| folded(text).split_whitespace().collect::<String>();
        let password = without_blanks(&self.0);
        let local = email.rsplit_once('@').map_or(email, |(local, _)| local);
        let is_own = [email, local, name].into_iter().any(|own| without_blanks(own) == password);
        if is_own {
            return Err(NoPassword::Own);
        }
        let words: Vec<&str> = [email, name].into_iter().chain(words.iter().copied()).collect();
        if guessable::is_made_of(&self.0, &words) {
            Err(NoPassword::Guessable)
        } else {
            Ok(OwnPassword(self.0))
        }
    }

    /// Refuses what this user's password must not be, as an error of the field `path`.
    pub fn of_user(self, site_name: &str, user: &User, path: &str) -> Result<OwnPassword, Vec<FieldError>> {
        let email = user.email.as_deref().unwrap_or_default();
        self.of(email, &user.name, &[site_name])
            .map_err(|error| vec![FieldError::explained(path, error.to_string())])
    }
}

impl OwnPassword {
    pub fn into_string(self) -> String {
        self.0
    }
}

impl FromStr for Password {
    type Err = NoPassword;

    fn from_str(text: &str) -> Result<Self, NoPassword> {
        let text = composed(text);
        if !Self::CHARS.contains(&text.chars().count()) {
            return Err(NoPassword::Length);
        }
        if is_common(&text) {
            return Err(NoPassword::Common);
        }
        let is_guessable = guessable::is_made_of(&text, &[]) || guessable::is_row_of_keys(&text);
        if is_guessable { Err(NoPassword::Guessable) } else { Ok(Self(text)) }
    }
}

/// Whether the text is in the list, in any case, or one character alone is repeated.
fn is_common(text: &str) -> bool {
    static LIST: LazyLock<HashSet<&str>> = LazyLock::new(|| COMMON.lines().collect());
    let mut letters = text.chars();
    let first = letters.next();
    letters.all(|letter| Some(letter) == first) || LIST.contains(folded(text).as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn length_is_counted_in_characters() {
        for (length, fits) in [(7, false), (8, true), (256, true), (257, false)] {
            let text: String = "éa".chars().cycle().take(length).collect();
            assert_eq!(text.parse::<Password>().is_ok(), fits, "{length}");
            let decomposed = text.replace('é', "e\u{301}");
            assert_eq!(decomposed.parse::<Password>().is_ok(), fits, "{length}");
        }
    }

    #[test]
    fn common_passwords_are_refused_in_any_case() {
        for text in [
            "password",
            "12345678",
            "qwertyui",
            "aaaaaaaa",
            "Password1",
            "IloveYou",
            "ｐassword",
            "ééééééééé",
        ] {
            assert_eq!(text.parse::<Password>().err(), Some(NoPassword::Common), "{text}");
        }
        for text in ["correct horse", "a long enough one", "passwords are hard"] {
            assert!(text.parse::<Password>().is_ok(), "{text}");
        }
    }

    #[test]
    fn the_list_has_one_password_on_each_line_as_it_is_looked_up() {
        let lines: Vec<_> = COMMON.lines().collect();
        assert_eq!(lines.len(), 17950);
        assert!(lines.is_sorted_by(|one, next| one < next));
        assert!(lines.iter().all(|line| line.len() >= 8 && folded(line) == **line));
    }

    #[test]
    fn the_own_email_and_name_are_refused() {
        let is_own = |text: &str| {
            let password: Password = text.parse().unwrap();
            matches!(password.of("Ada.Lovelace@example.org", "Ada King Noel", &[]), Err(NoPassword::Own))
        };
        for text in ["ada.lovelace@example.org", "ADA.LOVELACE", "Ada King Noel", "adakingnoel"] {
            assert!(is_own(text), "{text}");
        }
        assert!(!is_own("ada computes 1815"));
    }
}

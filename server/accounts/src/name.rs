//! Names of people.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::groups::PersonNumber;
use crate::person::Person;
use platform::single_line::{NotSingleLine, SingleLine};
use platform::text::{folded, is_number, is_visible, mixes_scripts};

/// A single line of 1–100 characters that a person may be called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonName(SingleLine);

/// A name as typed. Whether a person may be called so depends on the person's numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedName(SingleLine);

/// Why a text is not a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoName {
    #[error(transparent)]
    Line(#[from] NotSingleLine),
    #[error("must have 1 to 100 characters")]
    Length,
    #[error("must not mix alphabets within a word")]
    MixesScripts,
    #[error("must not be the name of deleted accounts")]
    Reserved,
    #[error("must not be the name of a role")]
    Role,
    #[error("must not be the name of another person’s number")]
    Number,
}

impl PersonName {
    pub const CHARS: RangeInclusive<usize> = 1..=100;

    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    pub fn into_string(self) -> String {
        self.0.into_string()
    }
}

impl fmt::Display for TypedName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for TypedName {
    type Err = NoName;

    fn from_str(text: &str) -> Result<Self, NoName> {
        let line: SingleLine = text.parse()?;
        if !PersonName::CHARS.contains(&line.chars()) {
            return Err(NoName::Length);
        }
        if shown(line.as_str()) == without_blanks(Person::DELETED) {
            return Err(NoName::Reserved);
        }
        if mixes_scripts(line.as_str()) {
            return Err(NoName::MixesScripts);
        }
        Ok(Self(line))
    }
}

impl TypedName {
    /// The name of a person who has these numbers in groups. `Number 17` is how pages call a person with that
    /// number, and `Clerk` the one who enters bids in a hall.
    pub fn of(self, numbers: &[PersonNumber]) -> Result<PersonName, NoName> {
        let name = shown(self.0.as_str());
        if name == CLERK {
            return Err(NoName::Role);
        }
        let number = name.strip_prefix(NUMBER).map(|rest| rest.trim_start_matches(is_sign));
        match number.filter(|number| !number.is_empty() && number.chars().all(is_number)) {
            Some(number) if !numbers.iter().any(|own| Ok(own.get()) == number.parse()) => Err(NoName::Number),
            _ => Ok(PersonName(self.0)),
        }
    }

    /// The name of a user who is called `present`, and has these numbers in groups. A name that does not
    /// change stays as it is.
    pub fn of_user(self, present: &str, numbers: &[PersonNumber]) -> Result<PersonName, NoName> {
        if self.0.as_str() == present { Ok(PersonName(self.0)) } else { self.of(numbers) }
    }
}

const CLERK: &str = "clerk";
const NUMBER: &str = "number";

/// A mark between the word and the number that reads as a blank.
fn is_sign(letter: char) -> bool {
    letter.is_ascii_punctuation()
}

/// The letters of a name as they look: in lower case, without blanks and invisible characters.
fn shown(name: &str) -> String {
    without_blanks(&folded(&name.chars().filter(|letter| is_visible(*letter)).collect::<String>()))
}

fn without_blanks(text: &str) -> String {
    text.split_whitespace().collect()
}

#[cfg(test)]
mod tests {
    use platform::single_line::NotSingleLine;

    use super::{NoName, TypedName};
    use crate::groups::PersonNumber;

    #[test]
    fn a_name_is_what_can_be_shown() {
        assert_eq!("  Ada Lovelace ".parse::<TypedName>().unwrap().to_string(), "Ada Lovelace");
        assert!("é".repeat(100).parse::<TypedName>().is_ok());
        for text in ["a\nb", "a\u{0}", "\u{202e}gnp.exe", "\u{200b}"] {
            assert_eq!(text.parse::<TypedName>(), Err(NoName::Line(NotSingleLine::Control)), "{text:?}");
        }
        assert_eq!("\u{3164}".parse::<TypedName>(), Err(NoName::Line(NotSingleLine::Invisible)));
        for text in ["", "  ", &"é".repeat(101)] {
            assert_eq!(text.parse::<TypedName>(), Err(NoName::Length), "{text:?}");
        }
    }

    #[test]
    fn a_word_has_letters_that_do_not_look_like_those_of_another_script() {
        // The last one has a letter of Unicode 18.
        for text in ["d\u{435}leted user", "\u{391}da", "Ad\u{430} Lovelace", "Ada\u{558}"] {
            assert_eq!(text.parse::<TypedName>(), Err(NoName::MixesScripts), "{text:?}");
        }
        for text in [
            "Ада Lovelace",
            "Άδα",
            "山田T子",
            "Tシャツ屋",
            "Ada-Ада",
            "김Ada",
            "ᏣᎳᎩ",
            "Zoë 🎨 O’Neil",
            "می\u{200c}خواهم",
            "\u{1df40}da Lovelace",
        ] {
            assert!(text.parse::<TypedName>().is_ok(), "{text:?}");
        }
    }

    #[test]
    fn nobody_has_the_name_of_deleted_accounts() {
        for text in
            ["deleted user", " Deleted  USER", "deleted\u{3164} user", "deleted\u{a0}user", "ｄeleted user"]
        {
            assert_eq!(text.parse::<TypedName>(), Err(NoName::Reserved), "{text:?}");
        }
        assert!("Deleted User 2".parse::<TypedName>().is_ok());
    }

    #[test]
    fn nobody_has_the_name_of_a_role_or_of_the_number_of_another() {
        let numbers = [17, 4].map(|number| PersonNumber::try_from(number).unwrap());
        let of = |text: &str| text.parse::<TypedName>().unwrap().of(&numbers).map(|name| name.into_string());
        for text in
            ["Clerk", "clerk", " Clerk ", "CLERK", "C l e r k", "Ｃlerk", "Cle\u{2003}rk", "cL\u{2003}erk"]
        {
            assert_eq!(of(text), Err(NoName::Role), "{text:?}");
        }
        for text in [
            "Number 18",
            "number18",
            "NUMBER  18",
            "Number\u{a0}18",
            "Ｎumber １８",
            "Number #18",
            "Number 99999999999999999999",
            "Number: 18",
            "Number ١٨",
            "Number 1 8",
            // A number of Unicode 18.
            "Number \u{1246f}",
        ] {
            assert_eq!(of(text), Err(NoName::Number), "{text:?}");
        }
        for text in [
            "Number 17",
            "number 4",
            "Number 017",
            "Number One",
            "Number",
            "Clerkson",
            "Clark",
            "17",
            "Number 18b",
        ] {
            assert_eq!(of(text).as_deref(), Ok(text), "{text:?}");
        }
        let kept = "Number 18".parse::<TypedName>().unwrap().of_user("Number 18", &[]);
        assert!(kept.is_ok());
    }
}

//! Cursors of the list of members. Where the list hides people, a cursor names a number, as the list does:
//! behind an id, the rest of the list would tell which number the id has.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

use crate::ids::UserId;

/// The place of a member in the list of an auction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemberPlace {
    /// In the order of ids.
    ById(UserId),
    /// Where people are hidden: members without a number first, in the order of ids, then by number.
    Unnumbered(UserId),
    Numbered(i64),
}

/// The text is not a cursor of a list of members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotAPlace;

/// Bytes of the check sum, by which a changed cursor is noticed.
const SUM: usize = 8;

fn sum(text: &str) -> [u8; SUM] {
    let hash: [u8; 32] = Sha256::digest(text).into();
    std::array::from_fn(|at| hash[at])
}

impl fmt::Display for MemberPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::ById(id) => return id.fmt(f),
            Self::Unnumbered(id) => format!("u{id}"),
            Self::Numbered(number) => format!("n{number}"),
        };
        f.write_str(&const_hex::encode([&sum(&text), text.as_bytes()].concat()))
    }
}

impl FromStr for MemberPlace {
    type Err = NotAPlace;

    fn from_str(text: &str) -> Result<Self, NotAPlace> {
        if let Ok(id) = text.parse() {
            return Ok(Self::ById(id));
        }
        let bytes = const_hex::decode(text).map_err(|_| NotAPlace)?;
        let (given, text) = bytes.split_at_checked(SUM).ok_or(NotAPlace)?;
        let text = std::str::from_utf8(text).map_err(|_| NotAPlace)?;
        if given != sum(text) {
            return Err(NotAPlace);
        }
        let unnumbered = text.strip_prefix('u').and_then(|id| id.parse().ok()).map(Self::Unnumbered);
        let numbered = text.strip_prefix('n').and_then(|number| number.parse().ok()).map(Self::Numbered);
        unnumbered.or(numbered).ok_or(NotAPlace)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_read_as_written_and_a_changed_one_is_unknown() {
        let id: UserId = "0199b0f4-7a9e-7f40-8000-0123456789ab".parse().unwrap();
        for place in [MemberPlace::ById(id), MemberPlace::Unnumbered(id), MemberPlace::Numbered(17)] {
            assert_eq!(place.to_string().parse(), Ok(place));
        }
        let cursor = MemberPlace::Numbered(17).to_string();
        for changed in ["17", "n17", "", "00ff", &cursor[2..], &format!("{cursor}31")] {
            assert_eq!(changed.parse::<MemberPlace>(), Err(NotAPlace), "{changed}");
        }
        let forged = const_hex::encode("12345678n18");
        assert_eq!(forged.parse::<MemberPlace>(), Err(NotAPlace));
    }
}

//! The running order: in which order the items of an auction are called in a hall (SPEC, section 15). Without
//! an order of its own that is the one of their lot numbers. Closed items are not part of it.

pub mod arrange;
pub mod list;
mod place;
pub mod routes;

use std::fmt;
use std::str::FromStr;

use crate::ids::ItemId;

/// An item that is still to be called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CalledItem {
    pub id: ItemId,
    pub lot_number: String,
    pub name: String,
    /// Left out until it comes back.
    pub is_held: bool,
    pub place: OrderPlace,
}

/// The place of an item in the running order. As text it is the cursor of the page after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OrderPlace {
    /// Given by a clerk.
    Position(i64),
    /// By lot number, behind all items with a position: the key of the number.
    Lot(String),
}

/// The text is not a cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoOrderPlace;

impl fmt::Display for OrderPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::Position(position) => format!("position {position}"),
            Self::Lot(key) => format!("lot {key}"),
        };
        f.write_str(&const_hex::encode(text))
    }
}

impl FromStr for OrderPlace {
    type Err = NoOrderPlace;

    fn from_str(cursor: &str) -> Result<Self, NoOrderPlace> {
        let text = String::from_utf8(const_hex::decode(cursor).map_err(|_| NoOrderPlace)?);
        match text.map_err(|_| NoOrderPlace)?.split_once(' ') {
            Some(("position", position)) => position.parse().map(Self::Position).map_err(|_| NoOrderPlace),
            Some(("lot", key)) if !key.contains('\0') => Ok(Self::Lot(key.to_owned())),
            _ => Err(NoOrderPlace),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_reads_back_as_written() {
        for place in [OrderPlace::Position(-7), OrderPlace::Lot("212a b".to_owned())] {
            assert_eq!(place.to_string().parse(), Ok(place));
        }
        for text in ["position x", "lot", "lot a\0", "end 1", ""] {
            assert_eq!(const_hex::encode(text).parse::<OrderPlace>(), Err(NoOrderPlace), "{text}");
        }
        assert_eq!("x".parse::<OrderPlace>(), Err(NoOrderPlace));
    }
}

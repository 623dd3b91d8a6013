//! Every kind of id, in one alphabetical list. All are UUIDv7, written in lower case with hyphens.

use serde::{Deserialize, Serialize};
use uuid::fmt::Hyphenated;

/// An id as it is written, kept without the heap: a batch of bids writes hundreds.
#[derive(Debug, Clone, Copy)]
pub struct IdText([u8; Hyphenated::LENGTH]);

impl IdText {
    pub fn as_str(&self) -> &str {
        // Always ASCII.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
            #[serde(transparent)]
            pub struct $name(uuid::Uuid);

            impl $name {
                pub fn new(now: crate::clock::Moment) -> Result<Self, crate::entropy::NoEntropy> {
                    crate::entropy::new_id(now).map(Self)
                }

                pub fn text(self) -> IdText {
                    let mut text = [0; Hyphenated::LENGTH];
                    self.0.hyphenated().encode_lower(&mut text);
                    IdText(text)
                }
            }

            impl std::fmt::Display for $name {
                fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    self.0.fmt(f)
                }
            }

            impl std::str::FromStr for $name {
                type Err = uuid::Error;

                fn from_str(text: &str) -> Result<Self, uuid::Error> {
                    text.parse().map(Self)
                }
            }
        )*
    };
}

ids! {
    AuctionId;
    /// Of an entry of the audit log.
    AuditId;
    BidId;
    /// Of a currency profile.
    CurrencyId;
    ItemId;
    RuleId;
    /// Of a run of the update.
    RunId;
    UserId;
}

impl ItemId {
    /// The last 62 bits of the id, most of them random: what the ledger knows the item by, since the id as text takes four
    /// times the room and is slower to compare. Should two items have the same, the second can't be made.
    pub fn number(self) -> i64 {
        let (_, last) = self.0.as_u64_pair();
        (last & (u64::MAX >> 2)).cast_signed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_an_item_is_what_its_id_ends_with() {
        let id: ItemId = "018f2d3c-4b5a-7000-bfff-123456789abc".parse().unwrap();
        assert_eq!(id.number(), 0x3fff_1234_5678_9abc);
    }
}

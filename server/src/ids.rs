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

//! Every kind of id, in one alphabetical list. All are UUIDv7, written in lower case with hyphens.

use serde::{Deserialize, Serialize};

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

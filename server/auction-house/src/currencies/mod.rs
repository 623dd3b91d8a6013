//! Currency profiles: what an auction's bids may be entered in.

pub mod access;
pub mod body;
pub mod create;
pub mod delete;
pub mod document;
pub mod patch;
pub mod routes;
pub mod store;

use rules_engine::ProfileDefinition;

use crate::ids::{AuctionId, CurrencyId};
use platform::time::Moment;

/// Profiles of an auction, at most.
pub const CURRENCIES_MAX: usize = 32;

/// A currency profile of an auction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Currency {
    pub id: CurrencyId,
    pub auction_id: AuctionId,
    pub code: String,
    pub name: String,
    pub symbol: String,
    pub is_default: bool,
    /// INVARIANT: `Profile::parse` accepts it, and its id is `id`.
    pub definition: ProfileDefinition,
    /// The names of the denominations, in the definition's order.
    pub names: Vec<DenominationNames>,
    pub version: i64,
    pub created_at: Moment,
    pub updated_at: Moment,
}

/// The name of a denomination on pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DenominationNames {
    pub name: String,
    pub symbol: String,
}

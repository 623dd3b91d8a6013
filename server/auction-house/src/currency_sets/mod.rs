//! Currency sets: the currencies and rules of an auction as one document, which another auction takes (SPEC,
//! section 5).

pub mod add;
pub mod body;
pub mod routes;

use crate::currencies::{self, Currency};
use crate::ids::AuctionId;
use crate::rules::{self, CurrencyRule};
use platform::db::{Connection, DbError};

/// Currencies, and the rules for bids in them.
#[derive(Debug, Clone, Default)]
pub struct CurrencySet {
    /// In the order in which they were created.
    pub currencies: Vec<Currency>,
    /// By position.
    pub rules: Vec<CurrencyRule>,
}

impl CurrencySet {
    /// All currencies and rules of an auction.
    pub async fn of_auction(conn: &mut Connection, auction_id: AuctionId) -> Result<Self, DbError> {
        Ok(Self {
            currencies: currencies::store::of_auction(conn, auction_id).await?,
            rules: rules::store::of_auction(conn, auction_id).await?,
        })
    }
}

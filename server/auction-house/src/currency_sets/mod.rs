//! Currency sets: the base unit, currencies and rules of an auction as one document, which another auction
//! takes (SPEC, section 5).

pub mod add;
pub mod body;
pub mod routes;

use crate::auctions::Auction;
use crate::base_unit::BaseUnit;
use crate::currencies::{self, Currency};
use crate::rules::{self, CurrencyRule};
use platform::db::{Connection, DbError};

/// Currencies, and the rules for bids in them.
#[derive(Debug, Clone, Default)]
pub struct CurrencySet {
    /// The unit that the rates and the amounts of the rules count.
    pub base_unit: Option<BaseUnit>,
    /// In the order in which they were created.
    pub currencies: Vec<Currency>,
    /// By position.
    pub rules: Vec<CurrencyRule>,
}

impl CurrencySet {
    /// All currencies and rules of an auction.
    pub async fn of_auction(conn: &mut Connection, auction: &Auction) -> Result<Self, DbError> {
        Ok(Self {
            base_unit: auction.terms.base_unit.clone(),
            currencies: currencies::store::of_auction(conn, auction.id).await?,
            rules: rules::store::of_auction(conn, auction.id).await?,
        })
    }
}

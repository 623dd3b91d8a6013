//! Exports the items of an auction as a table that its import reads.

pub mod routes;

use platform::db::{DbError, Snapshot};
use platform::http::download::{Format, Parts};
use platform::http::table_text::TableText;
use platform::time::Moment;
use rules_engine::money::Normalized;
use rules_engine::typed::{clear, price_as_typed};
use rules_engine::{BidContext, ItemTerms, RuleSet};

use super::Item;
use super::access::view_items;
use super::import::table::COLUMNS;
use super::price::normalize;
use crate::auctions::access::AuctionView;
use crate::auctions::people::PeopleShown;
use crate::currencies::{self, Currency};
use crate::ids::ItemId;
use crate::usage;

/// Items of one part. Their longest descriptions take 4 MB.
const PART: usize = 100;

/// An export that is being read from a snapshot, for a viewer who sees every item.
pub struct ItemExport {
    db: Snapshot,
    auction: AuctionView,
    /// Currency of minima and increments. None in a legacy auction.
    currency: Option<Currency>,
    items: Vec<ItemId>,
    /// How many items are read; none before the first part.
    read: Option<usize>,
    text: TableText<{ COLUMNS.len() }>,
}

impl ItemExport {
    pub async fn begin(mut db: Snapshot, auction: AuctionView, format: Format) -> Result<Self, DbError> {
        let id = auction.auction.id;
        let items = usage::item_ids(&mut db, id).await?;
        let currencies = currencies::store::of_auction(&mut db, id).await?;
        let currency = currencies.into_iter().find(|currency| currency.is_default);
        let text = TableText::new(format, "items", COLUMNS.map(|column| column.name()));
        Ok(Self { db, auction, currency, items, read: None, text })
    }

    /// The cells of an item. A seller without a number in the auction's group has none, and keeps the item
    /// where the table is imported again.
    fn cells(&self, item: &Item) -> [String; COLUMNS.len()] {
        let (terms, price) = (&item.terms, &item.terms.price);
        let legacy = price.legacy.as_ref().filter(|_| self.currency.is_none());
        let (minimum, increment) = match &self.currency {
            Some(currency) => {
                let entered =
                    price.minimum.as_ref().map(|minimum| match minimum.currency_id == currency.id {
                        true => price_as_typed(&currency.typed(), &minimum.entered),
                        false => entered_as(currency, minimum.normalized),
                    });
                let increment = price.min_increment.map(|increment| entered_as(currency, increment));
                (entered, increment)
            }
            None => {
                let text =
                    |amount: Option<Normalized>| amount.map(|amount| clear(&amount.to_string(), false));
                let minimum = text(legacy.and_then(|price| price.starting_bid));
                (minimum, text(legacy.and_then(|price| price.min_bid_increment)))
            }
        };
        let people = PeopleShown::of(&self.auction.auction);
        let seller = people.number(item.seller.id).map(|number| number.to_string());
        let moment = |moment: Option<Moment>| moment.map(|moment| moment.to_string());
        [
            Some(item.lot_number.to_string()),
            Some(terms.name.clone()),
            Some(terms.description.clone()),
            terms.estimate.clone(),
            minimum,
            increment,
            legacy.map(|price| price.currency.code().to_owned()),
            seller,
            moment(terms.starts_at),
            moment(terms.own_end),
            Some(if terms.is_published { "yes" } else { "no" }.to_owned()),
        ]
        .map(Option::unwrap_or_default)
    }
}

impl Parts for ItemExport {
    async fn next(&mut self) -> Result<Option<Vec<u8>>, DbError> {
        let begin = self.read.unwrap_or(0);
        if self.read == Some(self.items.len()) {
            return Ok(None);
        }
        let end = self.items.len().min(begin + PART);
        let ids = self.items.get(begin..end).unwrap_or_default();
        let seen = view_items(&mut self.db, &self.auction, ids).await?;
        let rows: Vec<_> = seen.iter().map(|seen| self.cells(&seen.item)).collect();
        let mut text = self.text.part(&rows)?;
        if end == self.items.len() {
            text.extend_from_slice(self.text.end());
        }
        self.read = Some(end);
        Ok(Some(text))
    }
}

/// An amount in base units as a cell. Empty if no bid in the currency is worth it.
fn entered_as(currency: &Currency, amount: Normalized) -> String {
    let terms = ItemTerms { min_bid_normalized: Some(amount), ..ItemTerms::default() };
    let rules = RuleSet::compile(&currency.definition(), &[], &terms);
    let least = rules.ok().and_then(|rules| rules.suggest(BidContext::default()));
    let same = least.filter(|bid| normalize(currency, bid).is_ok_and(|normalized| normalized == amount));
    same.map(|bid| price_as_typed(&currency.typed(), &bid)).unwrap_or_default()
}

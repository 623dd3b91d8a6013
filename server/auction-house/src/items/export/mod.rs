//! Exports the items of an auction as a table that its import reads.

pub mod routes;

use platform::cell::Cell;
use platform::db::Snapshot;
use platform::http::download::{ExportError, ExportPart, ExportParts};
use platform::http::format::ExportFormat;
use platform::http::table_text::TableText;
use platform::time::Moment;
use rules_engine::money::Normalized;
use rules_engine::typed::price_in_cell;
use rules_engine::{BidContext, BidForm, ItemTerms, RuleSet};

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
    pub async fn begin(
        mut db: Snapshot,
        auction: AuctionView,
        format: ExportFormat,
    ) -> Result<Self, ExportError> {
        let id = auction.auction.id;
        let items = usage::item_ids(&mut db, id).await?;
        let currencies = currencies::store::of_auction(&mut db, id).await?;
        let currency = currencies.into_iter().find(|currency| currency.is_default);
        let text = TableText::new(format, "items", COLUMNS.map(|column| column.name()))?;
        Ok(Self { db, auction, currency, items, read: None, text })
    }

    /// The cells of an item. A seller without a number in the auction's group has none, and keeps the item
    /// where the table is imported again.
    fn cells(&self, item: &Item) -> [Cell; COLUMNS.len()] {
        let (terms, price) = (&item.terms, &item.terms.price);
        let legacy = price.legacy.as_ref().filter(|_| self.currency.is_none());
        let (minimum, increment) = match &self.currency {
            Some(currency) => {
                let entered =
                    price.minimum.as_ref().map(|minimum| match minimum.currency_id == currency.id {
                        true => in_cell(currency, &minimum.entered),
                        false => entered_as(currency, minimum.normalized),
                    });
                let increment = price.min_increment.map(|increment| entered_as(currency, increment));
                (entered, increment)
            }
            None => {
                let minimum = legacy.and_then(|price| price.starting_bid);
                let increment = legacy.and_then(|price| price.min_bid_increment);
                (
                    minimum.map(|amount| Cell::number(Some(amount))),
                    increment.map(|amount| Cell::number(Some(amount))),
                )
            }
        };
        let people = PeopleShown::of(&self.auction.auction);
        let moment = |moment: Option<Moment>| Cell::text_or_empty(moment.map(|moment| moment.to_string()));
        let empty = || Cell::text("");
        [
            Cell::text(item.lot_number.to_string()),
            Cell::text(&terms.name),
            Cell::text(&terms.description),
            Cell::text_or_empty(terms.estimate.as_ref()),
            minimum.unwrap_or_else(empty),
            increment.unwrap_or_else(empty),
            Cell::text_or_empty(legacy.map(|price| price.currency.code())),
            Cell::number(people.number(item.seller.id)),
            moment(terms.starts_at),
            moment(terms.own_end),
            Cell::text(if terms.is_published { "yes" } else { "no" }),
        ]
    }
}

impl ExportParts for ItemExport {
    async fn next(&mut self) -> Result<Option<ExportPart>, ExportError> {
        let begin = self.read.unwrap_or(0);
        if self.read == Some(self.items.len()) {
            return Ok(None);
        }
        let end = self.items.len().min(begin + PART);
        let ids = self.items.get(begin..end).unwrap_or_default();
        let seen = view_items(&mut self.db, &self.auction, ids).await?;
        let rows: Vec<_> = seen.iter().map(|seen| self.cells(&seen.item)).collect();
        self.read = Some(end);
        self.text.part(&rows, end == self.items.len()).map(Some)
    }
}

/// An amount in base units as a cell. Empty if no bid in the currency is worth it.
fn entered_as(currency: &Currency, amount: Normalized) -> Cell {
    let terms = ItemTerms { min_bid_normalized: Some(amount), ..ItemTerms::default() };
    let rules = RuleSet::compile(&currency.definition(), &[], &terms);
    let least = rules.ok().and_then(|rules| rules.suggest(BidContext::default()));
    let same = least.filter(|bid| normalize(currency, bid).is_ok_and(|normalized| normalized == amount));
    same.map_or_else(|| Cell::text(""), |bid| in_cell(currency, &bid))
}

/// A bid as a cell: the amount, or the counts of its pieces, which are no number.
fn in_cell(currency: &Currency, bid: &BidForm) -> Cell {
    match &bid.amount {
        Some(amount) => Cell::number(Some(amount.as_str())),
        None => Cell::text(price_in_cell(&currency.typed(), bid)),
    }
}

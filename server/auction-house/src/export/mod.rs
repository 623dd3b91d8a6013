//! Exporting everything of an auction as it is at one moment: its items, outcomes, bids and members, read
//! part by part, so that an export of any size takes little memory.

mod json;
pub mod routes;
mod row;

use std::collections::HashMap;

use crate::access;
use crate::auctions::access::AuctionView;
use crate::auctions::people::PeopleShown;
use crate::bids;
use crate::bids::Bid;
use crate::bids::KnownPeople;
use crate::bids::document::BidDocument;
use crate::currencies;
use crate::ids::{CurrencyId, ItemId, OutcomeId, UserId};
use crate::items::access::view_items;
use crate::items::document::ItemDocument;
use crate::items::format::DrawTerms;
use crate::items::outcomes::document::OutcomeDocument;
use crate::items::store::outcomes;
use crate::members::document::MemberDocument;
use crate::usage;
use platform::db::{DbError, Snapshot};
use platform::http::download::{ExportError, ExportPart, ExportParts};
use platform::http::format::ExportFormat;
use platform::http::rows::RowWriter;
use platform::time::Moment;

/// Records of one part, at most. The longest descriptions of so many items take 4 MB.
const PART: usize = 100;

/// Bids of one part, which are short.
const BIDS_PART: usize = 500;

/// Records that are written before the pages that share the thread go on.
const FEW: usize = 10;

/// One entry of an export.
#[derive(Debug)]
enum Record {
    Item(Box<ItemDocument>),
    Outcome(Box<OutcomeDocument>),
    Bid(Box<BidDocument>),
    Member(MemberDocument),
}

/// A list of the export. Each begins where the one before ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    Items,
    Outcomes,
    Bids,
    Members,
}

/// Where the next part begins.
#[derive(Debug, Clone, Copy)]
enum Position {
    Items {
        at: usize,
    },
    Outcomes {
        after: Option<OutcomeId>,
    },
    /// Past this place in the ledger.
    Bids {
        after: i64,
    },
    Members {
        after: Option<UserId>,
    },
    End,
}

/// What rows of outcomes and bids repeat of their items and currencies.
#[derive(Debug, Default)]
struct Names {
    /// Lot number, name and ISO currency.
    items: HashMap<ItemId, (String, String, Option<&'static str>)>,
    /// Codes of currency profiles.
    currencies: HashMap<CurrencyId, String>,
}

/// An export that is being read from a snapshot, for a viewer who may see everything in the auction.
pub struct Export {
    db: Snapshot,
    now: Moment,
    auction: AuctionView,
    /// None for JSON.
    rows: Option<RowWriter>,
    items: Vec<ItemId>,
    names: Names,
    /// The terms of items that are draws.
    draws: HashMap<ItemId, DrawTerms>,
    /// Draws whose tickets are not in the ledger: to come, or cancelled before.
    apart: Vec<ItemId>,
    position: Position,
    /// The list that the text so far has begun.
    written: Option<Section>,
}

impl ExportParts for Export {
    async fn next(&mut self) -> Result<Option<ExportPart>, ExportError> {
        let Some(section) = self.section() else { return Ok(None) };
        let records = self.read().await?;
        let is_last = self.section().is_none();
        let mut text = Vec::new();
        let mut is_first = self.written.replace(section) != Some(section);
        if is_first && self.rows.is_none() {
            json::begin(&mut text, section);
        }
        for few in records.chunks(FEW) {
            match &mut self.rows {
                Some(rows) => row::write(rows, few, &self.names)?,
                None => json::write(&mut text, few, is_first)?,
            }
            is_first = false;
            tokio::task::yield_now().await;
        }
        if let Some(rows) = &mut self.rows {
            return Ok(Some(rows.part(is_last)));
        }
        if is_last {
            json::end(&mut text);
        }
        Ok(Some(ExportPart::Text(text)))
    }
}

impl Export {
    pub async fn begin(
        mut db: Snapshot,
        auction: AuctionView,
        format: ExportFormat,
        now: Moment,
    ) -> Result<Self, ExportError> {
        let rows = match format {
            ExportFormat::Table(format) => Some(row::begin(format)?),
            ExportFormat::Json => None,
        };
        let items = usage::item_ids(&mut db, auction.auction.id).await?;
        let currencies = currencies::store::of_auction(&mut db, auction.auction.id).await?;
        let codes = currencies.into_iter().map(|one| (one.id, one.code));
        let names = Names { currencies: codes.collect(), ..Names::default() };
        let position = Position::Items { at: 0 };
        let (draws, apart) = (HashMap::new(), Vec::new());
        Ok(Self { db, now, auction, rows, items, names, draws, apart, position, written: None })
    }

    fn section(&self) -> Option<Section> {
        match self.position {
            Position::Items { .. } => Some(Section::Items),
            Position::Outcomes { .. } => Some(Section::Outcomes),
            Position::Bids { .. } => Some(Section::Bids),
            Position::Members { .. } => Some(Section::Members),
            Position::End => None,
        }
    }

    /// Reads the next part and moves on. A part may be empty.
    async fn read(&mut self) -> Result<Vec<Record>, DbError> {
        match self.position {
            Position::Items { at } => self.read_items(at).await,
            Position::Outcomes { after } => self.read_outcomes(after).await,
            Position::Bids { after } => self.read_bids(after).await,
            Position::Members { after } => self.read_members(after).await,
            Position::End => Ok(Vec::new()),
        }
    }

    /// The viewer sees every item.
    async fn read_items(&mut self, at: usize) -> Result<Vec<Record>, DbError> {
        let end = self.items.len().min(at + PART);
        let ids = self.items.get(at..end).unwrap_or_default();
        let mut records = Vec::with_capacity(ids.len());
        for seen in view_items(&mut self.db, &self.auction, ids).await? {
            if let Some(terms) = seen.item.terms.format.draw() {
                self.draws.insert(seen.item.id, terms.clone());
                if seen.item.last_sequence == 0 {
                    self.apart.push(seen.item.id);
                }
            }
            let document = ItemDocument::of(seen, self.now)?;
            let names = (document.lot_number.clone(), document.name.clone(), document.currency_code);
            self.names.items.insert(document.id, names);
            records.push(Record::Item(Box::new(document)));
        }
        let is_last = end == self.items.len();
        self.position =
            if is_last { Position::Outcomes { after: None } } else { Position::Items { at: end } };
        Ok(records)
    }

    async fn read_outcomes(&mut self, after: Option<OutcomeId>) -> Result<Vec<Record>, DbError> {
        let found = outcomes::list(&mut self.db, self.auction.auction.id, None, after, PART as i64).await?;
        self.position = match found.last() {
            Some(last) => Position::Outcomes { after: Some(last.id) },
            None => Position::Bids { after: i64::MIN },
        };
        let people = PeopleShown::of(&self.auction.auction);
        let document = |stored: crate::items::outcomes::StoredOutcome| {
            let document = OutcomeDocument::of(stored.item_id, stored.outcome, true, &people)?;
            Ok(Record::Outcome(Box::new(document)))
        };
        found.into_iter().map(document).collect()
    }

    async fn read_bids(&mut self, after: i64) -> Result<Vec<Record>, DbError> {
        let (auction_id, limit) = (self.auction.auction.id, BIDS_PART as i64);
        let apart = std::mem::take(&mut self.apart);
        let tickets = bids::store::sealed::standing(&mut self.db, &apart).await?;
        let mut bids = bids::store::of_auction(&mut self.db, auction_id, after, limit).await?;
        self.position = match bids.last() {
            Some(last) => Position::Bids { after: last.position },
            None => Position::Members { after: None },
        };
        bids.extend(tickets.iter().map(|bid| bid.opened(bid.receipt, 0, None)));
        let people = PeopleShown::of(&self.auction.auction);
        let record = |bid: Bid| {
            let terms = self.draws.get(&bid.item_id);
            let document = BidDocument::new(bid, KnownPeople::ALL, &people)?;
            Ok(Record::Bid(Box::new(document.on_draw(terms))))
        };
        bids.into_iter().map(record).collect()
    }

    async fn read_members(&mut self, after: Option<UserId>) -> Result<Vec<Record>, DbError> {
        let found = access::store::list(&mut self.db, self.auction.auction.id, after, PART as i64).await?;
        self.position = match found.last() {
            Some(last) => Position::Members { after: Some(last.id) },
            None => Position::End,
        };
        let auction = &self.auction;
        Ok(found.into_iter().map(|member| Record::Member(MemberDocument::of(member, auction))).collect())
    }
}

//! Items in responses (SPEC, section 3).

use accounts::person::PersonDocument;
use rules_engine::money::{Literal, Normalized};
use rules_engine::{BidForm, EnteredCount};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::access::ItemView;
use super::format::{Again, FormatKind, PriceKind, Tie, seed_hash};
use super::images::document::ImageDocument;
use super::outcomes::Outcome;
use super::outcomes::document::OutcomeDocument;
use super::{EnteredPrice, HighestBid, ItemStatus};
use crate::auctions::document::cut_description;
use crate::engine::json_number;
use crate::engine_schema::answered_amount;
use crate::ids::{AuctionId, CurrencyId, ItemId};
use platform::db::DbError;
use platform::paging::Paged;
use platform::time::Moment;

/// An item as one viewer sees it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AuctionItem)]
pub struct ItemDocument {
    #[schema(value_type = String, format = "uuid")]
    pub id: ItemId,
    #[schema(value_type = String, format = "uuid")]
    pub auction_id: AuctionId,
    /// Its number in the catalogue, unique in the auction.
    pub lot_number: String,
    /// Whose item it is. The seller may not bid on it. Null where the viewer may not know.
    pub seller: Option<PersonDocument>,
    pub name: String,
    pub description: String,
    /// In a list or an event: the description goes on after its first 300 characters.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub description_cut: bool,
    /// The expected price, in any words.
    pub estimate: Option<String>,
    pub is_published: bool,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub starts_at: Option<Moment>,
    /// The end in force: the item's, the auction's, or null.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub end_date: Option<Moment>,
    pub status: ItemStatus,
    /// ISO 4217. Null in an auction with currency profiles, as are the next two.
    pub currency_code: Option<&'static str>,
    #[schema(value_type = Option<String>)]
    pub starting_bid: Option<Normalized>,
    #[schema(value_type = Option<String>)]
    pub min_bid_increment: Option<Normalized>,
    pub min_bid_constraint: Option<MinBidConstraintDocument>,
    /// In base units.
    #[schema(value_type = Option<String>)]
    pub min_bid_normalized: Option<Normalized>,
    /// In base units.
    #[schema(value_type = Option<String>)]
    pub min_increment_normalized: Option<Normalized>,
    /// SEALED: nobody sees a bid of another before the end, and the highest bid is null until then. DRAW:
    /// chance decides among tickets, and the highest bid is null.
    pub format: FormatKind,
    /// How many of the item are sold.
    pub copies: i64,
    /// What a winner pays.
    pub price: PriceKind,
    /// In base units; with NEXT what is added to the best losing bid.
    #[schema(value_type = String)]
    pub plus: Normalized,
    /// Who wins among equal bids for fewer copies.
    pub tie: Tie,
    /// The price of one ticket; DRAW only, as the next three. Absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub ticket: Option<TicketDocument>,
    /// Tickets of one person, at most; null without a limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<i64>)]
    pub per_person: Option<Option<i64>>,
    /// Tickets that leave the hat with a win: all of the winner, or the drawn one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub again: Option<Again>,
    /// How many tickets are in the hat.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub ticket_count: Option<i64>,
    /// How many sealed bids stand, for OWNER, ADMIN and CLERK in the answer about one item. Absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub sealed_bid_count: Option<i64>,
    /// Where chance may decide: the SHA-256 of `seed`, in hexadecimal digits. Absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, nullable = false)]
    pub seed_hash: Option<String>,
    /// The seed of the draw, 64 hexadecimal digits, once the item is closed. Absent before.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, nullable = false)]
    pub seed: Option<String>,
    pub anti_snipe_enabled: bool,
    pub anti_snipe_threshold_seconds: i64,
    pub anti_snipe_extension_seconds: i64,
    /// The highest standing bid.
    pub highest_bid: Option<HighestBidDocument>,
    /// How many bids stand: withdrawn ones do not count.
    pub bid_count: i64,
    /// Who typed it in. Null where the viewer may not know.
    pub creator: Option<PersonDocument>,
    /// In the order in which they are shown.
    pub images: Vec<ImageDocument>,
    /// The outcome in force of a closed item. That of an item that has ended by the clock follows within
    /// seconds.
    pub outcome: Option<OutcomeDocument>,
    /// The outcomes in force, one for each copy: `outcome` is the first.
    pub outcomes: Vec<OutcomeDocument>,
    /// By the viewer.
    pub watched: bool,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Moment,
}

/// What the first bid must reach, as it was entered.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = MinBidConstraint)]
pub struct MinBidConstraintDocument {
    #[schema(value_type = String)]
    pub currency_profile_id: CurrencyId,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub amount: Option<Literal>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Object>>)]
    pub entered_representation: Option<Vec<EnteredCount>>,
}

/// The price of one ticket of a draw, as it was entered.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Ticket)]
pub struct TicketDocument {
    #[schema(value_type = String)]
    pub currency_profile_id: CurrencyId,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub amount: Option<Literal>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Object>>)]
    pub entered_representation: Option<Vec<EnteredCount>>,
    /// In base units.
    #[schema(value_type = String)]
    pub normalized_amount: Normalized,
}

impl From<EnteredPrice> for TicketDocument {
    fn from(ticket: EnteredPrice) -> Self {
        let BidForm { amount, entered_representation } = ticket.entered;
        let (currency_profile_id, normalized_amount) = (ticket.currency_id, ticket.normalized);
        Self { currency_profile_id, amount, entered_representation, normalized_amount }
    }
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = HighestBid)]
pub struct HighestBidDocument {
    /// In base units.
    #[schema(value_type = String)]
    pub normalized_amount: Normalized,
    /// The entered amount, an exact number; null in DENOMINATION mode.
    #[schema(schema_with = answered_amount, required = true)]
    pub amount: Option<Box<RawValue>>,
    /// The counts above zero, in the profile's order; null in SCALAR mode.
    #[schema(value_type = Option<Vec<Object>>)]
    pub entered_representation: Option<Vec<EnteredCount>>,
    /// Null in an auction without currency profiles.
    #[schema(value_type = Option<String>)]
    pub currency_profile_id: Option<CurrencyId>,
    /// Null where the viewer may not know.
    pub bidder: Option<PersonDocument>,
}

impl From<EnteredPrice> for MinBidConstraintDocument {
    fn from(minimum: EnteredPrice) -> Self {
        let BidForm { amount, entered_representation } = minimum.entered;
        Self { currency_profile_id: minimum.currency_id, amount, entered_representation }
    }
}

impl HighestBidDocument {
    fn of(bid: HighestBid, bidder: Option<PersonDocument>) -> Result<Self, DbError> {
        Ok(Self {
            normalized_amount: bid.normalized,
            amount: bid.entered.amount.map(json_number).transpose()?,
            entered_representation: bid.entered.entered_representation,
            currency_profile_id: bid.currency_id,
            bidder,
        })
    }
}

impl ItemDocument {
    /// In a list or an event, with the beginning of the description.
    pub fn listed(seen: ItemView, now: Moment) -> Result<Self, DbError> {
        let mut document = Self::of(seen, now)?;
        document.description_cut = cut_description(&mut document.description);
        Ok(document)
    }

    pub fn of(seen: ItemView, now: Moment) -> Result<Self, DbError> {
        let (status, bidder) = (seen.item.status(now), seen.highest_bidder(now));
        let effective = seen.effective_terms();
        let bid_count = seen.item.bid_count();
        let document = |outcome: &Outcome| {
            let shows = seen.shows_winner_of(Some(outcome));
            OutcomeDocument::of(seen.item.id, outcome.clone(), shows, &seen.people)
        };
        let outcomes = seen.item.outcomes().map(document).collect::<Result<Vec<_>, _>>()?;
        let (item, people) = (seen.item, seen.people);
        let format = &item.terms.format;
        let sealed = format.sealed();
        let seed = item.seed.filter(|_| format.may_draw());
        let price = item.terms.price;
        // Of the two kinds of price terms those of the auction's kind count; the other are kept unsaid.
        let (legacy, minimum) = if seen.is_legacy { (price.legacy, None) } else { (None, price.minimum) };
        Ok(Self {
            id: item.id,
            auction_id: item.auction_id,
            lot_number: item.lot_number.to_string(),
            seller: people.person(item.seller, true),
            name: item.terms.name,
            description: item.terms.description,
            description_cut: false,
            estimate: item.terms.estimate,
            is_published: item.terms.is_published,
            starts_at: item.terms.starts_at,
            end_date: item.ends_at,
            status,
            currency_code: legacy.as_ref().map(|legacy| legacy.currency.code()),
            starting_bid: legacy.as_ref().and_then(|legacy| legacy.starting_bid),
            min_bid_increment: legacy.as_ref().and_then(|legacy| legacy.min_bid_increment),
            min_bid_constraint: minimum.map(MinBidConstraintDocument::from),
            min_bid_normalized: effective.min_bid_normalized,
            min_increment_normalized: effective.min_increment_normalized,
            format: format.kind(),
            copies: format.copies(),
            price: sealed.map(|sealed| sealed.price).unwrap_or_default(),
            plus: sealed.map(|sealed| sealed.plus).unwrap_or_default(),
            tie: sealed.map(|sealed| sealed.tie).unwrap_or_default(),
            ticket: format.draw().map(|draw| TicketDocument::from(draw.ticket.clone())),
            per_person: format.draw().map(|draw| draw.per_person),
            again: format.draw().map(|draw| draw.again),
            ticket_count: format.draw().map(|_| item.tickets.unwrap_or_default()),
            sealed_bid_count: seen.sealed_bids,
            seed_hash: seed.as_ref().map(seed_hash),
            seed: seed.filter(|_| item.outcome.is_some()).map(|seed| seed.as_str().to_owned()),
            anti_snipe_enabled: item.terms.anti_snipe.enabled,
            anti_snipe_threshold_seconds: item.terms.anti_snipe.threshold_seconds,
            anti_snipe_extension_seconds: item.terms.anti_snipe.extension_seconds,
            highest_bid: item.highest_bid.map(|bid| HighestBidDocument::of(bid, bidder)).transpose()?,
            bid_count,
            creator: people.person(item.creator, true),
            images: item
                .images
                .into_iter()
                .map(|image| ImageDocument::of(item.auction_id, item.id, image))
                .collect(),
            outcome: outcomes.first().cloned(),
            outcomes,
            watched: seen.watched,
            created_at: item.created_at,
            updated_at: item.updated_at,
        })
    }
}

/// A page of items.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AuctionItems)]
pub struct ItemsDocument {
    pub items: Vec<ItemDocument>,
    pub next_cursor: Option<String>,
}

impl ItemsDocument {
    pub fn of(page: Paged<ItemView>, now: Moment) -> Result<Self, DbError> {
        let page = page.try_map(|seen| ItemDocument::listed(seen, now))?.within_bytes();
        Ok(Self { items: page.entries, next_cursor: page.next_cursor })
    }
}

//! The desk of a clerk as data: what the browser needs to answer each field without the server.

use std::collections::HashSet;

use app::components::money::{amount_in, price_as_typed};
use app::model::{Desk, DeskLists, DeskLot, DeskMember, DeskSale, OwnMoney};
use auction_house::access;
use auction_house::auctions::access::AuctionView;
use auction_house::bids::pricing::PricingRules;
use auction_house::books::funds;
use auction_house::ids::{ItemId, UserId};
use auction_house::items::ItemStatus;
use auction_house::items::access::{ItemView, view_items};
use auction_house::items::format::Format;
use auction_house::items::list::{Filter, ItemQuery, list_items};
use auction_house::items::outcomes::SoldBid;
use auction_house::items::running_order::list::{held_items, next_items};
use auction_house::usage::Commitments;
use platform::db::{Connection, DbError};
use platform::paging::Page;
use platform::time::Moment;
use serde::Serialize;

use super::expected::Expectations;
use super::next::in_order;
use crate::pages::items::outcome_facts::{OutcomeKind, Prices, facts_of_item};
use crate::pages::items::pictures::picture;
use crate::pages::money::{default_first, legacy_bid_currency};
use crate::pages::money_style::MoneyStyle;

/// How many lots and members are read for a page, which then has those for which it has room.
const OF_A_PAGE: Limits = Limits { lots: 1_000, members: 2_000 };
/// The most lots and members of the document. The server finds the others.
const OF_THE_DOCUMENT: Limits = Limits { lots: 5_000, members: 10_000 };
/// Bytes of the lots and members of a page, which has at most 256 KiB (SPEC, section 1).
const LOTS_BYTES: usize = 120 * 1024;
const MEMBERS_BYTES: usize = 60 * 1024;

#[derive(Clone, Copy)]
struct Limits {
    lots: usize,
    members: usize,
}

/// What a desk is read from.
pub struct DeskFacts<'a> {
    pub auction: &'a AuctionView,
    pub pricing: &'a PricingRules,
    pub expectations: &'a Expectations,
    pub style: MoneyStyle,
}

/// The other facts of the page of a desk.
pub struct Shown<'a> {
    /// The items that were called last, and the one on the block: the desk always has them.
    pub items: &'a [ItemId],
    /// The item that the clerk called last.
    pub last: Option<ItemId>,
    /// The time that the page is of, as the clerk reads it.
    pub as_of: String,
}

impl DeskFacts<'_> {
    /// The desk as its page has room for it.
    pub async fn read(&self, db: &mut Connection, shown: Shown<'_>, now: Moment) -> Result<Desk, DbError> {
        let DeskFacts { auction, pricing, style, .. } = self;
        let mut lists = self.lists(db, OF_A_PAGE, now).await?;
        let always: HashSet<String> = shown.items.iter().map(ItemId::to_string).collect();
        for seen in view_items(db, auction, shown.items).await? {
            let lot = self.lot(seen, false);
            if lists.lots.iter().all(|listed| listed.item_id != lot.item_id) {
                lists.lots.push(lot);
            }
        }
        lists.has_more_lots |= cut(&mut lists.lots, |lot| always.contains(&lot.item_id), LOTS_BYTES);
        lists.has_more_members |= cut(&mut lists.members, |_| false, MEMBERS_BYTES);
        let id = auction.auction.id;
        let is_cut = lists.has_more_lots || lists.has_more_members;
        Ok(Desk {
            auction_id: id.to_string(),
            clerk_id: auction.viewer.to_string(),
            document: is_cut.then(|| format!("/auctions/{id}/clerk/desk")),
            shown: lists,
            listed: None,
            has_numbers: auction.auction.terms.group_id.is_some(),
            currencies: default_first(pricing.currencies()),
            unit: Prices::new(auction, pricing, *style).unit(None, None),
            rules: pricing.rules().to_vec(),
            block: auction.auction.block_item_id.map(|id| id.to_string()),
            last: shown.last.map(|id| id.to_string()),
            as_of: shown.as_of,
        })
    }

    /// All lots and members, up to a limit, for a desk whose page has no room for them.
    pub async fn document(&self, db: &mut Connection, now: Moment) -> Result<DeskLists, DbError> {
        self.lists(db, OF_THE_DOCUMENT, now).await
    }

    async fn lists(&self, db: &mut Connection, most: Limits, now: Moment) -> Result<DeskLists, DbError> {
        let mut lots = self.lots(db, most.lots + 1, now).await?;
        let mut members = self.members(db, most.members + 1).await?;
        let (has_more_lots, has_more_members) = (lots.len() > most.lots, members.len() > most.members);
        lots.truncate(most.lots);
        members.truncate(most.members);
        Ok(DeskLists { lots, has_more_lots, members, has_more_members })
    }

    /// The lots in the order in which they are called, then those that are held, then the closed ones.
    async fn lots(&self, db: &mut Connection, limit: usize, now: Moment) -> Result<Vec<DeskLot>, DbError> {
        let auction = self.auction;
        let id = auction.auction.id;
        let room = |lots: &Vec<DeskLot>| limit.saturating_sub(lots.len());
        let called = next_items(db, id, None, limit, now).await?;
        let called = in_order(db, auction, &called).await?;
        let mut lots: Vec<_> = called.into_iter().map(|seen| self.lot(seen, false)).collect();
        let held = held_items(db, id, i64::try_from(room(&lots)).unwrap_or(0), now).await?;
        let held = in_order(db, auction, &held).await?;
        lots.extend(held.into_iter().map(|seen| self.lot(seen, true)));
        let mut query = ItemQuery::first();
        query.filter = Filter { status: Some(ItemStatus::Closed), ..Filter::default() };
        query.page = Page { limit: room(&lots), after: None };
        let closed = list_items(db, auction, query, now).await?.entries;
        lots.extend(closed.into_iter().map(|seen| self.lot(seen, false)));
        Ok(lots)
    }

    fn lot(&self, seen: ItemView, is_held: bool) -> DeskLot {
        let DeskFacts { auction, pricing, expectations, style } = self;
        let prices = Prices::new(auction, pricing, *style);
        let own_money = seen.legacy_price().map(|price| OwnMoney {
            currency: legacy_bid_currency(price),
            unit: prices.unit(None, Some(price.currency)),
        });
        let sale = self.sale(&seen);
        let odd = expectations.of(&seen).filter(|_| !seen.item.terms.format.is_apart());
        let terms = seen.effective_terms();
        let item = seen.item;
        let decides = match item.terms.format {
            Format::Open => None,
            Format::Sealed(_) => {
                Some(("sealed bids decide", "Enter number and bid of each slip. F2 opens the sealed bids."))
            }
            Format::Draw(_) => Some(("the draw decides", "Enter number and tickets. F2 draws.")),
        };
        let highest = item.highest_bid.as_ref();
        let image = item.images.first().map(|image| picture(item.auction_id, item.id, image));
        DeskLot {
            item_id: item.id.to_string(),
            lot_number: item.lot_number.to_string(),
            picture: image.map(|picture| picture.thumbnail.src),
            estimate: item.terms.estimate,
            high: odd.as_ref().map(|odd| odd.high.to_string()).unwrap_or_default(),
            low: odd.as_ref().and_then(|odd| odd.low).map(|low| low.to_string()).unwrap_or_default(),
            expected: odd.map(|odd| odd.sentence).unwrap_or_default(),
            name: item.terms.name,
            terms,
            own_money,
            seller_id: item.seller.id.to_string(),
            highest: highest.map(|bid| bid.normalized.to_string()),
            leader_id: highest.map(|bid| bid.bidder.id.to_string()),
            leader: highest.and_then(|bid| prices.people.in_words(&bid.bidder, true)),
            decides: decides.map(|(call, _)| call.to_owned()),
            slips: decides.map(|(_, sentence)| sentence.to_owned()).unwrap_or_default(),
            takes_tickets: item.terms.format.draw().is_some(),
            is_held,
            sale,
        }
    }

    fn sale(&self, seen: &ItemView) -> Option<DeskSale> {
        let facts = facts_of_item(self.auction, seen, self.pricing, self.style)?;
        let sold = seen.item.outcome.as_ref().and_then(|outcome| outcome.sold());
        let price = facts.price.as_ref().map(|price| amount_in(&price.amount, &price.unit));
        // F9 corrects the first copy.
        let copy = facts.copy_in_words();
        let words = match facts.kind {
            OutcomeKind::Sold => {
                let winner = facts.winner.as_deref().unwrap_or("a bidder");
                match price {
                    Some(price) => format!("sold to {winner} for {price}"),
                    None => format!("drawn for {winner}"),
                }
            }
            OutcomeKind::Unsold => "not sold".to_owned(),
            OutcomeKind::Cancelled => "cancelled".to_owned(),
        };
        let words = match copy {
            Some(copy) => format!("{copy} {words}"),
            None => words,
        };
        Some(DeskSale {
            words,
            buyer: sold.map(|sold| self.typed_buyer(sold.winner.id)),
            price: sold.map(|sold| self.typed_price(sold)),
            currency_id: sold.and_then(|sold| sold.currency_id).map(|id| id.to_string()),
            amount: sold.map(|sold| sold.normalized.to_string()),
        })
    }

    /// A member as the field for the buyer takes them.
    fn typed_buyer(&self, member: UserId) -> String {
        if self.auction.auction.terms.group_id.is_none() {
            return member.to_string();
        }
        let people = Prices::new(self.auction, self.pricing, self.style).people;
        people.number(member).map(|number| number.to_string()).unwrap_or_default()
    }

    fn typed_price(&self, sold: &SoldBid) -> String {
        let currencies = default_first(self.pricing.currencies());
        let id = sold.currency_id.map(|id| id.to_string());
        match currencies.iter().find(|currency| currency.profile_id == id) {
            Some(currency) => price_as_typed(currency, &sold.entered),
            None => sold.entered.amount.as_ref().map(|amount| amount.as_str().to_owned()).unwrap_or_default(),
        }
    }

    async fn members(&self, db: &mut Connection, limit: usize) -> Result<Vec<DeskMember>, DbError> {
        let DeskFacts { auction, pricing, style, .. } = self;
        let limit = i64::try_from(limit).unwrap_or(0);
        let named = access::store::names(db, auction.auction.id, auction.viewer, limit).await?;
        let ids: Vec<UserId> = named.iter().map(|(id, _)| *id).collect();
        let funds = match auction.auction.terms.book_id {
            Some(book_id) => funds::of_all(db, book_id, &ids, Commitments::Open).await?,
            None => Vec::new(),
        };
        let mut funds = funds.into_iter().map(|(_, funds)| funds.available_for(None).to_string());
        let people = Prices::new(auction, pricing, *style).people;
        let member = |(id, name): (UserId, String)| DeskMember {
            id: id.to_string(),
            number: people.number(id).and_then(|number| u64::try_from(number.get()).ok()),
            name,
            available: funds.next(),
        };
        Ok(named.into_iter().map(member).collect())
    }
}

/// Leaves the entries that the page always has and the first of the others, as far as a script of the page
/// has room for them. Returns whether some are left out.
fn cut<T: Serialize>(entries: &mut Vec<T>, is_always: impl Fn(&T) -> bool, bytes: usize) -> bool {
    let size = |entry: &T| {
        let json = serde_json::to_string(entry).unwrap_or_default();
        // `<` becomes six bytes.
        json.len() + 1 + 5 * json.matches('<').count()
    };
    let always: usize = entries.iter().filter(|entry| is_always(entry)).map(size).sum();
    let mut left = bytes.checked_sub(always);
    let all = entries.len();
    entries.retain(|entry| {
        if is_always(entry) {
            return true;
        }
        left = left.and_then(|left| left.checked_sub(size(entry)));
        left.is_some()
    });
    entries.len() < all
}

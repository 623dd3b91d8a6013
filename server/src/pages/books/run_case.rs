//! What a run is computed of, as data: all holders with their balances, the pot, and the caps.

use std::collections::BTreeSet;

use app::islands::runs::field;
use app::model::{CaseCaps, CaseHolder, RunCase};
use auction_house::access::{self, Action};
use auction_house::auctions::BidderVisibility;
use auction_house::auctions::access::{AccessError, AuctionView, authorize};
use auction_house::books::BookView;
use auction_house::books::caps::CapLimits;
use auction_house::books::runs::BookRunKind;
use auction_house::books::runs::judge::holders_in_order;
use auction_house::books::runs::pot::{pot_of_auction, pot_of_item};
use auction_house::books::store::holders::Has;
use auction_house::books::store::runs::periods;
use auction_house::ids::{AuctionId, ItemId, UserId};
use auction_house::items::access::view_items;
use auction_house::items::lot_numbers::item_with_number;
use platform::db::{Connection, DbError};
use platform::time::Moment;

/// The auction and the lot whose pot is shared.
#[derive(Debug, Clone, Default)]
pub struct CaseOf {
    auction: Option<AuctionId>,
    lot: Option<String>,
}

impl CaseOf {
    /// Reads what the fields of a form name.
    pub fn of(value: &impl Fn(&str) -> Option<String>) -> Self {
        let lot = value(field::LOT).filter(|lot| !lot.trim().is_empty());
        Self { auction: value(field::FROM).and_then(|auction| auction.parse().ok()), lot }
    }
}

/// What a run is computed of at the newest entry of a book, for a keeper.
pub async fn run_case(
    db: &mut Connection,
    seen: &BookView,
    asked: &CaseOf,
    now: Moment,
) -> Result<RunCase, DbError> {
    let book_id = seen.book.id;
    // An auction that the keeper does not see, or of another book, has nothing to share here.
    let auction = match asked.auction {
        Some(auction) => seen_auction(db, seen, auction, now).await?,
        None => None,
    };
    let id = auction.as_ref().map(|auction| auction.auction.id);
    let item = match (&auction, &asked.lot) {
        (Some(auction), Some(lot)) => seen_lot(db, auction, lot).await?,
        _ => None,
    };
    let pot = match (id, item) {
        (_, Some(item)) => pot_of_item(db, book_id, item).await?,
        (Some(auction), None) => pot_of_auction(db, book_id, auction).await?,
        (None, None) => None,
    };
    let present: BTreeSet<UserId> = match id {
        Some(auction) => access::store::present(db, auction).await?.into_iter().collect(),
        None => BTreeSet::new(),
    };
    // The order by numbers would tell whose a bid is that shows a number only.
    let knows_numbers = |auction: &AuctionView| {
        auction.may(Action::SeeBidders)
            || auction.auction.terms.bidder_visibility == BidderVisibility::Visible
    };
    let ordered_by = auction.as_ref().filter(|auction| knows_numbers(auction)).and(id);
    let holders = holders_in_order(db, book_id, ordered_by).await?;
    let limits = CapLimits::of(db, &seen.book, now).await?;
    // A cap of the week may be tried before it is saved.
    let week = CapLimits::of_week(db, &seen.book, now).await?;
    let holder = |Has { person, balance }: &Has| CaseHolder {
        id: person.id.to_string(),
        name: person.name.clone(),
        balance: balance.to_string(),
        given: week.given(person.id).to_string(),
    };
    let mut here: Vec<UserId> =
        holders.iter().map(|has| has.person.id).filter(|id| present.contains(id)).collect();
    // The order in which the server names them in a run.
    here.sort_unstable();
    Ok(RunCase {
        holders: holders.iter().map(holder).collect(),
        present: here.iter().map(ToString::to_string).collect(),
        pot: pot.map(|pot| pot.amount.to_string()),
        item_id: item.map(|item| item.to_string()),
        caps: limits.caps.as_ref().map(|caps| CaseCaps {
            soft: caps.soft.map(|amount| amount.to_string()),
            soft_percent: caps.soft.map(|_| caps.soft_percent.to_string()),
            hard: caps.hard.map(|amount| amount.to_string()),
            weekly: caps.weekly.map(|amount| amount.to_string()),
        }),
        taken: periods(db, book_id, BookRunKind::Decay).await?,
    })
}

/// The auction, if it has the book and the keeper sees it.
async fn seen_auction(
    db: &mut Connection,
    seen: &BookView,
    auction: AuctionId,
    now: Moment,
) -> Result<Option<AuctionView>, DbError> {
    match authorize(db, auction, seen.viewer, now).await {
        Ok(view) => Ok(Some(view).filter(|view| view.auction.terms.book_id == Some(seen.book.id))),
        Err(AccessError::Db(error)) => Err(error),
        Err(_) => Ok(None),
    }
}

/// The item with this lot number, if the viewer of the auction sees it.
async fn seen_lot(db: &mut Connection, auction: &AuctionView, lot: &str) -> Result<Option<ItemId>, DbError> {
    let Some(item) = item_with_number(db, auction.auction.id, lot).await? else { return Ok(None) };
    let seen = view_items(db, auction, &[item]).await?;
    Ok(seen.into_iter().next().map(|seen| seen.item.id))
}

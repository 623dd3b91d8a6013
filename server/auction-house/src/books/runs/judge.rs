//! Computes a run from what the holders of a book have.

use std::collections::{BTreeSet, HashMap};

use rules_engine::pot::{self, Holding, Receiver, RunError, RunParams, RunResult, Share, ShareSource};

use super::body::within;
use super::pot::{Pot, pot_of_auction, pot_of_item};
use super::{BookRunKind, BookRunRow};
use crate::access;
use crate::books::caps::CapLimits;
use crate::books::store::holders::{Has, having};
use crate::books::{BookView, store};
use crate::codes;
use crate::engine::field_errors;
use crate::ids::{AuctionId, BookId, ItemId, UserId};
use crate::usage;
use accounts::Person;
use platform::db::{Connection, DbError};
use platform::fields::FieldError;
use platform::refusals;
use platform::time::Moment;
use platform::verb::VerbError;

refusals! {
    /// Why a run is not made.
    pub enum RunRefusal {
        Closed => codes::CLOSED, "The book is closed: it takes no more entries.";
        PotEmpty => codes::POT_EMPTY, "There is nothing to share: the pot is empty, or below zero after a correction.";
        PeriodTaken => codes::PERIOD_TAKEN, "A run of this kind has this period already: reverse it first.";
        Changed => codes::CHANGED, "Balances have changed since the preview: look at it again.";
    }
}

/// A run that is computed, and nothing else.
#[derive(Debug)]
pub struct Judged {
    pub kind: BookRunKind,
    /// The parameters with their defaults, and with the receivers who are present.
    pub params: String,
    /// Rows of which something was asked.
    pub rows: Vec<BookRunRow>,
    pub result: RunResult,
    pub auction_id: Option<AuctionId>,
    pub item_id: Option<ItemId>,
    pub period: Option<String>,
    pub hash: String,
}

/// Computes a run at the newest entry of a book.
pub async fn judge(
    conn: &mut Connection,
    seen: &BookView,
    params: &RunParams,
    now: Moment,
) -> Result<Judged, VerbError<RunRefusal>> {
    let book_id = seen.book.id;
    if seen.book.is_closed() {
        return Err(RunRefusal::Closed.into());
    }
    let mut params = params.clone();
    let (mut auction_id, mut item_id, mut pot, mut period) = (None, None, None, None);
    match &mut params {
        RunParams::Share(share) => {
            if let Some(source) = source(conn, seen, share).await? {
                (auction_id, item_id, pot) = (Some(source.auction_id), source.item_id, Some(source.amount));
            }
        }
        RunParams::Decay(decay) => {
            if let Some(text) = &decay.period {
                if store::runs::has_period(conn, book_id, BookRunKind::Decay, text).await? {
                    return Err(RunRefusal::PeriodTaken.into());
                }
                period = Some(text.clone());
            }
        }
        RunParams::Grant(_) => {}
    }
    let holders = holders_in_order(conn, book_id, auction_id).await?;
    let limits = CapLimits::of(conn, &seen.book, now).await?;
    let holdings: Vec<Holding> = holders.iter().map(|has| holding(has, &limits)).collect();
    let result = pot::compute(&params, limits.caps.as_ref(), &holdings, pot)
        .map_err(|error| refused(error, &holders))?;
    if result.rows.iter().all(|row| row.amount == Default::default()) {
        return Err(vec![FieldError::new("params", "is a run that changes no balance")].into());
    }
    let kind = match params {
        RunParams::Share(_) => BookRunKind::Share,
        RunParams::Decay(_) => BookRunKind::Decay,
        RunParams::Grant(_) => BookRunKind::Grant,
    };
    let person = |at: usize| holders.get(at).map(|has| has.person.clone());
    let rows: Vec<BookRunRow> = result
        .rows
        .iter()
        .filter(|row| row.asked != Default::default())
        .filter_map(|row| {
            let holder: Person = person(row.holder)?;
            Some(BookRunRow {
                holder,
                asked: row.asked,
                amount: row.amount,
                before: row.before,
                after: row.after,
            })
        })
        .collect();
    let hash = result.fingerprint(&params, &holdings);
    let params = params.json();
    Ok(Judged { kind, params, rows, result, auction_id, item_id, period, hash })
}

/// The holders of a book in the order by which equal remainders of a share are told apart: by their numbers
/// in the auction, then by joining.
pub async fn holders_in_order(
    conn: &mut Connection,
    book_id: BookId,
    auction_id: Option<AuctionId>,
) -> Result<Vec<Has>, DbError> {
    let mut holders = having(conn, book_id).await?;
    if let Some(auction) = auction_id {
        let numbers: HashMap<UserId, i64> = usage::numbers_of_members(conn, auction).await?;
        holders.sort_by_key(|has| numbers.get(&has.person.id).map_or((true, 0), |number| (false, *number)));
    }
    Ok(holders)
}

/// A holder as the engine takes one.
fn holding(Has { person, balance }: &Has, limits: &CapLimits) -> Holding {
    Holding { id: person.id.to_string(), balance: *balance, given: limits.given(person.id) }
}

/// The pot of a share, unless it shares an amount.
async fn source(
    conn: &mut Connection,
    seen: &BookView,
    share: &mut Share,
) -> Result<Option<Pot>, VerbError<RunRefusal>> {
    let book_id = seen.book.id;
    let wrong = |member: &str, what: &str| {
        vec![FieldError::new(format!("params.{member}"), format!("must be {what} of the book"))]
    };
    let pot = match &share.source {
        ShareSource::Amount(_) => None,
        ShareSource::Auction(id) => {
            let found = match id.parse() {
                Ok(auction) => pot_of_auction(conn, book_id, auction).await?,
                Err(_) => None,
            };
            Some(found.ok_or_else(|| wrong("auctionId", "an auction"))?)
        }
        ShareSource::Item(id) => {
            let found = match id.parse() {
                Ok(item) => pot_of_item(conn, book_id, item).await?,
                Err(_) => None,
            };
            Some(found.ok_or_else(|| wrong("itemId", "an item of an auction"))?)
        }
    };
    if let Some(pot) = &pot
        && !usage::sees_auction(conn, pot.auction_id, seen.viewer).await?
    {
        let (member, what) = match &share.source {
            ShareSource::Item(_) => ("itemId", "an item of an auction"),
            ShareSource::Auction(_) | ShareSource::Amount(_) => ("auctionId", "an auction"),
        };
        return Err(wrong(member, what).into());
    }
    if share.to.is_none() {
        let Some(pot) = &pot else {
            let alone = "must be a list of holders: no auction has members who are present";
            return Err(vec![FieldError::new("params.to", alone)].into());
        };
        // Members who left the book, or were never in it, get nothing.
        let present = access::store::present(conn, pot.auction_id).await?;
        let holders: BTreeSet<UserId> = store::holders::all(conn, book_id).await?.into_iter().collect();
        let receiver = |user: UserId| Receiver { holder: user.to_string(), weight: 1 };
        let to: Vec<Receiver> =
            present.into_iter().filter(|user| holders.contains(user)).map(receiver).collect();
        if to.is_empty() {
            return Err(
                vec![FieldError::new("params.to", "is of an auction in which nobody is present")].into()
            );
        }
        share.to = Some(to);
    }
    Ok(pot)
}

fn refused(error: RunError, holders: &[Has]) -> VerbError<RunRefusal> {
    match error {
        RunError::PotEmpty => RunRefusal::PotEmpty.into(),
        RunError::Params(errors) => field_errors(errors).into_iter().map(within).collect::<Vec<_>>().into(),
        RunError::OutOfBounds(place) => {
            let name = holders.get(place).map_or("", |has| has.person.name.as_str());
            vec![FieldError::new("params", format!("takes the balance of `{name}` beyond 10^15"))].into()
        }
    }
}

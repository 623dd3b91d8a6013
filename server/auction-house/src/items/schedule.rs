//! Sets the ends of an auction's items one after the other, in the order of their lot numbers.

use std::ops::RangeInclusive;

use super::ItemStatus;
use super::access::ItemView;
use super::list::{ItemQuery, list_items};
use super::store::ends;
use crate::access::Action;
use crate::auctions::access::authorize;
use crate::auctions::{Auction, ItemEndMode};
use crate::codes;
use crate::context::Context;
use crate::events::store::{ItemChange, ItemEvent};
use crate::events::{self, Signal};
use crate::ids::{AuctionId, UserId};
use crate::locks::LockingWrites;
use platform::body::Body;
use platform::db::WriteBatch;
use platform::fields::{Fault, FieldError};
use platform::paging::{Page, Paged};
use platform::refusals;
use platform::shape::{self, Members, Shape};
use platform::time::Moment;
use platform::verb::VerbError;
use utoipa::openapi::{KnownFormat, SchemaFormat};

refusals! {
    /// Why the ends stay.
    pub enum ScheduleRefusal {
        Closed => codes::CLOSED, "The auction is closed: its items stay closed.";
    }
}

/// Bounds of the time between two ends.
pub const INTERVAL_SECONDS: RangeInclusive<i64> = 0..=86_400;

/// When the first item ends, and how long after it the next one.
#[derive(Debug, Clone, Default)]
pub struct ScheduleBody {
    first_end: Option<Moment>,
    interval_seconds: Option<i64>,
}

impl Shape for ScheduleBody {
    const NAME: &'static str = "ItemSchedule";
    const ABOUT: &'static str = "The ends of all items that are not closed, in the order of `lotNumber`.";

    fn members(&mut self, members: &mut Members<'_>) {
        members
            .required_parsed("firstEnd", &mut self.first_end)
            .format(SchemaFormat::KnownFormat(KnownFormat::DateTime));
        members.required_integer("intervalSeconds", INTERVAL_SECONDS, &mut self.interval_seconds);
    }
}

/// Sets the end of each item that is not closed. Returns the first page of them.
pub async fn schedule_items(
    context: &Context,
    auction_id: AuctionId,
    user: UserId,
    body: impl Body,
) -> Result<Paged<ItemView>, VerbError<ScheduleRefusal>> {
    let now = context.clock.now();
    let mut conn = context.db.read().await?;
    let seen = authorize(&mut conn, auction_id, user, now).await?.require(Action::ManageItems)?;
    let body: ScheduleBody = shape::parse(body.read()?)?;
    // INVARIANT: required members that are absent are an error.
    let (first, interval) = body.first_end.zip(body.interval_seconds).unwrap_or((now, 0));
    let planned = (seen.auction.revision, ends::not_closed(&mut conn, auction_id, now).await?);
    drop(conn);
    // What is refused makes no bid wait.
    check(&seen.auction, first, &one_after_the_other(&planned.1, first, interval), now)?;
    let _turn = context.work.begin_large_write(user, planned.1.len()).await?;
    let mut db = context.db.write_in(&[auction_id]).await?;
    let seen = authorize(&mut db, auction_id, user, now).await?.require(Action::ManageItems)?;
    // The transaction itself has raised the revision. Bids and closings raise none: what is closed stays.
    let open = match planned {
        (revision, open) if revision + 1 == seen.auction.revision => open,
        _ => ends::not_closed(&mut db, auction_id, now).await?,
    };
    let ends = one_after_the_other(&open, first, interval);
    check(&seen.auction, first, &ends, now)?;
    if seen.auction.has_ended(now) {
        return Err(ScheduleRefusal::Closed.into());
    }
    let mut writes = WriteBatch::default();
    ends::set(&mut writes, ends.iter().map(|(item, end)| (item.id, *end)), now);
    let changed: Vec<ItemEvent> =
        open.iter().map(|item| ItemEvent::changed(auction_id, item.id, ItemChange::Edited)).collect();
    events::store::record(&mut writes, &changed, now)?;
    db.run(writes).await?;
    let mut first_page = ItemQuery::first();
    first_page.page.limit = Page::<()>::LIMIT_MAX;
    let mut listed = list_items(&mut db, &seen, first_page, now).await?;
    listed.retain(|seen| seen.item.status(now) != ItemStatus::Closed);
    db.commit().await?;
    context.events.publish(&Signal::of_items(auction_id, open.iter().map(|item| item.id)));
    Ok(listed)
}

/// The items with their ends.
fn one_after_the_other(
    items: &[ends::OpenItem],
    first: Moment,
    interval_seconds: i64,
) -> Vec<(&ends::OpenItem, Moment)> {
    let end = |place: i64| first.plus_seconds(interval_seconds * place);
    items.iter().zip(0..).map(|(item, place)| (item, end(place))).collect()
}

/// An end of its own needs CUSTOM, lies in the future, after the start of its item, and not after the
/// auction's end.
fn check(
    auction: &Auction,
    first: Moment,
    ends: &[(&ends::OpenItem, Moment)],
    now: Moment,
) -> Result<(), Vec<FieldError>> {
    let error = |path: &str, message: String, fault| Err(vec![FieldError::new(path, message).because(fault)]);
    if auction.terms.item_end_mode != ItemEndMode::Custom {
        return error(
            "firstEnd",
            "must be absent: items of this auction have no end of their own".to_owned(),
            Fault::Invalid,
        );
    }
    if first <= now {
        return Err(vec![FieldError::past("firstEnd")]);
    }
    let last = ends.last().map_or(first, |(_, end)| *end);
    if Moment::from_millis(last.millis()).is_none() || auction.terms.end_date.is_some_and(|end| last > end) {
        let path = if auction.terms.end_date.is_some_and(|end| first > end) {
            "firstEnd"
        } else {
            "intervalSeconds"
        };
        let message = format!("must let the last of {} items end before the auction", ends.len());
        return error(path, message, Fault::TooLate);
    }
    let late = ends.iter().find(|(item, end)| item.starts_at.is_some_and(|start| start >= *end));
    match late {
        Some((item, _)) => {
            let message = format!("must lie after the start of lot {}", item.lot_number);
            error("firstEnd", message, Fault::TooEarly)
        }
        None => Ok(()),
    }
}

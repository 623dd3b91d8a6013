//! Changes an auction. If its end or the mode of its items' ends changes, the items' ends follow.

use super::ends;
use crate::access::{self, Action, Role};
use crate::auctions::access::{AuctionView, authorize};
use crate::auctions::book::{self, BookRefusal};
use crate::auctions::{Auction, AuctionTerms, group, store};
use crate::books::posting;
use crate::codes;
use crate::context::Context;
use crate::events;
use crate::ids::{AuctionId, UserId};
use crate::locks::LockingWrites;
use crate::usage;
use accounts::locks::lock_group;
use platform::body::Body;
use platform::fields::FieldError;
use platform::precondition::Precondition;
use platform::refusals;
use platform::shape;
use platform::verb::VerbError;

refusals! {
    /// Why an auction is not changed.
    pub enum PatchAuctionRefusal {
        /// The auction itself is closed, or what its end has closed would open again.
        Closed => codes::CLOSED, "The auction is past its end: what it has closed stays closed.";
        Frozen => codes::FROZEN, "The auction has bids: the way in which its items end stays.";
        /// Names are never revealed afterwards.
        HasBids => codes::HAS_BIDS, "The auction has bids: names that it hides stay hidden.";
        BookHasBids => codes::HAS_BIDS, "The auction has bids: its book stays.";
        BookFull => codes::LIMIT_REACHED, "With the people of the auction the book would have more than 10,000 holders.";
    }
    wraps { Book(BookRefusal) }
}

/// Applies a merge patch. A patch without effect keeps the version.
pub async fn patch_auction(
    context: &Context,
    auction_id: AuctionId,
    user: UserId,
    patch: impl Body,
    if_match: &Precondition,
) -> Result<AuctionView, VerbError<PatchAuctionRefusal>> {
    let now = context.clock.now();
    let mut conn = context.db.read().await?;
    authorize(&mut conn, auction_id, user, now).await?.require(Action::ChangeAuction)?;
    let patch = patch.read()?;
    let rows = usage::rows_together(&mut conn, Some(auction_id), patch.get("groupId")).await?;
    drop(conn);
    let _turn = context.work.begin_large_write(user, rows).await?;
    let mut db = context.db.write_in(&[auction_id]).await?;
    let seen = authorize(&mut db, auction_id, user, now).await?.require(Action::ChangeAuction)?;
    let had = &seen.auction;
    let mut terms: AuctionTerms = shape::parse(shape::write(&had.terms).patched(patch))?;
    if terms.end_date != had.terms.end_date {
        terms.check_end(now)?;
    }
    if_match.check(had.version)?;
    let moves_book = terms.book_id != had.terms.book_id;
    let moves_group = terms.group_id != had.terms.group_id;
    if (moves_book || moves_group) && seen.role != Some(Role::Owner) {
        return Err(VerbError::Forbidden);
    }
    if moves_group {
        if let Some(group_id) = terms.group_id {
            lock_group(&mut db, group_id).await?;
        }
        group::check(&mut db, terms.group_id, user).await?;
    }
    let fitted = book::fit(&mut db, &mut terms, Some(&had.terms), user).await;
    fitted.map_err(|error| error.map_refusal(PatchAuctionRefusal::Book))?;
    let moves_ends = (terms.end_date, terms.item_end_mode) != (had.terms.end_date, had.terms.item_end_mode);
    // Items that ended with the auction would open again with another end, while others outlast it.
    if had.is_closed(now) || (moves_ends && had.has_ended(now)) {
        return Err(PatchAuctionRefusal::Closed.into());
    }
    if terms == had.terms {
        return Ok(seen);
    }
    let reveals = !terms.bidder_visibility.hides_as_much_as(had.terms.bidder_visibility);
    if reveals && usage::any_bids(&mut db, auction_id).await? {
        return Err(PatchAuctionRefusal::HasBids.into());
    }
    if moves_book && usage::any_bids(&mut db, auction_id).await? {
        return Err(PatchAuctionRefusal::BookHasBids.into());
    }
    let gets_book = moves_book && terms.book_id.is_some();
    if gets_book && usage::has_items_in_iso_currencies(&mut db, auction_id).await? {
        let message =
            "must wait: the auction has items, and needs a currency profile of the book's unit first";
        return Err(vec![FieldError::new("bookId", message)].into());
    }
    let moves_mode = terms.item_end_mode != had.terms.item_end_mode;
    if moves_mode && usage::any_standing_bids(&mut db, auction_id).await? {
        return Err(PatchAuctionRefusal::Frozen.into());
    }
    let changed = Auction { terms, version: had.version + 1, updated_at: now, ..had.clone() };
    store::update(&mut db, &changed).await?;
    let (mut touched, mut told) = (None, None);
    if moves_ends {
        let shared = ends::adjust(&mut db, &changed, now).await?;
        told = Some(context.notifier.notify(&mut db, &shared, now).await?);
    }
    if moves_group {
        let entered = group::enter(&mut db, auction_id, &changed.terms, now).await;
        entered.map_err(|error| error.or(PatchAuctionRefusal::BookFull))?;
    }
    let shown = |terms: &AuctionTerms| (terms.bidder_visibility, terms.readable_by);
    if moves_ends || moves_group || shown(&changed.terms) != shown(&had.terms) {
        touched = Some(events::store::record_all(&mut db, auction_id, now).await?);
    }
    if let Some(book_id) = changed.terms.book_id.filter(|_| moves_book) {
        let members = access::store::members_of(&mut db, auction_id).await?;
        let joined = posting::admit(&mut db, book_id, members, now).await;
        joined.map_err(|error| error.or(PatchAuctionRefusal::BookFull))?;
        let checked = book::check_written(&mut db, &changed.terms, user).await;
        checked.map_err(|error| error.map_refusal(PatchAuctionRefusal::Book))?;
    }
    db.commit().await?;
    touched.iter().chain(&told).for_each(|signal| context.events.publish(signal));
    Ok(AuctionView { auction: changed, ..seen })
}

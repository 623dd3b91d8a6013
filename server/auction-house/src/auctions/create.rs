//! Creates an auction, which its creator owns.

use super::access::{AuctionView, authorize};
use super::book::{self, BookRefusal};
use super::{Auction, AuctionTerms, group, store};
use crate::access::Role;
use crate::codes;
use crate::context::Context;
use crate::creations::{Created, Creation};
use crate::ids::{BookId, GroupId, UserId};
use crate::locks::lock_book;
use crate::usage;
use crate::work::LargeWrite;
use accounts::locks::{lock_account, write_as, write_in_group};
use platform::body::Body;
use platform::db::{DbError, Transaction};
use platform::http::problem::Problem;
use platform::refusals;
use platform::shape;
use platform::verb::VerbError;

/// Open auctions that one user has created, at most.
const OPEN_AUCTIONS_MAX: i64 = 1_000;

refusals! {
    /// Why an auction is not created.
    pub enum CreateAuctionRefusal {
        BookFull => codes::LIMIT_REACHED, "With the people of the group the book would have more than 10,000 holders.";
        LimitReached => codes::LIMIT_REACHED, "You have created 1,000 auctions that are still open: close or delete some first.";
    }
    wraps { Book(BookRefusal) }
}

pub async fn create_auction(
    context: &Context,
    owner: UserId,
    body: impl Body,
) -> Result<Created<AuctionView>, VerbError<CreateAuctionRefusal>> {
    let now = context.clock.now();
    let (keyed, object) = (body.keyed(), body.read()?);
    let group_id = object.get("groupId");
    let _turn = begin_for(context, owner, group_id).await?;
    let mut db = write_for(context, owner, group_id, object.get("bookId")).await?;
    let creation = Creation::find(&mut db, owner, "auctions".to_owned(), keyed?, now).await?;
    if let Some(earlier) = creation.replays() {
        return Ok(Created::replayed(authorize(&mut db, earlier, owner, now).await?));
    }
    let terms: AuctionTerms = shape::parse(object)?;
    terms.check_end(now)?;
    creation.check_key()?;
    let auction = insert_auction(&mut db, owner, Auction::new(terms, now)?).await?;
    creation.record(&mut db, auction.id, now).await?;
    db.commit().await?;
    Ok(Created::new(AuctionView { auction, viewer: owner, role: Some(Role::Owner) }))
}

/// The turn of a user whose new auction has this group: its people become members.
pub async fn begin_for(
    context: &Context,
    owner: UserId,
    group_id: Option<GroupId>,
) -> Result<Option<LargeWrite>, Problem> {
    if group_id.is_none() {
        return Ok(None);
    }
    let rows = usage::rows_together(&mut context.db.read().await?, None, group_id).await?;
    context.work.begin_large_write(owner, rows).await
}

/// A transaction with the locks that a new auction of this group and book needs: on both, as the people of
/// the group become holders, then on the account of the owner.
pub async fn write_for(
    context: &Context,
    owner: UserId,
    group_id: Option<GroupId>,
    book_id: Option<BookId>,
) -> Result<Transaction, DbError> {
    let Some(group_id) = group_id else { return write_as(&context.db, owner).await };
    let mut db = write_in_group(&context.db, group_id).await?;
    if let Some(book_id) = book_id {
        lock_book(&mut db, book_id).await?;
    }
    lock_account(&mut db, owner).await?;
    Ok(db)
}

/// Writes a new auction with its owner and the people of its group, and gives it the base unit of its book.
/// The transaction has the locks of [`write_for`].
pub async fn insert_auction(
    db: &mut Transaction,
    owner: UserId,
    mut auction: Auction,
) -> Result<Auction, VerbError<CreateAuctionRefusal>> {
    let refused = |error: VerbError<BookRefusal>| error.map_refusal(CreateAuctionRefusal::Book);
    book::fit(db, &mut auction.terms, None, owner).await.map_err(refused)?;
    check_open_auctions(db, owner).await?;
    group::check(db, auction.terms.group_id, owner).await?;
    store::insert(db, &auction, owner).await?;
    book::check_written(db, &auction.terms, owner).await.map_err(refused)?;
    let entered = group::enter(db, auction.id, &auction.terms, auction.created_at).await;
    entered.map_err(|error| error.or(CreateAuctionRefusal::BookFull))?;
    Ok(auction)
}

/// Whether the user may create one more. The transaction has locked the account.
pub async fn check_open_auctions(
    db: &mut Transaction,
    creator: UserId,
) -> Result<(), VerbError<CreateAuctionRefusal>> {
    if store::has_open(db, creator, OPEN_AUCTIONS_MAX).await? {
        return Err(CreateAuctionRefusal::LimitReached.into());
    }
    Ok(())
}

//! Creates an auction, which its creator owns.

use super::access::{AuctionView, authorize};
use super::book::{self, BookRefusal};
use super::{Auction, AuctionTerms, store};
use crate::access::Role;
use crate::codes;
use crate::context::Context;
use crate::creations::{Created, Creation};
use crate::ids::UserId;
use accounts::locks::write_as;
use platform::body::Body;
use platform::db::Transaction;
use platform::refusals;
use platform::shape;
use platform::verb::VerbError;

/// Open auctions that one user has created, at most.
const OPEN_AUCTIONS_MAX: i64 = 1_000;

refusals! {
    /// Why an auction is not created.
    pub enum CreateAuctionRefusal {
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
    let mut db = write_as(&context.db, owner).await?;
    let (object, creation) = Creation::read(&mut db, owner, "auctions".to_owned(), body, now).await?;
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

/// Writes a new auction with its owner, and gives it the base unit of its book. The transaction has locked
/// the account.
pub async fn insert_auction(
    db: &mut Transaction,
    owner: UserId,
    mut auction: Auction,
) -> Result<Auction, VerbError<CreateAuctionRefusal>> {
    let refused = |error: VerbError<BookRefusal>| error.map_refusal(CreateAuctionRefusal::Book);
    book::fit(db, &mut auction.terms, None, owner).await.map_err(refused)?;
    check_open_auctions(db, owner).await?;
    store::insert(db, &auction, owner).await?;
    book::check_written(db, &auction.terms, owner).await.map_err(refused)?;
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

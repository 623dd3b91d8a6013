//! What outcomes mean to the book of the auction: a winner is charged once for each outcome, in its
//! transaction, and a further outcome takes the charge of the one before back (SPEC, section 12).

use std::collections::HashMap;

use crate::books::posting::Posting;
use crate::books::runs::automatic;
use crate::books::state::Commitment;
use crate::books::store::batch::Sale;
use crate::books::store::charges;
use crate::ids::{AuctionId, BookId, ItemId, UserId};
use crate::items::bidding::LeadingBid;
use crate::notifications::NewNotification;
use platform::db::{DbError, Transaction};
use platform::time::Moment;

/// Charges the winners of items of an auction that are closed outside of the bid queue. Returns the
/// notifications of what that shares.
pub async fn charge(
    db: &mut Transaction,
    auction_id: AuctionId,
    sold: impl IntoIterator<Item = (BookId, Sale, LeadingBid)>,
    now: Moment,
) -> Result<Vec<NewNotification>, DbError> {
    let mut of_books: HashMap<BookId, Vec<(Sale, Commitment)>> = HashMap::new();
    for (book_id, sale, bid) in sold {
        of_books.entry(book_id).or_default().push((sale, bid.into()));
    }
    let mut notices = Vec::new();
    // All items of one auction, which has one book.
    for (book_id, sold) in of_books {
        let winners = sold.iter().map(|(_, winner)| winner.holder_id);
        let mut posting = Posting::begin(db, book_id, winners).await?;
        let items: Vec<ItemId> = sold.iter().map(|(sale, _)| sale.item_id).collect();
        automatic::prepare(db, book_id, &mut posting.book, (auction_id, &items), now).await?;
        for (sale, winner) in sold {
            posting.book.charge(winner, sale);
            posting.book.share(auction_id, sale, winner);
        }
        notices.extend(posting.book.share_notices());
        posting.write(db, now).await?;
    }
    Ok(notices)
}

/// Takes back the charge for a copy of an item, and charges the winner of its new outcome; what the book
/// shares at once follows. Returns the notifications of that.
pub async fn charge_again(
    db: &mut Transaction,
    (book_id, auction_id): (BookId, AuctionId),
    sale: Sale,
    winner: Option<Commitment>,
    by: UserId,
    now: Moment,
) -> Result<Vec<NewNotification>, DbError> {
    let charge = charges::charge_of(db, book_id, sale.item_id, sale.copy).await?;
    let had = charge.as_ref().map(|charge| charge.holder_id);
    let users = had.into_iter().chain(winner.map(|winner| winner.holder_id));
    let mut posting = Posting::begin(db, book_id, users).await?;
    if let Some(charge) = charge {
        posting.book.reverse_charge(&charge, by);
    }
    let copy = (sale.item_id, sale.copy);
    automatic::take_back(db, book_id, &mut posting.book, auction_id, copy, now).await?;
    if let Some(winner) = winner {
        posting.book.charge(winner, sale);
        posting.book.share(auction_id, sale, winner);
    }
    let notices = posting.book.share_notices();
    posting.write(db, now).await?;
    Ok(notices)
}

//! What outcomes mean to the book of the auction: a winner is charged once for each outcome, in its
//! transaction, and a further outcome takes the charge of the one before back (SPEC, section 12).

use std::collections::HashMap;

use crate::books::posting::Posting;
use crate::books::state::Commitment;
use crate::books::store::batch::{self as books, Sale};
use crate::ids::{BookId, UserId};
use crate::items::bidding::LeadingBid;
use platform::db::{DbError, Transaction};
use platform::time::Moment;

/// Charges the winners of items that are closed outside of the bid queue.
pub async fn charge(
    db: &mut Transaction,
    sold: impl IntoIterator<Item = (BookId, Sale, LeadingBid)>,
    now: Moment,
) -> Result<(), DbError> {
    let mut of_books: HashMap<BookId, Vec<(Sale, Commitment)>> = HashMap::new();
    for (book_id, sale, bid) in sold {
        of_books.entry(book_id).or_default().push((sale, bid.into()));
    }
    // All items of one auction, which has one book.
    for (book_id, sold) in of_books {
        let winners = sold.iter().map(|(_, winner)| winner.holder_id);
        let mut posting = Posting::begin(db, book_id, winners).await?;
        sold.into_iter().for_each(|(sale, winner)| posting.book.charge(winner, sale));
        posting.write(db, now).await?;
    }
    Ok(())
}

/// Takes back the charge for a copy of an item, and charges the winner of its new outcome.
pub async fn charge_again(
    db: &mut Transaction,
    book_id: BookId,
    sale: Sale,
    winner: Option<Commitment>,
    by: UserId,
    now: Moment,
) -> Result<(), DbError> {
    let charge = books::charge_of(db, book_id, sale.item_id, sale.copy).await?;
    let had = charge.as_ref().map(|charge| charge.holder_id);
    let users = had.into_iter().chain(winner.map(|winner| winner.holder_id));
    let mut posting = Posting::begin(db, book_id, users).await?;
    if let Some(charge) = charge {
        posting.book.reverse_charge(&charge, by);
    }
    if let Some(winner) = winner {
        posting.book.charge(winner, sale);
    }
    posting.write(db, now).await?;
    Ok(())
}

//! The pot of auctions and lots: what was charged in them, less what was shared of it. It is derived from
//! entries.

use rules_engine::money::Normalized;

use crate::books::history::thinned;
use crate::books::store;
use crate::ids::{AuctionId, BookId, ItemId};
use crate::usage;
use platform::db::{Connection, DbError};
use platform::time::Moment;

/// What there is to share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pot {
    pub auction_id: AuctionId,
    pub item_id: Option<ItemId>,
    /// Below zero after a correction of what was shared.
    pub amount: Normalized,
}

/// The pot of an auction; none of an auction that does not have the book.
pub async fn pot_of_auction(
    conn: &mut Connection,
    book_id: BookId,
    auction_id: AuctionId,
) -> Result<Option<Pot>, DbError> {
    if usage::book_of_auction(conn, auction_id).await? != Some(book_id) {
        return Ok(None);
    }
    let amount = sum(&moves(conn, book_id, auction_id).await?, None);
    Ok(Some(Pot { auction_id, item_id: None, amount }))
}

/// The pot of a lot: the smaller of its own and that of its auction.
pub async fn pot_of_item(
    conn: &mut Connection,
    book_id: BookId,
    item_id: ItemId,
) -> Result<Option<Pot>, DbError> {
    let Some(auction_id) = usage::auction_of_item(conn, item_id).await? else { return Ok(None) };
    if usage::book_of_auction(conn, auction_id).await? != Some(book_id) {
        return Ok(None);
    }
    let moves = moves(conn, book_id, auction_id).await?;
    let amount = sum(&moves, Some(item_id)).min(sum(&moves, None));
    Ok(Some(Pot { auction_id, item_id: Some(item_id), amount }))
}

/// The pots of all auctions of a book together.
pub async fn pot_of_book(conn: &mut Connection, book_id: BookId) -> Result<Normalized, DbError> {
    Ok(total(usage::moves_of_book(conn, book_id).await?.into_iter().map(|(_, amount)| amount)))
}

/// The pots of all auctions of a book together, after each moment that has changed them.
pub async fn pots_over_time(
    conn: &mut Connection,
    book_id: BookId,
) -> Result<Vec<(Moment, Normalized)>, DbError> {
    let mut moves = usage::moves_of_book(conn, book_id).await?;
    moves.sort_by_key(|(at, _)| *at);
    let mut sum = 0_i128;
    let mut pots: Vec<(Moment, Normalized)> = Vec::new();
    for (at, amount) in moves {
        sum = sum.saturating_sub(amount.mantissa());
        pots.pop_if(|(last, _)| *last == at);
        pots.push((at, within(sum)));
    }
    Ok(thinned(&pots))
}

/// Entries that change a pot, of sales and of shares, with the lot that they name.
async fn moves(
    conn: &mut Connection,
    book_id: BookId,
    auction_id: AuctionId,
) -> Result<Vec<(Option<ItemId>, Normalized)>, DbError> {
    let sales = usage::sales_of_auction(conn, book_id, auction_id).await?;
    let mut moves: Vec<_> = sales.into_iter().map(|(item, amount)| (Some(item), amount)).collect();
    moves.extend(store::runs::shared_of_auction(conn, book_id, auction_id).await?);
    Ok(moves)
}

fn sum(moves: &[(Option<ItemId>, Normalized)], item: Option<ItemId>) -> Normalized {
    total(moves.iter().filter(|(of, _)| item.is_none() || *of == item).map(|(_, amount)| *amount))
}

/// The opposite of the sum.
fn total(amounts: impl Iterator<Item = Normalized>) -> Normalized {
    within(amounts.map(Normalized::mantissa).fold(0, i128::saturating_sub))
}

/// A sum beyond 10^18 is one that no share reaches.
fn within(sum: i128) -> Normalized {
    let most = 10_i128.pow(18 + Normalized::SCALE) - 1;
    Normalized::from_mantissa(sum.clamp(-most, most)).unwrap_or_default()
}

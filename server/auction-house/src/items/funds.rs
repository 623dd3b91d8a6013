//! Money for an item of an auction with a book: what a bidder has for it, and whether its leader can still
//! pay.

use rules_engine::money::Normalized;

use super::bidding::BidItem;
use super::store;
use crate::books::funds::{self, Funds};
use crate::ids::{ItemId, UserId};
use crate::usage::Commitments;
use accounts::Person;
use platform::db::{Connection, DbError};

/// Money for an item as its page shows it to one viewer. Everything is absent in an auction without a book.
#[derive(Debug, Clone, Default)]
pub struct ItemFunds {
    /// The viewer's funds.
    pub own: Option<Funds>,
    /// The part of the viewer's funds that is available for the item.
    pub available: Option<Normalized>,
    /// The leader, if the item is not closed and the leader has committed too much. Only managers see it.
    pub overcommitted: Option<Overcommitted>,
}

/// A bidder whose leading bids exceed the bidder's funds.
#[derive(Debug, Clone)]
pub struct Overcommitted {
    pub person: Person,
    /// Below zero.
    pub available: Normalized,
}

impl Overcommitted {
    /// The bidder with the name that the bidder has now.
    pub async fn named(conn: &mut Connection, id: UserId, available: Normalized) -> Result<Self, DbError> {
        let name = accounts::user::store::name(conn, id).await?;
        Ok(Self {
            person: Person { id, name: name.unwrap_or_else(|| Person::DELETED.to_owned()) },
            available,
        })
    }
}

/// Reads what a viewer may see of the money for an item. `sealed` is the standing sealed bid of the viewer.
pub async fn of_viewer(
    conn: &mut Connection,
    item_id: ItemId,
    viewer: UserId,
    is_manager: bool,
    sealed: Option<Normalized>,
) -> Result<ItemFunds, DbError> {
    let item = store::bidding::read(conn, &[item_id]).await?.remove(&item_id).transpose()?;
    let Some((book_id, item)) = item.and_then(|item| Some((item.book_id?, item))) else {
        return Ok(ItemFunds::default());
    };
    let mut overcommitted = None;
    if let Some(leading) = item.leading
        && is_manager
        && item.closed_at.is_none()
    {
        let seen = funds::of_all(conn, book_id, &[leading.bidder_id], Commitments::Open).await?;
        let available = seen.first().map(|(_, funds)| funds.available()).unwrap_or_default();
        if available.is_negative() {
            overcommitted = Some(Overcommitted::named(conn, leading.bidder_id, available).await?);
        }
    }
    let own = funds::of(conn, book_id, viewer).await?;
    Ok(ItemFunds {
        own: Some(own),
        available: Some(available_of(&own, &item, viewer, sealed)),
        overcommitted,
    })
}

/// Reads what the bidder has available for the item; `None` in an auction without a book. A user who is not a
/// holder of the book has its starting balance, which comes with the first bid. `sealed` is the standing
/// sealed bid of the bidder on the item, which the next one replaces.
pub async fn available(
    conn: &mut Connection,
    item: &BidItem,
    bidder: UserId,
    sealed: Option<Normalized>,
) -> Result<Option<Normalized>, DbError> {
    let Some(book_id) = item.book_id else { return Ok(None) };
    let funds = funds::of(conn, book_id, bidder).await?;
    Ok(Some(available_of(&funds, item, bidder, sealed)))
}

fn available_of(funds: &Funds, item: &BidItem, bidder: UserId, sealed: Option<Normalized>) -> Normalized {
    let own = item.leading.filter(|leading| leading.bidder_id == bidder).map(|leading| leading.normalized);
    funds.available_for(own.or(sealed))
}

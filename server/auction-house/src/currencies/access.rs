//! Authorization for a currency profile.

use super::{Currency, store};
use crate::access::Action;
use crate::auctions::access::{AccessError, authorize};
use crate::ids::{AuctionId, CurrencyId, UserId};
use platform::db::Connection;
use platform::time::Moment;

/// The profile, for a user who sees the auction.
pub async fn view_currency(
    conn: &mut Connection,
    auction_id: AuctionId,
    currency_id: CurrencyId,
    viewer: UserId,
    now: Moment,
) -> Result<Currency, AccessError> {
    authorize(conn, auction_id, viewer, now).await?;
    find(conn, auction_id, currency_id).await
}

/// The profile, for a user who may change it: OWNER and ADMIN.
pub async fn manage_currency(
    conn: &mut Connection,
    auction_id: AuctionId,
    currency_id: CurrencyId,
    user: UserId,
    now: Moment,
) -> Result<Currency, AccessError> {
    authorize(conn, auction_id, user, now).await?.require(Action::ManageCurrencies)?;
    find(conn, auction_id, currency_id).await
}

/// The profile, for a user who is authorized to see its auction.
pub(super) async fn find(
    conn: &mut Connection,
    auction_id: AuctionId,
    currency_id: CurrencyId,
) -> Result<Currency, AccessError> {
    let currencies = store::of_auction(conn, auction_id).await?;
    currencies.into_iter().find(|currency| currency.id == currency_id).ok_or(AccessError::NotFound)
}

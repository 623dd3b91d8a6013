//! The columns that an auction writes itself, and how its row begins, changes and ends.

use crate::access::{self, Role};
use crate::auctions::Auction;
use crate::events;
use crate::ids::UserId;
use crate::notifications;
use platform::db::{self, DbError, Transaction, columns, table_columns};

table_columns! {
    auction_columns;
    /// The columns that only an INSERT writes.
    fn inserted(auction: &Auction) {
        id: auction.id,
        link_token: &auction.link_token,
        created_at: auction.created_at,
    }
    /// The columns that a change of an auction writes, except the description.
    fn changed(auction: &Auction) {
        name: &auction.terms.name,
        join_mode: auction.terms.join_mode,
        member_can_invite: auction.terms.member_can_invite,
        bidder_visibility: auction.terms.bidder_visibility,
        readable_by: auction.terms.readable_by,
        end_date: auction.terms.end_date,
        item_end_mode: auction.terms.item_end_mode,
        base_unit_name: auction.terms.base_unit.as_ref().map(|unit| &unit.name),
        base_unit_plural: auction.terms.base_unit.as_ref().and_then(|unit| unit.plural.as_ref()),
        base_unit_symbol: auction.terms.base_unit.as_ref().map(|unit| &unit.symbol),
        book_id: auction.terms.book_id,
        group_id: auction.terms.group_id,
        default_anti_snipe: auction.terms.default_anti_snipe.enabled,
        default_anti_snipe_threshold: auction.terms.default_anti_snipe.threshold_seconds,
        default_anti_snipe_extension: auction.terms.default_anti_snipe.extension_seconds,
        currency_code: auction.terms.currency.map(|code| code.to_string()),
        goal: auction.terms.goal.map(|goal| goal.amount().to_string()),
        collection: &auction.terms.collection,
        version: auction.version,
        updated_at: auction.updated_at,
    }
}

/// Adds an auction with its owner.
pub async fn insert(conn: &mut Transaction, auction: &Auction, owner: UserId) -> Result<(), DbError> {
    let mut columns = columns! { creator_id: owner, description: &auction.terms.description };
    columns.extend(inserted(auction)?);
    columns.extend(changed(auction)?);
    db::insert(conn, "auctions", columns).await?;
    events::store::insert_head(conn, auction.id).await?;
    notifications::store::heads::insert(conn, auction.id).await?;
    access::store::insert(conn, auction.id, owner, Role::Owner, auction.created_at).await
}

/// Writes the terms of an auction.
pub async fn update(conn: &mut Transaction, auction: &Auction) -> Result<(), DbError> {
    let mut columns = columns! { description: &auction.terms.description };
    columns.extend(changed(auction)?);
    db::update(conn, "auctions", auction.id, columns).await
}

/// Gives the auction another link, as part of a new version.
pub async fn update_link(conn: &mut Transaction, auction: &Auction) -> Result<(), DbError> {
    let columns = columns! {
        link_token: &auction.link_token,
        version: auction.version,
        updated_at: auction.updated_at,
    };
    db::update(conn, "auctions", auction.id, columns).await
}

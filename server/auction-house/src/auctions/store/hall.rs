//! What an auction shows in a hall: the item on the block, and the token of the screen.

use crate::auctions::Auction;
use crate::ids::AuctionId;
use platform::db::{self, Connection, DbError, Transaction, columns, query, query_scalar};
use platform::token::TokenHash;

/// Puts an item on the block or takes it from there, as part of a new version.
pub async fn update_block(conn: &mut Transaction, auction: &Auction) -> Result<(), DbError> {
    let columns = columns! {
        block_item_id: auction.block_item_id,
        version: auction.version,
        updated_at: auction.updated_at,
    };
    db::update(conn, "auctions", auction.id, columns).await
}

/// The auction whose screen has this token.
pub async fn by_screen(conn: &mut Connection, token: &TokenHash) -> Result<Option<AuctionId>, DbError> {
    query_scalar("SELECT id FROM auctions WHERE screen_token_hash = $1")
        .bind(token.to_string())
        .fetch_optional(conn)
        .await
}

/// The token of the screen of an auction, and the revision of the auction. None without the auction.
pub async fn screen(
    conn: &mut Connection,
    auction_id: AuctionId,
) -> Result<Option<(Option<TokenHash>, i64)>, DbError> {
    query("SELECT screen_token_hash, revision FROM auctions WHERE id = $1")
        .bind(auction_id)
        .fetch_optional(conn)
        .await
}

/// Gives the screen of an auction another token, or none.
pub async fn set_screen(
    conn: &mut Transaction,
    auction_id: AuctionId,
    token: Option<TokenHash>,
) -> Result<(), DbError> {
    query("UPDATE auctions SET screen_token_hash = $2 WHERE id = $1")
        .bind(auction_id)
        .bind(token.map(|token| token.to_string()))
        .execute(conn)
        .await?;
    Ok(())
}

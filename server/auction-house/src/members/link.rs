//! The link of a LINK auction: what it leads to, and a new one.

use crate::access::{Action, Member, Standing, store};
use crate::auctions::access::{AuctionView, authorize};
use crate::auctions::{self, Auction, JoinMode};
use crate::codes;
use crate::context::Context;
use crate::ids::{AuctionId, UserId};
use crate::locks::LockingWrites;
use platform::db::{Connection, DbError};
use platform::refusals;
use platform::time::Moment;
use platform::token::LinkToken;
use platform::verb::VerbError;

/// What a link leads to, for a user who has it.
#[derive(Debug, Clone)]
pub struct LinkTarget {
    pub auction: Auction,
    pub owner: Option<Member>,
    pub standing: Standing,
}

/// The auction that the token leads to: anyone who has the token may see its name. `None` for a token that
/// was replaced, and in an auction that is not joined by its link.
pub async fn link_target(
    conn: &mut Connection,
    token: &str,
    user: Option<UserId>,
    now: Moment,
) -> Result<Option<LinkTarget>, DbError> {
    let Some(auction_id) = auctions::store::by_link(conn, token).await? else { return Ok(None) };
    let found = auctions::store::by_id(conn, auction_id, now).await?;
    let is_open_to_holders = |auction: &Auction| auction.terms.join_mode != JoinMode::InviteOnly;
    let Some(auction) = found.filter(is_open_to_holders) else { return Ok(None) };
    let owner = store::owner(conn, auction_id).await?;
    let standing = match user {
        Some(user) => store::standing(conn, auction_id, user).await?,
        None => Standing::Other,
    };
    Ok(Some(LinkTarget { auction, owner, standing }))
}

refusals! {
    /// Why an auction does not get a new link.
    pub enum NewLinkRefusal {
        Closed => codes::CLOSED, "The auction is closed: it takes no more members.";
    }
}

/// Makes a new link, and revokes the one before.
pub async fn renew_link(
    context: &Context,
    auction_id: AuctionId,
    user: UserId,
) -> Result<AuctionView, VerbError<NewLinkRefusal>> {
    let now = context.clock.now();
    let mut db = context.db.write_in(&[auction_id]).await?;
    let mut seen = authorize(&mut db, auction_id, user, now).await?.require(Action::ManageMembers)?;
    if seen.auction.is_closed(now) {
        return Err(NewLinkRefusal::Closed.into());
    }
    seen.auction.link_token = LinkToken::new().map_err(DbError::from)?;
    seen.auction.version += 1;
    seen.auction.updated_at = now;
    auctions::store::update_link(&mut db, &seen.auction).await?;
    db.commit().await?;
    Ok(seen)
}

//! The screen of an auction: a page for a projector in the hall, which anyone opens who has its secret
//! address (SPEC, section 15).

use serde::Serialize;
use utoipa::ToSchema;

use super::access::authorize;
use super::store;
use crate::access::Action;
use crate::context::Context;
use crate::ids::{AuctionId, UserId};
use crate::locks::LockingWrites;
use platform::db::DbError;
use platform::token::Token;
use platform::verb::AccessError;

/// The secret of the address of a screen.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Screen)]
pub struct ScreenDocument {
    /// The screen is the page `/screen/{screenToken}` of this site. It is returned only once.
    pub screen_token: String,
}

/// Gives the screen a new secret. Open screens with the one before end within seconds.
pub async fn renew_screen(
    context: &Context,
    auction_id: AuctionId,
    user: UserId,
) -> Result<Token, AccessError> {
    let token = Token::new().map_err(DbError::from)?;
    let mut db = context.db.write_in(&[auction_id]).await?;
    let now = context.clock.now();
    authorize(&mut db, auction_id, user, now).await?.require(Action::ChangeAuction)?;
    store::set_screen(&mut db, auction_id, Some(token.hash())).await?;
    db.commit().await?;
    Ok(token)
}

/// Ends the screen of the auction.
pub async fn end_screen(context: &Context, auction_id: AuctionId, user: UserId) -> Result<(), AccessError> {
    let mut db = context.db.write_in(&[auction_id]).await?;
    let now = context.clock.now();
    authorize(&mut db, auction_id, user, now).await?.require(Action::ChangeAuction)?;
    store::set_screen(&mut db, auction_id, None).await?;
    db.commit().await?;
    Ok(())
}

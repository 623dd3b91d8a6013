//! A new auction. Whoever makes it owns it.

use super::access::SeenAuction;
use super::body::read_terms;
use super::{Auction, store};
use crate::access::Role;
use crate::context::Context;
use crate::ids::{AuctionId, UserId};
use platform::body::Body;
use platform::db::DbError;
use platform::verb::VerbError;
use std::convert::Infallible;

pub async fn create_auction(
    context: &Context,
    owner: UserId,
    body: impl Body,
) -> Result<SeenAuction, VerbError<Infallible>> {
    let terms = read_terms(body.read()?)?;
    let now = context.clock.now();
    let auction = Auction {
        id: AuctionId::new(now).map_err(DbError::from)?,
        terms,
        closed_at: None,
        outlasted: false,
        version: 1,
        revision: 0,
        created_at: now,
        updated_at: now,
    };
    let mut db = context.db.write().await?;
    store::insert(&mut db, &auction, owner).await?;
    db.commit().await?;
    Ok(SeenAuction { auction, viewer: owner, role: Some(Role::Owner) })
}

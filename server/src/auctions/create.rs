//! A new auction. Whoever makes it owns it.

use super::access::SeenAuction;
use super::body::read_terms;
use super::{Auction, store};
use crate::db::DbError;
use crate::fields::{Fault, Object};
use crate::ids::{AuctionId, UserId};
use crate::members::Role;
use crate::state::AppState;

#[derive(Debug, thiserror::Error)]
pub enum CreateAuctionError {
    #[error("{} members do not fit", .0.len())]
    Invalid(Vec<Fault>),
    #[error(transparent)]
    Db(#[from] DbError),
}

pub async fn create_auction(
    state: &AppState,
    owner: UserId,
    object: Object,
) -> Result<SeenAuction, CreateAuctionError> {
    let terms = read_terms(object).map_err(CreateAuctionError::Invalid)?;
    let now = state.clock.now();
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
    let mut db = state.db.write().await?;
    store::insert(&mut db, &auction, owner).await?;
    db.commit().await?;
    Ok(SeenAuction { auction, viewer: owner, role: Some(Role::Owner) })
}

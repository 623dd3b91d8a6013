//! Ids in paths. What is no id can't be there: 404, before the database is asked.

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use serde::Deserialize;

use super::problem::Problem;
use crate::ids::{AuctionId, CurrencyId, ItemId, RuleId};

/// `/api/auctions/{auction_id}…`
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct AuctionPath {
    pub auction_id: AuctionId,
}

/// `/api/auctions/{auction_id}/currencies/{currency_id}`
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct CurrencyPath {
    pub auction_id: AuctionId,
    pub currency_id: CurrencyId,
}

/// `/api/auctions/{auction_id}/currency-rules/{rule_id}`
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct RulePath {
    pub auction_id: AuctionId,
    pub rule_id: RuleId,
}

/// `/api/auctions/{auction_id}/items/{item_id}…`
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct ItemPath {
    pub auction_id: AuctionId,
    pub item_id: ItemId,
}

/// The parameters of the path as `T`, or 404.
#[derive(Debug, Clone, Copy)]
pub struct At<T>(pub T);

impl<S, T> FromRequestParts<S> for At<T>
where
    S: Send + Sync,
    T: serde::de::DeserializeOwned + Send,
{
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let path = Path::<T>::from_request_parts(parts, state).await;
        path.map(|Path(path)| Self(path)).map_err(|_| Problem::not_found())
    }
}

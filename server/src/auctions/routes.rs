//! `/api/auctions…`

use axum::Json;
use axum::extract::{RawQuery, State};
use axum::response::Response;

use super::access::{AccessError, see};
use super::body::AuctionBody;
use super::create::{CreateAuctionError, create_auction};
use super::document::{AuctionDocument, AuctionsDocument};
use super::list::list_auctions;
use crate::accounts::session::CurrentUser;
use crate::http::body::JsonBody;
use crate::http::etag::{created, versioned};
use crate::http::paging::page;
use crate::http::path::{At, AuctionPath};
use crate::http::problem::{Code, Problem};
use crate::state::AppState;

/// The auctions that you are in, and those that everyone may join, newest first.
#[utoipa::path(get, path = "/api/auctions", tag = "auctions", params(
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "50 by default"),
        ("cursor" = Option<String>, Query, description = "`nextCursor` of the page before")),
    responses((status = 200, body = AuctionsDocument)))]
pub async fn get_auctions(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    query: RawQuery,
) -> Result<Json<AuctionsDocument>, Problem> {
    let now = state.clock.now();
    let page = page(&query)?;
    let found = list_auctions(&mut *state.db.read().await?, user.id, now, page).await?;
    Ok(Json(AuctionsDocument::of(found, now)))
}

/// Makes an auction, which you then own.
#[utoipa::path(post, path = "/api/auctions", tag = "auctions", request_body = AuctionBody,
    responses((status = 201, body = AuctionDocument)))]
pub async fn post_auction(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    body: JsonBody,
) -> Result<Response, Problem> {
    let made = create_auction(&state, user.id, body.read()?).await?;
    let location = format!("/api/auctions/{}", made.auction.id);
    Ok(created(location, made.auction.version, AuctionDocument::of(made, state.clock.now())))
}

/// One auction.
#[utoipa::path(get, path = "/api/auctions/{auction_id}", tag = "auctions", params(("auction_id" = String, Path)),
    responses((status = 200, body = AuctionDocument)))]
pub async fn get_auction(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    At(path): At<AuctionPath>,
) -> Result<Response, Problem> {
    let now = state.clock.now();
    let seen = see(&mut *state.db.read().await?, path.auction_id, user.id, now).await?;
    Ok(versioned(seen.auction.version, AuctionDocument::of(seen, now)))
}

impl From<AccessError> for Problem {
    fn from(error: AccessError) -> Self {
        match error {
            AccessError::NotFound => Self::not_found(),
            AccessError::Forbidden => Self::plain(Code::Forbidden),
            AccessError::Db(error) => error.into(),
        }
    }
}

impl From<CreateAuctionError> for Problem {
    fn from(error: CreateAuctionError) -> Self {
        match error {
            CreateAuctionError::Invalid(faults) => Self::faults(faults),
            CreateAuctionError::Db(error) => error.into(),
        }
    }
}

//! `/api/auctions/{auction_id}/currencies`

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::body::CurrencyBody;
use super::create::{CreateCurrencyError, create_currency};
use super::document::{CurrenciesDocument, CurrencyDocument};
use super::store;
use crate::accounts::session::CurrentUser;
use crate::auctions::access::see;
use crate::http::body::JsonBody;
use crate::http::etag::etag;
use crate::http::path::{At, AuctionPath};
use crate::http::problem::{Code, Problem};
use crate::members::Role;
use crate::state::AppState;

/// What the auction's bids may be entered in. An auction without currency profiles is priced in ISO 4217.
#[utoipa::path(get, path = "/api/auctions/{auction_id}/currencies", tag = "currencies",
    params(("auction_id" = String, Path)), responses((status = 200, body = CurrenciesDocument)))]
pub async fn get_currencies(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    At(path): At<AuctionPath>,
) -> Result<Json<CurrenciesDocument>, Problem> {
    let mut db = state.db.read().await?;
    see(&mut db, path.auction_id, user.id, state.clock.now()).await?;
    let currencies = store::of_auction(&mut db, path.auction_id).await?;
    Ok(Json(CurrenciesDocument { currencies: currencies.into_iter().map(CurrencyDocument::from).collect() }))
}

/// Defines a currency. OWNER and ADMIN only.
///
/// 409 `CODE_TAKEN`, `LIMIT_REACHED` after 32, `HAS_BIDS` where bids in ISO currencies exist.
#[utoipa::path(post, path = "/api/auctions/{auction_id}/currencies", tag = "currencies",
    params(("auction_id" = String, Path)), request_body = CurrencyBody,
    responses((status = 201, body = CurrencyDocument)))]
pub async fn post_currency(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    At(path): At<AuctionPath>,
    body: JsonBody,
) -> Result<Response, Problem> {
    let seen = see(&mut *state.db.read().await?, path.auction_id, user.id, state.clock.now()).await?;
    seen.require(Role::MANAGERS)?;
    let made = create_currency(&state, path.auction_id, user.id, body.read()?).await?;
    let location = [(header::LOCATION, format!("/api/auctions/{}/currencies/{}", made.auction_id, made.id))];
    Ok((StatusCode::CREATED, location, etag(made.version), Json(CurrencyDocument::from(made)))
        .into_response())
}

impl From<CreateCurrencyError> for Problem {
    fn from(error: CreateCurrencyError) -> Self {
        match error {
            CreateCurrencyError::Access(error) => error.into(),
            CreateCurrencyError::Invalid(faults) => Self::faults(faults),
            CreateCurrencyError::LimitReached => {
                Self::new(Code::LimitReached, "An auction has at most 32 currency profiles.")
            }
            CreateCurrencyError::HasBids => Self::new(
                Code::HasBids,
                "Items of this auction have bids in ISO currencies: it keeps to these.",
            ),
            CreateCurrencyError::CodeTaken => Self::plain(Code::CodeTaken),
        }
    }
}

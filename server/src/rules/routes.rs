//! `/api/auctions/{auction_id}/currency-rules`

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::body::RuleBody;
use super::create::{CreateRuleError, create_rule};
use super::document::{RuleDocument, RulesDocument};
use super::store;
use crate::accounts::session::CurrentUser;
use crate::auctions::access::see;
use crate::http::body::JsonBody;
use crate::http::etag::etag;
use crate::http::path::{At, AuctionPath};
use crate::http::problem::{Code, Problem};
use crate::members::Role;
use crate::state::AppState;

/// What the auction's bids must keep beyond being the highest, in the order in which it is told.
#[utoipa::path(get, path = "/api/auctions/{auction_id}/currency-rules", tag = "rules",
    params(("auction_id" = String, Path)), responses((status = 200, body = RulesDocument)))]
pub async fn get_rules(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    At(path): At<AuctionPath>,
) -> Result<Json<RulesDocument>, Problem> {
    let mut db = state.db.read().await?;
    see(&mut db, path.auction_id, user.id, state.clock.now()).await?;
    let rules = store::of_auction(&mut db, path.auction_id).await?;
    Ok(Json(RulesDocument { rules: rules.into_iter().map(RuleDocument::from).collect() }))
}

/// Adds a rule. OWNER and ADMIN only.
///
/// 409 `LIMIT_REACHED` after 64.
#[utoipa::path(post, path = "/api/auctions/{auction_id}/currency-rules", tag = "rules",
    params(("auction_id" = String, Path)), request_body = RuleBody,
    responses((status = 201, body = RuleDocument)))]
pub async fn post_rule(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    At(path): At<AuctionPath>,
    body: JsonBody,
) -> Result<Response, Problem> {
    let seen = see(&mut *state.db.read().await?, path.auction_id, user.id, state.clock.now()).await?;
    seen.require(Role::MANAGERS)?;
    let made = create_rule(&state, path.auction_id, user.id, body.read()?).await?;
    let location =
        [(header::LOCATION, format!("/api/auctions/{}/currency-rules/{}", made.auction_id, made.id))];
    Ok((StatusCode::CREATED, location, etag(made.version), Json(RuleDocument::from(made))).into_response())
}

impl From<CreateRuleError> for Problem {
    fn from(error: CreateRuleError) -> Self {
        match error {
            CreateRuleError::Access(error) => error.into(),
            CreateRuleError::Invalid(faults) => Self::faults(faults),
            CreateRuleError::LimitReached => {
                Self::new(Code::LimitReached, "An auction has at most 64 rules.")
            }
        }
    }
}

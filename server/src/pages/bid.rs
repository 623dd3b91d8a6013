//! The form “Place a bid”, posted by a browser whose scripts do not run (or not yet).

use auction_house::engine::Literal;
use auction_house::engine::field_errors;
use auction_house::engine::{BidForm, EnteredCount};
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;

use super::form::{Form, redraw, see_other, texts};
use super::posted::Posted;
use crate::state::AppState;
use auction_house::accounts::Person;
use auction_house::accounts::extract::MaybeUser;
use auction_house::accounts::session::SignedIn;
use auction_house::bids::entered::EnteredBid;
use auction_house::bids::place::place;
use auction_house::bids::withdraw;
use auction_house::path::{BidPath, ItemPath};
use platform::http::path::At;
use platform::http::problem::{Code, Problem};

/// `POST /auctions/{auction_id}/items/{item_id}`
pub async fn post_bid(
    State(state): State<AppState>,
    MaybeUser(user): MaybeUser,
    path: Result<At<ItemPath>, Problem>,
    uri: Uri,
    form: Form,
) -> Response {
    match try_place(&state, user.as_deref(), path, &form).await {
        Ok(()) => see_other(uri.path()),
        Err(problem) => redraw(state, user, uri, &form, problem).await,
    }
}

async fn try_place(
    state: &AppState,
    user: Option<&SignedIn>,
    path: Result<At<ItemPath>, Problem>,
    form: &Form,
) -> Result<(), Problem> {
    let user = user.ok_or_else(|| Problem::plain(Code::Unauthenticated))?;
    state.limits.bid(user.id)?;
    let At(path) = path?;
    let read = form.check().and_then(|()| Ok((bid(form)?, form.keyed()?)));
    let bidder = Person { id: user.id, name: user.name.clone() };
    place::<Problem>(&state.context.db, &state.bids, (path.auction_id, path.item_id), bidder, read).await?;
    Ok(())
}

/// `POST /auctions/{auction_id}/items/{item_id}/bids/{sequence}/withdraw`
pub async fn withdraw(posted: Posted<BidPath>) -> Result<String, Problem> {
    let Posted { state, user, path, form } = posted;
    state.limits.bid(user)?;
    let body = texts(&form, &["reason", "note"]);
    withdraw::withdraw(&state.context, &state.bids, path, user, body).await?;
    Ok(format!("/auctions/{}/items/{}", path.auction_id, path.item_id))
}

/// What was typed: `amount`, or a field `count.<CODE>` for each denomination, each after `prefix`.
pub(super) fn entered(form: &Form, prefix: &str) -> BidForm {
    let typed = |text: &str| Some(text.trim()).filter(|text| !text.is_empty()).map(Literal::from);
    let counts = form.fields().iter().filter_map(|(name, value)| {
        let denomination = name.strip_prefix(prefix)?.strip_prefix("count.")?.to_owned();
        Some(EnteredCount { denomination, count: typed(value)? })
    });
    let counts: Vec<_> = counts.collect();
    BidForm {
        amount: form.get(&format!("{prefix}amount")).and_then(typed),
        entered_representation: (!counts.is_empty()).then_some(counts),
    }
}

fn bid(form: &Form) -> Result<EnteredBid, Problem> {
    let currency = form.get("currencyProfileId").map(str::to_owned);
    let entered = EnteredBid::new(currency, form.get("isAnonymous").is_some(), entered(form, ""));
    entered.map_err(|errors| Problem::fields(field_errors(errors)))
}

//! The form “Place a bid”, posted by a browser whose scripts do not run (or not yet).

use std::sync::Arc;

use app::components::money::typed_number;
use app::model::{Bidding, ItemPage};
use app::pages::items::confirmation::{CONFIRMED, unconfirmed};
use app::services::Services;
use auction_house::engine::Literal;
use auction_house::engine::field_errors;
use auction_house::engine::{BidForm, EnteredCount};
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;

use super::form::{Form, redraw, see_other, texts};
use super::posted::Posted;
use super::services::PageServices;
use super::show::PageClient;
use crate::state::AppState;
use accounts::Person;
use accounts::extract::MaybeUser;
use accounts::session::SignedIn;
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
    match try_place(&state, user.as_ref(), path, &form).await {
        Ok(()) => see_other(uri.path()),
        Err(problem) if problem.code == Code::Unauthenticated => {
            // The sign-in leads back to this address, so that what was typed is not lost.
            let typed = typed_in_address(&uri, &form);
            redraw(state, user, typed, &form, problem).await
        }
        Err(problem) => redraw(state, user, uri, &form, problem).await,
    }
}

/// The address of the form's page with what was typed.
fn typed_in_address(uri: &Uri, form: &Form) -> Uri {
    let is_typed = |name: &str| {
        matches!(name, "currency" | "currencyProfileId" | "amount" | "isAnonymous")
            || name.starts_with("count.")
    };
    let typed = form.fields().iter().filter(|(name, value)| is_typed(name) && !value.is_empty());
    let query = serde_urlencoded::to_string(typed.collect::<Vec<_>>()).unwrap_or_default();
    format!("{}?{query}", uri.path()).parse().unwrap_or_else(|_| uri.clone())
}

async fn try_place(
    state: &AppState,
    user: Option<&Arc<SignedIn>>,
    path: Result<At<ItemPath>, Problem>,
    form: &Form,
) -> Result<(), Problem> {
    let user = user.ok_or_else(|| Problem::plain(Code::Unauthenticated))?;
    state.limits.bid(user.id)?;
    let At(path) = path?;
    confirmed(state, user, &path, form).await?;
    let read = form.check().and_then(|()| Ok((bid(form)?, form.keyed()?)));
    let bidder = Person { id: user.id, name: user.name.clone() };
    place::<Problem>(&state.context.db, &state.bids, (path.auction_id, path.item_id), bidder, read).await?;
    Ok(())
}

/// Refuses an unusual bid that the form does not confirm.
async fn confirmed(
    state: &AppState,
    user: &Arc<SignedIn>,
    path: &ItemPath,
    form: &Form,
) -> Result<(), Problem> {
    let services = PageServices::new(state.clone(), Some(Arc::clone(user)), PageClient::default()).await;
    // An item that can't be shown, or not be bid on, is refused when the bid is judged.
    let Ok(ItemPage { bidding: Bidding::Open(data), board, .. }) =
        services.item(&path.auction_id.to_string(), &path.item_id.to_string()).await
    else {
        return Ok(());
    };
    match unconfirmed(&data, board.highest(), form.fields()) {
        Some(question) => Err(Problem::explained(CONFIRMED, question)),
        None => Ok(()),
    }
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
    let typed = |text: &str| Some(typed_number(text)).filter(|text| !text.is_empty()).map(Literal::from);
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

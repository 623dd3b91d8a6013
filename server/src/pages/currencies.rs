//! The forms of an auction's currencies.

use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use serde::Serialize;

use super::auctions::{BASE_UNIT_FIELDS, base_unit};
use super::form::{Form, answer, meant_for, parent, renamed, renamed_rows, signed_in, texts};
use crate::accounts::User;
use crate::accounts::session::MaybeUser;
use crate::auctions::patch::patch_auction;
use crate::currencies::create::create_currency;
use crate::currencies::delete::delete_currency;
use crate::currencies::patch::patch_currency;
use crate::fields::Object;
use crate::http::path::{At, AuctionPath, CurrencyPath};
use crate::http::problem::Problem;
use crate::ids::AuctionId;
use crate::precondition::Precondition;
use crate::state::AppState;

/// `POST /auctions/{auction_id}/currencies/base-unit`, a form on the page of all currencies.
pub async fn post_base_unit(
    State(state): State<AppState>,
    MaybeUser(user): MaybeUser,
    path: Result<At<AuctionPath>, Problem>,
    uri: Uri,
    form: Form,
) -> Response {
    let done = try_name(&state, user.as_ref(), path, &form).await;
    answer(state, user, parent(&uri), &form, done).await
}

/// `POST /auctions/{auction_id}/currencies/new`
pub async fn post_new_currency(
    State(state): State<AppState>,
    MaybeUser(user): MaybeUser,
    path: Result<At<AuctionPath>, Problem>,
    uri: Uri,
    form: Form,
) -> Response {
    let done = try_create(&state, user.as_ref(), path, &form).await;
    answer(state, user, uri, &form, done).await
}

/// `POST /auctions/{auction_id}/currencies/{currency_id}`
pub async fn post_currency(
    State(state): State<AppState>,
    MaybeUser(user): MaybeUser,
    path: Result<At<CurrencyPath>, Problem>,
    uri: Uri,
    form: Form,
) -> Response {
    let done = try_patch(&state, user.as_ref(), path, &form).await;
    answer(state, user, uri, &form, done).await
}

/// `POST /auctions/{auction_id}/currencies/{currency_id}/delete`, a button on the currency's page.
pub async fn post_delete(
    State(state): State<AppState>,
    MaybeUser(user): MaybeUser,
    path: Result<At<CurrencyPath>, Problem>,
    uri: Uri,
    form: Form,
) -> Response {
    let done = try_delete(&state, user.as_ref(), path).await;
    answer(state, user, parent(&uri), &form, done).await
}

async fn try_name(
    state: &AppState,
    user: Option<&User>,
    path: Result<At<AuctionPath>, Problem>,
    form: &Form,
) -> Result<String, Problem> {
    let user = signed_in(user)?;
    let auction_id = path?.0.auction_id;
    form.check()?;
    let mut patch = Object::default();
    patch.set("baseUnit", &base_unit(form));
    let patched = patch_auction(state, auction_id, user, patch, &meant_for(form)).await;
    patched.map_err(|error| renamed(error.into(), BASE_UNIT_FIELDS))?;
    Ok(list(auction_id, "unit-saved"))
}

async fn try_create(
    state: &AppState,
    user: Option<&User>,
    path: Result<At<AuctionPath>, Problem>,
    form: &Form,
) -> Result<String, Problem> {
    let user = signed_in(user)?;
    let auction_id = path?.0.auction_id;
    form.check()?;
    let body = Body::read(form);
    let made = create_currency(state, auction_id, user, body.object).await;
    made.map_err(|error| renamed_rows(error.into(), "denominations", &body.rows))?;
    Ok(list(auction_id, "currency-saved"))
}

async fn try_patch(
    state: &AppState,
    user: Option<&User>,
    path: Result<At<CurrencyPath>, Problem>,
    form: &Form,
) -> Result<String, Problem> {
    let user = signed_in(user)?;
    let At(path) = path?;
    form.check()?;
    let body = Body::read(form);
    let version = meant_for(form);
    let patched = patch_currency(state, path.auction_id, path.currency_id, user, body.object, &version).await;
    patched.map_err(|error| renamed_rows(error.into(), "denominations", &body.rows))?;
    Ok(list(path.auction_id, "currency-saved"))
}

async fn try_delete(
    state: &AppState,
    user: Option<&User>,
    path: Result<At<CurrencyPath>, Problem>,
) -> Result<String, Problem> {
    let user = signed_in(user)?;
    let At(path) = path?;
    delete_currency(state, path.auction_id, path.currency_id, user, &Precondition::None).await?;
    Ok(list(path.auction_id, "currency-deleted"))
}

/// The page of all currencies and rules, with a word of what was done.
pub(super) fn list(auction_id: AuctionId, done: &str) -> String {
    format!("/auctions/{auction_id}/currencies?done={done}")
}

/// What the form says, as the API takes it. `rows` are the rows of the form that its denominations stand in.
struct Body {
    object: Object,
    rows: Vec<usize>,
}

#[derive(Serialize)]
struct Piece {
    code: Option<String>,
    name: Option<String>,
    symbol: Option<String>,
    factor: Option<String>,
}

impl Body {
    fn read(form: &Form) -> Self {
        let mut object = texts(form, &["inputMode", "fractionPolicy"]);
        let name = form.get("name");
        object.set("name", &name);
        object.set("code", &form.get("code").map(str::to_owned).or(name.map(code_of)));
        object.set("symbol", &form.get("symbol"));
        object.set("rateToBase", &form.get("rateToBase"));
        object.set("isDefault", &form.get("isDefault").is_some());
        if let Some(precision) = form.get("precision") {
            object.set("precision", &precision.parse::<i64>().unwrap_or(-1));
        }
        let (rows, pieces): (Vec<_>, Vec<_>) = pieces(form).unzip();
        if form.get("inputMode") != Some("SCALAR") && !pieces.is_empty() {
            object.set("denominations", &pieces);
        }
        Self { object, rows }
    }
}

/// The rows that are filled in.
fn pieces(form: &Form) -> impl Iterator<Item = (usize, Piece)> {
    let rows = form.rows("denominations");
    rows.filter_map(|row| {
        let part = |part: &str| form.get(&format!("denominations.{row}.{part}")).map(str::to_owned);
        let (name, symbol, factor) = (part("name"), part("symbol"), part("factor"));
        let code = part("code").or(name.as_deref().map(code_of));
        let piece = Piece { code, name, symbol, factor };
        let filled = [&piece.code, &piece.name, &piece.symbol, &piece.factor];
        filled.iter().any(|part| part.is_some()).then_some((row, piece))
    })
}

/// A code like the name: what a code may have of it, at most 12 characters.
fn code_of(name: &str) -> String {
    let words = name.split_whitespace().collect::<Vec<_>>().join("_").to_uppercase();
    let fits =
        |letter: &char| letter.is_ascii_uppercase() || letter.is_ascii_digit() || matches!(letter, '_' | '-');
    words.chars().filter(fits).take(12).collect()
}

#[cfg(test)]
mod tests {
    use super::code_of;

    #[test]
    fn a_code_is_made_from_the_name() {
        assert_eq!(code_of("Galleon"), "GALLEON");
        assert_eq!(code_of("Gold  piece"), "GOLD_PIECE");
        assert_eq!(code_of("Übergroße Münze 2026"), "BERGROSSE_MN");
        assert_eq!(code_of("金貨"), "");
    }
}

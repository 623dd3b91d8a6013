//! The forms of an auction's currencies.

use serde::Serialize;

use super::auctions::{BASE_UNIT_FIELDS, base_unit};
use super::form::{Form, FormBody, meant_for, renamed, renamed_rows, texts};
use super::posted::Posted;
use auction_house::auctions::patch::patch_auction;
use auction_house::currencies::create::create_currency;
use auction_house::currencies::delete::delete_currency;
use auction_house::currencies::patch::patch_currency;
use auction_house::ids::AuctionId;
use auction_house::path::{AuctionPath, CurrencyPath};
use platform::fields::Object;
use platform::http::problem::Problem;
use platform::precondition::Precondition;

/// `POST /auctions/{auction_id}/currencies/base-unit`, a form on the page of all currencies.
pub async fn name_base_unit(posted: Posted<AuctionPath>) -> Result<String, Problem> {
    let Posted { state, user, path: AuctionPath { auction_id }, form } = posted;
    let mut patch = Object::default();
    patch.set("baseUnit", &base_unit(&form));
    let patched = patch_auction(&state.context, auction_id, user, patch, &meant_for(&form)).await;
    patched.map_err(|error| renamed(error.into(), BASE_UNIT_FIELDS))?;
    Ok(list(auction_id, "unit-saved"))
}

/// `POST /auctions/{auction_id}/currencies/new`
pub async fn create(posted: Posted<AuctionPath>) -> Result<String, Problem> {
    let Posted { state, user, path: AuctionPath { auction_id }, form } = posted;
    let body = Body::read(&form);
    let made =
        create_currency(&state.context, auction_id, user, FormBody { object: body.object, form }).await;
    made.map_err(|error| renamed_rows(error.into(), "denominations", &body.rows))?;
    Ok(list(auction_id, "currency-saved"))
}

/// `POST /auctions/{auction_id}/currencies/{currency_id}`
pub async fn change(posted: Posted<CurrencyPath>) -> Result<String, Problem> {
    let Posted { state, user, path: CurrencyPath { auction_id, currency_id }, form } = posted;
    let body = Body::read(&form);
    let patched =
        patch_currency(&state.context, auction_id, currency_id, user, body.object, &meant_for(&form)).await;
    patched.map_err(|error| renamed_rows(error.into(), "denominations", &body.rows))?;
    Ok(list(auction_id, "currency-saved"))
}

/// `POST /auctions/{auction_id}/currencies/{currency_id}/delete`, a button on the currency's page.
pub async fn delete(posted: Posted<CurrencyPath>) -> Result<String, Problem> {
    let Posted { state, user, path: CurrencyPath { auction_id, currency_id }, .. } = posted;
    delete_currency(&state.context, auction_id, currency_id, user, &Precondition::None).await?;
    Ok(list(auction_id, "currency-deleted"))
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
        object.set("rateToBase", &form.number("rateToBase"));
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
        let (name, symbol) = (part("name"), part("symbol"));
        let factor = form.number(&format!("denominations.{row}.factor"));
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

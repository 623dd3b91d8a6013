//! `/auctions/{auction_id}/currencies`: the currencies and rules of an auction, and the name of its base
//! unit.

use app::components::error_page::LoadError;
use app::model::{CurrenciesPage, CurrencyEntry, RuleEntry};
use app::pages::auctions::currencies::currencies_page;
use axum::response::Response;

use crate::pages::auctions::facts::access;
use crate::pages::auctions::terms::{BASE_UNIT_FIELDS, base_unit as base_unit_of_form};
use crate::pages::error::{Loaded, PageError};
use crate::pages::form::{meant_for, renamed};
use crate::pages::form_route::FormRequest;
use crate::pages::money::{bid_currency, unit_in_pieces, values};
use crate::pages::request::{PageAt, PageRequest};
use auction_house::access::Action;
use auction_house::auctions::access::authorize;
use auction_house::currencies::{self, Currency};
use auction_house::ids::AuctionId;
use auction_house::items::auction::patch::patch_auction;
use auction_house::path::AuctionPath;
use auction_house::rules;
use auction_house::usage;
use platform::fields::Object;
use platform::http::problem::Problem;

/// `GET /auctions/{auction_id}/currencies`
pub async fn show(PageAt(path): PageAt<AuctionPath>, request: PageRequest) -> Response {
    let page = read(&request, path).await;
    request.render(page, currencies_page)
}

/// The currencies and rules, for a viewer who may change them.
pub async fn read_editable(request: &PageRequest, path: Loaded<AuctionPath>) -> Loaded<CurrenciesPage> {
    let page = read(request, path).await?;
    if page.can_edit { Ok(page) } else { Err(PageError(LoadError::Forbidden)) }
}

/// The currencies and rules, as the viewer may see them.
pub async fn read(request: &PageRequest, path: Loaded<AuctionPath>) -> Loaded<CurrenciesPage> {
    let (AuctionPath { auction_id }, user, now) = (path?, request.user_id()?, request.now);
    let mut db = request.db().await?;
    let seen = authorize(&mut db, auction_id, user, now).await?;
    let used = usage::currencies_in_use(&mut db, auction_id).await?;
    let currencies = currencies::store::of_auction(&mut db, auction_id).await?;
    let base_unit = unit_in_pieces(seen.auction.terms.base_unit.as_ref(), &currencies);
    let entries = currencies.into_iter().map(|currency| {
        let in_use = used.contains(&currency.id);
        entry(currency, in_use)
    });
    let rules = rules::store::of_auction(&mut db, auction_id).await?.into_iter();
    Ok(CurrenciesPage {
        auction_id: auction_id.to_string(),
        can_edit: seen.may(Action::ManageCurrencies) && !seen.auction.is_closed(now),
        access: access(&seen),
        base_unit,
        has_book: seen.auction.terms.book_id.is_some(),
        auction_name: seen.auction.terms.name,
        auction_version: seen.auction.version,
        currencies: entries.collect(),
        rules: rules.map(|rule| RuleEntry { version: rule.version, definition: rule.definition }).collect(),
    })
}

pub fn entry(currency: Currency, in_use: bool) -> CurrencyEntry {
    CurrencyEntry {
        id: currency.id.to_string(),
        code: currency.code.clone(),
        is_default: currency.is_default,
        in_use,
        version: currency.version,
        values: values(&currency),
        currency: bid_currency(currency),
    }
}

/// `POST /auctions/{auction_id}/currencies/base-unit`, a form on the page of all currencies.
pub async fn name_base_unit(request: FormRequest<AuctionPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: AuctionPath { auction_id }, form } = request;
    let mut patch = Object::default();
    patch.set("baseUnit", &base_unit_of_form(&form));
    let patched = patch_auction(&state.context, auction_id, user, patch, &meant_for(&form)).await;
    patched.map_err(|error| renamed(error.into(), BASE_UNIT_FIELDS))?;
    Ok(done(auction_id, "unit-saved"))
}

/// The page of all currencies and rules, with a word of what was done.
pub fn done(auction_id: AuctionId, done: &str) -> String {
    format!("/auctions/{auction_id}/currencies?done={done}")
}

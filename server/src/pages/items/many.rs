//! `/auctions/{auction_id}/items/add`: creates many lots.

use accounts::extract::MaybeUser;
use accounts::session::SignedIn;
use app::components::field::sentences;
use app::model::{ManyLotsPage, SelectOption};
use app::pages::items::lot_rows::LOT_FIELDS;
use app::pages::items::many::{ADDED, many_lots_page};
use auction_house::access::Action;
use auction_house::auctions::ItemEndMode;
use auction_house::auctions::access::{AuctionView, authorize};
use auction_house::context::Context;
use auction_house::currencies::store::of_auction;
use auction_house::ids::{AuctionId, ItemId, UserId};
use auction_house::items::create::create_item;
use auction_house::items::create_many::create_items;
use auction_house::items::list::{ItemQuery, ItemSort, Place, list_items};
use auction_house::items::patch::patch_item;
use auction_house::items::store::newest_currency;
use auction_house::path::AuctionPath;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use platform::db::{Connection, DbError};
use platform::fields::{FieldError, Object};
use platform::http::json::Json;
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::paging::Page;
use platform::precondition::Precondition;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::lots::{LotMoney, Lots, cell};
use crate::codes;
use crate::pages::error::Loaded;
use crate::pages::form::{Form, FormBody};
use crate::pages::form_route::FormRequest;
use crate::pages::iso_currencies;
use crate::pages::money::default_first;
use crate::pages::money_style::currency_of;
use crate::pages::redraw::explain;
use crate::pages::request::{PageAt, PageRequest};
use crate::state::AppState;

/// `GET /auctions/{auction_id}/items/add`
pub async fn show(PageAt(path): PageAt<AuctionPath>, request: PageRequest) -> Response {
    let page = read(&request, path).await;
    request.render(page, many_lots_page)
}

async fn read(request: &PageRequest, path: Loaded<AuctionPath>) -> Loaded<ManyLotsPage> {
    let (AuctionPath { auction_id }, user) = (path?, request.signed_in()?);
    let mut db = request.db().await?;
    let seen = authorize(&mut db, auction_id, user.id, request.now).await?.require(Action::AddItems)?;
    let currency = default_first(&of_auction(&mut db, auction_id).await?).into_iter().next();
    let added = request.query(ADDED).and_then(|count| count.parse().ok()).unwrap_or(0);
    let added = newest_lots(request, &mut db, &seen, added).await?;
    let newest = newest_currency(&mut db, auction_id).await?;
    let of_locale = || currency_of(request.locale.as_deref()).to_owned();
    let terms = seen.auction.terms;
    let of_auction = terms.currency.map(|code| code.to_string());
    Ok(ManyLotsPage {
        auction_id: auction_id.to_string(),
        auction_name: terms.name,
        iso_currencies: if currency.is_none() { iso_currencies::in_use() } else { Vec::new() },
        iso: newest.or(of_auction).unwrap_or_else(of_locale),
        times: terms.item_end_mode == ItemEndMode::Custom,
        added,
        minimum_in: match currency {
            Some(currency) => {
                let first = currency.denominations.iter().find(|piece| piece.written);
                let name = first.map_or(&currency.name, |piece| piece.plural.as_ref().unwrap_or(&piece.name));
                let name = currency.plural.as_ref().filter(|_| first.is_none()).unwrap_or(name);
                format!("The minimum is what a first bid must reach. A number alone counts {name}.")
            }
            None => "The minimum is what a first bid must reach.".to_owned(),
        },
    })
}

/// So many lots that the viewer has created last, in the order of their creation.
async fn newest_lots(
    request: &PageRequest,
    db: &mut Connection,
    seen: &AuctionView,
    count: usize,
) -> Result<Vec<SelectOption>, DbError> {
    if count == 0 {
        return Ok(Vec::new());
    }
    let page = Page { limit: count.min(Page::<Place>::LIMIT_MAX), after: None };
    let query = ItemQuery { sort: ItemSort::Newest, page, ..ItemQuery::first() };
    let found = list_items(db, seen, query, request.now).await?.entries;
    let own = found.into_iter().rev().filter(|found| found.item.creator.id == seen.viewer);
    Ok(own
        .map(|seen| SelectOption { value: seen.item.id.to_string(), label: seen.item.terms.name })
        .collect())
}

/// `POST /auctions/{auction_id}/items/add`
pub async fn create(request: FormRequest<AuctionPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: AuctionPath { auction_id }, form } = request;
    let money = money(&state.context, auction_id, user, &form).await?;
    let mut lots = Lots::read(&form, &money, form.get("isPublished").is_some());
    if !lots.errors.is_empty() {
        return Err(Problem::fields(lots.errors));
    }
    if lots.items.is_empty() {
        return Err(Problem::fields(vec![FieldError::missing("lots.0.name")]));
    }
    let mut object = Object::default();
    object.set("items", &std::mem::take(&mut lots.items));
    let made = create_items(&state.context, auction_id, user, FormBody { object, form }).await;
    let made = made.map_err(|error| lots.in_form(error.into()))?;
    Ok(format!("/auctions/{auction_id}/items/add?{ADDED}={}", made.resource))
}

/// The currency of the minima: the default one of the auction.
async fn money(
    context: &Context,
    auction_id: AuctionId,
    user: UserId,
    form: &Form,
) -> Result<LotMoney, Problem> {
    let mut db = context.db.read().await?;
    authorize(&mut db, auction_id, user, context.clock.now()).await?.require(Action::AddItems)?;
    let currency = default_first(&of_auction(&mut db, auction_id).await?).into_iter().next();
    Ok(match currency {
        Some(currency) => LotMoney::Own {
            id: currency.profile_id.clone().unwrap_or_default(),
            currency: Box::new(currency),
        },
        None => LotMoney::Iso(form.text("currencyCode").to_owned()),
    })
}

/// A row that is saved.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SavedRow {
    item: ItemId,
    lot_number: String,
}

/// What is wrong with the cells of a row, by their names.
#[derive(Serialize)]
struct RefusedRow {
    errors: BTreeMap<String, String>,
}

/// `POST /auctions/{auction_id}/items/add/row`: creates the lot of a row, or changes it if the row names it.
/// The script of the page reads the answer.
pub async fn save_row(
    State(state): State<AppState>,
    MaybeUser(user): MaybeUser,
    path: Result<At<AuctionPath>, Problem>,
    form: Form,
) -> Response {
    let form = Arc::new(form);
    match try_save(&state, user.as_deref(), path, &form).await {
        Ok(saved) => Json(saved).into_response(),
        Err(problem) if problem.fields.is_empty() => problem.into_response(),
        Err(problem) => {
            let refused = explain(&problem, &form, "");
            let errors = sentences(&refused, &[LOT_FIELDS]).into_iter().collect();
            (problem.code.status(), Json(RefusedRow { errors })).into_response()
        }
    }
}

async fn try_save(
    state: &AppState,
    user: Option<&SignedIn>,
    path: Result<At<AuctionPath>, Problem>,
    form: &Arc<Form>,
) -> Result<SavedRow, Problem> {
    let user = user.ok_or_else(|| Problem::plain(codes::UNAUTHENTICATED))?.id;
    state.limits.write(user)?;
    let At(AuctionPath { auction_id }) = path?;
    form.check()?;
    let context = &state.context;
    let money = money(context, auction_id, user, form).await?;
    let row = form.rows("lots").next().unwrap_or(0);
    let mut lots = Lots::read(form, &money, form.get("isPublished").is_some());
    if !lots.errors.is_empty() {
        return Err(Problem::fields(lots.errors));
    }
    let object = lots.items.pop();
    let in_row = |mut problem: Problem| {
        for field in &mut problem.fields {
            *field = lots.in_row(field.clone(), row);
        }
        problem
    };
    let mut object = object.ok_or_else(|| Problem::fields(vec![FieldError::missing(cell(row, "name"))]))?;
    let saved = match form.get("item") {
        Some(item) => {
            let item = item.parse().map_err(|_| Problem::not_found())?;
            object.remove("isPublished");
            object.remove("currencyCode");
            patch_item(context, auction_id, item, user, object, &Precondition::None)
                .await
                .map_err(|error| in_row(error.into()))?
        }
        None => {
            let body = FormBody { object, form: Arc::clone(form) };
            let made = create_item(context, auction_id, user, body).await;
            made.map_err(|error| in_row(error.into()))?.resource
        }
    };
    Ok(SavedRow { item: saved.item.id, lot_number: saved.item.lot_number.to_string() })
}

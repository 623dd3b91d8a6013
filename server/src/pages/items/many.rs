//! `/auctions/{auction_id}/items/add`: creates many lots.

use std::collections::BTreeMap;
use std::sync::Arc;

use accounts::extract::MaybeUser;
use accounts::session::SignedIn;
use app::assets::BuiltFile;
use app::components::description_field::PREVIEW;
use app::components::error_summary::ErrorSummary;
use app::components::field::{CheckField, Field, SelectField, TextArea, field_id, refused_value, sentences};
use app::components::import_form::{FILE, FileField};
use app::components::name::Name;
use app::components::page_title::PageTitle;
use app::components::picture_field::ACCEPTED;
use app::components::words::count;
use app::html::{Html, html};
use app::model::SelectOption;
use app::request::request;
use app::scripts::LoadScript;
use auction_house::access::Action;
use auction_house::auctions::ItemEndMode;
use auction_house::auctions::access::{AuctionView, authorize};
use auction_house::context::Context;
use auction_house::currencies::store::of_auction;
use auction_house::ids::{AuctionId, ItemId, UserId};
use auction_house::items::create::create_item;
use auction_house::items::create_many::create_items;
use auction_house::items::list::{ItemPlace, ItemQuery, ItemSort, list_items};
use auction_house::items::patch::patch_item;
use auction_house::items::store::newest_currency;
use auction_house::path::AuctionPath;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use leptos::prelude::*;
use platform::db::{Connection, DbError};
use platform::fields::{FieldError, Object};
use platform::http::json::Json;
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::paging::Page;
use platform::precondition::Precondition;
use serde::Serialize;

use super::import;
use super::lot_rows::{LOT_FIELDS, LotColumns, LotRow, LotRows};
use super::lots::{FilledLots, LotMoney, cell};
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

#[derive(Debug, Clone, PartialEq, Eq)]
struct ManyLotsPage {
    auction_id: String,
    auction_name: String,
    /// Empty in an auction with currency profiles.
    iso_currencies: Vec<SelectOption>,
    /// The code of the one that the form begins with.
    iso: String,
    /// A lot may have an end of its own.
    times: bool,
    /// How minima are typed.
    minimum_in: String,
    /// The lots that were added just before, in their order.
    added: Vec<SelectOption>,
}

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
    let page = Page { limit: count.min(Page::<ItemPlace>::LIMIT_MAX), after: None };
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
    let mut lots = FilledLots::read(&form, &money, form.get("isPublished").is_some());
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
    let mut lots = FilledLots::read(form, &money, form.get("isPublished").is_some());
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

/// Parameter of the address with the number of lots that were added just before.
const ADDED: &str = "added";
/// Rows of the page.
const ROWS: usize = 10;
/// The number of the row that the script copies, and gives a number of its own.
const COPIED_ROW: usize = 999;

const CURRENCY: Field = Field::new("currencyCode", "Currency", "Choose a currency of the list.");

fn many_lots_page(page: ManyLotsPage) -> Html {
    let ManyLotsPage { auction_id, auction_name, iso_currencies, iso, times, minimum_in, added } = page;
    let back = format!("/auctions/{auction_id}");
    let key = refused_value("idempotencyKey").filter(|key| !key.is_empty());
    let key = key.unwrap_or_else(|| request().new_key.clone());
    let columns = LotColumns { times, description: true, pictures: true };
    let added = (!added.is_empty()).then(|| view! { <Added auction=back.clone() lots=added /> });
    let iso = (!iso_currencies.is_empty()).then(|| {
        view! { <SelectField field=CURRENCY options=iso_currencies chosen=iso /> }
    });
    let (files, auction) = (field_id("files"), back.clone());
    html(view! {
        <PageTitle text="Many lots" />
        <section class="lot-page">
            <p class="eyebrow">
                <a href=back.clone()><Name text=auction_name /></a>
            </p>
            <h1>"Many lots"</h1>
            {added}
            <p class="lead">
                "A row for each lot. A name is enough. "
                <a href=format!("{back}/items/import")>"Import a table"</a>
            </p>
            <TableForm auction=back.clone() />
            <p class="hint lot-help" hidden>
                "Enter goes to the next row. Each row is saved when you leave it. Paste rows from a spreadsheet into any cell."
            </p>
            <p class="hint lot-later">
                "Pictures come after the lots: once these are saved, there is a link for the pictures of each."
            </p>
            <form class="lot-form" method="post" novalidate data-auction=auction>
                <ErrorSummary fields=&[LOT_FIELDS, &[CURRENCY, import::ROWS, FILE]] />
                <input type="hidden" name="idempotencyKey" value=key />
                <div class="lot-terms">
                    {iso}
                    <CheckField
                        name="isPublished"
                        label="Show the lots at once"
                        hint="Otherwise they are drafts, which bidders do not see."
                        checked=true
                    />
                    <div class="field lot-files" hidden>
                        <label for=files.clone()>"Pictures"</label>
                        <p class="hint" id="lot-files-hint">
                            "Drop them anywhere. Those with the number or the name of a lot go to it, once you have seen which; each other one makes a lot that is named after its file. On a row they are added to its lot."
                        </p>
                        <input id=files type="file" accept=ACCEPTED multiple aria-describedby="lot-files-hint" />
                    </div>
                </div>
                <section class="notice lots-found" aria-label="Pictures for lots that are there" aria-live="polite" hidden></section>
                <p class="hint">{minimum_in}</p>
                <LotRows rows=ROWS columns />
                <template class="lot-copied">
                    <LotRow row=COPIED_ROW columns />
                </template>
                <div class="actions">
                    <button class="button primary" type="submit">
                        "Save lots"
                    </button>
                    <a class="button quiet" href=back>
                        "Back to the auction"
                    </a>
                    <p class="lots-sent" aria-live="polite"></p>
                </div>
            </form>
        </section>
        <LoadScript script=BuiltFile::LotsScript />
    })
}

/// A table of lots, which goes to the preview of the import: one reader reads all tables.
#[component]
fn TableForm(auction: String) -> impl IntoView {
    view! {
        <details class="lot-table">
            <summary>"Or take the lots from a table"</summary>
            <form
                method="post"
                action=format!("{auction}/items/import/file")
                enctype="multipart/form-data"
                novalidate
            >
                <input type="hidden" name=import::ZONE value=request().zone.name.clone() />
                <TextArea field=import::ROWS hint="Copy from a spreadsheet, with a first line that names the columns" />
                <FileField rows=import::ROWS.name hint="Excel (.xlsx), OpenDocument (.ods), CSV, JSON or XML, at most 5,000 rows" />
                <p class="hint">"The next page shows what the import would do. Nothing is written before."</p>
                <button class="button" type="submit" name=PREVIEW value="true">
                    "Show the preview"
                </button>
            </form>
        </details>
    }
}

/// The lots of the last form, each with the page where its pictures are added.
#[component]
fn Added(auction: String, lots: Vec<SelectOption>) -> impl IntoView {
    let words = match lots.len() {
        1 => "1 lot is added.".to_owned(),
        lots => format!("{} are added.", count(lots as u64, "lot", "lots")),
    };
    let links = lots.into_iter().map(|lot| {
        view! {
            <li>
                <a href=format!("{auction}/items/{}/pictures", lot.value)><Name text=lot.label /></a>
            </li>
        }
    });
    let links = links.collect::<Vec<_>>();
    view! {
        <section class="notice" aria-label="Added lots">
            <p role="status">{words} " " <a href=auction.clone()>"Show the auction"</a></p>
            <p>"Add pictures of"</p>
            <ul class="facts" role="list">{links}</ul>
        </section>
    }
}

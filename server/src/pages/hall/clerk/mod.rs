//! `/auctions/{auction_id}/clerk`: sells items aloud in a room.

pub(super) mod view;

use accounts::Person;
use accounts::extract::CurrentUser;
use app::model::{AuctionAccess, Desk, SelectOption};
use auction_house::access::{Action, NamedMember};
use auction_house::auctions::access::authorize;
use auction_house::auctions::screen::{end_screen, renew_screen};
use auction_house::bids::closing::correct::correct_outcome;
use auction_house::bids::entered::EnteredBid;
use auction_house::bids::hammer::{HammerBody, HammerItem, hammer};
use auction_house::bids::place::{BidRequest, PlaceBid};
use auction_house::engine::{BidForm, field_errors};
use auction_house::events::store::last_position;
use auction_house::ids::{AuctionId, ItemId, UserId};
use auction_house::items::block::put_on_block;
use auction_house::items::lot_numbers::item_with_number;
use auction_house::items::running_order::arrange::arrange_item;
use auction_house::path::{AuctionPath, ItemPath};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use platform::fields::{FieldError, Object};
use platform::http::json::Json;
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::precondition::Precondition;
use platform::shape;

use self::view::{CALLED, CORRECT, clerk_page};
use super::desk::DeskFacts;
use super::expected::Expectations;
use super::facts::{self, ClerkView};
use super::odd::ASKED;
use super::present::{NUMBERS, PresentMembers};
use super::price::{price, problem_at_fields};
use crate::pages::auctions::results::ResultCounts;
use crate::pages::auctions::results::list::ResultRow;
use crate::pages::auctions::results::summary::Totals;
use crate::pages::error::Loaded;
use crate::pages::form::Form;
use crate::pages::form_route::FormRequest;
use crate::pages::items::outcome_facts::OutcomeFacts;
use crate::pages::items::sold_price::Money;
use crate::pages::items::viewed::ViewedItem;
use crate::pages::money_style::MoneyStyle;
use crate::pages::request::{PageAt, PageRequest};
use crate::pages::viewer_locale::locale_of;
use crate::state::AppState;

/// The clerk's page: lots, members, currencies and what was called.
#[derive(Debug, Clone, PartialEq)]
pub struct ClerkPage {
    pub auction_id: String,
    pub auction_name: String,
    pub access: AuctionAccess,
    /// The item on the block.
    pub block: Option<ClerkLot>,
    /// The open items that come next in the running order.
    pub next: Vec<ClerkLot>,
    /// Items that are left out until they come back.
    pub held: Vec<ClerkLot>,
    /// Members by id, in an auction without a group, where they have no numbers.
    pub members: Vec<SelectOption>,
    /// Currencies that a price may be in, the default first. Empty if there is no choice.
    pub currencies: Vec<SelectOption>,
    /// How a price is typed, in words.
    pub price_hint: String,
    /// The item that was called last.
    pub called: Option<ResultRow>,
    /// The item whose outcome is corrected.
    pub correcting: Option<ResultRow>,
    /// Items in the order of their outcomes, the newest first.
    pub entries: Vec<ResultRow>,
    pub counts: ResultCounts,
    /// How long the open items take at the present pace, once there is one.
    pub minutes_left: Option<u64>,
    pub total: Totals,
    /// The members who are present, in an auction with a book.
    pub present: Option<PresentMembers>,
    pub desk: Desk,
    /// Address of the stream of what happens from here on.
    pub stream: String,
}

/// An item on the block or about to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClerkLot {
    pub item_id: String,
    pub lot_number: String,
    pub name: String,
    /// Address and alternative text of its first picture.
    pub picture: Option<(String, String)>,
    pub estimate: Option<String>,
    /// How it is sold, in words, if not by open bids.
    pub sold_by: Option<&'static str>,
    /// The standing price.
    pub price: Option<Money>,
    pub leader: Option<String>,
    pub outcome: Option<OutcomeFacts>,
}

/// `GET /auctions/{auction_id}/clerk`
pub async fn show(PageAt(path): PageAt<AuctionPath>, request: PageRequest) -> Response {
    let page = read(&request, path).await;
    request.render(page, clerk_page)
}

async fn read(request: &PageRequest, path: Loaded<AuctionPath>) -> Loaded<ClerkPage> {
    let (AuctionPath { auction_id }, user, now) = (path?, request.user_id()?, request.now);
    let (mut db, cache) = (request.db().await?, &request.state.pages);
    // The stream begins before the page is read.
    let position = last_position(&mut db, auction_id).await?;
    let auction = authorize(&mut db, auction_id, user, now).await?.require(Action::RunHall)?;
    let pricing = cache.pricing(&mut db, &auction.auction, now).await?;
    let results = cache.results(&mut db, &auction.auction, now).await?;
    // A refused correction is shown again.
    let refused = request.refused().and_then(|refused| refused.value(CORRECT));
    let item = |id: Option<&str>| id.and_then(|id| id.parse::<ItemId>().ok());
    let view = ClerkView {
        position,
        called: item(request.query(CALLED)),
        correcting: item(refused.or_else(|| request.query(CORRECT))),
        refused_present: request.refused().is_some_and(|refused| refused.problem(NUMBERS.name).is_some()),
        style: request.money_style(),
        now,
        as_of: request.now_in_words(),
    };
    facts::page(&mut db, &auction, &pricing, &results, view).await
}

/// `GET /auctions/{auction_id}/clerk/desk`: the lots and members of a large sale.
pub async fn lists(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    At(AuctionPath { auction_id }): At<AuctionPath>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let (mut db, now) = (state.context.db.read().await?, state.context.clock.now());
    let auction = authorize(&mut db, auction_id, user.id, now).await?.require(Action::RunHall)?;
    let pricing = state.pages.pricing(&mut db, &auction.auction, now).await?;
    let results = state.pages.results(&mut db, &auction.auction, now).await?;
    let style = MoneyStyle::of(locale_of(Some(&user), &headers));
    let expectations = Expectations::new(&pricing, &results);
    let facts = DeskFacts { auction: &auction, pricing: &pricing, expectations: &expectations, style };
    Ok(Json(facts.document(&mut db, now).await?).into_response())
}

/// `POST /auctions/{auction_id}/clerk`
pub async fn call(request: FormRequest<AuctionPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: AuctionPath { auction_id }, form } = request;
    let page = format!("/auctions/{auction_id}/clerk");
    let is_hold = form.get("call") == Some("HOLD");
    if is_hold && form.text("lot").trim().is_empty() {
        put_on_block(&state.context, auction_id, user, Object::default()).await?;
        return Ok(page);
    }
    let item_id = lot(&state, auction_id, user, &form).await?;
    if is_hold {
        hold(&state, auction_id, user, item_id).await?;
        return Ok(page);
    }
    if form.get("call") == Some("BLOCK") {
        let mut block = Object::default();
        block.set("itemId", &item_id);
        let put = put_on_block(&state.context, auction_id, user, block).await;
        put.map_err(|error| problem_at_fields(error.into()))?;
        return Ok(page);
    }
    let item = ItemPath { auction_id, item_id };
    let called = call_item(&state, item, user, &form).await;
    called.map_err(problem_at_fields)?;
    Ok(format!("{page}?{CALLED}={item_id}"))
}

/// Holds an item, which leaves the block.
async fn hold(state: &AppState, auction_id: AuctionId, user: UserId, item_id: ItemId) -> Result<(), Problem> {
    let mut place = Object::default();
    place.set("itemId", &item_id);
    place.set("held", &true);
    let held = arrange_item(&state.context, auction_id, user, place).await;
    held.map_err(problem_at_fields)?;
    let now = state.context.clock.now();
    let auction = authorize(&mut state.context.db.read().await?, auction_id, user, now).await?;
    if auction.auction.block_item_id == Some(item_id) {
        put_on_block(&state.context, auction_id, user, Object::default()).await?;
    }
    Ok(())
}

/// The item that the form names by its lot number.
async fn lot(state: &AppState, auction_id: AuctionId, user: UserId, form: &Form) -> Result<ItemId, Problem> {
    let conn = &mut state.context.db.read().await?;
    let now = state.context.clock.now();
    authorize(conn, auction_id, user, now).await?.require(Action::RunHall)?;
    let found = match form.get("lot") {
        Some(lot) => item_with_number(conn, auction_id, lot).await?,
        None => None,
    };
    found.ok_or_else(|| Problem::fields(vec![FieldError::missing("lot")]))
}

async fn call_item(state: &AppState, item: ItemPath, user: UserId, form: &Form) -> Result<(), Problem> {
    let body = match form.get("call") {
        Some("PASSED") => HammerBody::passed(),
        Some("LEADER") => HammerBody::sold_to_leader(),
        _ => {
            let named = member(form)?;
            let sold = ViewedItem::read(state, item, user, state.context.clock.now()).await?;
            if sold.seen.item.terms.format.is_apart() {
                return place_bid(state, &sold, item, user, named, form).await;
            }
            let entered = price(&sold.pricing, sold.seen.legacy_price(), form)
                .map_err(|error| Problem::fields(vec![error]))?;
            ask(state, sold, &entered, form).await?;
            HammerBody::sold(named, form.get("currencyProfileId"), entered, form.get("override").is_some())
        }
    };
    let keyed = form.keyed()?.ok_or_else(|| Problem::fields(vec![FieldError::missing("idempotencyKey")]))?;
    let request = body.read().map(|call| (call, keyed));
    // The name is not part of the page.
    let clerk = Person { id: user, name: String::new() };
    hammer(&state.context, &state.bids, HammerItem { item, clerk, request }).await?;
    Ok(())
}

/// Asks once about a price that is far from what the lot is expected to make.
async fn ask(state: &AppState, mut sold: ViewedItem, price: &BidForm, form: &Form) -> Result<(), Problem> {
    let typed = format!("{} {}", form.text("lot").trim(), form.text("price").trim());
    if form.get(ASKED) == Some(&typed) {
        return Ok(());
    }
    let now = state.context.clock.now();
    let results = state.pages.results(&mut sold.db, &sold.auction.auction, now).await?;
    let expectations = Expectations::new(&sold.pricing, &results);
    match expectations.odd(&sold.pricing, &sold.seen, price, form) {
        Some(odd) => Err(Problem::explained("price", format!("{odd}Is the price right? Once more sells."))),
        None => Ok(()),
    }
}

/// Places a bid of a slip: sealed bids or a draw decide who gets the item.
async fn place_bid(
    state: &AppState,
    sold: &ViewedItem,
    item: ItemPath,
    user: UserId,
    named: NamedMember,
    form: &Form,
) -> Result<(), Problem> {
    let at_fields = |errors| Problem::fields(field_errors(errors));
    let entered = if sold.seen.item.terms.format.draw().is_some() {
        let tickets = form.text("price").trim().parse().unwrap_or_default();
        let entered = EnteredBid::new(None, false, BidForm::default());
        entered.and_then(|entered| entered.with_tickets(tickets)).map_err(at_fields)?
    } else {
        let entered = price(&sold.pricing, sold.seen.legacy_price(), form);
        let entered = entered.map_err(|error| Problem::fields(vec![error]))?;
        let currency = form.get("currencyProfileId").map(str::to_owned);
        EnteredBid::new(currency, false, entered).map_err(at_fields)?
    };
    let request = BidRequest { entered, named: Some(named), keyed: form.keyed()? };
    // The name is not part of the page.
    let sender = Person { id: user, name: String::new() };
    state.bids.submit(PlaceBid { item, sender, may_join: false, request: Ok(request) }).await?;
    Ok(())
}

/// The member by number, or by id where members have no numbers.
fn member(form: &Form) -> Result<NamedMember, Problem> {
    let typed = form.get("number").map(str::trim).unwrap_or_default();
    if let Ok(number) = typed.parse::<i64>() {
        return Ok(NamedMember::number(number));
    }
    let user = typed.parse::<UserId>().map(NamedMember::user);
    user.map_err(|_| Problem::fields(vec![FieldError::missing("number")]))
}

/// `POST /auctions/{auction_id}/clerk/correct`
pub async fn correct(request: FormRequest<AuctionPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: AuctionPath { auction_id }, form } = request;
    let item_id = form.get(CORRECT).and_then(|id| id.parse::<ItemId>().ok());
    let item = ItemPath { auction_id, item_id: item_id.ok_or_else(Problem::not_found)? };
    let sold = ViewedItem::read(&state, item, user, state.context.clock.now()).await?;
    let entered = price(&sold.pricing, sold.seen.legacy_price(), &form)
        .map_err(|error| Problem::fields(vec![error]))?;
    drop(sold);
    let mut body = Object::default();
    body.set("for", &shape::write(&member(&form)?));
    body.set_given("currencyProfileId", form.get("currencyProfileId").as_ref());
    body.set_given("amount", entered.amount.as_ref());
    body.set_given("enteredRepresentation", entered.entered_representation.as_ref());
    body.set("reason", &form.text("reason"));
    let corrected = correct_outcome(&state.context, item, user, body, &Precondition::None).await;
    corrected.map_err(|error| problem_at_fields(error.into()))?;
    Ok(format!("/auctions/{auction_id}/clerk?{CALLED}={}", item.item_id))
}

/// `POST /auctions/{auction_id}/clerk/screen`, a button. Only the browser shows the address of the new
/// screen.
pub async fn open_screen(request: FormRequest<AuctionPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path, .. } = request;
    let token = renew_screen(&state.context, path.auction_id, user).await?;
    Ok(format!("/screen/{}", token.as_str()))
}

/// `POST /auctions/{auction_id}/clerk/end-screen`, a button.
pub async fn close_screen(request: FormRequest<AuctionPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path, .. } = request;
    end_screen(&state.context, path.auction_id, user).await?;
    Ok(format!("/auctions/{}/clerk", path.auction_id))
}

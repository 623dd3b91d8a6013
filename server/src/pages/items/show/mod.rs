//! `/auctions/{auction_id}/items/{item_id}`: an item with its newest bids, and the form “Place a bid”, which
//! a browser posts whose scripts do not run (or not yet).

pub(super) mod view;

use std::sync::Arc;

use accounts::Person;
use accounts::extract::MaybeUser;
use accounts::session::SignedIn;
use app::blanks::Blank;
use app::islands::items::confirmation::{CONFIRMED, submitted};
use app::model::Bidding;
use auction_house::access::Action;
use auction_house::access::store::removed;
use auction_house::bids::entered::EnteredBid;
use auction_house::bids::list::{self, BidRange, LIMIT_MAX};
use auction_house::bids::place::{BidRequest, PlaceBid};
use auction_house::bids::sealed::SealedBid;
use auction_house::engine::{BidForm, field_errors};
use auction_house::ids::UserId;
use auction_house::items::ItemStatus;
use auction_house::items::funds::{self, ItemFunds};
use auction_house::items::watch::watch_item;
use auction_house::path::ItemPath;
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use platform::db::DbError;
use platform::http::path::At;
use platform::http::problem::Problem;

use self::view::{ItemPage, item_page};
use super::draw::{DrawFacts, TICKETS};
use super::draw_facts::{self, DrawnItem};
use super::entered;
use super::facts::{self, NewBid, public_item};
use super::similar::similar_lots;
use super::viewed::ViewedItem;
use crate::codes;
use crate::pages::error::Loaded;
use crate::pages::form::{Form, local, see_other};
use crate::pages::form_route::FormRequest;
use crate::pages::money_style::MoneyStyle;
use crate::pages::redraw::redraw;
use crate::pages::request::{PageAt, PageRequest};
use crate::pages::viewer_locale::locale_of;
use crate::pages::way_in::invite_instead;
use crate::state::AppState;

/// `GET /auctions/{auction_id}/items/{item_id}`
pub async fn show(PageAt(path): PageAt<ItemPath>, request: PageRequest) -> Response {
    let auction_id = path.as_ref().ok().map(|path| path.auction_id);
    let page = read(&request, path).await;
    if let Some(invite) = invite_instead(&request, auction_id, &page).await {
        return invite;
    }
    let requested = request.query("currency").map(str::to_owned);
    let currency = requested.or_else(|| request.last_currency.clone());
    request.render(page, |item| item_page(item, currency))
}

async fn read(request: &PageRequest, path: Loaded<ItemPath>) -> Loaded<ItemPage> {
    let mut item = ViewedItem::read(&request.state, path?, request.reader(), request.now).await?;
    let public = public_item(request, &item.auction, &item.seen);
    let bids = request.state.pages.newest_bids(&mut item.db, &item.seen.item, request.now).await?;
    let own = list::own_apart(&mut item.db, &item.seen).await?;
    let new_bid = NewBid {
        idempotency_key: Blank::NewKey.text(),
        is_removed: is_removed(&mut item).await?,
        funds: item_funds(&mut item, &own, true).await?,
        own,
    };
    let draw = read_draw(request, &mut item, &new_bid).await?;
    let presentation = request.presentation(item.seen.item.terms.description.clone());
    let similar = match item.seen.item.status(request.now) {
        ItemStatus::Closed => similar_lots(&mut item.db, &item.auction, &item.seen, request.now).await?,
        _ => Vec::new(),
    };
    let page = facts::page(&item.auction, item.seen, &item.pricing, &bids, new_bid, presentation)?;
    Ok(ItemPage { public, draw, similar, ..page })
}

/// The draw of the item, if it has one.
async fn read_draw(
    request: &PageRequest,
    item: &mut ViewedItem,
    new_bid: &NewBid,
) -> Result<Option<DrawFacts>, DbError> {
    let ViewedItem { db, auction, seen, pricing, .. } = item;
    if seen.item.terms.format.draw().is_none() {
        return Ok(None);
    }
    let listed = list::list(db, seen, request.now, BidRange { limit: LIMIT_MAX, before: None }).await?;
    let available = new_bid.funds.available;
    let drawn = DrawnItem { auction, seen, pricing, listed, own: &new_bid.own, available };
    Ok(draw_facts::facts(drawn, request.money_style(), request.now))
}

/// Whether the viewer was removed from the auction.
async fn is_removed(ViewedItem { db, auction, .. }: &mut ViewedItem) -> Result<bool, DbError> {
    Ok(auction.role.is_none() && removed::contains(db, auction.auction.id, auction.viewer).await?)
}

/// Money for the item as the viewer may see it. Its leader is read for managers, if the page shows it.
async fn item_funds(
    item: &mut ViewedItem,
    own: &[SealedBid],
    shows_leader: bool,
) -> Result<ItemFunds, DbError> {
    let ViewedItem { db, auction, seen, .. } = item;
    if auction.auction.terms.book_id.is_none() || auction.viewer == UserId::NOBODY {
        return Ok(ItemFunds::default());
    }
    let is_manager = auction.may(Action::WithdrawBids);
    // Tickets replace none.
    let sealed = own.last().filter(|_| seen.item.terms.format.is_sealed()).map(|own| own.normalized);
    funds::of_viewer(db, seen.item.id, auction.viewer, shows_leader && is_manager, sealed).await
}

/// `POST /auctions/{auction_id}/items/{item_id}`
pub async fn place_bid(
    State(state): State<AppState>,
    MaybeUser(user): MaybeUser,
    path: Result<At<ItemPath>, Problem>,
    uri: Uri,
    form: Form,
) -> Response {
    let form = Arc::new(form);
    match try_place(&state, user.as_ref(), path, &form).await {
        Ok(()) => see_other(uri.path()),
        Err(problem) if problem.code == codes::UNAUTHENTICATED => {
            // The sign-in leads back to this address, so that what was typed is not lost.
            redraw(&state, &form, show, typed_in_address(&uri, &form), problem).await
        }
        Err(problem) => redraw(&state, &form, show, uri, problem).await,
    }
}

/// The address of the form's page with what was typed.
fn typed_in_address(uri: &Uri, form: &Form) -> Uri {
    let is_typed = |name: &str| {
        matches!(name, "currency" | "currencyProfileId" | "amount" | "isAnonymous" | TICKETS)
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
    form: &Arc<Form>,
) -> Result<(), Problem> {
    let user = user.ok_or_else(|| Problem::plain(codes::UNAUTHENTICATED))?;
    state.limits.bid(user.id)?;
    let At(path) = path?;
    let read = confirmed(state, user, path, form).await?;
    let request = form
        .check()
        .and_then(|()| Ok(BidRequest { entered: bid(form, read)?, named: None, keyed: form.keyed()? }));
    let sender = Person { id: user.id, name: user.name.clone() };
    state.bids.submit(PlaceBid { item: path, sender, may_join: !user.is_managed(), request }).await?;
    Ok(())
}

/// Refuses an unusual bid that the form does not confirm, and returns the bid, which may be typed in the
/// names of the item's currencies. None if the item takes no bids. That takes as much as a page: it is a
/// read, with a permit and on a thread of low priority.
async fn confirmed(
    state: &AppState,
    user: &Arc<SignedIn>,
    path: ItemPath,
    form: &Arc<Form>,
) -> Result<Option<BidForm>, Problem> {
    let _permit = state.reads.acquire(user.id.into()).await?;
    let (shared, user, form) = (state.clone(), Arc::clone(user), Arc::clone(form));
    state.context.work.run(async move { check_confirmed(&shared, &user, path, &form).await }).await?
}

async fn check_confirmed(
    state: &AppState,
    user: &SignedIn,
    path: ItemPath,
    form: &Form,
) -> Result<Option<BidForm>, Problem> {
    // An item that can't be shown, or not be bid on, is refused when the bid is judged.
    let now = state.context.clock.now();
    let Ok(mut item) = ViewedItem::read(state, path, user.id, now).await else { return Ok(None) };
    if item.seen.item.terms.format.draw().is_some() {
        return Ok(None);
    }
    let own = list::own_apart(&mut item.db, &item.seen).await?;
    let new_bid = NewBid {
        idempotency_key: String::new(),
        is_removed: is_removed(&mut item).await?,
        funds: item_funds(&mut item, &own, false).await?,
        own,
    };
    let style = MoneyStyle::of(locale_of(Some(user), &form.parts.headers));
    let bidding = facts::bid_form(&item.auction, &item.seen, &item.pricing, new_bid, style, now);
    let Bidding::Open(data) = bidding else { return Ok(None) };
    let highest = item.seen.item.highest_bid.as_ref();
    let leads = highest.is_some_and(|bid| bid.bidder.id == user.id);
    let highest = highest.map(|bid| bid.normalized.to_string());
    match submitted(&data, highest.as_deref(), leads, form.fields()) {
        Some((_, Some(question))) => Err(Problem::explained(CONFIRMED, question)),
        submitted => Ok(submitted.map(|(bid, _)| bid)),
    }
}

/// The bid as `read`, or as typed without the names of a currency.
fn bid(form: &Form, read: Option<BidForm>) -> Result<EnteredBid, Problem> {
    let is_anonymous = form.get("isAnonymous").is_some();
    if let Some(text) = form.get(TICKETS) {
        let tickets = text.trim().parse().unwrap_or_default();
        let entered = EnteredBid::new(None, is_anonymous, BidForm::default());
        let entered = entered.and_then(|entered| entered.with_tickets(tickets));
        return entered.map_err(|errors| Problem::fields(field_errors(errors)));
    }
    let currency = form.get("currencyProfileId").map(str::to_owned);
    let entered = EnteredBid::new(currency, is_anonymous, read.unwrap_or_else(|| entered(form, "")));
    entered.map_err(|errors| Problem::fields(field_errors(errors)))
}

/// `POST /auctions/{auction_id}/items/{item_id}/watch`, a button of the catalogue and of the item's page.
/// Returns to the page that it was on.
pub async fn watch(request: FormRequest<ItemPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: ItemPath { auction_id, item_id }, form } = request;
    watch_item(&state.context, auction_id, item_id, user, form.get("watched") == Some("true")).await?;
    let item = format!("/auctions/{auction_id}/items/{item_id}");
    Ok(local(form.get("back")).map_or(item, str::to_owned))
}

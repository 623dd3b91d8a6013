//! `/auctions/{auction_id}/settings`: changes, copies, schedules, closes and deletes an auction.

mod close;
mod copy;
mod delete;
mod schedule;
mod view;
mod words;

use std::sync::Arc;

use app::components::money::{amount_in, shown_amount};
use app::components::subjects::SUBJECT;
use app::model::SelectOption;
use auction_house::access::Action;
use auction_house::auctions::access::{AuctionView, authorize};
use auction_house::bids::closing::close_auction::close_auction;
use auction_house::currencies::store::of_auction;
use auction_house::ids::{AuctionId, BookId, UserId};
use auction_house::items::access::ItemView;
use auction_house::items::auction::delete::delete_auction;
use auction_house::items::auction::patch::patch_auction;
use auction_house::items::copy::copy_auction;
use auction_house::items::list::{ItemQuery, list_items};
use auction_house::items::schedule::{INTERVAL_SECONDS, schedule_items};
use auction_house::path::AuctionPath;
use auction_house::{books, usage};
use axum::response::Response;
use platform::body::Body;
use platform::db::{Connection, DbError};
use platform::fields::Object;
use platform::http::problem::Problem;
use platform::precondition::Precondition;
use platform::shape;
use platform::time::Moment;

use self::close::CLOSED_FOR_GOOD;
use self::view::{AuctionSettings, AuctionState, auction_settings_page};
use super::facts::unit_of_totals;
use super::terms::PartForm;
use crate::pages::amounts::Amounts;
use crate::pages::books::facts::kept;
use crate::pages::error::Loaded;
use crate::pages::form::{Form, FormBody, meant_for, renamed};
use crate::pages::form_route::FormRequest;
use crate::pages::request::{PageAt, PageRequest};
use crate::pages::unit_form::BASE_UNIT_FIELDS;
use crate::pages::{groups, iso_currencies};
use crate::state::AppState;

/// `GET /auctions/{auction_id}/settings`
pub async fn show(PageAt(path): PageAt<AuctionPath>, request: PageRequest) -> Response {
    let settings = read(&request, path).await;
    request.render(settings, auction_settings_page)
}

async fn read(request: &PageRequest, path: Loaded<AuctionPath>) -> Loaded<AuctionSettings> {
    let (AuctionPath { auction_id }, user, now) = (path?, request.user_id()?, request.now);
    let db = &mut request.db().await?;
    let seen = authorize(db, auction_id, user, now).await?.require(Action::ChangeAuction)?;
    let has_bids = usage::any_bids(db, auction_id).await?;
    let has_standing_bid = usage::any_standing_bids(db, auction_id).await?;
    let currencies = of_auction(db, auction_id).await?;
    let auction = &seen.auction;
    let style = request.money_style();
    let unit = unit_of_totals(auction, &currencies, style);
    let goal = auction.terms.goal.map(|goal| goal.amount().to_string());
    let mut fields = fields(&seen);
    if let (Some(unit), Some(goal)) = (&unit, &goal) {
        fields.push(("goal".to_owned(), shown_amount(unit, goal)));
    }
    Ok(AuctionSettings {
        auction_id: auction_id.to_string(),
        name: auction.terms.name.clone(),
        version: auction.version,
        fields,
        ends: if request.query(SUBJECT) == Some("schedule") {
            ends(db, &seen, now).await?
        } else {
            Vec::new()
        },
        goal: unit.as_ref().zip(goal.as_ref()).map(|(unit, goal)| amount_in(goal, unit)),
        iso_currencies: if currencies.is_empty() { iso_currencies::in_use() } else { Vec::new() },
        unit,
        ends_at: auction.terms.end_date.map(Moment::millis),
        bidder_visibility: auction.terms.bidder_visibility.as_str().to_owned(),
        item_end_mode: auction.terms.item_end_mode.as_str().to_owned(),
        state: match (auction.is_closed(now), auction.has_ended(now)) {
            (true, _) => AuctionState::Closed,
            (false, true) => AuctionState::Ended,
            (false, false) => AuctionState::Open,
        },
        has_bids,
        has_standing_bid,
        groups: groups::facts::choices(db, auction.terms.group_id, user).await?,
        group: auction.terms.group_id.map(|group| group.to_string()),
        books: choices(db, auction.terms.book_id, user).await?,
        book: auction.terms.book_id.map(|book| book.to_string()),
        may_delete: seen.may(Action::DeleteAuction),
    })
}

/// The ends of the first items that are not closed.
async fn ends(db: &mut Connection, seen: &AuctionView, now: Moment) -> Result<Vec<i64>, DbError> {
    let items = list_items(db, seen, ItemQuery::first(), now).await?.entries.into_iter();
    let open = items.filter(|seen| seen.item.closed_at.is_none());
    Ok(open.filter_map(|seen| seen.item.ends_at).map(Moment::millis).collect())
}

/// The books that the user keeps, and the present one.
async fn choices(
    db: &mut Connection,
    present: Option<BookId>,
    user: UserId,
) -> Result<Vec<SelectOption>, DbError> {
    let mut books = kept(db, user).await?;
    if let Some(present) = present
        && books.iter().all(|book| book.value != present.to_string())
    {
        let name = books::store::name(db, present).await?;
        books.push(SelectOption { value: present.to_string(), label: name });
    }
    Ok(books)
}

/// The form's fields, without the end and the goal.
fn fields(seen: &AuctionView) -> Vec<(String, String)> {
    let terms = &seen.auction.terms;
    let unit = terms.base_unit.clone().unwrap_or_default();
    let others = [
        ("copyName", terms.name.clone()),
        ("baseUnitName", unit.name),
        ("baseUnitPlural", unit.plural.unwrap_or_default()),
        ("baseUnitSymbol", unit.symbol),
    ];
    let mut fields = shape::form_values(terms);
    fields.extend(others.map(|(name, value)| (name.to_owned(), value)));
    fields
}

/// `POST /auctions/{auction_id}/settings`
pub async fn change(request: FormRequest<AuctionPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: AuctionPath { auction_id }, form } = request;
    let (version, subject) = (meant_for(&form), form.get(SUBJECT).map(str::to_owned));
    let goal = match form.get("goal") {
        Some(typed) => Some(amounts(&state, auction_id, user, &form).await?.read(typed)),
        None => None,
    };
    let patched = patch_auction(&state.context, auction_id, user, PartForm { form, goal }, &version).await;
    patched.map_err(|error| renamed(error.into(), BASE_UNIT_FIELDS))?;
    Ok(page(auction_id, subject.as_deref(), "saved"))
}

/// The names of the money in which the form has the goal.
async fn amounts(
    state: &AppState,
    auction_id: AuctionId,
    user: UserId,
    form: &Form,
) -> Result<Amounts, Problem> {
    let mut db = state.context.db.read().await?;
    let amounts = Amounts::of_auction(&mut db, auction_id, user, state.context.clock.now()).await?;
    let iso = form.get("currencyCode").filter(|_| amounts.currencies.is_empty());
    Ok(iso.map_or(amounts, Amounts::of_iso))
}

/// `POST /auctions/{auction_id}/settings/copy`, which leads to the settings of the copy.
pub async fn copy(request: FormRequest<AuctionPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: AuctionPath { auction_id }, form } = request;
    let mut object = Object::default();
    object.set("name", &form.text("copyName"));
    object.set("items", &form.get("copyItems").is_some());
    let copied = copy_auction(&state.context, auction_id, user, FormBody { object, form }).await;
    let copied = copied.map_err(|error| renamed(error.into(), &[("name", "copyName")]))?;
    Ok(page(copied.resource.auction.id, None, "copied"))
}

/// `POST /auctions/{auction_id}/settings/schedule`
pub async fn schedule(request: FormRequest<AuctionPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: AuctionPath { auction_id }, form } = request;
    let form = ScheduleForm { form, now: state.context.clock.now() };
    let scheduled = schedule_items(&state.context, auction_id, user, form).await?;
    let end = |item: Option<&ItemView>| item.and_then(|seen| seen.item.ends_at).map(Moment::millis);
    let first = end(scheduled.entries.first());
    let last = end(scheduled.entries.last()).filter(|_| scheduled.next_cursor.is_none());
    let done = page(auction_id, Some("schedule"), "scheduled");
    Ok(match (first, last) {
        (Some(first), Some(last)) => format!("{done}&from={first}&to={last}"),
        _ => done,
    })
}

/// The ends that a form sets. Without a first end they are counted from now.
struct ScheduleForm {
    form: Arc<Form>,
    now: Moment,
}

impl Body for ScheduleForm {
    fn read(self) -> Result<Object, Problem> {
        let Self { form, now } = self;
        let mut object = Object::default();
        let first_end = form.moment("firstEnd").map_err(|error| Problem::fields(vec![error]))?;
        let seconds = form.get("intervalSeconds").map(|text| text.trim().parse::<i64>());
        let seconds =
            seconds.map(|seconds| seconds.ok().filter(|seconds| INTERVAL_SECONDS.contains(seconds)));
        if seconds == Some(None) {
            return Err(Problem::explained("intervalSeconds", "Enter whole seconds from 0 to 86400."));
        }
        let seconds = seconds.flatten();
        object.set_given("intervalSeconds", seconds.as_ref());
        let counted =
            seconds.filter(|seconds| *seconds > 0).map(|seconds| now.plus_seconds(seconds).to_string());
        object.set_given("firstEnd", first_end.or(counted).as_ref());
        Ok(object)
    }
}

/// `POST /auctions/{auction_id}/settings/close`
pub async fn close(request: FormRequest<AuctionPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: AuctionPath { auction_id }, form } = request;
    let now = state.context.clock.now();
    let seen = authorize(&mut state.context.db.read().await?, auction_id, user, now).await?;
    seen.require(Action::CloseAuction)?;
    if form.get(CLOSED_FOR_GOOD.name).is_none() {
        return Err(Problem::explained(CLOSED_FOR_GOOD.name, CLOSED_FOR_GOOD.ask));
    }
    close_auction(&state.bids, auction_id, user, Precondition::None).await?;
    Ok(page(auction_id, None, "closed"))
}

/// `POST /auctions/{auction_id}/settings/delete`
pub async fn delete(request: FormRequest<AuctionPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: AuctionPath { auction_id }, form } = request;
    let now = state.context.clock.now();
    let seen = authorize(&mut state.context.db.read().await?, auction_id, user, now).await?;
    let name = &seen.require(Action::DeleteAuction)?.auction.terms.name;
    if form.text("confirmedName").trim() != name {
        return Err(Problem::explained("confirmedName", format!("Type the name of the auction: “{name}”.")));
    }
    delete_auction(&state.context, auction_id, user, &Precondition::None).await?;
    Ok("/auctions?done=deleted".to_owned())
}

/// The screen of a subject, or without one all subjects, with the success message of a form.
fn page(auction_id: AuctionId, subject: Option<&str>, done: &str) -> String {
    let screen = subject.map(|subject| format!("{SUBJECT}={subject}&")).unwrap_or_default();
    format!("/auctions/{auction_id}/settings?{screen}done={done}")
}

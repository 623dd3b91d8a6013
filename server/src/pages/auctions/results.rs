//! `/auctions/{auction_id}/results`: what an auction sold, to whom, and what is still to be paid and
//! collected.

use app::model::{AskedWinner, ResultFilter, ResultList, ResultsPage, ResultsQuery};
use app::pages::auctions::results::list::ITEM;
use app::pages::auctions::results::results_page;
use axum::response::Response;

use super::checkout_facts::desk;
use super::results_facts::{add_charges, page};
use crate::codes;
use crate::pages::error::Loaded;
use crate::pages::form::Form;
use crate::pages::form_route::FormRequest;
use crate::pages::items::outcome_facts::Prices;
use crate::pages::public_page::public_page;
use crate::pages::request::{PageAt, PageRequest};
use crate::state::AppState;
use auction_house::access::Action;
use auction_house::access::store::owner;
use auction_house::auctions::access::authorize;
use auction_house::events;
use auction_house::ids::{AuctionId, UserId};
use auction_house::items::outcomes::mark::{Marks, SeenOutcome, mark_outcomes};
use auction_house::path::AuctionPath;
use platform::fields::FieldError;
use platform::http::problem::Problem;

/// Why nothing is marked if what the cashier saw is not true any more.
const CHANGED: &str =
    "Nothing was marked: it is marked already, or the result is another one now. Look again.";

/// `GET /auctions/{auction_id}/results`
pub async fn show(PageAt(path): PageAt<AuctionPath>, request: PageRequest) -> Response {
    let results = read(&request, path).await;
    request.render(results, results_page)
}

async fn read(request: &PageRequest, path: Loaded<AuctionPath>) -> Loaded<ResultsPage> {
    let (AuctionPath { auction_id }, now) = (path?, request.now);
    let (mut db, cache) = (request.db().await?, &request.state.pages);
    // The stream begins before the page is read.
    let position = events::store::last_position(&mut db, auction_id).await?;
    let seen = authorize(&mut db, auction_id, request.reader(), now).await?;
    let serves = seen.may(Action::MarkOutcomes);
    let query = ResultsQuery {
        by_winner: request.query("by") == Some("winner"),
        show: request.query("show").map(ResultFilter::named).unwrap_or_default(),
        cursor: request.cursor(),
        asked: asked(request).filter(|_| serves),
    };
    let pricing = cache.pricing(&mut db, &seen.auction, now).await?;
    let results = cache.results(&mut db, &seen.auction, now).await?;
    let mut page = page(&mut db, &seen, &pricing, &results, query, request.money_style()).await?;
    if let Some(book_id) = seen.auction.terms.book_id {
        add_charges(&mut db, book_id, &seen, &pricing, &mut page).await?;
    }
    if serves {
        let prices = Prices::new(&seen, &pricing, request.money_style());
        page.desk = Some(desk(&seen, &prices, &results, position));
    }
    let text = format!("What was sold in {}.", seen.auction.terms.name);
    page.public = public_page(request, &seen, text, None);
    if !matches!(page.list, ResultList::Items(_)) && !seen.is_outsider() {
        page.organizer = owner(&mut db, auction_id).await?.map(|owner| owner.name);
    }
    Ok(page)
}

/// The winner whom a cashier asks for. A refused form names the one that it was about.
fn asked(request: &PageRequest) -> Option<AskedWinner> {
    let refused = request.refused();
    let value = |name| match refused {
        Some(form) => form.value(name).filter(|value| !value.is_empty()),
        None => request.query(name),
    };
    let number = value("number").map(str::to_owned).map(AskedWinner::Number);
    number.or_else(|| value("winner").map(str::to_owned).map(AskedWinner::User))
}

/// `POST /auctions/{auction_id}/results/marks`: marks the items that the form names, all of them or none.
pub async fn mark(request: FormRequest<AuctionPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: AuctionPath { auction_id }, form } = request;
    let items = form.fields().iter().filter(|(name, _)| name == ITEM).map(|(_, value)| seen_outcome(value));
    let items: Option<Vec<SeenOutcome>> = items.collect();
    let items = items.ok_or_else(|| Problem::fields(vec![FieldError::missing(ITEM)]))?;
    mark_seen(&state, auction_id, user, &items, &form).await?;
    Ok(next_page(auction_id, &form))
}

/// Marks outcomes as the pressed button of a form says, all of them or none.
pub async fn mark_seen(
    state: &AppState,
    auction_id: AuctionId,
    user: UserId,
    seen: &[SeenOutcome],
    form: &Form,
) -> Result<(), Problem> {
    let is_settled = form.get("settled").map(|_| true);
    let mark = |name| form.get(name).map(|mark| mark == "true").or(is_settled);
    let marks = Marks { paid: mark("paid"), collected: mark("collected") };
    let marked = mark_outcomes(&state.context, auction_id, user, seen, marks).await;
    marked.map_err(|error| match Problem::from(error) {
        problem if problem.code == codes::PRECONDITION_FAILED => Problem::new(problem.code, CHANGED),
        problem => problem,
    })
}

/// An outcome as [`OutcomeFacts::seen`](app::model::OutcomeFacts::seen) writes it.
pub fn seen_outcome(text: &str) -> Option<SeenOutcome> {
    let mut parts = text.split('.');
    let item_id = parts.next()?.parse().ok()?;
    let (copy, number) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let marks: Vec<&str> = parts.collect();
    let [is_paid, is_collected] = ["paid", "collected"].map(|mark| marks.contains(&mark));
    Some(SeenOutcome { item_id, copy, number, is_paid, is_collected })
}

/// The checkout of the same winner.
fn next_page(auction_id: AuctionId, form: &Form) -> String {
    let asked = ["number", "winner"].into_iter().find_map(|name| Some((name, form.get(name)?)));
    let query = asked.and_then(|asked| serde_urlencoded::to_string([asked]).ok()).unwrap_or_default();
    format!("/auctions/{auction_id}/results?{query}")
}

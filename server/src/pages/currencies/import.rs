//! `/auctions/{auction_id}/currencies/import`: adds currencies and rules from another auction, with a preview
//! that writes nothing.

use app::model::{BaseUnit, CurrenciesPage, RuleEntry, SelectOption, SetImportPage, SetPreview};
use app::pages::auctions::currencies::import::{FROM, LONG_SET, SET, import_page};
use auction_house::access::Action;
use auction_house::auctions::access::authorize;
use auction_house::auctions::list::Scope;
use auction_house::auctions::store;
use auction_house::context::Context;
use auction_house::currency_sets::CurrencySet;
use auction_house::currency_sets::add::{Run, add_currency_set};
use auction_house::currency_sets::body::document;
use auction_house::ids::{AuctionId, UserId};
use auction_house::path::AuctionPath;
use axum::response::Response;
use platform::fields::{FieldError, Object};
use platform::http::problem::Problem;

use super::list::entry;
use super::{done, read_editable};
use crate::codes;
use crate::pages::error::Loaded;
use crate::pages::form::FormBody;
use crate::pages::form_route::FormRequest;
use crate::pages::money::default_first;
use crate::pages::request::{PageAt, PageRequest};

/// Auctions of the list, at most.
const AUCTIONS_MAX: i64 = 50;

/// `GET /auctions/{auction_id}/currencies/import`. The preview is of a form that is shown again.
pub async fn show(PageAt(path): PageAt<AuctionPath>, request: PageRequest) -> Response {
    let page = read(&request, path).await;
    request.render(page, import_page)
}

async fn read(request: &PageRequest, path: Loaded<AuctionPath>) -> Loaded<SetImportPage> {
    let (AuctionPath { auction_id }, user) = (path?, request.user_id()?);
    let page = read_editable(request, Ok(AuctionPath { auction_id })).await?;
    let mut db = request.db().await?;
    let auctions = store::list(&mut db, user, Scope::Member, request.now, None, AUCTIONS_MAX).await?;
    drop(db);
    let others = auctions.into_iter().filter(|seen| seen.auction.id != auction_id);
    let option = |id: AuctionId, name: String| SelectOption { value: id.to_string(), label: name };
    let auctions = others.map(|seen| option(seen.auction.id, seen.auction.terms.name)).collect();
    let context = &request.state.context;
    let submitted = |name: &str| {
        let value = request.refused().and_then(|refused| refused.value(name));
        value.filter(|value| !value.is_empty())
    };
    let object = match (submitted(FROM.name), submitted(SET.name).or_else(|| submitted(LONG_SET))) {
        (Some(from), _) => Some(of_auction(context, from, user).await),
        (None, Some(text)) => Some(of_text(text)),
        (None, None) => None,
    };
    let preview = match object {
        Some(Ok(object)) => match add_currency_set(context, auction_id, user, object, Run::Preview).await {
            Ok(added) => Some(SetPreview::Set(with_set(&page, added.resource))),
            Err(error) => Some(refused(error.into())),
        },
        Some(Err(problem)) => Some(refused(problem)),
        None => None,
    };
    Ok(SetImportPage { page, auctions, preview })
}

/// The page as it would be with the set alone.
fn with_set(page: &CurrenciesPage, set: CurrencySet) -> CurrenciesPage {
    let written_in = default_first(&set.currencies).into_iter().next().map(Box::new);
    let rules = set.rules.into_iter();
    CurrenciesPage {
        can_edit: false,
        base_unit: BaseUnit { written_in, ..page.base_unit.clone() },
        currencies: set.currencies.into_iter().map(|currency| entry(currency, false)).collect(),
        rules: rules.map(|rule| RuleEntry { version: rule.version, definition: rule.definition }).collect(),
        ..page.clone()
    }
}

fn refused(problem: Problem) -> SetPreview {
    let errors = problem.fields.into_iter().map(|error| (error.path, error.message)).collect();
    SetPreview::Refused { message: format!("Nothing can be added: {}", problem.detail), errors }
}

/// The currencies and rules of another auction that the user sees.
async fn of_auction(context: &Context, from: &str, user: UserId) -> Result<Object, Problem> {
    // Without other auctions the page has no field for one.
    let unknown = || Problem::new(codes::INVALID_BODY, "Choose an auction of the list.");
    let from: AuctionId = from.parse().map_err(|_| unknown())?;
    let mut db = context.db.read().await?;
    authorize(&mut db, from, user, context.clock.now()).await.map_err(|_| unknown())?;
    Ok(document(&CurrencySet::of_auction(&mut db, from).await?))
}

/// The document that a file holds.
pub fn of_text(text: &str) -> Result<Object, Problem> {
    serde_json::from_str(text.trim_start_matches('\u{feff}'))
        .map_err(|error| Problem::explained(SET.name, format!("This is not such a file: {error}.")))
}

/// `POST /auctions/{auction_id}/currencies/import`
pub async fn copy(request: FormRequest<AuctionPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: AuctionPath { auction_id }, form } = request;
    let mut db = state.context.db.read().await?;
    let now = state.context.clock.now();
    authorize(&mut db, auction_id, user, now).await?.require(Action::ManageCurrencies)?;
    drop(db);
    let object = of_auction(&state.context, form.text(FROM.name), user).await?;
    let body = FormBody { object, form };
    add_currency_set(&state.context, auction_id, user, body, Run::Write).await?;
    Ok(done(auction_id, "set-added"))
}

/// The page lists the errors: its field has one for all of them.
pub fn beside(field: &str, mut problem: Problem) -> Problem {
    let count = problem.fields.len();
    if count > 0 {
        let words = if count == 1 { "1 member is".to_owned() } else { format!("{count} members are") };
        problem.fields = vec![FieldError::explained(field, format!("{words} wrong: nothing was added."))];
    }
    problem
}

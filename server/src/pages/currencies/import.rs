//! `/auctions/{auction_id}/currencies/import`: adds currencies and rules from another auction, with a preview
//! that writes nothing.

use app::model::{CurrenciesPage, RuleEntry, SelectOption, SetImportPage, SetPreview};
use app::pages::auctions::currencies::import::{FROM, LONG_SET, SET, import_page};
use auction_house::access::Action;
use auction_house::auctions::access::authorize;
use auction_house::auctions::list::Scope;
use auction_house::auctions::store;
use auction_house::context::Context;
use auction_house::currency_sets::CurrencySet;
use auction_house::currency_sets::add::{PreviewedSet, add_currency_set, preview_currency_set};
use auction_house::currency_sets::body::document;
use auction_house::ids::{AuctionId, UserId};
use auction_house::path::AuctionPath;
use axum::response::Response;
use platform::body::Body;
use platform::fields::{FieldError, Object};
use platform::http::problem::Problem;
use platform::idempotency::KeyedRequest;

use super::list::entry;
use super::{done, read_editable};
use crate::codes;
use crate::pages::error::Loaded;
use crate::pages::form::FormBody;
use crate::pages::form_route::FormRequest;
use crate::pages::money::{base_unit, unit_in_pieces};
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
    let given = |name: &str| request.refused().and_then(|refused| refused.value(name));
    let submitted = |name: &str| given(name).filter(|value| !value.is_empty());
    // The form for a text has no field for an auction.
    let body = match (given(FROM.name), submitted(SET.name).or_else(|| submitted(LONG_SET))) {
        (Some(from), _) => Some(of_auction(context, from, user).await.map(SetBody::Object)),
        (None, Some(text)) => Some(Ok(SetBody::Text(text.to_owned()))),
        (None, None) => None,
    };
    let preview = match body {
        Some(Ok(body)) => match preview_currency_set(context, auction_id, user, body).await {
            Ok(previewed) => Some(with_set(&page, previewed)),
            Err(error) => Some(refused(error.into())),
        },
        Some(Err(problem)) => Some(refused(problem)),
        None => None,
    };
    Ok(SetImportPage { page, auctions, preview })
}

/// A document that is read with the set.
enum SetBody {
    Object(Object),
    Text(String),
}

impl Body for SetBody {
    fn read(self) -> Result<Object, Problem> {
        match self {
            Self::Object(object) => Ok(object),
            Self::Text(text) => of_text(&text),
        }
    }

    fn keyed(&self) -> Result<Option<KeyedRequest>, Problem> {
        Ok(None)
    }
}

/// The page as it would be with the set alone.
fn with_set(page: &CurrenciesPage, previewed: PreviewedSet) -> SetPreview {
    let PreviewedSet { set, unit_not_taken } = previewed;
    let rules = set.rules.into_iter();
    let page = CurrenciesPage {
        can_edit: false,
        base_unit: unit_in_pieces(set.base_unit.as_ref(), &set.currencies),
        currencies: set.currencies.into_iter().map(|currency| entry(currency, false)).collect(),
        rules: rules.map(|rule| RuleEntry { version: rule.version, definition: rule.definition }).collect(),
        ..page.clone()
    };
    let page = Box::new(page);
    SetPreview::Set { page, unit_not_taken: unit_not_taken.as_ref().map(|unit| base_unit(Some(unit))) }
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
    let seen = authorize(&mut db, from, user, context.clock.now()).await.map_err(|_| unknown())?;
    Ok(document(&CurrencySet::of_auction(&mut db, &seen.auction).await?))
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
    add_currency_set(&state.context, auction_id, user, body).await?;
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

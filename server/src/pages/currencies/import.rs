//! `/auctions/{auction_id}/currencies/import`: adds currencies and rules from another auction, with a preview
//! that writes nothing.

use app::components::description_field::PREVIEW;
use app::components::error_summary::ErrorSummary;
use app::components::field::{Field, SelectField, TextArea, field_error, field_id, refused_value};
use app::components::import_form::PreviewNote;
use app::components::name::isolated;
use app::html::{Html, html};
use app::model::{BaseUnit, SelectOption};
use app::request::request;
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
use leptos::either::EitherOf3;
use leptos::prelude::*;
use platform::body::Body;
use platform::fields::{FieldError, Object};
use platform::http::problem::Problem;
use platform::idempotency::KeyedRequest;

use super::list::{Back, CurrenciesLayout, CurrencyList, entry};
use super::{CurrenciesPage, RuleEntry, done, read_editable};
use crate::codes;
use crate::pages::currencies::rules::words;
use crate::pages::error::Loaded;
use crate::pages::form::FormBody;
use crate::pages::form_route::FormRequest;
use crate::pages::money::{base_unit, unit_in_pieces};
use crate::pages::request::{PageAt, PageRequest};

/// The page that adds currencies and rules from another auction or from a file.
#[derive(Debug, Clone, PartialEq)]
struct SetImportPage {
    page: CurrenciesPage,
    /// The other auctions of the viewer.
    auctions: Vec<SelectOption>,
    /// Absent before a preview is requested.
    preview: Option<SetPreview>,
}

/// What currencies and rules would do to the auction.
#[derive(Debug, Clone, PartialEq)]
enum SetPreview {
    /// They would be added. A base unit that they count in and the auction does not take is `unit_not_taken`.
    Set { page: Box<CurrenciesPage>, unit_not_taken: Option<BaseUnit> },
    /// They can't be added: a sentence, and each error with its place.
    Refused { message: String, errors: Vec<(String, String)> },
}

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

/// The auction that is copied.
pub const FROM: Field = Field::new("from", "Auction", "Choose an auction of the list.");
/// The document as text.
pub const SET: Field = Field::new("set", "Contents of a file", "Paste what “Download as JSON” gives.");
pub const FILE: Field = Field::new("file", "Or a file", "Choose a file.").called("the file");
/// The document of a preview that is too long for the field.
pub const LONG_SET: &str = "longSet";

fn import_page(import: SetImportPage) -> Html {
    let SetImportPage { page, auctions, preview } = import;
    let path = format!("{}/currencies/import", page.path());
    // What is not written yet can be tried in the test bench.
    let shown = match &preview {
        Some(SetPreview::Set { page, .. }) => (**page).clone(),
        _ => page,
    };
    let key = refused_value("idempotencyKey").filter(|key| !key.is_empty());
    let key = key.unwrap_or_else(|| request().new_key.clone());
    html(view! {
        <CurrenciesLayout page=shown title="Copy or import" back=Back::List>
            <ErrorSummary fields=&[&[FROM, SET, FILE]] />
            {preview.map(|preview| view! { <Preview preview /> })}
            <CopyForm action=path.clone() key=key.clone() auctions />
            <FileForm action=format!("{path}/file") key />
        </CurrenciesLayout>
    })
}

#[component]
fn Preview(preview: SetPreview) -> impl IntoView {
    match preview {
        SetPreview::Set { page, .. } if page.currencies.is_empty() && page.rules.is_empty() => {
            EitherOf3::A(view! {
                <p class="notice" role="status">
                    "There are no currencies and no rules in it."
                </p>
            })
        }
        SetPreview::Set { page, unit_not_taken } => EitherOf3::B(view! {
            <UnitNote unit=page.base_unit.clone() unit_not_taken />
            <SetParts page=*page />
        }),
        SetPreview::Refused { message, errors } => {
            let lines =
                errors.into_iter().map(|(path, message)| view! { <li>{format!("{path}: {message}")}</li> });
            EitherOf3::C(view! {
                <div class="notice" role="status">
                    <p>{message}</p>
                    <ul>{lines.collect_view()}</ul>
                </div>
            })
        }
    }
}

/// What becomes of the base unit.
#[component]
fn UnitNote(unit: BaseUnit, unit_not_taken: Option<BaseUnit>) -> impl IntoView {
    let words = match unit_not_taken {
        Some(other) => format!(
            "These currencies were made for the base unit {}. This auction keeps its own, {}: check their values.",
            isolated(other.noun().one),
            isolated(unit.noun().one)
        ),
        None if unit.is_named() => format!("The base unit of the auction is {}.", isolated(unit.noun().one)),
        None => String::new(),
    };
    (!words.is_empty()).then(|| view! { <p class="notice">{words}</p> })
}

/// What would be added, as its own page would show it.
#[component]
fn SetParts(page: CurrenciesPage) -> impl IntoView {
    let rules = page.rules.iter().map(|rule| {
        let off = if rule.definition.enabled { "" } else { " (switched off)" };
        view! {
            <li class="mark">
                <span class="mark-words">{words::in_words(&rule.definition, &page)} {off}</span>
            </li>
        }
    });
    let rules = rules.collect::<Vec<_>>();
    let rules = (!rules.is_empty()).then(|| {
        view! {
            <section aria-labelledby="rules">
                <h2 id="rules" class="section-title">
                    "Rules"
                </h2>
                <ul class="marks" role="list">
                    {rules}
                </ul>
            </section>
        }
    });
    view! {
        <PreviewNote>"This would be added. Nothing is written yet: try it in the test bench."</PreviewNote>
        {(!page.currencies.is_empty()).then(|| view! { <CurrencyList page=page.clone() /> })}
        {rules}
    }
}

#[component]
fn CopyForm(action: String, key: String, auctions: Vec<SelectOption>) -> impl IntoView {
    (!auctions.is_empty()).then(|| {
        view! {
            <section aria-labelledby="copy">
                <h2 id="copy" class="section-title">
                    "From another auction"
                </h2>
                <form class="form-page" method="post" action=action novalidate>
                    <input type="hidden" name="idempotencyKey" value=key />
                    <SelectField field=FROM options=auctions />
                    <Actions preview="Preview" add="Copy" />
                </form>
            </section>
        }
    })
}

#[component]
fn FileForm(action: String, key: String) -> impl IntoView {
    let id = field_id(FILE.name);
    let error_id = format!("{id}-error");
    let error = field_error(&FILE);
    let described_by = error.is_some().then(|| error_id.clone());
    let invalid = error.as_ref().map(|_| "true");
    let error = error.map(|error| view! { <p class="field-error" id=error_id>{error}</p> });
    // Only the browser has the file: a page can't choose it again.
    let again = refused_value(LONG_SET)
        .is_some()
        .then(|| view! { <p class="hint">"Choose the file again to add it."</p> });
    view! {
        <section aria-labelledby="file">
            <h2 id="file" class="section-title">
                "From a file"
            </h2>
            <form class="form-page" method="post" action=action enctype="multipart/form-data" novalidate>
                <input type="hidden" name="idempotencyKey" value=key />
                <TextArea field=SET hint="What “Download as JSON” gives on the page of another auction" />
                <div class="field">
                    <label for=id.clone()>{FILE.label}</label>
                    {error}
                    <input
                        id=id
                        type="file"
                        name=FILE.name
                        accept=".json,application/json"
                        aria-describedby=described_by
                        aria-invalid=invalid
                    />
                    {again}
                </div>
                <Actions preview="Preview file" add="Add" />
            </form>
        </section>
    }
}

/// The buttons of a form, by their words.
#[component]
fn Actions(preview: &'static str, add: &'static str) -> impl IntoView {
    view! {
        <div class="actions">
            <button class="button" type="submit" name=PREVIEW value="true">
                {preview}
            </button>
            <button class="button primary" type="submit">
                {add}
            </button>
        </div>
    }
}

//! `/books/{book_id}/settings`: changes, closes and deletes a book.

use app::components::error_summary::ErrorSummary;
use app::components::field::refused_value;
use app::components::money::shown_amount;
use app::components::page_head::PageHead;
use app::components::page_title::PageTitle;
use app::components::unit_fields::UNIT;
use app::html::{Html, html};
use app::islands::runs::percent;
use app::model::{BaseUnit, Filled, Refused};
use auction_house::books::BookView;
use auction_house::books::access::authorize;
use auction_house::books::delete::delete_book;
use auction_house::books::patch::patch_book;
use auction_house::engine::{Literal, Normalized};
use auction_house::ids::BookId;
use auction_house::path::BookPath;
use auction_house::usage;
use axum::response::Response;
use leptos::prelude::*;
use platform::fields::Object;
use platform::http::problem::Problem;
use platform::precondition::Precondition;
use platform::shape;
use platform::zone;

use super::Done;
use super::caps::{self, Caps};
use super::fields::{BookFields, FIELDS};
use super::share::{self, AUTOMATIC, ShareAtOnce};
use super::terms::{in_form, terms};
use crate::pages::amounts::Amounts;
use crate::pages::error::Loaded;
use crate::pages::form::{FormBody, meant_for};
use crate::pages::form_route::FormRequest;
use crate::pages::money::unit_of_book;
use crate::pages::request::{PageAt, PageRequest};

/// A book, for a viewer who may change it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct BookSettings {
    id: String,
    name: String,
    unit: BaseUnit,
    version: i64,
    /// The fields of the forms.
    fields: Vec<(String, String)>,
    /// Names of time zones.
    zones: Vec<String>,
    is_closed: bool,
    /// The book has entries or auctions, so that it can't be deleted.
    is_used: bool,
}

/// `GET /books/{book_id}/settings`
pub async fn show(PageAt(path): PageAt<BookPath>, request: PageRequest) -> Response {
    let settings = read(&request, path).await;
    request.render(settings, book_settings_page)
}

async fn read(request: &PageRequest, path: Loaded<BookPath>) -> Loaded<BookSettings> {
    let (BookPath { book_id }, user) = (path?, request.user_id()?);
    let db = &mut request.db().await?;
    let seen = authorize(db, book_id, user).await.and_then(BookView::require_owner)?;
    let is_used = usage::book_is_used(db, book_id).await?;
    let terms = &seen.book.terms;
    let written_in = usage::books_written_in(db, &[book_id]).await?;
    let unit = unit_of_book(&terms.base_unit, written_in.get(&book_id));
    let amount = |amount: Normalized| match amount {
        Normalized::ZERO => String::new(),
        amount => shown_amount(&unit, &amount.to_string()),
    };
    let fields = [
        ("baseUnitName", terms.base_unit.name.clone()),
        ("baseUnitPlural", terms.base_unit.plural.clone().unwrap_or_default()),
        ("baseUnitSymbol", terms.base_unit.symbol.clone()),
        ("startingBalance", amount(terms.starting_balance)),
        ("creditLimit", amount(terms.credit_limit)),
    ];
    let caps = terms.caps.as_ref();
    let cap = |amount: Option<&Literal>| amount.map(|amount| shown_amount(&unit, amount.as_str()));
    let of_caps = [
        ("soft", cap(caps.and_then(|caps| caps.soft.as_ref()))),
        ("softPercent", caps.and_then(|caps| caps.soft_percent.as_ref()).map(ToString::to_string)),
        ("hard", cap(caps.and_then(|caps| caps.hard.as_ref()))),
        ("weekly", cap(caps.and_then(|caps| caps.weekly.as_ref()))),
    ];
    let amounts = fields.map(|(name, value)| (name, Some(value))).into_iter().chain(of_caps);
    let mut fields = shape::form_values(terms);
    fields.extend(caps.map(shape::form_values).into_iter().flatten());
    fields.extend(shape::form_values(&terms.share.unwrap_or_default()));
    fields.extend(amounts.filter_map(|(name, value)| Some((name.to_owned(), value?))));
    Ok(BookSettings {
        id: book_id.to_string(),
        name: terms.name.clone(),
        unit: unit.clone(),
        version: seen.book.version,
        fields,
        zones: zone::names(),
        is_closed: seen.book.is_closed(),
        is_used,
    })
}

/// `POST /books/{book_id}/settings`
pub async fn change(request: FormRequest<BookPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: BookPath { book_id }, form } = request;
    let version = meant_for(&form);
    let amounts = Amounts::of_book(&mut state.context.db.read().await?, book_id, user).await?;
    let changed = patch_book(&state.context, book_id, user, terms(&form, Some(amounts)), &version).await;
    changed.map_err(|error| in_form(error.into()))?;
    Ok(settings(book_id, "saved"))
}

/// `POST /books/{book_id}/settings/caps`
pub async fn cap(request: FormRequest<BookPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: BookPath { book_id }, form } = request;
    let amounts = Amounts::of_book(&mut state.context.db.read().await?, book_id, user).await?;
    let mut caps = Object::default();
    let limits = ["soft", "hard", "weekly"].map(|name| (name, amounts.number(&form, name)));
    let limits = limits.into_iter().chain([("softPercent", form.get("softPercent").map(percent))]);
    let mut is_limited = false;
    for (name, limit) in limits {
        is_limited |= limit.is_some();
        // Null removes the one before.
        caps.set(name, &limit);
    }
    let mut patch = Object::default();
    if !is_limited {
        patch.set("caps", &None::<()>);
    } else {
        for name in ["weekStart", "timeZone"] {
            caps.set_given(name, Some(form.text(name)).filter(|text| !text.is_empty()).as_ref());
        }
        patch.set("caps", &caps);
    }
    let changed =
        patch_book(&state.context, book_id, user, FormBody { object: patch, form }, &Precondition::None);
    changed.await.map_err(|error| of_fields(error.into(), "caps."))?;
    Ok(settings(book_id, "caps"))
}

/// The problem with paths in the names of the form's fields.
fn of_fields(mut problem: Problem, prefix: &str) -> Problem {
    for field in &mut problem.fields {
        field.path = field.path.trim_start_matches(prefix).to_owned();
    }
    problem
}

/// `POST /books/{book_id}/settings/share`
pub async fn share(request: FormRequest<BookPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: BookPath { book_id }, form } = request;
    let mut share = Object::default();
    share.set(AUTOMATIC, &form.get(AUTOMATIC).is_some());
    let given = |name: &str| Some(form.text(name)).filter(|text| !text.is_empty());
    share.set_given("buyer", given("buyer").as_ref());
    match given("digits").map(|digits| (digits, form.typed(digits).parse::<i64>())) {
        Some((_, Ok(digits))) => share.set("digits", &digits),
        Some((digits, Err(_))) => share.set("digits", &digits),
        None => {}
    }
    share.set_given("rest", given("rest").as_ref());
    let mut patch = Object::default();
    patch.set("share", &share);
    let changed =
        patch_book(&state.context, book_id, user, FormBody { object: patch, form }, &Precondition::None);
    changed.await.map_err(|error| of_fields(error.into(), "share."))?;
    Ok(settings(book_id, "share"))
}

/// `POST /books/{book_id}/settings/close`, a button.
pub async fn close(request: FormRequest<BookPath>) -> Result<String, Problem> {
    set_status(request, "CLOSED", "closed").await
}

/// `POST /books/{book_id}/settings/open`, a button.
pub async fn open(request: FormRequest<BookPath>) -> Result<String, Problem> {
    set_status(request, "OPEN", "opened").await
}

async fn set_status(request: FormRequest<BookPath>, status: &str, form: &str) -> Result<String, Problem> {
    let FormRequest { state, user, path: BookPath { book_id }, .. } = request;
    let mut patch = Object::default();
    patch.set("status", &status);
    patch_book(&state.context, book_id, user, patch, &Precondition::None).await?;
    Ok(settings(book_id, form))
}

/// `POST /books/{book_id}/settings/delete`, a button.
pub async fn delete(request: FormRequest<BookPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: BookPath { book_id }, .. } = request;
    delete_book(&state.context, book_id, user, &Precondition::None).await?;
    Ok("/books?done=deleted".to_owned())
}

fn settings(book_id: BookId, form: &str) -> String {
    format!("/books/{book_id}/settings?done={form}")
}

/// The hidden field with the version, which only the form with the settings has.
const VERSION: &str = "version";

fn book_settings_page(settings: BookSettings) -> Html {
    let BookSettings { id, name, unit, version, fields, zones, is_closed, is_used } = settings;
    let path = format!("/books/{id}");
    let submitted = use_context::<Refused>().and_then(|refused| refused.value(VERSION).map(str::to_owned));
    provide_context(Filled(fields));
    // A refused form fills the fields of the page: another form would be empty, and is not shown.
    let is_refused = use_context::<Refused>().is_some_and(|refused| !refused.is_button);
    let has = |field: &str| !is_refused || refused_value(field).is_some();
    let (shows_terms, shows_caps) = (has(VERSION), has(caps::TIME_ZONE.name));
    let shows_share = has(share::DIGITS.name);
    let version = submitted.unwrap_or_else(|| version.to_string());
    let form = (!is_closed && shows_terms).then(|| {
        view! {
            <form method="post" novalidate>
                <input type="hidden" name=VERSION value=version />
                <BookFields />
                <div class="actions">
                    <button class="button primary" type="submit">
                        "Save settings"
                    </button>
                </div>
            </form>
        }
    });
    let caps = (!is_closed && shows_caps).then(|| view! { <Caps path=path.clone() zones unit /> });
    let share = (!is_closed && shows_share).then(|| view! { <ShareAtOnce path=path.clone() /> });
    html(view! {
        <PageTitle text=format!("Settings of {name}") />
        <PageHead back=path.clone() of=name heading="Settings" />
        <div class="settings-page">
            <ErrorSummary fields=&[FIELDS, UNIT, share::FIELDS, caps::FIELDS] />
            <Done />
            {form}
            {share}
            {caps}
            <Close path=path.clone() is_closed />
            <Delete path is_used />
        </div>
    })
}

#[component]
fn Close(path: String, is_closed: bool) -> impl IntoView {
    let (about, action, label) = if is_closed {
        ("These balances are closed: they take no entries and no auction.", "open", "Open the balances again")
    } else {
        (
            "Closed balances take no more entries and no auction. That is possible once none of their auctions is open.",
            "close",
            "Close the balances",
        )
    };
    view! {
        <section aria-labelledby="close">
            <h2 id="close">"Close"</h2>
            <form class="danger" method="post" action=format!("{path}/settings/{action}")>
                <p>{about}</p>
                <button class="button" type="submit">
                    {label}
                </button>
            </form>
        </section>
    }
}

#[component]
fn Delete(path: String, is_used: bool) -> impl IntoView {
    let about = if is_used {
        "Balances with entries or auctions can’t be deleted: their record stays."
    } else {
        "The balances are deleted at once."
    };
    view! {
        <section aria-labelledby="delete">
            <h2 id="delete">"Delete"</h2>
            <form class="danger" method="post" action=format!("{path}/settings/delete")>
                <p>{about}</p>
                <button class="button" type="submit" disabled=is_used>
                    "Delete the balances"
                </button>
            </form>
        </section>
    }
}

//! `/books/{book_id}/runs`: shares and decays with a preview that writes nothing, and their reversal.

mod forms;
mod list;

use std::collections::HashMap;

use accounts::extract::CurrentUser;
use app::bounds::MAX_REASON_CHARS;
use app::bundles::{Bundle, LoadBundle};
use app::components::error_page::LoadError;
use app::components::error_summary::ErrorSummary;
use app::components::field::{TextField, refused_value};
use app::components::island_state::island_state;
use app::components::money::amount_in;
use app::components::name::Name;
use app::components::page_title::PageTitle;
use app::components::plot::Plot;
use app::html::{Html, html};
use app::islands::runs::live::REQUESTED;
use app::islands::runs::table::RunTable;
use app::islands::runs::{DECAY, Typed, field, of_member, preview};
use app::model::{
    BaseUnit, BookRole, Filled, Listing, LiveRun, PlotPoint, Refused, RunCase, RunPreview, SelectOption,
};
use app::request::request;
use auction_house::auctions;
use auction_house::books::BookView;
use auction_house::books::access::authorize;
use auction_house::books::runs::create::{create_run, preview_run};
use auction_house::books::runs::judge::RunRefusal;
use auction_house::books::runs::list::list_runs;
use auction_house::books::runs::pot::{pot_of_auction, pot_of_book, pots_over_time};
use auction_house::books::runs::reverse::reverse_run;
use auction_house::books::runs::{BookRun, BookRunKind};
use auction_house::path::{BookPath, RunPath};
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Response};
use leptos::prelude::*;
use platform::fields::Object;
use platform::http::json::Json;
use platform::http::path::At;
use platform::http::problem::{FieldError, Problem};
use platform::verb::VerbError;
use serde_json::value::RawValue;

use self::forms::{Decay, FIELDS, REASON, Share};
use self::list::{ListedRun, Runs};
use super::Done;
use super::entries::plot_point;
use super::facts::{BookEntry, entry};
use super::run_case::{CaseOf, run_case};
use crate::codes;
use crate::pages::amounts::Amounts;
use crate::pages::error::Loaded;
use crate::pages::form::{FormBody, texts};
use crate::pages::form_route::FormRequest;
use crate::pages::request::{PageAt, PageRequest};
use crate::state::AppState;

/// The runs of a book, with the one that is about to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
struct RunsPage {
    book: BookEntry,
    /// The sum of the pots of all auctions.
    pot: String,
    /// The auctions of the book with their pots.
    auctions: Vec<(SelectOption, String)>,
    /// The values of the forms, by field.
    fields: Vec<(String, String)>,
    preview: Option<RunPreview>,
    /// Sentences about fields of which no run can be made.
    errors: Vec<String>,
    runs: Listing<ListedRun>,
    /// What was spent and not shared yet, over time.
    pots: Vec<PlotPoint>,
}

/// `GET /books/{book_id}/runs`. What the query or a refused form asks for is previewed.
pub async fn show(PageAt(path): PageAt<BookPath>, request: PageRequest) -> Response {
    let page = read(&request, path).await;
    request.render(page, runs_page)
}

async fn read(request: &PageRequest, path: Loaded<BookPath>) -> Loaded<RunsPage> {
    let (BookPath { book_id }, user) = (path?, request.user_id()?);
    let db = &mut request.state.context.db.snapshot().await?;
    let seen = authorize(db, book_id, user).await.and_then(BookView::require_keeper)?;
    let refused = request.refused();
    let given = |name: &str| match refused {
        Some(refused) => refused.value(name).map(str::to_owned),
        None => request.query(name).map(str::to_owned),
    };
    let fields: Vec<(String, String)> =
        field::REPEATED.iter().filter_map(|name| Some(((*name).to_owned(), given(name)?))).collect();
    let mut auctions_with_pots = Vec::new();
    for (id, name) in auctions::store::seen_of_book(db, book_id, user).await? {
        if let Some(pot) = pot_of_auction(db, book_id, id).await? {
            let option = SelectOption { value: id.to_string(), label: name };
            auctions_with_pots.push((option, pot.amount.to_string()));
        }
    }
    let book = entry(db, &seen).await?;
    // The kind alone is that of the form.
    let (preview, errors) = if fields.len() > 1 && !seen.book.is_closed() {
        let case = run_case(db, &seen, &CaseOf::of(&value_of(&fields)), request.now).await?;
        let (fields, unit) = (fields.clone(), book.unit.clone());
        let previewed = request.state.context.work.compute(move || previewed(&fields, &unit, &case)).await;
        previewed.map_err(|_| LoadError::Unavailable)?
    } else {
        (None, Vec::new())
    };
    let runs = list_runs(db, &seen, request.page()).await?;
    let is_closed = seen.book.is_closed();
    let pots = pots_over_time(db, book_id).await?;
    Ok(RunsPage {
        book,
        pot: pot_of_book(db, book_id).await?.to_string(),
        auctions: auctions_with_pots,
        fields,
        preview,
        errors,
        runs: Listing {
            entries: runs.entries.into_iter().map(|run| run_entry(run, is_closed)).collect(),
            next_cursor: runs.next_cursor,
        },
        pots: pots.into_iter().map(plot_point).collect(),
    })
}

/// The preview of a run, or sentences that say why there is none: computed as in the browser.
fn previewed(
    fields: &[(String, String)],
    unit: &BaseUnit,
    case: &RunCase,
) -> (Option<RunPreview>, Vec<String>) {
    match preview(&Typed { values: &value_of(fields), unit }, case) {
        Ok(preview) => (Some(preview), Vec::new()),
        Err(wrong) => (None, wrong.into_iter().map(|wrong| wrong.sentence).collect()),
    }
}

/// The values of fields by their names.
fn value_of(fields: &[(String, String)]) -> impl Fn(&str) -> Option<String> {
    |name| fields.iter().find(|(field, _)| field == name).map(|(_, value)| value.clone())
}

fn run_entry(run: BookRun, is_closed: bool) -> ListedRun {
    ListedRun {
        number: run.number,
        kind: match run.kind {
            BookRunKind::Share => "Share",
            BookRunKind::Decay => "Decay",
            BookRunKind::Grant => "Given to several people",
            BookRunKind::Import => "Import",
        },
        reason: run.reason,
        by: run.by.map(|by| by.name),
        is_automatic: run.is_automatic,
        created_at: run.created_at.millis(),
        is_reversible: !is_closed && run.reversed.is_none(),
        is_reversed_by_outcome: run.reversed.as_ref().is_some_and(|reversed| reversed.by.is_none()),
        reversed_at: run.reversed.map(|reversed| reversed.at.millis()),
    }
}

/// `GET /books/{book_id}/runs/case`: what the browser computes the preview of.
pub async fn case(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    At(BookPath { book_id }): At<BookPath>,
    Query(query): Query<HashMap<String, String>>,
) -> Result<Response, Problem> {
    let (mut db, now) = (state.context.db.snapshot().await?, state.context.clock.now());
    let seen = authorize(&mut db, book_id, user.id).await.and_then(BookView::require_keeper)?;
    let asked = CaseOf::of(&|name| query.get(name).cloned());
    let case = run_case(&mut db, &seen, &asked, now).await?;
    drop(db);
    // A book has up to 10,000 holders.
    state.context.work.compute(move || Json(case).into_response()).await
}

/// `POST /books/{book_id}/runs`
pub async fn make(request: FormRequest<BookPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: BookPath { book_id }, form } = request;
    let (mut db, now) = (state.context.db.snapshot().await?, state.context.clock.now());
    let seen = authorize(&mut db, book_id, user).await.and_then(BookView::require_keeper)?;
    let case = run_case(&mut db, &seen, &CaseOf::of(&value_of(form.fields())), now).await?;
    let unit = Amounts::of_book(&mut db, book_id, user).await?.unit;
    drop(db);
    let fields = form.fields().to_vec();
    let params = move || Typed { values: &value_of(&fields), unit: &unit }.params(&case);
    let asked = state.context.work.compute(params).await?.map_err(|wrong| {
        Problem::fields(wrong.into_iter().map(|wrong| FieldError::new(wrong.field, wrong.sentence)).collect())
    })?;
    let mut object = texts(&form, &["reason", "expect"]);
    object.set(field::KIND, &asked.kind.as_str());
    object.set("params", &RawValue::from_string(asked.json).map_err(|_| Problem::not_found())?);
    if form.get("idempotencyKey").is_none() {
        // A form that has no preview yet: nothing is written.
        let body = FormBody { object, form };
        preview_run(&state.context, book_id, user, body).await.map_err(of_fields)?;
        return Ok(format!("/books/{book_id}/runs"));
    }
    create_run(&state.context, book_id, user, FormBody { object, form }).await.map_err(of_fields)?;
    Ok(format!("/books/{book_id}/runs?done=run"))
}

/// Names the fields of the forms in errors of parameters.
fn of_fields(error: VerbError<RunRefusal>) -> Problem {
    let mut problem: Problem = error.into();
    if let Some(whole) = problem.fields.iter().find(|field| field.path == "params") {
        return Problem::new(codes::INVALID_BODY, of_member(&whole.path, &whole.message).sentence);
    }
    for field in problem.fields.iter_mut().filter(|field| field.path.starts_with("params.")) {
        of_member(&field.path, &field.message).field.clone_into(&mut field.path);
    }
    problem
}

/// `POST /books/{book_id}/runs/{number}/reverse`, a button.
pub async fn undo(request: FormRequest<RunPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: RunPath { book_id, number }, .. } = request;
    let mut object = Object::default();
    object.set("reason", &"Undone");
    reverse_run(&state.context, (book_id, number), user, object).await?;
    Ok(format!("/books/{book_id}/runs?done=undone"))
}

fn runs_page(page: RunsPage) -> Html {
    let RunsPage { book, pot, auctions, fields, preview, errors, runs, pots } = page;
    let path = format!("/books/{}", book.id);
    let action = format!("{path}/runs");
    let is_decay = fields.iter().any(|(name, value)| name == field::KIND && value == DECAY);
    if use_context::<Refused>().is_none() {
        provide_context(Filled(fields.clone()));
    }
    let form = (!book.is_closed).then(|| {
        let live = LiveRun {
            action: action.clone(),
            unit: book.unit.clone(),
            is_share: !is_decay,
            key: request().new_key.clone(),
            reason: refused_value(field::REASON).unwrap_or_default(),
        };
        view! {
            <LoadBundle bundle=Bundle::Pot />
            {island_state(live)}
            {if is_decay {
                view! { <Decay action=action.clone() unit=book.unit.clone() /> }.into_any()
            } else {
                view! { <Share action=action.clone() auctions unit=book.unit.clone() /> }.into_any()
            }}
        }
    });
    let wrong = (!errors.is_empty()).then(|| {
        let lines = errors.into_iter().map(|error| view! { <li>{error}</li> }).collect_view();
        view! {
            <div class="error-summary" role="alert">
                <p>"This can’t be done yet:"</p>
                <ul>{lines}</ul>
            </div>
        }
    });
    let preview = preview
        .map(|preview| view! { <Requested preview fields unit=book.unit.clone() action=action.clone() /> });
    html(view! {
        <PageTitle text=format!("Share and decay in {}", book.name) />
        <header class="page-head">
            <div>
                <p class="eyebrow">
                    <a href=path.clone()>
                        <Name text=book.name.clone() />
                    </a>
                </p>
                <h1>"Share and decay"</h1>
                <p class="facts">
                    <span>{format!("Spent and not shared yet: {}", amount_in(&pot, &book.unit))}</span>
                </p>
            </div>
        </header>
        <Tabs path is_decay is_owner=book.role == BookRole::Owner />
        <div class="book-page">
            <ErrorSummary fields=&[FIELDS] />
            <Done />
            {wrong}
            {preview}
            {form}
            <Plot title="Spent and not shared yet" points=pots unit=book.unit />
            <Runs runs action />
        </div>
    })
}

/// The kinds of runs, and the caps that act on them.
#[component]
fn Tabs(path: String, is_decay: bool, is_owner: bool) -> impl IntoView {
    let current = |is_current: bool| is_current.then_some("page");
    let caps = is_owner.then(|| view! { <a href=format!("{path}/settings#caps")>"Caps"</a> });
    view! {
        <nav class="tabs" aria-label="Runs">
            <a href=format!("{path}/runs") aria-current=current(!is_decay)>
                "Share"
            </a>
            <a href=format!("{path}/runs?{}={DECAY}", field::KIND) aria-current=current(is_decay)>
                "Decay"
            </a>
            {caps}
        </nav>
    }
}

/// The preview that a form without JavaScript has requested, or one that is out of date.
#[component]
fn Requested(
    preview: RunPreview,
    fields: Vec<(String, String)>,
    unit: BaseUnit,
    action: String,
) -> impl IntoView {
    let key = refused_value("idempotencyKey").filter(|key| !key.is_empty());
    let key = key.unwrap_or_else(|| request().new_key.clone());
    let hidden =
        fields.into_iter().map(|(name, value)| view! { <input type="hidden" name=name value=value /> });
    let hidden = hidden.collect_view();
    let (title, label) = if preview.is_share {
        ("Preview of the share", "Share it")
    } else {
        ("Preview of the decay", "Let it decay")
    };
    view! {
        <section id=REQUESTED aria-labelledby="run-preview-title">
            <h2 id="run-preview-title">{title}</h2>
            <RunTable preview=preview.clone() unit />
            <form method="post" action=action novalidate>
                <input type="hidden" name="idempotencyKey" value=key />
                <input type="hidden" name="expect" value=preview.hash />
                {hidden}
                <TextField field=REASON hint="The people can read it." maxlength=MAX_REASON_CHARS required=true />
                <button class="button primary" type="submit">
                    {label}
                </button>
            </form>
        </section>
    }
}

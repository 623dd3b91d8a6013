//! `/books/{book_id}/runs`: shares and decays with a preview that writes nothing, and their reversal.

use app::model::{Listing, RunEntry, RunLine, RunPreview, RunsPage, SelectOption};
use app::pages::books::runs::{FLOOR, FROM, KIND, PERCENT, PERIOD, REST, TO, runs_page};
use axum::response::Response;

use super::facts::entry;
use crate::codes;
use crate::pages::amounts::Amounts;
use crate::pages::error::Loaded;
use crate::pages::form::{FormBody, texts};
use crate::pages::form_route::FormRequest;
use crate::pages::request::{PageAt, PageRequest};
use auction_house::auctions;
use auction_house::books::BookView;
use auction_house::books::access::authorize;
use auction_house::books::runs::body::parse_preview;
use auction_house::books::runs::create::{create_run, preview_run};
use auction_house::books::runs::judge::{Judged, RunRefusal, judge};
use auction_house::books::runs::list::list_runs;
use auction_house::books::runs::pot::{pot_of_auction, pot_of_book};
use auction_house::books::runs::reverse::reverse_run;
use auction_house::books::runs::{Run, RunKind};
use auction_house::books::store::holders;
use auction_house::engine::Normalized;
use auction_house::path::{BookPath, RunPath};
use platform::db::Connection;
use platform::fields::Object;
use platform::http::problem::{FieldError, Problem};
use platform::verb::VerbError;

/// Fields of the forms.
const FIELDS: [&str; 7] = [KIND, FROM.name, TO.name, REST.name, PERCENT.name, FLOOR.name, PERIOD.name];

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
        FIELDS.iter().filter_map(|name| Some(((*name).to_owned(), given(name)?))).collect();
    let mut auctions_with_pots = Vec::new();
    for (id, name) in auctions::store::seen_of_book(db, book_id, user).await? {
        if let Some(pot) = pot_of_auction(db, book_id, id).await? {
            let option = SelectOption { value: id.to_string(), label: name };
            auctions_with_pots.push((option, pot.amount.to_string()));
        }
    }
    let (preview, errors) = if given(KIND).is_some() && !seen.book.is_closed() {
        previewed(db, &seen, &fields, request).await?
    } else {
        (None, Vec::new())
    };
    let runs = list_runs(db, &seen, request.page()).await?;
    let is_closed = seen.book.is_closed();
    Ok(RunsPage {
        book: entry(db, &seen).await?,
        pot: pot_of_book(db, book_id).await?.to_string(),
        auctions: auctions_with_pots,
        fields,
        preview,
        errors,
        runs: Listing {
            entries: runs.entries.into_iter().map(|run| run_entry(run, is_closed)).collect(),
            next_cursor: runs.next_cursor,
        },
    })
}

/// The preview of a run, or sentences that say why there is none.
async fn previewed(
    db: &mut Connection,
    seen: &BookView,
    fields: &[(String, String)],
    request: &PageRequest,
) -> Loaded<(Option<RunPreview>, Vec<String>)> {
    let object = asked(db, seen, fields).await?;
    let judged = match parse_preview(object) {
        Ok(params) => judge(db, seen, &params, request.now).await,
        Err(errors) => Err(errors.into()),
    };
    match judged {
        Ok(judged) => Ok((Some(preview_of(judged)), Vec::new())),
        Err(VerbError::Db(error)) => Err(error.into()),
        Err(VerbError::Refused(refusal)) => Ok((None, vec![refusal.to_string()])),
        Err(error) => {
            let problem: Problem = VerbError::<RunRefusal>::into(error);
            Ok((None, problem.fields.iter().map(sentence).collect()))
        }
    }
}

/// A sentence about a field of a form.
fn sentence(error: &FieldError) -> String {
    let fields = [FROM, TO, REST, PERCENT, FLOOR, PERIOD];
    let path = error.path.strip_prefix("params.").unwrap_or(&error.path);
    match fields.iter().find(|field| path.split('.').next() == Some(field.name)) {
        Some(field) => error.sentence(field.label),
        None if path == "amount" => "Choose an auction.".to_owned(),
        None if error.path == "params" => "No balance would change.".to_owned(),
        None => error.sentence("The run"),
    }
}

fn preview_of(judged: Judged) -> RunPreview {
    let signed = |amount: Normalized| match amount > Normalized::ZERO {
        true => format!("+{amount}"),
        false => amount.to_string(),
    };
    let line = |row: auction_house::books::runs::RunRow| RunLine {
        name: row.holder.name,
        amount: signed(row.amount),
        before: row.before.to_string(),
        after: row.after.to_string(),
    };
    let kept = judged.result.kept;
    RunPreview {
        rows: judged.rows.into_iter().map(line).collect(),
        kept: (kept > Normalized::ZERO).then(|| kept.to_string()),
        hash: judged.hash,
        is_share: judged.kind == RunKind::Share,
    }
}

fn run_entry(run: Run, is_closed: bool) -> RunEntry {
    RunEntry {
        number: run.number,
        kind: match run.kind {
            RunKind::Share => "Share",
            RunKind::Decay => "Decay",
            RunKind::Grant => "Given to several people",
            RunKind::Import => "Import",
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

/// The body of a run that the fields of a form ask for.
async fn asked(db: &mut Connection, seen: &BookView, fields: &[(String, String)]) -> Loaded<Object> {
    let given = |name: &str| {
        let found = fields.iter().find(|(field, _)| field == name);
        found.map(|(_, value)| value.trim()).filter(|value| !value.is_empty())
    };
    let mut params = Object::default();
    if given(KIND) == Some("DECAY") {
        let amounts = Amounts::of_book(db, seen.book.id, seen.viewer).await;
        let floor = given(FLOOR.name).map(|floor| match &amounts {
            Ok(amounts) => amounts.read(floor),
            Err(_) => floor.to_owned(),
        });
        params.set("to", &"ALL");
        params.set_given(PERCENT.name, given(PERCENT.name).as_ref());
        params.set_given(FLOOR.name, floor.as_ref());
        params.set_given(PERIOD.name, given(PERIOD.name).as_ref());
    } else {
        params.set_given(FROM.name, given(FROM.name).as_ref());
        params.set_given(REST.name, given(REST.name).as_ref());
        if given(TO.name) == Some("ALL") {
            let everyone: Vec<String> =
                holders::all(db, seen.book.id).await?.iter().map(ToString::to_string).collect();
            params.set(TO.name, &everyone);
        } else {
            params.set_given(TO.name, given(TO.name).as_ref());
        }
    }
    let mut object = Object::default();
    object.set(KIND, &if given(KIND) == Some("DECAY") { "DECAY" } else { "SHARE" });
    object.set("params", &params);
    Ok(object)
}

/// `POST /books/{book_id}/runs`
pub async fn make(request: FormRequest<BookPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: BookPath { book_id }, form } = request;
    let mut db = state.context.db.read().await?;
    let seen = authorize(&mut db, book_id, user).await.and_then(BookView::require_keeper)?;
    let mut object = texts(&form, &["reason", "expect"]);
    let read = asked(&mut db, &seen, form.fields()).await.map_err(|_| Problem::not_found())?;
    drop(db);
    if let Some(kind) = read.get::<String>(KIND) {
        object.set(KIND, &kind);
    }
    if let Some(params) = read.get::<Object>("params") {
        object.set("params", &params);
    }
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
    if problem.fields.iter().any(|field| field.path == "params") {
        return Problem::new(codes::INVALID_BODY, "No balance would change.");
    }
    for field in &mut problem.fields {
        if let Some(name) = field.path.strip_prefix("params.") {
            field.path = name.split('.').next().unwrap_or_default().to_owned();
        }
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

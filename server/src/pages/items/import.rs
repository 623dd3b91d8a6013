//! `/auctions/{auction_id}/items/import`: imports items from a table, with a preview that writes nothing.

use app::components::drafts::Drafts;
use app::components::error_summary::ErrorSummary;
use app::components::field::{Field, SelectField, TextArea, refused_value};
use app::components::import_form::{
    FILE, FILE_ROWS, FileField, ImportActions, PREVIEWED_MAX, PreviewNote, PreviewTable, RowErrors,
};
use app::components::name::Name;
use app::components::page_head::PageHead;
use app::components::page_title::PageTitle;
use app::components::past_imports::{AGAIN, ImportUndone, ImportedBefore, PastImportsList, UNDONE, UndoNew};
use app::components::sheet_choice::SHEET;
use app::components::table_columns::{HEADER_ROW, TableColumns};
use app::components::words::count;
use app::html::{Html, html};
use app::model::{PastImports, SelectOption, TableLayout};
use app::request::{query_part, request};
use auction_house::access::Action;
use auction_house::auctions::access::authorize;
use auction_house::currencies;
use auction_house::ids::UserId;
use auction_house::imports::{Counts, Repeat};
use auction_house::items::import::plan::{ImportPlan, PlannedRow, Write};
use auction_house::items::import::table::{COLUMNS, EXPECTED, ItemTable};
use auction_house::items::import::undo::undo_import;
use auction_house::items::import::{
    ImportTarget, Imported, Preview, import_items, place_of, preview_items, preview_refused_items,
};
use auction_house::items::store::draft_count;
use auction_house::path::{AuctionPath, ItemImportPath};
use axum::response::Response;
use axum::routing::MethodRouter;
use leptos::prelude::*;
use platform::http::problem::Problem;
use platform::http::wrong_rows::wrong_rows_file;
use platform::typed_time::{self, LocalTimes};
use platform::zone::Zone;

use crate::pages::books::facts::asker;
use crate::pages::error::Loaded;
use crate::pages::form_route::FormRequest;
use crate::pages::import_file::{
    FileContent, ImportForm, ImportedOr, Importing, SHOWN_BYTES_MAX, TextBody, import_route, of_table,
    table_body,
};
use crate::pages::money::default_first;
use crate::pages::past_imports::past_imports;
use crate::pages::request::{PageAt, PageRequest};
use crate::pages::table_form;
use crate::state::AppState;

/// The page that imports items, with the preview of a table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct ItemImportPage {
    auction_id: String,
    auction_name: String,
    /// What minima and increments are in, as a sentence.
    money: String,
    /// The viewer may name lots and sellers.
    manages: bool,
    /// Drafts that the viewer may show to the bidders, all at once.
    drafts: usize,
    rows: Vec<ItemImportRow>,
    /// Row and what is wrong with it.
    errors: Vec<(String, String)>,
    layout: TableLayout,
    imports: PastImports,
}

/// A row of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ItemImportRow {
    row: usize,
    lot: String,
    name: String,
    /// What happens with it, in words.
    action: &'static str,
    /// A new lot that bidders do not see yet.
    is_draft: bool,
}

/// `GET /auctions/{auction_id}/items/import`. The preview is of the rows of a form that is shown again.
pub async fn show(PageAt(path): PageAt<AuctionPath>, request: PageRequest) -> Response {
    let page = read(&request, path).await;
    request.render(page, item_import_page)
}

async fn read(request: &PageRequest, path: Loaded<AuctionPath>) -> Loaded<ItemImportPage> {
    let (AuctionPath { auction_id }, user) = (path?, request.user_id()?);
    let mut db = request.db().await?;
    let seen = authorize(&mut db, auction_id, user, request.now).await?.require(Action::AddItems)?;
    let currencies = currencies::store::of_auction(&mut db, auction_id).await?;
    drop(db);
    let submitted = |name| request.refused().and_then(|refused| refused.value(name));
    let rows = request.refused().map(|refused| table_form::rows(refused, ROWS.name));
    let mut table = TableLayout::default();
    let preview = match rows.filter(|rows| !rows.is_empty()) {
        Some(rows) => {
            let refused = request.refused().cloned().unwrap_or_default();
            let times = local_times(submitted);
            let asker = asker(&request.state, request.address);
            let context = &request.state.context;
            let preview = match table_form::reading(&refused.values, &rows) {
                Ok(reading) => {
                    let repeat = Repeat::default();
                    let target = ImportTarget { auction_id, user, times, reading, asker, repeat };
                    let rows = rows.clone();
                    // The error of a field says that the import has read the rows, and has counted them.
                    match refused.fields.is_empty() {
                        false => preview_refused_items(context, target, rows).await,
                        true => preview_items(context, target, || Ok(rows)).await,
                    }
                }
                Err(errors) => Err(Problem::fields(errors)),
            };
            let preview = table_form::or_errors(preview, |errors| Preview {
                plan: ImportPlan { rows: Vec::new(), errors },
                ..Preview::default()
            })?;
            table = table_form::shown(&preview.layout, &COLUMNS, &refused, &rows);
            preview
        }
        None => Preview::default(),
    };
    let money = match default_first(&currencies).into_iter().next() {
        Some(currency) => {
            let pieces: Vec<_> = currency.denominations.iter().map(|piece| piece.name.as_str()).collect();
            match pieces.as_slice() {
                [] => format!("Minimum and increment are in {}.", currency.name),
                [one] => format!("Minimum and increment are counts of {one}."),
                [one, other] => format!("Minimum and increment are such as 3 {one} 1 {other}."),
                [one, other, ..] => format!(
                    "Minimum and increment are such as 3 {one} 1 {other}, or counts of all pieces: {}.",
                    vec!["1"; pieces.len()].join(".")
                ),
            }
        }
        None => "A column currency has codes such as EUR.".to_owned(),
    };
    let db = &mut request.db().await?;
    let place = place_of(db, auction_id, user, request.now).await?;
    let imports = past_imports(db, place, preview.imported_before).await?;
    let row = |planned: PlannedRow| ItemImportRow {
        is_draft: matches!(&planned.write, Write::Create(item) if !item.terms.is_published),
        row: planned.number,
        lot: planned.lot.to_string(),
        name: planned.name,
        action: match planned.write {
            Write::Create(item) if item.terms.is_published => "A new lot",
            Write::Create(_) => "A new lot, a draft",
            Write::Change(_) => "Changes the lot",
            Write::Nothing => "Stays as it is",
        },
    };
    let manages = seen.may(Action::ManageItems) && !seen.auction.has_ended(request.now);
    Ok(ItemImportPage {
        auction_id: auction_id.to_string(),
        drafts: if manages { draft_count(db, auction_id).await? } else { 0 },
        manages: seen.may(Action::AssignItems),
        auction_name: seen.auction.terms.name,
        money,
        rows: preview.plan.rows.into_iter().map(row).collect(),
        errors: table_form::explained(preview.plan.errors),
        layout: table,
        imports,
    })
}

/// `POST /auctions/{auction_id}/items/import/file`, with pasted rows or a file.
pub fn form() -> MethodRouter<AppState> {
    let shape = ImportForm {
        file: FILE.name,
        pasted: ROWS.name,
        further: &[ZONE, typed_time::DATES, AGAIN],
        content: FileContent::Table(&EXPECTED),
        nothing: "Paste rows, or choose a file.",
        shown: |text| match text.len() {
            ..=SHOWN_BYTES_MAX => &[FILE_ROWS, ROWS.name],
            _ => &[FILE_ROWS],
        },
        below: 1,
        unread: Some(|text, fields| {
            let reading = table_form::reading(fields, text).unwrap_or_default();
            let table = ItemTable::read(text, LocalTimes::default(), &reading);
            table.map(|table| table.layout().unread()).unwrap_or_default()
        }),
    };
    import_route(shape, show, may_import, import)
}

/// What the form says about local times. A zone or an order that does not exist is none.
fn local_times<'f>(given: impl Fn(&'static str) -> Option<&'f str>) -> LocalTimes {
    LocalTimes {
        zone: given(ZONE).and_then(Zone::named).unwrap_or_default(),
        order: given(typed_time::DATES).and_then(|order| order.parse().ok()),
    }
}

async fn may_import(state: AppState, user: UserId, path: AuctionPath) -> Result<(), Problem> {
    let mut db = state.context.db.read().await?;
    let now = state.context.clock.now();
    authorize(&mut db, path.auction_id, user, now).await?.require(Action::AddItems)?;
    Ok(())
}

async fn import(importing: Importing<AuctionPath>) -> Result<ImportedOr<String>, Problem> {
    let times = local_times(|name| importing.get(name));
    let (repeat, wrong_rows) = (importing.repeat(), importing.wrong_rows);
    let Importing { state, user, address, path: AuctionPath { auction_id }, text, keyed, reading, .. } =
        importing;
    let asker = asker(&state, address);
    let target = ImportTarget { auction_id, user, times, reading, asker, repeat };
    if let Some(format) = wrong_rows {
        let (context, read) = (&state.context, text.clone());
        let preview = preview_items(context, target, || Ok(read)).await?;
        let file = move || wrong_rows_file(format, &text, &preview.layout, &preview.plan.errors);
        return Ok(ImportedOr::File(context.work.compute(file).await??));
    }
    let imported = import_items(&state.context, target, TextBody { text, keyed, read: table_body }).await;
    let Imported { counts, .. } = imported.map_err(|error| of_table(error.into()))?.resource;
    let Counts { created, changed, .. } = counts;
    let next = format!("/auctions/{auction_id}/items/import?{CREATED}={created}&{CHANGED}={changed}");
    Ok(ImportedOr::Imported(next))
}

/// `POST /auctions/{auction_id}/items/import/{import_id}/undo`, a button.
pub async fn undo(request: FormRequest<ItemImportPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: ItemImportPath { auction_id, import_id }, .. } = request;
    undo_import(&state.context, auction_id, user, import_id).await?;
    Ok(format!("/auctions/{auction_id}/items/import?done={UNDONE}"))
}

/// The rows that are pasted.
pub const ROWS: Field = Field::new("csv", "Rows", "Paste rows below a line with the names of their columns.");
/// Name of the hidden field with the zone of local times.
pub const ZONE: &str = "timeZone";
/// The order of day and month, for dates that may be read both ways.
pub const DATES: Field =
    Field::new("dates", "Dates such as 1/2/2026", "Choose what the dates of the table mean.");
/// Parameters of the address with what was imported just before.
pub const CREATED: &str = "created";
pub const CHANGED: &str = "changed";

fn item_import_page(page: ItemImportPage) -> Html {
    let ItemImportPage { auction_id, auction_name, money, manages, drafts, rows, errors, layout, imports } =
        page;
    let (path, before) = (format!("/auctions/{auction_id}/items/import"), imports.before);
    let back = format!("/auctions/{auction_id}");
    let key = refused_value("idempotencyKey").filter(|key| !key.is_empty());
    let key = key.unwrap_or_else(|| request().new_key.clone());
    let (zone, cancel) = (request().zone.name.clone(), back.clone());
    let lots = manages.then(|| {
        view! {
            <p class="hint">
                "A row whose lot number the auction has changes that lot; what is empty stays. A seller is named by the number or the e-mail of a member."
            </p>
        }
    });
    let asks_for_dates = !layout.previewed.is_empty();
    let further = if manages { ", lot, seller" } else { "" };
    html(view! {
        <PageTitle text="Import lots" />
        <PageHead back=back.clone() of=auction_name heading="Import lots" />
        <div class="book-page">
            <ImportUndone />
            <Done back=back.clone() imports=imports.clone() drafts />
            <form class="wide" method="post" action=format!("{back}/items/import/file") enctype="multipart/form-data" novalidate>
                <ErrorSummary fields=&[&[ROWS, FILE, SHEET, HEADER_ROW]] />
                <input type="hidden" name="idempotencyKey" value=key />
                <input type="hidden" name=ZONE value=zone.clone() />
                <div class="form-columns">
                    <div class="form-help">
                        <p class="hint">
                            {format!("Columns, in any order: name, description, estimate, minimum, increment, starts, ends, published{further}. {money}")}
                        </p>
                        {lots}
                        <p class="hint">{format!("Times are like 2026-05-01 18:00 or 1.5.2026 6:00 PM, in {zone}. All rows are written, or none.")}</p>
                    </div>
                    <div>
                        <TextArea field=ROWS hint="Copy from a spreadsheet, with a first line that names the columns" />
                        <FileField rows=ROWS.name hint="Excel (.xlsx), OpenDocument (.ods), CSV, JSON or XML, at most 5,000 rows" />
                    </div>
                </div>
                {asks_for_dates.then(|| view! { <SelectField field=DATES options=orders() /> })}
                <TableColumns layout />
                <ImportedBefore at=before />
                <ImportActions preview="Preview" import="Import" has_errors=!errors.is_empty()>
                    <a class="button quiet" href=cancel>
                        "Cancel"
                    </a>
                </ImportActions>
            </form>
            <RowErrors errors />
            <Preview rows />
            <PastImportsList
                imports
                path
                effect="The lots that it created are deleted, and those that it changed are as they were, unless one of them was changed or bid on since."
            />
        </div>
    })
}

/// The readings of a date such as 1/2/2026.
fn orders() -> Vec<SelectOption> {
    let order = |value: &str, label: &str| SelectOption { value: value.to_owned(), label: label.to_owned() };
    vec![order("DMY", "1 February: the day stands first"), order("MDY", "2 January: the month stands first")]
}

/// Counts of the items that were imported just before, and the way back.
#[component]
fn Done(back: String, imports: PastImports, drafts: usize) -> impl IntoView {
    let path = format!("{back}/items/import");
    let number = |name: &str| query_part(name).and_then(|number| number.parse::<u64>().ok());
    number(CREATED).zip(number(CHANGED)).map(|(created, changed)| {
        // An import that has changed nothing is none of those that are listed.
        let new = imports.list.into_iter().next().filter(|_| created + changed > 0);
        view! {
            <p class="done" role="status">
                {format!("{} created, {changed} changed. ", count(created, "lot", "lots"))}
                <a href=back.clone()>"Show the auction"</a>
                " "
                <a class="import-pictures" href=format!("{back}/items/add")>
                    "Add pictures to lots"
                </a>
            </p>
            <Drafts drafts auction=back />
            <UndoNew import=new path />
        }
    })
}

#[component]
fn Preview(rows: Vec<ItemImportRow>) -> impl IntoView {
    let total = rows.len();
    let drafts = rows.iter().filter(|row| row.is_draft).count();
    let drafts = (drafts > 0).then(|| {
        format!(" {drafts} of them will be drafts, which bidders don’t see: a column “published” with yes shows a lot, and after the import a button shows all.")
    });
    let done = (total > 0).then(|| {
        let words = count(total as u64, "row", "rows");
        view! {
            <PreviewNote>{format!("{words} can be imported. Nothing is written yet.")} {drafts}</PreviewNote>
        }
    });
    let line = |ItemImportRow { row, lot, name, action, .. }: ItemImportRow| {
        view! {
            <td>{row}</td>
            <td>{lot}</td>
            <td><Name text=name /></td>
            <td>{action}</td>
        }
        .into_any()
    };
    let lines = rows.into_iter().take(PREVIEWED_MAX).map(line).collect();
    view! {
        {done}
        <PreviewTable headings=["Row", "Lot", "Name", "What happens"] lines total />
    }
}

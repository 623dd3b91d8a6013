//! `/auctions/{auction_id}/items/add`: many lots, with a row for each. With its script the page saves each
//! row on its own, and takes pictures and what is pasted from a spreadsheet.

use leptos::prelude::*;

use crate::assets::BuiltFile;
use crate::components::description_field::PREVIEW;
use crate::components::error_summary::ErrorSummary;
use crate::components::field::{CheckField, Field, SelectField, TextArea, field_id, refused_value};
use crate::components::import_form::{FILE, FileField};
use crate::components::name::Name;
use crate::components::page_title::PageTitle;
use crate::components::picture_field::ACCEPTED;
use crate::components::words::count;
use crate::html::{Html, html};
use crate::model::{ManyLotsPage, SelectOption};
use crate::pages::items::import;
use crate::pages::items::lot_rows::{LOT_FIELDS, LotColumns, LotRow, LotRows};
use crate::request::request;
use crate::scripts::LoadScript;

/// Parameter of the address with the number of lots that were added just before.
pub const ADDED: &str = "added";
/// Rows of the page.
const ROWS: usize = 10;
/// The number of the row that the script copies, and gives a number of its own.
const COPIED_ROW: usize = 999;

const CURRENCY: Field = Field::new("currencyCode", "Currency", "Choose a currency of the list.");

pub fn many_lots_page(page: ManyLotsPage) -> Html {
    let ManyLotsPage { auction_id, auction_name, iso_currencies, iso, times, minimum_in, added } = page;
    let back = format!("/auctions/{auction_id}");
    let key = refused_value("idempotencyKey").filter(|key| !key.is_empty());
    let key = key.unwrap_or_else(|| request().new_key.clone());
    let columns = LotColumns { times, description: true, pictures: true };
    let added = (!added.is_empty()).then(|| view! { <Added auction=back.clone() lots=added /> });
    let iso = (!iso_currencies.is_empty()).then(|| {
        view! { <SelectField field=CURRENCY options=iso_currencies chosen=iso /> }
    });
    let (files, auction) = (field_id("files"), back.clone());
    html(view! {
        <PageTitle text="Many lots" />
        <section class="lot-page">
            <p class="eyebrow">
                <a href=back.clone()><Name text=auction_name /></a>
            </p>
            <h1>"Many lots"</h1>
            {added}
            <p class="lead">
                "A row for each lot. A name is enough. "
                <a href=format!("{back}/items/import")>"Import a table"</a>
            </p>
            <TableForm auction=back.clone() />
            <p class="hint lot-help" hidden>
                "Enter goes to the next row. Each row is saved when you leave it. Paste rows from a spreadsheet into any cell."
            </p>
            <p class="hint lot-later">
                "Pictures come after the lots: once these are saved, there is a link for the pictures of each."
            </p>
            <form class="lot-form" method="post" novalidate data-auction=auction>
                <ErrorSummary fields=&[LOT_FIELDS, &[CURRENCY, import::ROWS, FILE]] />
                <input type="hidden" name="idempotencyKey" value=key />
                <div class="lot-terms">
                    {iso}
                    <CheckField
                        name="isPublished"
                        label="Show the lots at once"
                        hint="Otherwise they are drafts, which bidders do not see."
                        checked=true
                    />
                    <div class="field lot-files" hidden>
                        <label for=files.clone()>"Pictures"</label>
                        <p class="hint" id="lot-files-hint">
                            "Drop them anywhere. Those with the number or the name of a lot go to it, once you have seen which; each other one makes a lot that is named after its file. On a row they are added to its lot."
                        </p>
                        <input id=files type="file" accept=ACCEPTED multiple aria-describedby="lot-files-hint" />
                    </div>
                </div>
                <section class="notice lots-found" aria-label="Pictures for lots that are there" aria-live="polite" hidden></section>
                <p class="hint">{minimum_in}</p>
                <LotRows rows=ROWS columns />
                <template class="lot-copied">
                    <LotRow row=COPIED_ROW columns />
                </template>
                <div class="actions">
                    <button class="button primary" type="submit">
                        "Save lots"
                    </button>
                    <a class="button quiet" href=back>
                        "Back to the auction"
                    </a>
                    <p class="lots-sent" aria-live="polite"></p>
                </div>
            </form>
        </section>
        <LoadScript script=BuiltFile::LotsScript />
    })
}

/// A table of lots, which goes to the preview of the import: one reader reads all tables.
#[component]
fn TableForm(auction: String) -> impl IntoView {
    view! {
        <details class="lot-table">
            <summary>"Or take the lots from a table"</summary>
            <form
                method="post"
                action=format!("{auction}/items/import/file")
                enctype="multipart/form-data"
                novalidate
            >
                <input type="hidden" name=import::ZONE value=request().zone.name.clone() />
                <TextArea field=import::ROWS hint="Copy from a spreadsheet, with a first line that names the columns" />
                <FileField rows=import::ROWS.name hint="Excel (.xlsx), OpenDocument (.ods), CSV, JSON or XML, at most 5,000 rows" />
                <p class="hint">"The next page shows what the import would do. Nothing is written before."</p>
                <button class="button" type="submit" name=PREVIEW value="true">
                    "Show the preview"
                </button>
            </form>
        </details>
    }
}

/// The lots of the last form, each with the page where its pictures are added.
#[component]
fn Added(auction: String, lots: Vec<SelectOption>) -> impl IntoView {
    let words = match lots.len() {
        1 => "1 lot is added.".to_owned(),
        lots => format!("{} are added.", count(lots as u64, "lot", "lots")),
    };
    let links = lots.into_iter().map(|lot| {
        view! {
            <li>
                <a href=format!("{auction}/items/{}/pictures", lot.value)><Name text=lot.label /></a>
            </li>
        }
    });
    let links = links.collect::<Vec<_>>();
    view! {
        <section class="notice" aria-label="Added lots">
            <p role="status">{words} " " <a href=auction.clone()>"Show the auction"</a></p>
            <p>"Add pictures of"</p>
            <ul class="facts" role="list">{links}</ul>
        </section>
    }
}

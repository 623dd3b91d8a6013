//! `/auctions/{auction_id}/currencies/import`: currencies and rules from another auction or from a file, with
//! a preview that writes nothing.

use leptos::either::EitherOf3;
use leptos::prelude::*;

use super::{Back, CurrenciesLayout, CurrencyList};
use crate::components::description_field::PREVIEW;
use crate::components::error_summary::ErrorSummary;
use crate::components::field::{Field, SelectField, TextArea, field_error, field_id, refused_value};
use crate::components::name::isolated;
use crate::html::{Html, html};
use crate::model::{BaseUnit, CurrenciesPage, SelectOption, SetImportPage, SetPreview};
use crate::pages::auctions::rules::words;
use crate::request::request;

/// The auction that is copied.
pub const FROM: Field = Field::new("from", "Auction", "Choose an auction of the list.");
/// The document as text.
pub const SET: Field = Field::new("set", "Contents of a file", "Paste what “Download as JSON” gives.");
pub const FILE: Field = Field::new("file", "Or a file", "Choose a file.").called("the file");
/// The document of a preview that is too long for the field.
pub const LONG_SET: &str = "longSet";

pub fn import_page(import: SetImportPage) -> Html {
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
        <p class="done" role="status">
            "This would be added. Nothing is written yet: try it in the test bench."
        </p>
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

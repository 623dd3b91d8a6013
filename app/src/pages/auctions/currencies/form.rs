//! `/auctions/{auction_id}/currencies/new` and `…/currencies/{currency_id}`: the form of a currency.

use leptos::either::{Either, EitherOf3};
use leptos::prelude::*;
use rules_engine::InputMode;

use super::template::Template;
use super::{Templates, Workshop};
use crate::components::error_page::ErrorPage;
use crate::components::field::{CheckField, RadioField, SelectField, TextField};
use crate::components::field_rows::{Cell, FieldRows, cell_name};
use crate::components::loaded::{loaded, path_part, query_fields, query_part, services};
use crate::components::money::{plural, unit_word};
use crate::components::saved_form::{Existing, SavedForm};
use crate::model::{CurrenciesPage, CurrencyChoice, CurrencyEntry, Filled, IsoCurrency, Refused};
use crate::services::LoadError;

/// Pieces that one currency may have.
const PIECES_MAX: usize = 16;
/// The member that they are.
const PIECES: &str = "denominations";

const INPUT_MODES: &[(&str, &str, &str)] = &[
    ("SCALAR", "As one amount", "A number, such as 12 or 12.50."),
    ("DENOMINATION", "In pieces", "A count of each coin, note or ticket, such as 3 Galleons and 7 Knuts."),
];

const FRACTION_POLICIES: &[(&str, &str)] = &[
    ("REJECT", "Refused"),
    ("DOWN", "Dropped"),
    ("UP", "Rounded up"),
    ("HALF_UP", "Rounded, halves up"),
    ("HALF_EVEN", "Rounded, halves to the even digit"),
];

/// The address says what the form begins with: a template, an ISO currency, or what was typed so far.
#[component]
pub fn NewCurrency() -> impl IntoView {
    let services = services();
    let auction_id = path_part("auction_id");
    let (template, code) = (query_part("template"), query_part("iso"));
    let iso = code.as_deref().and_then(|code| services.iso_currency(code));
    let choices = services.iso_currencies();
    let load = async move { services.currencies(&auction_id).await };
    loaded(load, move |page| {
        if !page.can_edit {
            return EitherOf3::A(view! { <ErrorPage error=LoadError::Forbidden /> });
        }
        let new = format!("{}/currencies/new", page.path());
        let sent = use_context::<Refused>().is_some() || query_part("rows").is_some();
        if !sent && iso.is_none() {
            if template.is_none() {
                return EitherOf3::B(view! {
                    <Workshop page title="New currency">
                        <p class="lead">"What does it look like?"</p>
                        <Templates new />
                    </Workshop>
                });
            }
            if template.as_deref() == Some("iso") {
                return EitherOf3::B(view! {
                    <Workshop page title="New currency">
                        <ChooseIso choices new />
                    </Workshop>
                });
            }
        }
        let begun = template.as_deref().and_then(Template::of).map(|template| template.fields());
        let mut begun = begun.or(iso.map(iso_fields)).unwrap_or_default();
        if page.currencies.is_empty() {
            begun.push(("isDefault".to_owned(), "true".to_owned()));
        }
        provide_context(Filled(if query_part("rows").is_some() { query_fields() } else { begun }));
        EitherOf3::C(view! {
            <Workshop page=page.clone() title="New currency">
                <CurrencyForm page entry=None />
            </Workshop>
        })
    })
}

#[component]
pub fn EditCurrency() -> impl IntoView {
    let services = services();
    let (auction_id, currency_id) = (path_part("auction_id"), path_part("currency_id"));
    let load = async move { services.currencies(&auction_id).await };
    loaded(load, move |page| {
        let Some(entry) = page.currency(&currency_id).cloned() else {
            return Either::Left(view! { <ErrorPage error=LoadError::NotFound /> });
        };
        if !page.can_edit {
            return Either::Left(view! { <ErrorPage error=LoadError::Forbidden /> });
        }
        let again = query_part("rows").is_some();
        provide_context(Filled(if again { query_fields() } else { stored_fields(&entry) }));
        Either::Right(view! {
            <Workshop page=page.clone() title="Edit currency">
                <CurrencyForm page entry=Some(entry) />
            </Workshop>
        })
    })
}

#[component]
fn ChooseIso(choices: Vec<CurrencyChoice>, new: String) -> impl IntoView {
    view! {
        <form class="form-page" method="get" action=new>
            <SelectField name="iso" label="Currency" choices chosen="EUR" />
            <div class="actions">
                <button class="button primary" type="submit">
                    "Continue"
                </button>
            </div>
        </form>
    }
}

#[component]
fn CurrencyForm(page: CurrenciesPage, entry: Option<CurrencyEntry>) -> impl IntoView {
    let in_use = entry.as_ref().is_some_and(|entry| entry.in_use);
    let back = format!("{}/currencies", page.path());
    let unit = plural(&unit_word(&page.base_unit));
    let existing = entry.as_ref().map(|entry| Existing {
        version: entry.version,
        name: entry.currency.name.clone(),
        delete: format!("{back}/{}/delete", entry.id),
        kept_by: in_use.then_some("It can’t be deleted: bids or an item’s minimum use it."),
    });
    let by_denomination = entry.as_ref().is_some_and(|entry| entry.currency.by_denomination());
    let choices = |choices: &[(&str, &str)]| {
        let choice = |&(value, label): &(&str, &str)| CurrencyChoice {
            value: value.to_owned(),
            label: label.to_owned(),
        };
        choices.iter().map(choice).collect::<Vec<_>>()
    };
    // What is frozen is not asked for again.
    let mode = (!in_use)
        .then(|| view! { <RadioField name="inputMode" legend="How bids are entered" choices=INPUT_MODES /> });
    let digits = (!in_use).then(|| {
        let precisions = [("0", "None: whole numbers"), ("1", "1"), ("2", "2"), ("3", "3"), ("4", "4")];
        view! {
            <div class="field-row">
                <SelectField name="precision" label="Digits after the point" choices=choices(&precisions) chosen="0" />
                <SelectField
                    name="fractionPolicy"
                    label="Further digits are"
                    choices=choices(FRACTION_POLICIES)
                    chosen="REJECT"
                />
            </div>
        }
    });
    let pieces = (!in_use || by_denomination).then(|| view! { <Pieces frozen=in_use /> });
    view! {
        <SavedForm class="currency-form" save="Save currency" back existing>
            <TextField name="name" label="Name" maxlength="60" required=true />
            <div class="field-row">
                <TextField name="code" label="Code" hint="Capital letters and digits. Empty: made from the name" maxlength="12" class="short" />
                <TextField name="symbol" label="Symbol" hint="May be empty" maxlength="8" class="short" />
            </div>
            {in_use
                .then(|| {
                    view! {
                        <p class="notice">
                            "Bids or an item’s minimum use this currency, so what it is worth and how it is entered stay as they are. Names and symbols may change."
                        </p>
                    }
                })}
            {mode}
            {pieces}
            <TextField
                name="rateToBase"
                label="Worth of one unit"
                hint=format!("In {unit}. The worth of a piece is counted in this unit")
                inputmode="decimal"
                class="amount medium"
                readonly=in_use
            />
            {digits}
            <CheckField
                name="isDefault"
                label="Default currency"
                hint="Used where a bid names no currency. It takes this from the one that has it."
                checked=false
            />
        </SavedForm>
    }
}

#[component]
fn Pieces(frozen: bool) -> impl IntoView {
    let cell = |part, head, label, maxlength| Cell {
        part,
        head,
        label,
        maxlength: Some(maxlength),
        ..Cell::default()
    };
    let cells = vec![
        cell("name", "Name", "name", "60"),
        Cell { readonly: frozen, ..cell("code", "Code", "code", "12") },
        cell("symbol", "Symbol", "symbol", "8"),
        Cell { readonly: frozen, decimal: true, ..cell("factor", "Worth", "worth", "20") },
    ];
    view! {
        <FieldRows
            list=PIECES
            entry="Piece"
            legend="Pieces"
            hint="Worth is how many units of this currency one piece is: the smallest is often 1."
            more="More pieces"
            class="pieces"
            cells
            max=PIECES_MAX
            fixed=frozen
        />
    }
}

fn iso_fields(currency: IsoCurrency) -> Vec<(String, String)> {
    let fields = [
        ("code", currency.code),
        ("name", currency.name),
        ("symbol", currency.symbol),
        ("rateToBase", "1".to_owned()),
        ("inputMode", "SCALAR".to_owned()),
        ("precision", currency.minor_digits.min(4).to_string()),
    ];
    fields.map(|(name, value)| (name.to_owned(), value)).into()
}

fn stored_fields(entry: &CurrencyEntry) -> Vec<(String, String)> {
    let definition = &entry.currency.definition;
    let mode = match definition.input_mode {
        InputMode::Scalar => "SCALAR",
        InputMode::Denomination => "DENOMINATION",
    };
    let mut fields = vec![
        ("code".to_owned(), entry.code.clone()),
        ("name".to_owned(), entry.currency.name.clone()),
        ("symbol".to_owned(), entry.currency.symbol.clone()),
        ("rateToBase".to_owned(), definition.rate_to_base.to_string()),
        ("inputMode".to_owned(), mode.to_owned()),
        ("precision".to_owned(), definition.precision.to_string()),
        ("fractionPolicy".to_owned(), definition.fraction_policy.as_str().to_owned()),
    ];
    if entry.is_default {
        fields.push(("isDefault".to_owned(), "true".to_owned()));
    }
    let pieces = definition.denominations.iter().zip(&entry.currency.denominations);
    for (row, (piece, names)) in pieces.enumerate() {
        let parts = [
            ("code", piece.code.clone()),
            ("name", names.name.clone()),
            ("symbol", names.symbol.clone()),
            ("factor", piece.factor.to_string()),
        ];
        fields.extend(parts.map(|(part, value)| (cell_name(PIECES, row, part), value)));
    }
    fields
}

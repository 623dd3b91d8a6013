//! The form of a currency, as the API takes it.

use std::collections::BTreeSet;

use app::assets::BuiltFile;
use app::bounds::{
    MAX_CODE_CHARS, MAX_DENOMINATIONS, MAX_PRECISION, MAX_UNIT_NAME_CHARS, MAX_UNIT_SYMBOL_CHARS,
};
use app::components::field::{CheckField, Field, RadioField, SelectField, TextField};
use app::components::field_rows::{CellInput, FieldColumn, FieldRows};
use app::components::saved_form::{Existing, SavedForm};
use app::html::{Html, html};
use app::model::{Filled, IsoCurrency, SelectOption};
use app::request::{query_fields, query_part};
use app::scripts::LoadScript;
use leptos::prelude::*;
use platform::fields::Object;
use platform::text::uppercase;
use rules_engine::InputMode;

use super::fields::{
    CODE, DENOMINATIONS, FACTOR, FIELDS, FRACTION_POLICY, INPUT_MODE, NAME, PIECE_CODE, PIECE_NAME,
    PIECE_PLURAL, PIECE_SYMBOL, PIECE_UNWRITTEN, PLURAL, PRECISION, RATE, SYMBOL,
};
use super::list::{CurrenciesLayout, Templates};
use super::template::Template;
use super::{CurrenciesPage, CurrencyEntry};
use crate::pages::form::{Form, texts};

/// What the form says, as the API takes it. `rows` are the rows of the form that its denominations stand in.
pub struct CurrencyForm {
    pub object: Object,
    pub rows: Vec<usize>,
    /// The piece that is worth one base unit, as the unit of an auction that has not named its own.
    pub unit: Option<Object>,
}

impl CurrencyForm {
    pub fn read(form: &Form) -> Self {
        let mut object = texts(form, &["inputMode", "fractionPolicy"]);
        let name = form.get("name");
        object.set("name", &name);
        object.set("code", &form.get("code").map(str::to_owned).or(name.map(code_of_currency)));
        object.set("plural", &form.get("plural"));
        object.set("symbol", &form.get("symbol"));
        object.set("rateToBase", &form.number("rateToBase"));
        object.set("isDefault", &form.get("isDefault").is_some());
        if let Some(precision) = form.get("precision") {
            object.set("precision", &precision.parse::<i64>().unwrap_or(-1));
        }
        let (rows, mut denominations): (Vec<_>, Vec<_>) = denominations(form).unzip();
        give_codes(&mut denominations);
        if form.get("inputMode") != Some("SCALAR") && !denominations.is_empty() {
            object.set("denominations", &denominations);
        }
        let unit = unit(form, &denominations);
        Self { object, rows, unit }
    }
}

/// The piece that is worth one base unit: the currency itself if it is bid as one amount.
fn unit(form: &Form, denominations: &[Object]) -> Option<Object> {
    if form.number("rateToBase").is_some_and(|rate| rate != "1") {
        return None;
    }
    let named = |text: &dyn Fn(&str) -> Option<String>| {
        let mut unit = Object::default();
        unit.set("name", &text("name")?);
        unit.set("plural", &text("plural"));
        unit.set("symbol", &text("symbol"));
        Some(unit)
    };
    if form.get("inputMode") == Some("SCALAR") || denominations.is_empty() {
        return named(&|name| form.get(name).map(str::to_owned));
    }
    let one = denominations.iter().find(|piece| piece.get::<String>("factor").as_deref() == Some("1"))?;
    named(&|name| one.get(name))
}

/// The rows that are filled in.
fn denominations(form: &Form) -> impl Iterator<Item = (usize, Object)> {
    let rows = form.rows("denominations");
    rows.filter_map(|row| {
        let field = |part: &str| format!("denominations.{row}.{part}");
        let mut piece = Object::default();
        for part in ["code", "name", "plural", "symbol"] {
            piece.set_given(part, form.get(&field(part)).as_ref());
        }
        piece.set_given("factor", form.number(&field("factor")).as_ref());
        let is_filled = !piece.is_empty();
        // Browsers do not send an unchecked box.
        piece.set("written", &form.get(&field("unwritten")).is_none());
        is_filled.then_some((row, piece))
    })
}

/// Derives the codes that are left empty, each unlike the others. A name whose script gives none counts:
/// `C1`.
fn give_codes(denominations: &mut [Object]) {
    let code = |piece: &Object| piece.get::<String>("code");
    let mut given: BTreeSet<String> = denominations.iter().filter_map(code).collect();
    for piece in denominations.iter_mut().filter(|piece| !piece.gives("code")) {
        let Some(name) = piece.get::<String>("name") else { continue };
        let like = code_of(&name);
        let numbered = (1..).map(|number| format!("C{number}"));
        let derived = Some(like).filter(|code| !code.is_empty()).into_iter().chain(numbered);
        let free = derived.into_iter().find(|code| !given.contains(code));
        piece.set_given("code", free.as_ref());
        given.extend(free);
    }
}

/// A code like the name of a currency. A name whose script gives none has a number of its own.
pub fn code_of_currency(name: &str) -> String {
    let like = code_of(name);
    if !like.is_empty() {
        return like;
    }
    let letters = name.chars().fold(0_u32, |sum, letter| sum.wrapping_mul(31).wrapping_add(letter.into()));
    format!("C{}", letters % 1_000_000)
}

/// A code like the name: what a code may have of it, at most 12 characters.
fn code_of(name: &str) -> String {
    let words = uppercase(&name.split_whitespace().collect::<Vec<_>>().join("_"));
    let fits =
        |letter: &char| letter.is_ascii_uppercase() || letter.is_ascii_digit() || matches!(letter, '_' | '-');
    words.chars().filter(fits).take(12).collect()
}

/// The ISO currency with whose values the form is filled in.
const ISO: Field = Field::new("iso", "Currency", "Choose a currency of the list.");

const INPUT_MODES: &[(&str, &str, &str)] = &[
    ("SCALAR", "As one amount", "A number, such as 12 or 12.50."),
    (
        "DENOMINATION",
        "By denomination",
        "A count of each coin, note or ticket, such as 3 Galleons and 7 Knuts.",
    ),
];

const FRACTION_POLICIES: &[(&str, &str)] = &[
    ("REJECT", "Not allowed"),
    ("DOWN", "Cut off"),
    ("UP", "Rounded up"),
    ("HALF_UP", "Rounded, halves up"),
    ("HALF_EVEN", "Rounded, halves to the even digit (banker’s rounding)"),
];

/// Initial values of the form of a new currency.
pub enum NewCurrency {
    /// A choice of templates.
    Templates,
    /// A choice of ISO currencies.
    IsoCurrencies(Vec<SelectOption>),
    /// The form, filled in from an ISO currency or from a template of this name.
    Form { iso: Option<IsoCurrency>, template: Option<String> },
}

/// The fields of a form that was submitted or requested again have the values typed so far.
pub fn new_currency_page(page: CurrenciesPage, new_currency: NewCurrency) -> Html {
    let new = format!("{}/currencies/new", page.path());
    let (iso, template) = match new_currency {
        NewCurrency::Templates => {
            return html(view! {
                <CurrenciesLayout page title="New currency">
                    <p class="lead">"Choose a template."</p>
                    <Templates new />
                </CurrenciesLayout>
            });
        }
        NewCurrency::IsoCurrencies(choices) => {
            return html(view! {
                <CurrenciesLayout page title="New currency">
                    <ChooseIso choices new />
                </CurrenciesLayout>
            });
        }
        NewCurrency::Form { iso, template } => (iso, template),
    };
    let fields = template.as_deref().and_then(Template::find).map(|template| template.fields());
    let is_iso = fields.is_none() && iso.is_some();
    let mut fields = fields.or(iso.map(iso_fields)).unwrap_or_default();
    if page.currencies.is_empty() {
        fields.push(("isDefault".to_owned(), "true".to_owned()));
        // A further currency has no likely worth in the base unit: its field stays empty.
        if is_iso {
            fields.push(("rateToBase".to_owned(), "1".to_owned()));
        }
    }
    fill(fields);
    html(view! {
        <CurrenciesLayout page=page.clone() title="New currency">
            <CurrencyForm page entry=None />
        </CurrenciesLayout>
    })
}

pub fn edit_currency_page(page: CurrenciesPage, entry: CurrencyEntry) -> Html {
    fill(stored_fields(&entry));
    html(view! {
        <CurrenciesLayout page=page.clone() title="Edit currency">
            <CurrencyForm page entry=Some(entry) />
        </CurrenciesLayout>
    })
}

/// Fills in the form with these values, or with those typed so far if it is requested again with more rows.
fn fill(fields: Vec<(String, String)>) {
    provide_context(Filled(if query_part("rows").is_some() { query_fields() } else { fields }));
}

#[component]
fn ChooseIso(choices: Vec<SelectOption>, new: String) -> impl IntoView {
    view! {
        <form class="form-page" method="get" action=new>
            <SelectField field=ISO options=choices chosen="EUR" />
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
    let unit = page.base_unit.noun().several().to_owned();
    let existing = entry.as_ref().map(|entry| Existing {
        version: entry.version,
        name: entry.currency.name.clone(),
        delete: format!("{back}/{}/delete", entry.id),
        delete_blocked: in_use.then_some("It can’t be deleted: bids or an item’s minimum use it."),
    });
    let by_denomination = entry.as_ref().is_some_and(|entry| entry.currency.by_denomination());
    let policies = FRACTION_POLICIES
        .iter()
        .map(|&(value, label)| SelectOption { value: value.to_owned(), label: label.to_owned() })
        .collect::<Vec<_>>();
    // Fields that can't change any more are not shown.
    let mode = (!in_use).then(|| view! { <RadioField field=INPUT_MODE choices=INPUT_MODES /> });
    let digits = (!in_use).then(|| {
        let precisions = (0..=MAX_PRECISION).map(|digits| SelectOption {
            value: digits.to_string(),
            label: if digits == 0 { "None: whole numbers".to_owned() } else { digits.to_string() },
        });
        let precisions = precisions.collect::<Vec<_>>();
        view! {
            <div class="field-row">
                <SelectField field=PRECISION options=precisions chosen="0" />
                <SelectField field=FRACTION_POLICY options=policies chosen="REJECT" />
            </div>
        }
    });
    let denominations = (!in_use || by_denomination).then(|| view! { <Denominations frozen=in_use /> });
    view! {
        <SavedForm fields=&[FIELDS] class="currency-form" save="Save currency" back existing>
            <LoadScript script=BuiltFile::PluralsScript />
            <div class="field-row">
                <TextField field=NAME maxlength=MAX_UNIT_NAME_CHARS required=true />
                <TextField field=PLURAL hint="As in “12 of them”; empty: the same word" maxlength=MAX_UNIT_NAME_CHARS />
            </div>
            <div class="field-row">
                <TextField field=CODE hint="Capital letters and digits. Leave empty to derive it from the name" maxlength=MAX_CODE_CHARS class="short" />
                <TextField field=SYMBOL hint="Optional" maxlength=MAX_UNIT_SYMBOL_CHARS class="short" />
            </div>
            {in_use
                .then(|| {
                    view! {
                        <p class="notice">
                            "Bids or an item’s minimum use this currency, so its value and input mode can’t change. Names and symbols can."
                        </p>
                    }
                })}
            {mode}
            {denominations}
            <TextField
                field=RATE
                hint=format!("One of this currency is worth so many {unit}")
                inputmode="decimal"
                class="amount medium"
                readonly=in_use
            />
            {digits}
            <CheckField
                name="isDefault"
                label="Default currency"
                hint="Bids that name no currency are in it. It replaces the present default."
                checked=false
            />
        </SavedForm>
    }
}

#[component]
fn Denominations(frozen: bool) -> impl IntoView {
    let column = |field, head, maxlength| FieldColumn {
        field,
        head,
        maxlength: Some(maxlength),
        cell: CellInput::Text,
        readonly: false,
    };
    let columns = vec![
        column(PIECE_NAME, "Name", MAX_UNIT_NAME_CHARS),
        column(PIECE_PLURAL, "Several", MAX_UNIT_NAME_CHARS),
        FieldColumn { readonly: frozen, ..column(PIECE_CODE, "Code", MAX_CODE_CHARS) },
        column(PIECE_SYMBOL, "Symbol", MAX_UNIT_SYMBOL_CHARS),
        FieldColumn {
            field: FACTOR,
            head: "Worth",
            cell: CellInput::Decimal,
            readonly: frozen,
            maxlength: None,
        },
        FieldColumn {
            field: PIECE_UNWRITTEN,
            head: "Not written",
            cell: CellInput::Tick,
            readonly: false,
            maxlength: None,
        },
    ];
    view! {
        <FieldRows
            field=DENOMINATIONS
            hint="Worth is how many of the smallest denomination one is worth. That of the smallest itself is often 1. Amounts are not written with a piece whose box is ticked; it may still be bid."
            more="More denominations"
            class="denominations"
            columns
            max=MAX_DENOMINATIONS
            fixed=frozen
        />
    }
}

fn iso_fields(currency: IsoCurrency) -> Vec<(String, String)> {
    let fields = [
        ("code", currency.code),
        ("name", currency.name),
        ("symbol", currency.symbol),
        ("inputMode", "SCALAR".to_owned()),
        ("precision", u32::from(currency.minor_digits).min(MAX_PRECISION).to_string()),
    ];
    fields.map(|(name, value)| (name.to_owned(), value)).into()
}

fn stored_fields(entry: &CurrencyEntry) -> Vec<(String, String)> {
    let currency = &entry.currency;
    let mode = match currency.input_mode {
        InputMode::Scalar => "SCALAR",
        InputMode::Denomination => "DENOMINATION",
    };
    let mut fields = vec![
        ("code".to_owned(), entry.code.clone()),
        ("name".to_owned(), currency.name.clone()),
        ("plural".to_owned(), currency.plural.clone().unwrap_or_default()),
        ("symbol".to_owned(), currency.symbol.clone()),
        ("rateToBase".to_owned(), currency.rate_to_base.to_string()),
        ("inputMode".to_owned(), mode.to_owned()),
        ("precision".to_owned(), currency.precision.to_string()),
        ("fractionPolicy".to_owned(), currency.fraction_policy.as_str().to_owned()),
    ];
    if entry.is_default {
        fields.push(("isDefault".to_owned(), "true".to_owned()));
    }
    for (row, denomination) in currency.denominations.iter().enumerate() {
        let parts = [
            (PIECE_CODE, denomination.code.clone()),
            (PIECE_NAME, denomination.name.clone()),
            (PIECE_PLURAL, denomination.plural.clone().unwrap_or_default()),
            (PIECE_SYMBOL, denomination.symbol.clone()),
            (FACTOR, denomination.factor.to_string()),
        ];
        fields.extend(parts.map(|(field, value)| (field.in_row(row), value)));
        if !denomination.written {
            fields.push((PIECE_UNWRITTEN.in_row(row), "true".to_owned()));
        }
    }
    fields
}

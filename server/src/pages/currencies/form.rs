//! The form of a currency, as the API takes it.

use serde::Serialize;

use crate::pages::form::{Form, texts};
use platform::fields::Object;
use platform::text::uppercase;

/// What the form says, as the API takes it. `rows` are the rows of the form that its denominations stand in.
pub struct CurrencyForm {
    pub object: Object,
    pub rows: Vec<usize>,
    /// The piece that is worth one base unit, as the unit of an auction that has not named its own.
    pub unit: Option<Object>,
}

#[derive(Serialize)]
struct DenominationInput {
    code: Option<String>,
    name: Option<String>,
    plural: Option<String>,
    symbol: Option<String>,
    factor: Option<String>,
    written: bool,
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
fn unit(form: &Form, denominations: &[DenominationInput]) -> Option<Object> {
    if form.number("rateToBase").is_some_and(|rate| rate != "1") {
        return None;
    }
    let named = |name: Option<&str>, plural: Option<&str>, symbol: Option<&str>| {
        let mut unit = Object::default();
        unit.set("name", &name?);
        unit.set("plural", &plural);
        unit.set("symbol", &symbol);
        Some(unit)
    };
    if form.get("inputMode") == Some("SCALAR") || denominations.is_empty() {
        return named(form.get("name"), form.get("plural"), form.get("symbol"));
    }
    let one = denominations.iter().find(|piece| piece.factor.as_deref() == Some("1"))?;
    named(one.name.as_deref(), one.plural.as_deref(), one.symbol.as_deref())
}

/// The rows that are filled in.
fn denominations(form: &Form) -> impl Iterator<Item = (usize, DenominationInput)> {
    let rows = form.rows("denominations");
    rows.filter_map(|row| {
        let part = |part: &str| form.get(&format!("denominations.{row}.{part}")).map(str::to_owned);
        let (name, symbol) = (part("name"), part("symbol"));
        let factor = form.number(&format!("denominations.{row}.factor"));
        let code = part("code");
        let plural = part("plural");
        let filled = [&code, &name, &plural, &symbol, &factor].into_iter().any(Option::is_some);
        // Browsers do not send an unchecked box.
        let written = part("unwritten").is_none();
        filled.then_some((row, DenominationInput { code, name, plural, symbol, factor, written }))
    })
}

/// Derives the codes that are left empty, each unlike the others. A name whose script gives none counts:
/// `C1`.
fn give_codes(denominations: &mut [DenominationInput]) {
    for at in 0..denominations.len() {
        let given = |code: &String| denominations.iter().any(|other| other.code.as_ref() == Some(code));
        let Some(DenominationInput { code: None, name: Some(name), .. }) = denominations.get(at) else {
            continue;
        };
        let like = code_of(name);
        let numbered = (1..).map(|number| format!("C{number}"));
        let derived = Some(like).filter(|code| !code.is_empty()).into_iter().chain(numbered);
        let free = derived.into_iter().find(|code| !given(code));
        if let Some(denomination) = denominations.get_mut(at) {
            denomination.code = free;
        }
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

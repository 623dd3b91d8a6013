//! ISO currencies as page data.

use std::sync::LazyLock;

use app::model::{IsoCurrency, SelectOption};
use iso_currency::Currency;

/// Currencies in use, for the select field of an item's currency: no metals, funds or replaced currencies.
/// The API takes those by their code.
static IN_USE: LazyLock<Vec<SelectOption>> = LazyLock::new(|| {
    let in_use = |currency: &Currency| {
        !currency.is_special() && !currency.is_fund() && currency.is_superseded().is_none()
    };
    let mut options: Vec<_> = (0..1000)
        .filter_map(Currency::from_numeric)
        .filter(in_use)
        .map(|currency| SelectOption {
            value: currency.code().to_owned(),
            label: format!("{} – {}", currency.code(), currency.name()),
        })
        .collect();
    options.sort_by(|one, other| one.value.cmp(&other.value));
    options
});

/// The options of the select field.
pub fn in_use() -> Vec<SelectOption> {
    IN_USE.clone()
}

/// Any currency by its code.
pub fn find(code: &str) -> Option<IsoCurrency> {
    let currency = Currency::from_code(code)?;
    Some(IsoCurrency {
        code: currency.code().to_owned(),
        name: currency.name().to_owned(),
        symbol: currency.symbol().to_string(),
        minor_digits: currency.exponent().unwrap_or(0),
    })
}

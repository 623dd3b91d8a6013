//! ISO currencies as page data.

use std::sync::LazyLock;

use app::model::{IsoCurrency, SelectOption};
use iso_currency::Currency;

/// A dated copy of the list of current currencies: code, minor digits and name in each line, and for some
/// what people call the currency.
const LIST: &str = include_str!("iso_4217.tsv");

/// Currencies in use, for the select field of an item's currency: no metals, funds or replaced currencies.
/// The API takes those by their code.
static IN_USE: LazyLock<Vec<SelectOption>> = LazyLock::new(|| {
    let option = |line: Line| {
        let called = line.called.map(|called| format!(" ({called})")).unwrap_or_default();
        let label = format!("{} – {}{called}", line.code, line.name);
        SelectOption { value: line.code.to_owned(), label }
    };
    lines().map(option).collect()
});

/// A line of the list.
struct Line {
    code: &'static str,
    digits: u16,
    name: &'static str,
    /// What people call the currency, if another one has its name.
    called: Option<&'static str>,
}

/// The currencies of the list, by code.
fn lines() -> impl Iterator<Item = Line> {
    LIST.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let mut cells = line.split('\t');
        let (code, digits, name) = (cells.next()?, cells.next()?, cells.next()?);
        Some(Line { code, digits: digits.parse().ok()?, name, called: cells.next() })
    })
}

/// The options of the select field.
pub fn in_use() -> Vec<SelectOption> {
    IN_USE.clone()
}

/// Whether the select field has the currency.
pub fn is_in_use(code: &str) -> bool {
    lines().any(|line| line.code == code)
}

/// Any currency by its code. The list does not name those that are not in use.
pub fn find(code: &str) -> Option<IsoCurrency> {
    let currency = Currency::from_code(code)?;
    let listed = lines().find(|line| line.code == currency.code());
    let (name, minor_digits) = listed
        .map_or_else(|| (currency.name(), currency.exponent().unwrap_or(0)), |line| (line.name, line.digits));
    Some(IsoCurrency {
        code: currency.code().to_owned(),
        name: name.to_owned(),
        symbol: currency.symbol().to_string(),
        minor_digits,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Codes that the crate takes for replaced: both bolívars are current.
    const CURRENT_ALL_THE_SAME: &[&str] = &["VES"];

    #[test]
    fn every_current_currency_is_offered_with_its_digits_and_its_name() {
        let listed: Vec<Line> = lines().collect();
        let rows = LIST.lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!((listed.len(), in_use().len()), (rows, rows), "every line is read");
        assert!(listed.windows(2).all(|two| matches!(two, [one, next] if one.code < next.code)), "by code");
        for Line { code, digits, name, .. } in listed {
            let known = find(code).unwrap_or_else(|| panic!("{code} is unknown"));
            let crates = Currency::from_code(code).and_then(|currency| currency.exponent());
            assert_eq!(
                (known.name.as_str(), known.minor_digits, crates),
                (name, digits, Some(digits)),
                "{code}"
            );
        }
    }

    #[test]
    fn options_of_one_name_can_be_told_apart() {
        let names = lines().map(|line| (line.name, line.called));
        assert_eq!(names.collect::<BTreeSet<_>>().len(), lines().count());
        let options = in_use();
        let label =
            |code: &str| options.iter().find(|option| option.value == code).map(|it| it.label.as_str());
        assert_eq!(label("VES"), Some("VES – Bolívar Soberano"));
        assert_eq!(label("VED"), Some("VED – Bolívar Soberano (Bolívar Digital)"));
    }

    #[test]
    fn the_crate_knows_no_further_current_currency() {
        let is_current = |currency: &Currency| {
            let is_replaced =
                currency.is_superseded().is_some() && !CURRENT_ALL_THE_SAME.contains(&currency.code());
            !currency.is_special() && !currency.is_fund() && !is_replaced
        };
        let known = (0..1000).filter_map(Currency::from_numeric).filter(is_current);
        let known: BTreeSet<&str> = known.map(|currency| currency.code()).collect();
        assert_eq!(known, lines().map(|line| line.code).collect::<BTreeSet<_>>());
    }
}

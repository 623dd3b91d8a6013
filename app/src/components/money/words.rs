//! Amounts in words. Names are used as they were given: a plural is never invented.

use crate::model::{BaseUnit, CurrencyNames};

/// What was entered: `3 Galleon · 7 Knut` for counts by denomination code, `12.5 GBP` for an amount.
pub fn in_words<'a>(
    currency: &CurrencyNames,
    amount: Option<&str>,
    counts: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> String {
    if let Some(amount) = amount {
        return named(amount, &currency.name);
    }
    let counts = counts.into_iter().map(|(code, count)| {
        let denomination = currency.denominations.iter().find(|denomination| denomination.code == code);
        named(count, denomination.map_or(code, |denomination| &denomination.name))
    });
    counts.collect::<Vec<_>>().join(" · ")
}

/// A number and what it counts, on one line: `3 Galleon`.
pub fn named(number: &str, name: &str) -> String {
    format!("{number}\u{a0}{name}")
}

/// How the base unit is called.
pub fn unit_word(unit: &BaseUnit) -> String {
    let word = [&unit.name, &unit.symbol].into_iter().find(|word| !word.is_empty());
    word.map_or_else(|| "base units".to_owned(), Clone::clone)
}

#[cfg(test)]
mod tests {
    use super::{in_words, unit_word};
    use crate::model::{BaseUnit, CurrencyNames, DenominationName};

    fn wizarding() -> CurrencyNames {
        let piece = |code: &str, name: &str| DenominationName {
            code: code.to_owned(),
            name: name.to_owned(),
            symbol: String::new(),
        };
        CurrencyNames {
            profile_id: None,
            name: "Wizarding money".to_owned(),
            symbol: String::new(),
            denominations: vec![piece("GALLEON", "Galleon"), piece("KNUT", "Knut")],
        }
    }

    #[test]
    fn counts_are_named_after_their_denominations() {
        let words = in_words(&wizarding(), None, [("GALLEON", "3"), ("KNUT", "7.5")]);
        assert_eq!(words, "3\u{a0}Galleon · 7.5\u{a0}Knut");
    }

    #[test]
    fn a_denomination_that_is_gone_keeps_its_code() {
        assert_eq!(in_words(&wizarding(), None, [("SICKLE", "1")]), "1\u{a0}SICKLE");
    }

    #[test]
    fn an_amount_is_named_after_its_currency() {
        assert_eq!(in_words(&wizarding(), Some("12.5"), []), "12.5\u{a0}Wizarding money");
    }

    #[test]
    fn a_unit_without_a_name_is_called_by_its_symbol() {
        let mut unit = BaseUnit { name: "Knut".to_owned(), symbol: "ʞ".to_owned() };
        assert_eq!(unit_word(&unit), "Knut");
        unit.name.clear();
        assert_eq!(unit_word(&unit), "ʞ");
        assert_eq!(unit_word(&BaseUnit::default()), "base units");
    }
}

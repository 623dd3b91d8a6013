//! Amounts as text, with the names of the auction's currencies.

use crate::model::{BaseUnit, CurrencyNames};

/// The entered representation: `3 Galleons · 7 Knuts` for counts by denomination code, `12.5 GBP` for an amount.
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
        counted(count, denomination.map_or(code, |denomination| &denomination.name))
    });
    counts.collect::<Vec<_>>().join(" · ")
}

/// A number and its unit with a no-break space: `12.5 GBP`.
fn named(number: &str, name: &str) -> String {
    format!("{number}\u{a0}{name}")
}

/// A number and the counted unit in singular or plural, with a no-break space: `3 Galleons`.
pub fn counted(number: &str, name: &str) -> String {
    if number == "1" { named(number, name) } else { named(number, &plural(name)) }
}

/// English plural of a unit's name. Metals have none, and neither have codes, symbols and names that do not end in a
/// lowercase ASCII letter.
pub fn plural(name: &str) -> String {
    let metal = METALS.iter().any(|metal| name.eq_ignore_ascii_case(metal));
    let mut ends = name.chars().rev();
    let (last, before) = (ends.next().unwrap_or(' '), ends.next().unwrap_or(' '));
    let vowel = |letter| matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u');
    match (before, last) {
        _ if metal || name.len() < 3 || !last.is_ascii_lowercase() => name.to_owned(),
        (_, 's' | 'x' | 'z') | ('c' | 's', 'h') => format!("{name}es"),
        (before, 'y') if !vowel(before) => format!("{}ies", name.strip_suffix('y').unwrap_or(name)),
        _ => format!("{name}s"),
    }
}

const METALS: [&str; 5] = ["bronze", "copper", "gold", "platinum", "silver"];

/// A ratio as a percentage. Moves the decimal point, so that no digit is lost.
pub fn percent(share: &str) -> String {
    let (whole, fraction) = share.split_once('.').unwrap_or((share, ""));
    let padded = format!("{fraction:0<2}");
    let (hundredths, rest) = padded.split_at(2);
    let digits = format!("{whole}{hundredths}");
    let digits = digits.trim_start_matches('0');
    let digits = if digits.is_empty() { "0" } else { digits };
    if rest.is_empty() { format!("{digits}\u{a0}%") } else { format!("{digits}.{rest}\u{a0}%") }
}

/// Name of one base unit.
pub fn unit_word(unit: &BaseUnit) -> String {
    let word = [&unit.name, &unit.symbol].into_iter().find(|word| !word.is_empty());
    word.map_or_else(|| "base unit".to_owned(), Clone::clone)
}

#[cfg(test)]
mod tests {
    use super::{counted, in_words, percent, plural, unit_word};
    use crate::model::{BaseUnit, CurrencyNames, DenominationName};

    fn wizarding() -> CurrencyNames {
        let denomination = |code: &str, name: &str| DenominationName {
            code: code.to_owned(),
            name: name.to_owned(),
            symbol: String::new(),
        };
        CurrencyNames {
            profile_id: None,
            name: "Wizarding money".to_owned(),
            symbol: String::new(),
            denominations: vec![denomination("GALLEON", "Galleon"), denomination("KNUT", "Knut")],
        }
    }

    #[test]
    fn counts_are_named_after_their_denominations() {
        let words = in_words(&wizarding(), None, [("GALLEON", "3"), ("KNUT", "7.5")]);
        assert_eq!(words, "3\u{a0}Galleons · 7.5\u{a0}Knuts");
    }

    #[test]
    fn only_one_is_singular() {
        assert_eq!(counted("1", "Penny"), "1\u{a0}Penny");
        assert_eq!(counted("0", "Penny"), "0\u{a0}Pennies");
        assert_eq!(counted("1.5", "Sickle"), "1.5\u{a0}Sickles");
    }

    #[test]
    fn plurals_are_english_or_equal_the_singular() {
        for (singular, expected) in [
            ("Knut", "Knuts"),
            ("Penny", "Pennies"),
            ("Key", "Keys"),
            ("Brass", "Brasses"),
            ("Box", "Boxes"),
            ("Gold", "Gold"),
            ("Gold piece", "Gold pieces"),
            ("EUR", "EUR"),
            ("kr", "kr"),
            ("Kč", "Kč"),
            ("", ""),
        ] {
            assert_eq!(plural(singular), expected);
        }
    }

    #[test]
    fn a_deleted_denomination_is_named_by_its_code() {
        assert_eq!(in_words(&wizarding(), None, [("SICKLE", "1")]), "1\u{a0}SICKLE");
    }

    #[test]
    fn an_amount_has_the_name_of_its_currency() {
        assert_eq!(in_words(&wizarding(), Some("12.5"), []), "12.5\u{a0}Wizarding money");
    }

    #[test]
    fn a_unit_without_a_name_is_named_by_its_symbol() {
        let mut unit = BaseUnit { name: "Knut".to_owned(), symbol: "ʞ".to_owned() };
        assert_eq!(unit_word(&unit), "Knut");
        unit.name.clear();
        assert_eq!(unit_word(&unit), "ʞ");
        assert_eq!(unit_word(&BaseUnit::default()), "base unit");
    }

    #[test]
    fn a_ratio_becomes_a_percentage() {
        assert_eq!(percent("0.25"), "25\u{a0}%");
        assert_eq!(percent("0.123456"), "12.3456\u{a0}%");
        assert_eq!(percent("0.5"), "50\u{a0}%");
        assert_eq!(percent("1"), "100\u{a0}%");
        assert_eq!(percent("0"), "0\u{a0}%");
        assert_eq!(percent("0.0025"), "0.25\u{a0}%");
    }
}

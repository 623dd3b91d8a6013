//! Amounts as text, with the names of the auction's currencies.

use crate::components::name::isolated;
use crate::model::{BaseUnit, CurrencyNames, written_like};

/// The entered representation: `3 Galleons · 7 Knuts` for counts by denomination code, `18 Raffle tickets`
/// for an amount. `unit` is that of the auction's bids. A legacy auction has no other currency.
pub fn in_words<'a>(
    currency: &CurrencyNames,
    unit: &BaseUnit,
    amount: Option<&str>,
    counts: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> String {
    if let Some(amount) = amount {
        return if unit.zero.is_some() { amount_in(amount, unit) } else { amount_of(amount, currency) };
    }
    let counts = counts.into_iter().map(|(code, count)| {
        let denomination = currency.denominations.iter().find(|denomination| denomination.code == code);
        counted(count, denomination.map_or(code, |denomination| &denomination.name))
    });
    counts.collect::<Vec<_>>().join(" · ")
}

/// An amount in base units: `12 Knuts`, `£12.50`.
pub fn amount_in(amount: &str, unit: &BaseUnit) -> String {
    match &unit.zero {
        Some(zero) => written_like(zero, amount),
        None => counted(amount, &unit_word(unit)),
    }
}

/// The number of an amount in base units. That of money has its symbol.
pub fn number_of(amount: &str, unit: &BaseUnit) -> String {
    unit.zero.as_deref().map_or_else(|| amount.to_owned(), |zero| written_like(zero, amount))
}

/// The unit after the number. Money has none.
pub fn unit_after(amount: &str, unit: &BaseUnit) -> String {
    if unit.zero.is_some() { String::new() } else { inflected(amount, &unit_word(unit)) }
}

/// A number and its unit with a no-break space: `12.5 GBP`.
fn named(number: &str, name: &str) -> String {
    format!("{number}\u{a0}{}", isolated(name))
}

/// An amount of a currency that has no denominations. Its name may be a plural (`Raffle tickets`), a singular
/// (`Raffle ticket`) or not countable (`Credit`). Where the name may need another form, the symbol stands
/// instead, or a times sign.
fn amount_of(number: &str, currency: &CurrencyNames) -> String {
    let CurrencyNames { name, symbol, .. } = currency;
    let fits = if number == "1" { !is_plural(name) } else { is_plural(name) || plural(name) == *name };
    match (fits, symbol.as_str()) {
        (true, _) => named(number, name),
        (false, "") => named(number, &format!("×\u{a0}{name}")),
        (false, symbol) => named(number, symbol),
    }
}

/// A number and the counted unit in singular or plural, with a no-break space: `3 Galleons`.
pub fn counted(number: &str, name: &str) -> String {
    named(number, &inflected(number, name))
}

/// The name of a unit after a number. Units are named in the singular. A name that looks like a plural is not
/// changed, and after 1 it follows a times sign: `1 × Points`.
fn inflected(number: &str, name: &str) -> String {
    match (number == "1", is_plural(name)) {
        (true, true) => format!("×\u{a0}{name}"),
        (true, false) => name.to_owned(),
        (false, _) => plural(name),
    }
}

/// Whether the name looks like an English plural.
fn is_plural(name: &str) -> bool {
    name.len() > 3 && name.ends_with('s') && !name.ends_with("ss")
}

/// English plural of a unit's name. Some nouns have none, and neither have plurals, codes, symbols and names
/// that do not end in a lowercase ASCII letter.
pub fn plural(name: &str) -> String {
    let last_word = name.rsplit(' ').next().unwrap_or_default();
    let uncountable = UNCOUNTABLE.iter().any(|noun| last_word.eq_ignore_ascii_case(noun));
    let mut ends = name.chars().rev();
    let (last, before) = (ends.next().unwrap_or(' '), ends.next().unwrap_or(' '));
    let vowel = |letter| matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u');
    match (before, last) {
        _ if uncountable || is_plural(name) || name.len() < 3 || !last.is_ascii_lowercase() => {
            name.to_owned()
        }
        (_, 's' | 'x' | 'z') | ('c' | 's', 'h') => format!("{name}es"),
        (before, 'y') if !vowel(before) => format!("{}ies", name.strip_suffix('y').unwrap_or(name)),
        _ => format!("{name}s"),
    }
}

const UNCOUNTABLE: [&str; 6] = ["bronze", "copper", "gold", "money", "platinum", "silver"];

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
    use super::{amount_in, counted, in_words, percent, plural, unit_word};
    use crate::model::{BaseUnit, CurrencyNames, Denomination};

    fn wizarding() -> CurrencyNames {
        let denomination = |code: &str, name: &str| Denomination {
            code: code.to_owned(),
            name: name.to_owned(),
            symbol: String::new(),
            factor: "1".into(),
        };
        CurrencyNames {
            profile_id: None,
            name: "Wizarding money".to_owned(),
            symbol: String::new(),
            denominations: vec![denomination("GALLEON", "Galleon"), denomination("KNUT", "Knut")],
        }
    }

    /// An amount in a currency of this name and symbol.
    fn amount(number: &str, name: &str, symbol: &str) -> String {
        let currency = CurrencyNames {
            profile_id: None,
            name: name.to_owned(),
            symbol: symbol.to_owned(),
            denominations: Vec::new(),
        };
        in_words(&currency, &BaseUnit::default(), Some(number), [])
    }

    #[test]
    fn counts_are_named_after_their_denominations() {
        let words = in_words(&wizarding(), &BaseUnit::default(), None, [("GALLEON", "3"), ("KNUT", "7.5")]);
        assert_eq!(words, "3\u{a0}Galleons · 7.5\u{a0}Knuts");
    }

    #[test]
    fn a_unit_from_right_to_left_does_not_turn_its_number() {
        assert_eq!(counted("12", "שקל"), "12\u{a0}\u{2068}שקל\u{2069}");
    }

    #[test]
    fn only_one_is_singular() {
        assert_eq!(counted("1", "Penny"), "1\u{a0}Penny");
        assert_eq!(counted("0", "Penny"), "0\u{a0}Pennies");
        assert_eq!(counted("1.5", "Sickle"), "1.5\u{a0}Sickles");
    }

    #[test]
    fn a_unit_that_is_named_in_the_plural_is_never_wrong() {
        assert_eq!(counted("500", "Points"), "500\u{a0}Points");
        assert_eq!(counted("1", "Points"), "1\u{a0}×\u{a0}Points");
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
            ("Guild gold", "Guild gold"),
            ("Gold piece", "Gold pieces"),
            ("Raffle tickets", "Raffle tickets"),
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
        let words = in_words(&wizarding(), &BaseUnit::default(), None, [("SICKLE", "1")]);
        assert_eq!(words, "1\u{a0}SICKLE");
    }

    #[test]
    fn an_amount_has_the_name_of_its_currency_where_that_is_right() {
        for (number, name, symbol, expected) in [
            ("12.5", "Wizarding money", "W", "12.5\u{a0}Wizarding money"),
            ("12.5", "GBP", "£", "12.5\u{a0}GBP"),
            ("18", "Raffle tickets", "RT", "18\u{a0}Raffle tickets"),
            ("1", "Raffle ticket", "RT", "1\u{a0}Raffle ticket"),
            ("1", "Raffle tickets", "RT", "1\u{a0}RT"),
            ("18", "Raffle ticket", "RT", "18\u{a0}RT"),
            ("1", "Raffle tickets", "", "1\u{a0}×\u{a0}Raffle tickets"),
            ("18", "Raffle ticket", "", "18\u{a0}×\u{a0}Raffle ticket"),
        ] {
            assert_eq!(amount(number, name, symbol), expected);
        }
    }

    #[test]
    fn money_is_written_as_in_the_viewers_locale() {
        let unit =
            BaseUnit { name: "GBP".to_owned(), symbol: "£".to_owned(), zero: Some("£0.00".to_owned()) };
        assert_eq!(amount_in("12.5", &unit), "£12.50");
        assert_eq!(in_words(&wizarding(), &unit, Some("12.5"), []), "£12.50");
    }

    #[test]
    fn a_unit_without_a_name_is_named_by_its_symbol() {
        let mut unit = BaseUnit { name: "Knut".to_owned(), symbol: "ʞ".to_owned(), zero: None };
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

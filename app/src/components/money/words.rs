//! Amounts as text, with the names of the auction's currencies.

use crate::model::{BaseUnit, CurrencyNames, Noun, written_like};
use rules_engine::words::{BETWEEN_PIECES, Said};

pub use rules_engine::words::counted;

/// The entered representation: `3 Galleons · 7 Knuts` for counts by denomination code, `18 Raffle tickets`
/// for an amount. `unit` is that of the auction's bids. A legacy auction has no other currency.
pub fn in_words<'a>(
    currency: &CurrencyNames,
    unit: &BaseUnit,
    amount: Option<&str>,
    counts: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> String {
    if let Some(amount) = amount {
        return if unit.zero.is_some() {
            base_amount(amount, unit)
        } else {
            counted(amount, currency.noun())
        };
    }
    let counts = counts.into_iter().map(|(code, count)| counted(count, currency.piece(code)));
    counts.collect::<Vec<_>>().join(BETWEEN_PIECES)
}

/// An amount in base units as people say it: in the pieces of the auction's currency, with base units beside
/// them: `3 Galleons · 2 Sickles (1537 Knuts)`, or `12 Knuts`, `£12.50`.
pub fn amount_in(amount: &str, unit: &BaseUnit) -> String {
    said(amount, unit).to_string()
}

/// An amount in base units, in pieces and in base units.
pub fn said(amount: &str, unit: &BaseUnit) -> Said {
    let named = unit.is_named().then(|| unit.noun());
    match &unit.written_in {
        Some(currency) => Said::new(amount, named, Some(&currency.named())),
        None => Said { pieces: None, base: Some(base_amount(amount, unit)) },
    }
}

/// Whether a text says nothing that the amount in words does not say.
pub fn says_the_same(words: &str, said: &Said) -> bool {
    [&said.pieces, &said.base].into_iter().flatten().any(|text| text == words)
}

/// An amount in base units alone: `12 Knuts`, `£12.50`.
pub fn base_amount(amount: &str, unit: &BaseUnit) -> String {
    match &unit.zero {
        Some(zero) => written_like(zero, amount),
        None => counted(amount, unit.noun()),
    }
}

/// The number of an amount in base units. That of money has its symbol.
pub fn number_of(amount: &str, unit: &BaseUnit) -> String {
    unit.zero.as_deref().map_or_else(|| amount.to_owned(), |zero| written_like(zero, amount))
}

/// The unit after the number. Money has none.
pub fn unit_after(amount: &str, unit: &BaseUnit) -> String {
    if unit.zero.is_some() { String::new() } else { unit.noun().after(amount).to_owned() }
}

/// Items that have just come, counted.
pub const NEW_ITEMS: Noun<'static> = Noun { one: "new item", several: Some("new items") };
/// Bids, counted.
pub const BIDS: Noun<'static> = Noun { one: "bid", several: Some("bids") };

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

#[cfg(test)]
mod tests {
    use rules_engine::{FractionPolicy, InputMode};

    use super::{amount_in, in_words, percent, said, says_the_same};
    use crate::model::{BaseUnit, BidCurrency, CurrencyNames, Denomination};

    fn wizarding() -> CurrencyNames {
        let denomination = |code: &str, name: &str, plural: Option<&str>| Denomination {
            code: code.to_owned(),
            name: name.to_owned(),
            plural: plural.map(str::to_owned),
            symbol: String::new(),
            factor: "1".into(),
            written: true,
        };
        CurrencyNames {
            profile_id: None,
            name: "Wizarding money".to_owned(),
            plural: None,
            symbol: String::new(),
            denominations: vec![
                denomination("GALLEON", "Galleon", Some("Galleons")),
                denomination("KNUT", "Knut", Some("Knuts")),
                denomination("ORB", "Orb of Alchemy", Some("Orbs of Alchemy")),
                denomination("GOLD", "Gold", None),
            ],
        }
    }

    #[test]
    fn counts_are_named_after_their_denominations() {
        let words = in_words(&wizarding(), &BaseUnit::default(), None, [("GALLEON", "3"), ("KNUT", "7.5")]);
        assert_eq!(words, "3\u{a0}Galleons\u{a0}· 7.5\u{a0}Knuts");
        let words = in_words(&wizarding(), &BaseUnit::default(), None, [("ORB", "2"), ("GOLD", "4")]);
        assert_eq!(words, "2\u{a0}Orbs of Alchemy\u{a0}· 4\u{a0}Gold", "as the maker wrote them");
    }

    #[test]
    fn a_deleted_denomination_is_named_by_its_code() {
        let words = in_words(&wizarding(), &BaseUnit::default(), None, [("SICKLE", "1")]);
        assert_eq!(words, "1\u{a0}SICKLE");
    }

    #[test]
    fn an_amount_has_the_name_of_its_currency() {
        let mut tickets = wizarding();
        (tickets.name, tickets.plural) = ("Raffle ticket".to_owned(), Some("Raffle tickets".to_owned()));
        let amount = |number| in_words(&tickets, &BaseUnit::default(), Some(number), []);
        assert_eq!(amount("1"), "1\u{a0}Raffle ticket");
        assert_eq!(amount("18"), "18\u{a0}Raffle tickets");
        assert_eq!(
            in_words(&wizarding(), &BaseUnit::default(), Some("12.5"), []),
            "12.5\u{a0}Wizarding money"
        );
    }

    #[test]
    fn money_is_written_as_in_the_viewers_locale() {
        let unit = BaseUnit {
            name: "GBP".to_owned(),
            plural: None,
            symbol: "£".to_owned(),
            zero: Some("£0.00".to_owned()),
            written_in: None,
        };
        assert_eq!(amount_in("12.5", &unit), "£12.50");
        assert_eq!(in_words(&wizarding(), &unit, Some("12.5"), []), "£12.50");
    }

    fn knuts() -> BaseUnit {
        let piece = |code: &str, name: &str, factor: &str, written: bool| Denomination {
            code: code.to_owned(),
            name: name.to_owned(),
            plural: Some(format!("{name}s")),
            symbol: String::new(),
            factor: factor.into(),
            written,
        };
        let currency = BidCurrency {
            profile_id: None,
            name: "Wizarding money".to_owned(),
            plural: None,
            symbol: String::new(),
            input_mode: InputMode::Denomination,
            rate_to_base: "1".into(),
            precision: 0,
            fraction_policy: FractionPolicy::Reject,
            denominations: vec![
                piece("CROWN", "Crown", "500", false),
                piece("GALLEON", "Galleon", "493", true),
                piece("SICKLE", "Sickle", "29", true),
                piece("KNUT", "Knut", "1", true),
            ],
        };
        BaseUnit {
            name: "Knut".to_owned(),
            plural: Some("Knuts".to_owned()),
            written_in: Some(Box::new(currency)),
            ..BaseUnit::default()
        }
    }

    #[test]
    fn an_amount_is_in_pieces_with_base_units_beside_them() {
        for (amount, words) in [
            ("1537", "3\u{a0}Galleons\u{a0}· 2\u{a0}Sickles (1537\u{a0}Knuts)"),
            ("500", "1\u{a0}Galleon\u{a0}· 7\u{a0}Knuts (500\u{a0}Knuts)"),
            ("12", "12\u{a0}Knuts"),
            ("1", "1\u{a0}Knut"),
            ("0.5", "0.5\u{a0}Knuts"),
            ("0", "0\u{a0}Knuts"),
            ("-29", "-1\u{a0}Sickle (-29\u{a0}Knuts)"),
        ] {
            assert_eq!(amount_in(amount, &knuts()), words);
        }
        assert_eq!(amount_in("1537", &knuts().bare()), "1537\u{a0}Knuts");
        assert!(says_the_same("3\u{a0}Galleons\u{a0}· 2\u{a0}Sickles", &said("1537", &knuts())));
        assert!(says_the_same("1537\u{a0}Knuts", &said("1537", &knuts())));
        assert!(!says_the_same("53\u{a0}Sickles", &said("1537", &knuts())));
    }

    #[test]
    fn a_currency_with_the_name_of_the_unit_is_said_once() {
        let mut unit = knuts();
        let currency = unit.written_in.as_mut().unwrap();
        (currency.name, currency.input_mode) = ("Knut".to_owned(), InputMode::Scalar);
        currency.denominations.clear();
        assert_eq!(amount_in("300", &unit), "300\u{a0}Knuts");
        unit.written_in.as_mut().unwrap().rate_to_base = "2".into();
        assert_eq!(amount_in("300", &unit), "150\u{a0}Knut (300\u{a0}Knuts)");
    }

    #[test]
    fn a_unit_without_a_name_is_named_by_its_symbol() {
        let unit = |name: &str, symbol: &str| BaseUnit {
            name: name.to_owned(),
            symbol: symbol.to_owned(),
            ..BaseUnit::default()
        };
        assert_eq!(amount_in("2", &unit("Knut", "ʞ")), "2\u{a0}Knut");
        assert_eq!(amount_in("2", &unit("", "ʞ")), "2\u{a0}ʞ");
        assert_eq!(amount_in("2", &BaseUnit::default()), "2\u{a0}base units");
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

//! Amounts as people say them, with the names that the maker of a currency gave.

use alloc::{
    string::{String, ToString},
    vec,
    vec::Vec,
};
use core::fmt;

use crate::{
    bid::Entered,
    money::Amount,
    profile::{Profile, ProfileDefinition},
};

/// What may stand before an amount.
const SIGNS: [char; 2] = ['-', '+'];

/// Stands between two pieces: a line does not begin with the dot.
pub const BETWEEN_PIECES: &str = "\u{a0}· ";

/// A name with its plural, as the maker of a currency gave them. Nothing is guessed: a name without a plural
/// stands for every count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Noun<'a> {
    /// The name of one.
    pub one: &'a str,
    /// The name of several.
    pub several: Option<&'a str>,
}

/// A currency with the names of its pieces.
#[derive(Debug, Clone)]
pub struct NamedCurrency<'a> {
    /// Decides which pieces make an amount.
    pub definition: ProfileDefinition,
    /// The currency's own name, for amounts in SCALAR mode.
    pub noun: Noun<'a>,
    /// The names of the denominations by their codes.
    pub pieces: Vec<(&'a str, Noun<'a>)>,
}

/// An amount where a person reads it: in the pieces of a currency, in base units, or both. It has at least
/// one of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// `3 Galleons · 2 Sickles`. None if no pieces make the amount, or if they say the same as base units.
    pub pieces: Option<String>,
    /// `1537 Knuts`. None if the pieces say it, because the base unit has no name.
    pub base: Option<String>,
}

/// A canonical decimal with at least so many fraction digits, after this mark: `12.50`, `12,50`.
#[must_use]
pub fn with_digits(amount: &str, digits: usize, mark: &str) -> String {
    let (whole, fraction) = amount.split_once('.').unwrap_or((amount, ""));
    if digits == 0 && fraction.is_empty() {
        return whole.to_string();
    }
    let mut text = String::from(whole);
    text.push_str(mark);
    text.push_str(fraction);
    for _ in fraction.len()..digits {
        text.push('0');
    }
    text
}

impl<'a> Noun<'a> {
    /// Stands for a base unit without a name.
    pub const BASE_UNIT: Noun<'static> = Noun { one: "base unit", several: Some("base units") };

    /// A name with its plural.
    #[must_use]
    pub fn new(one: &'a str, several: Option<&'a String>) -> Self {
        Self { one, several: several.map(String::as_str) }
    }

    /// The form that stands after a number.
    #[must_use]
    pub fn after(self, number: &str) -> &'a str {
        if number.trim_start_matches(SIGNS) == "1" { self.one } else { self.several() }
    }

    /// The form for several.
    #[must_use]
    pub fn several(self) -> &'a str {
        self.several.unwrap_or(self.one)
    }
}

impl Said {
    /// Decides how `amount`, a canonical decimal in base units, is written in an auction with a currency.
    /// `unit` is the name of the base unit, if it has one.
    #[must_use]
    pub fn new(amount: &str, unit: Option<Noun<'_>>, currency: Option<&NamedCurrency<'_>>) -> Self {
        let base = counted(amount, unit.unwrap_or(Noun::BASE_UNIT));
        let pieces = currency.and_then(|currency| currency.pieces_of(amount)).unwrap_or_default();
        let text = joined(&pieces);
        // One count with the number of base units says nothing else than these.
        let one = match pieces.as_slice() {
            [(number, noun)] if number == amount => Some(noun),
            _ => None,
        };
        match (one, unit) {
            _ if text.is_empty() || text == base => Self { pieces: None, base: Some(base) },
            (Some(noun), Some(unit)) if noun.one == unit.one => Self { pieces: None, base: Some(base) },
            (Some(_), None) => Self { pieces: Some(text), base: None },
            _ => Self { pieces: Some(text), base: Some(base) },
        }
    }
}

/// `3 Galleons · 2 Sickles (1537 Knuts)`, or what there is of it.
impl fmt::Display for Said {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.pieces, &self.base) {
            (Some(pieces), Some(base)) => write!(formatter, "{pieces} ({base})"),
            (Some(one), None) | (None, Some(one)) => formatter.write_str(one),
            (None, None) => Ok(()),
        }
    }
}

impl<'a> NamedCurrency<'a> {
    /// The counts that make an amount in base units, with their names. They have the sign of the amount.
    fn pieces_of(&self, amount: &str) -> Option<Vec<(String, Noun<'a>)>> {
        let profile = Profile::parse(&self.definition).ok()?;
        let magnitude = amount.trim_start_matches(SIGNS);
        let sign = amount.strip_suffix(magnitude).unwrap_or_default();
        let number = |count: &Amount| [sign, &count.to_string()].concat();
        Some(match Entered::worth(&profile, magnitude.parse().ok()?)? {
            Entered::Amount(entered) => vec![(number(&entered), self.noun)],
            Entered::Representation(counts) => {
                let piece = |code: &str| self.pieces.iter().find(|(known, _)| *known == code);
                let named = counts.iter().filter_map(|(code, count)| Some((number(count), piece(code)?.1)));
                named.collect()
            }
        })
    }
}

/// Counts in a row: `3 Galleons · 2 Sickles`.
fn joined(counts: &[(String, Noun<'_>)]) -> String {
    counts.iter().map(|(number, noun)| counted(number, *noun)).collect::<Vec<_>>().join(BETWEEN_PIECES)
}

/// A number and what it counts, with a no-break space: `3 Galleons`.
#[must_use]
pub fn counted(number: &str, noun: Noun<'_>) -> String {
    let name = noun.after(number);
    // With the controls of an isolated name.
    let mut text = String::with_capacity(number.len().saturating_add(name.len()).saturating_add(8));
    text.push_str(number);
    text.push('\u{a0}');
    push_isolated(&mut text, name);
    text
}

/// A name inside a text without markup. One with letters from right to left is isolated by Unicode's
/// controls, so that it does not turn the digits beside it.
#[must_use]
pub fn isolated(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    push_isolated(&mut text, name);
    text
}

fn push_isolated(text: &mut String, name: &str) {
    let is_isolated = name.chars().any(
        |letter| matches!(letter, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}'),
    );
    if is_isolated {
        text.push('\u{2068}');
    }
    text.push_str(name);
    if is_isolated {
        text.push('\u{2069}');
    }
}

#[cfg(test)]
mod tests {
    use alloc::borrow::ToOwned;

    use super::*;
    use crate::{DenominationDefinition, FractionPolicy, InputMode};

    const KNUT: Noun<'static> = Noun { one: "Knut", several: Some("Knuts") };

    fn noun(one: &str) -> Noun<'_> {
        Noun { one, several: None }
    }

    fn wizarding() -> NamedCurrency<'static> {
        let piece = |code: &str, factor: &str, written: bool| DenominationDefinition {
            code: code.to_owned(),
            factor: factor.into(),
            written,
        };
        NamedCurrency {
            definition: ProfileDefinition {
                id: "w".to_owned(),
                input_mode: InputMode::Denomination,
                rate_to_base: "1".into(),
                precision: 0,
                fraction_policy: FractionPolicy::Reject,
                denominations: vec![
                    piece("C", "500", false),
                    piece("G", "493", true),
                    piece("S", "29", true),
                    piece("K", "1", true),
                ],
            },
            noun: noun("Wizarding money"),
            pieces: vec![
                ("C", noun("Crown")),
                ("G", Noun { one: "Galleon", several: Some("Galleons") }),
                ("S", Noun { one: "Sickle", several: Some("Sickles") }),
                ("K", KNUT),
            ],
        }
    }

    fn points(rate: &str) -> NamedCurrency<'static> {
        let definition = ProfileDefinition {
            input_mode: InputMode::Scalar,
            rate_to_base: rate.into(),
            denominations: Vec::new(),
            ..wizarding().definition
        };
        NamedCurrency { definition, noun: Noun { one: "Point", several: Some("Points") }, pieces: Vec::new() }
    }

    fn words(amount: &str, unit: Option<Noun<'_>>, currency: &NamedCurrency<'_>) -> String {
        Said::new(amount, unit, Some(currency)).to_string().replace('\u{a0}', " ")
    }

    #[test]
    fn an_amount_is_in_pieces_with_base_units_beside_them() {
        for (amount, expected) in [
            ("1537", "3 Galleons · 2 Sickles (1537 Knuts)"),
            ("500", "1 Galleon · 7 Knuts (500 Knuts)"),
            ("12", "12 Knuts"),
            ("1", "1 Knut"),
            ("0.5", "0.5 Knuts"),
            ("0", "0 Knuts"),
            ("-1", "-1 Knut"),
            ("-29", "-1 Sickle (-29 Knuts)"),
            ("-1537", "-3 Galleons · -2 Sickles (-1537 Knuts)"),
            ("+1537", "+3 Galleons · +2 Sickles (+1537 Knuts)"),
            ("more than 10^18", "more than 10^18 Knuts"),
        ] {
            assert_eq!(words(amount, Some(KNUT), &wizarding()), expected);
        }
    }

    /// Pieces that do not divide one another: the pence of England, and the money of Egypt, Yemen and others.
    #[test]
    fn an_amount_is_in_the_fewest_pieces() {
        const NAMES: [&str; 5] = ["A", "B", "C", "D", "E"];
        for (factors, amount, expected) in [
            (&["10", "6"][..], "28", "1 A · 3 B (28 Pence)"),
            (&["10", "6"], "27", "27 Pence"),
            (&["30", "24", "12", "6", "1"], "48", "2 B (48 Pence)"),
            (&["25", "20", "10", "5"], "40", "2 B (40 Pence)"),
            (&["250", "200", "100", "50"], "400", "2 B (400 Pence)"),
            (&["500", "250", "100"], "800", "1 A · 3 C (800 Pence)"),
            (&["10", "6"], "100000000028", "10000000001 A · 3 B (100000000028 Pence)"),
        ] {
            let named = || factors.iter().zip(NAMES);
            let definition = ProfileDefinition {
                denominations: named()
                    .map(|(factor, code)| DenominationDefinition {
                        code: code.to_owned(),
                        factor: (*factor).into(),
                        written: true,
                    })
                    .collect(),
                ..wizarding().definition
            };
            let pieces = named().map(|(_, code)| (code, noun(code))).collect();
            let currency = NamedCurrency { definition, noun: noun("Money"), pieces };
            assert_eq!(words(amount, Some(noun("Pence")), &currency), expected);
        }
    }

    #[test]
    fn an_amount_is_said_once_where_both_say_the_same() {
        assert_eq!(words("300", Some(noun("Point")), &points("1")), "300 Point");
        assert_eq!(words("300", Some(noun("Point")), &points("2")), "150 Points (300 Point)");
        assert_eq!(words("300", Some(KNUT), &points("1")), "300 Points (300 Knuts)");
    }

    #[test]
    fn a_unit_without_a_name_stands_beside_other_numbers_only() {
        assert_eq!(words("10", None, &points("1")), "10 Points");
        assert_eq!(words("10", None, &points("2")), "5 Points (10 base units)");
        assert_eq!(words("12", None, &wizarding()), "12 Knuts");
        assert_eq!(words("29", None, &wizarding()), "1 Sickle (29 base units)");
        assert_eq!(words("0.5", None, &wizarding()), "0.5 base units");
    }

    #[test]
    fn only_one_is_singular_and_nothing_is_guessed() {
        assert_eq!(counted("1", KNUT), "1\u{a0}Knut");
        assert_eq!(counted("0", KNUT), "0\u{a0}Knuts");
        assert_eq!(counted("1.5", KNUT), "1.5\u{a0}Knuts");
        for name in ["Penny", "Piece of eight", "Yen", "Złoty", "Electrum", "Points"] {
            assert_eq!(counted("6", noun(name)), ["6\u{a0}", name].concat());
        }
    }

    #[test]
    fn a_name_from_right_to_left_does_not_turn_its_number() {
        assert_eq!(isolated("שקל"), "\u{2068}שקל\u{2069}");
        assert_eq!(isolated("Dinar د"), "\u{2068}Dinar د\u{2069}");
        assert_eq!(counted("12", noun("שקל")), "12\u{a0}\u{2068}שקל\u{2069}");
        for name in ["", "Złoty", "€", "円", "ʞ"] {
            assert_eq!(isolated(name), name);
        }
    }

    #[test]
    fn money_has_the_digits_of_its_currency_and_loses_none() {
        for (amount, digits, written) in [
            ("12.5", 2, "12.50"),
            ("12", 2, "12.00"),
            ("1200", 0, "1200"),
            ("0.125", 3, "0.125"),
            ("0.5", 0, "0.5"),
            ("12.125", 2, "12.125"),
        ] {
            assert_eq!(with_digits(amount, digits, "."), written);
        }
        assert_eq!(with_digits("1234.5", 2, ","), "1234,50");
    }
}

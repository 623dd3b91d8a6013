//! Amounts in base units as people type them, and as the fields show them again.

use rules_engine::words::Said;
use rules_engine::{BidForm, EnteredCount, FractionPolicy, InputMode, ItemTerms, RuleSet};

use super::typed_bid::{TEXT_MAX, is_number, parts};
use super::typed_number;
use crate::model::{BaseUnit, BidCurrency};

/// Fraction digits of an amount in base units, at most.
const PRECISION: u8 = 8;

/// The amount in base units that a text means, as the API takes it: a number, alone or beside the name or
/// symbol of the base unit, or pieces of one of the currencies: `£1 2s 6d`, `5 gold`. All numbers of pieces
/// may have a minus.
///
/// A text that has no meaning, or several, stays one that the API refuses.
pub fn typed_amount(unit: &BaseUnit, currencies: &[BidCurrency], text: &str, has_comma: bool) -> String {
    let number = typed_number(text, has_comma);
    if is_number(&number) || text.trim().is_empty() || text.len() > TEXT_MAX {
        return number;
    }
    let unit = as_currency(unit);
    let currencies = std::iter::once(&unit).chain(currencies);
    let mut meanings = currencies.filter_map(|currency| value(currency, text, has_comma));
    match meanings.next() {
        Some(meaning) if meanings.all(|other| other == meaning) => meaning,
        _ => number,
    }
}

/// An amount in base units as a field shows it: in the pieces of the unit's currency where they say something
/// else than the number, and where the field reads them as the same amount.
pub fn shown_amount(unit: &BaseUnit, amount: &str, has_comma: bool) -> String {
    let Some(currency) = &unit.written_in else { return shown_number(amount, has_comma) };
    let named = unit.is_named().then(|| unit.noun());
    let said = Said::new(amount, named, Some(&currency.named()));
    let is_same = |pieces: &String| {
        let currencies = std::slice::from_ref(&**currency);
        typed_amount(&unit.bare(), currencies, pieces, has_comma) == amount
    };
    let pieces = said.pieces.filter(|_| said.base.is_some()).filter(is_same);
    pieces.unwrap_or_else(|| shown_number(amount, has_comma))
}

/// A number as a field shows it. One that would be refused for what may be a separator of thousands has a
/// zero more.
pub fn shown_number(number: &str, has_comma: bool) -> String {
    if is_number(&typed_number(number, has_comma)) { number.to_owned() } else { format!("{number}0") }
}

/// Says why the text of a field is no number that it takes. `precision` is the number of digits after the
/// point.
pub fn number_note(precision: u8, typed: &str) -> &'static str {
    let has_sign = typed.starts_with(|first: char| !first.is_alphanumeric() && !matches!(first, '.' | ','));
    match precision {
        _ if typed.contains(char::is_alphabetic) => "a number, alone or beside its own name",
        _ if has_sign => "a number, alone or beside its own symbol",
        0 if typed.contains(['.', ',']) => "without a separator for thousands, such as 1000",
        _ if typed.contains(['.', ',']) => "without a separator for thousands, such as 1000 or 12.5",
        0 => "digits only, such as 12",
        _ => "a number, such as 12.5",
    }
}

/// The base unit as a currency.
fn as_currency(unit: &BaseUnit) -> BidCurrency {
    BidCurrency {
        profile_id: None,
        name: unit.name.clone(),
        plural: unit.plural.clone(),
        symbol: unit.symbol.clone(),
        input_mode: InputMode::Scalar,
        rate_to_base: "1".into(),
        precision: PRECISION,
        fraction_policy: FractionPolicy::Reject,
        denominations: Vec::new(),
    }
}

/// The value of a text with names of a currency.
fn value(currency: &BidCurrency, text: &str, has_comma: bool) -> Option<String> {
    let parts = parts(currency, text, has_comma)?;
    let is_below = parts.iter().all(|(_, number)| number.starts_with('-'));
    let counts = parts.iter().enumerate().map(|(at, (field, number))| {
        let is_again = parts.iter().take(at).any(|(other, _)| other == field);
        let number = number.strip_prefix('-').filter(|_| is_below).unwrap_or(number);
        (!is_again).then(|| (*field, number.to_owned()))
    });
    let counts: Vec<_> = counts.collect::<Option<_>>()?;
    let bid = if currency.by_denomination() {
        let count = |(field, number): &(usize, String)| {
            let denomination = currency.denominations.get(*field)?.code.clone();
            Some(EnteredCount { denomination, count: number.as_str().into() })
        };
        BidForm {
            amount: None,
            entered_representation: Some(counts.iter().map(count).collect::<Option<_>>()?),
        }
    } else {
        BidForm { amount: Some(counts.first()?.1.as_str().into()), entered_representation: None }
    };
    let rules = RuleSet::compile(&currency.definition(), &[], &ItemTerms::default()).ok()?;
    let (_, value) = rules.normalize(&bid).ok()?;
    Some(if is_below { format!("-{value}") } else { value.to_string() })
}

#[cfg(test)]
mod tests {
    use rules_engine::{FractionPolicy, InputMode};

    use super::{shown_amount, shown_number, typed_amount};
    use crate::model::{BaseUnit, BidCurrency, Denomination};

    fn old_money() -> BidCurrency {
        let piece = |code: &str, name: &str, plural: &str, symbol: &str, factor: &str| Denomination {
            code: code.to_owned(),
            name: name.to_owned(),
            plural: Some(plural.to_owned()),
            symbol: symbol.to_owned(),
            factor: factor.into(),
            written: true,
        };
        BidCurrency {
            profile_id: None,
            name: "Old money".to_owned(),
            plural: None,
            symbol: "£".to_owned(),
            input_mode: InputMode::Denomination,
            rate_to_base: "1".into(),
            precision: 0,
            fraction_policy: FractionPolicy::Reject,
            denominations: vec![
                piece("POUND", "Pound", "Pounds", "£", "240"),
                piece("SHILLING", "Shilling", "Shillings", "s", "12"),
                piece("PENNY", "Penny", "Pence", "d", "1"),
            ],
        }
    }

    fn tickets() -> BidCurrency {
        BidCurrency {
            name: "Ticket".to_owned(),
            plural: Some("Tickets".to_owned()),
            symbol: String::new(),
            input_mode: InputMode::Scalar,
            rate_to_base: "30".into(),
            denominations: Vec::new(),
            ..old_money()
        }
    }

    fn pence() -> BaseUnit {
        BaseUnit { name: "Penny".to_owned(), plural: Some("Pence".to_owned()), ..BaseUnit::default() }
    }

    fn typed(text: &str) -> String {
        typed_amount(&pence(), &[old_money(), tickets()], text, false)
    }

    #[test]
    fn an_amount_is_a_number_or_pieces_of_one_currency() {
        for (text, amount) in [
            ("12", "12"),
            ("12,5", "12.5"),
            ("12 pence", "12"),
            ("1 penny", "1"),
            ("£1 2s 6d", "270"),
            ("2s", "24"),
            ("1\u{a0}Pound · 2\u{a0}Shillings", "264"),
            ("3 tickets", "90"),
            ("Ticket 1", "30"),
            ("-5", "-5"),
            ("-£1", "-£1"),
            ("-1 Pound · -6 Pence", "-246"),
            ("-2 tickets", "-60"),
            ("", ""),
        ] {
            assert_eq!(typed(text), amount, "{text}");
        }
    }

    #[test]
    fn what_has_no_meaning_or_several_stays_refused() {
        for text in [
            "5 gold",
            "£1 £2",
            "£1 2 tickets",
            "1 pound -6 pence",
            "1,000",
            "$5",
            "2/6",
            "1.5 pounds",
            "pence",
        ] {
            assert_eq!(typed(text), text);
        }
        let other = BidCurrency { rate_to_base: "2".into(), ..tickets() };
        let both = [tickets(), other];
        assert_eq!(typed_amount(&pence(), &both, "3 tickets", false), "3 tickets", "of two currencies");
    }

    #[test]
    fn a_field_shows_pieces_that_it_reads_as_the_same_amount() {
        let unit = BaseUnit { written_in: Some(Box::new(old_money())), ..pence() };
        for (amount, shown) in [
            ("270", "1\u{a0}Pound\u{a0}· 2\u{a0}Shillings\u{a0}· 6\u{a0}Pence"),
            ("-246", "-1\u{a0}Pound\u{a0}· -6\u{a0}Pence"),
            ("5", "5"),
            ("0", "0"),
            ("0.5", "0.5"),
        ] {
            assert_eq!(shown_amount(&unit, amount, false), shown);
            assert_eq!(typed(shown), amount);
        }
        assert_eq!(shown_amount(&pence(), "270", false), "270", "an auction without currencies");
    }

    #[test]
    fn a_shown_number_is_read_as_itself_in_each_locale() {
        assert_eq!(shown_number("1.125", false), "1.125");
        assert_eq!(shown_number("1.125", true), "1.1250");
        assert_eq!(shown_number("1.5", true), "1.5");
    }
}

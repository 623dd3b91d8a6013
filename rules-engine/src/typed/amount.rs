//! Amounts in base units as people type them.

use alloc::{
    borrow::ToOwned,
    format,
    string::{String, ToString},
    vec::Vec,
};

use super::TypedCurrency;
use super::bid::{TEXT_MAX, parts};
use super::number::{is_number, typed_number};
use crate::{
    bid::{BidForm, EnteredCount},
    profile::InputMode,
    rules::{ItemTerms, RuleSet},
};

/// The amount in base units that a text means, as the API takes it: a number, alone or beside a name of the
/// base unit, or pieces of one of the currencies: `£1 2s 6d`, `5 gold`. All numbers of pieces may have a
/// minus.
///
/// A text that has no meaning, or several, stays one that the API refuses.
#[must_use]
pub fn typed_amount(unit: &TypedCurrency<'_>, currencies: &[TypedCurrency<'_>], text: &str) -> String {
    // Units are written as one of the currencies is that is worth as much.
    let is_unit = |currency: &TypedCurrency<'_>| {
        currency.definition.input_mode == InputMode::Scalar
            && currency.definition.rate_to_base.as_str() == "1"
    };
    let has_thousandths = currencies.iter().any(|currency| is_unit(currency) && currency.has_thousandths);
    let number = typed_number(text, has_thousandths);
    if is_number(&number) || text.trim().is_empty() || text.len() > TEXT_MAX {
        return number;
    }
    let mut meanings = core::iter::once(unit).chain(currencies).filter_map(|currency| value(currency, text));
    match meanings.next() {
        Some(meaning) if meanings.all(|other| other == meaning) => meaning,
        _ => number,
    }
}

/// The value of a text with names of a currency.
fn value(currency: &TypedCurrency<'_>, text: &str) -> Option<String> {
    let parts = parts(currency, text)?;
    let is_below = parts.iter().all(|(_, number)| number.starts_with('-'));
    let counts = parts.iter().enumerate().map(|(at, (field, number))| {
        let is_again = parts.iter().take(at).any(|(other, _)| other == field);
        let number = number.strip_prefix('-').filter(|_| is_below).unwrap_or(number);
        (!is_again).then(|| (*field, number.to_owned()))
    });
    let counts: Vec<_> = counts.collect::<Option<_>>()?;
    let bid = if currency.by_denomination() {
        let count = |(field, number): &(usize, String)| {
            let denomination = currency.definition.denominations.get(*field)?.code.clone();
            Some(EnteredCount { denomination, count: number.as_str().into() })
        };
        BidForm {
            amount: None,
            entered_representation: Some(counts.iter().map(count).collect::<Option<_>>()?),
        }
    } else {
        BidForm { amount: Some(counts.first()?.1.as_str().into()), entered_representation: None }
    };
    let rules = RuleSet::compile(&currency.definition, &[], &ItemTerms::default()).ok()?;
    let (_, value) = rules.normalize(&bid).ok()?;
    Some(if is_below { format!("-{value}") } else { value.to_string() })
}

#[cfg(test)]
mod tests {
    use super::super::tests::{currency, old_money, same_letters};
    use super::*;

    fn pence() -> TypedCurrency<'static> {
        TypedCurrency::of_unit(["Penny", "Pence"], same_letters)
    }

    fn tickets(rate: &str) -> TypedCurrency<'static> {
        let mut tickets = currency("Ticket", "Tickets", "", &[]);
        tickets.definition.rate_to_base = rate.into();
        tickets
    }

    fn typed(text: &str) -> String {
        typed_amount(&pence(), &[old_money(), tickets("30")], text)
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
    fn a_unit_has_all_its_names() {
        let unit = TypedCurrency::of_unit(["Ticket", "Tickets", "T"], same_letters);
        for text in ["300 tickets", "T 300", "300T", "1 000 ticket"] {
            assert!(is_number(&typed_amount(&unit, &[], text)), "{text}");
        }
    }

    #[test]
    fn what_has_no_meaning_or_several_stays_refused() {
        for text in [
            "5 silver",
            "£1 £2",
            "£1 2 tickets",
            "1 pound -6 pence",
            "1,000,000",
            "$5",
            "2/6",
            "1.5 pounds",
            "pence",
        ] {
            assert_eq!(typed(text), text);
        }
        let both = [tickets("30"), tickets("2")];
        assert_eq!(typed_amount(&pence(), &both, "3 tickets"), "3 tickets", "of two currencies");
    }

    #[test]
    fn a_mark_before_three_digits_is_decimal_where_the_unit_is_written_with_as_many() {
        let mut dinar = currency("KWD", "", "", &[]);
        (dinar.definition.precision, dinar.has_thousandths) = (3, true);
        for text in ["1.250", "1,250"] {
            assert!(!is_number(&typed(text)), "{text}");
            assert_eq!(typed_amount(&pence(), core::slice::from_ref(&dinar), text), "1.250");
        }
        dinar.definition.rate_to_base = "1000".into();
        assert!(!is_number(&typed_amount(&pence(), &[dinar], "1.250")));
    }
}

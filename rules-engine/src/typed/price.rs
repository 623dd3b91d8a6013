//! A price that is typed in one field or one cell: `12`, `£1 2s`, or the counts of all pieces, `3.2.1`.

use alloc::{borrow::ToOwned, boxed::Box, string::String, vec::Vec};

use super::TypedCurrency;
use super::bid::{TEXT_MAX, parts, typed_bid};
use super::number::{is_number, typed_number};
use crate::{
    bid::{BidForm, EnteredCount},
    money::{Literal, truncate},
    profile::DenominationDefinition,
    rules::{Violation, ViolationCode},
};

/// Reads a price in a currency. A number alone is of the first piece that amounts are written with.
///
/// # Errors
/// A text without a clear meaning in the pieces of the currency, with what to write. A text that is no number
/// in a currency without pieces stays for the engine to refuse.
pub fn typed_price(currency: &TypedCurrency<'_>, text: &str) -> Result<BidForm, Box<Violation>> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(BidForm::default());
    }
    if !currency.by_denomination() {
        let amount = typed_bid(currency, &[text.to_owned()]).concat();
        return Ok(BidForm { amount: Some(Literal::from(amount)), entered_representation: None });
    }
    let counts = counts(currency, text)?;
    let count = |(field, count): (usize, String)| {
        let denomination = currency.definition.denominations.get(field)?.code.clone();
        Some(EnteredCount { denomination, count: count.into() })
    };
    let counts = counts.into_iter().filter_map(count).collect();
    Ok(BidForm { amount: None, entered_representation: Some(counts) })
}

/// The counts of a text, each with the field of its piece.
fn counts(currency: &TypedCurrency<'_>, text: &str) -> Result<Vec<(usize, String)>, Box<Violation>> {
    let pieces = currency.definition.denominations.len();
    let counts: Vec<&str> = text.split('.').map(str::trim).collect();
    let is_count = |count: &&str| !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit());
    if pieces > 1 && counts.len() == pieces && counts.iter().all(is_count) {
        if let [first, second] = counts.as_slice()
            && !currency.is_the_same(second)
        {
            return Err(two_readings(currency, text, first, second));
        }
        return Ok(counts.into_iter().map(str::to_owned).enumerate().collect());
    }
    let number = typed_number(text, currency.has_thousandths);
    if is_number(&number) {
        let field = currency.written_field();
        return match currency.fraction(field, &number) {
            Some((whole, fraction)) if !currency.is_the_same(fraction) => {
                Err(two_readings(currency, text, whole, fraction))
            }
            Some((whole, fraction)) => Ok([(0, whole.to_owned()), (1, fraction.to_owned())].into()),
            None => Ok([(field, number)].into()),
        };
    }
    let named = Some(text).filter(|text| text.len() <= TEXT_MAX).and_then(|text| parts(currency, text));
    let named = named.filter(|parts| {
        parts.iter().all(|(field, _)| parts.iter().filter(|(other, _)| other == field).count() == 1)
    });
    let named = named.ok_or_else(|| unclear(currency, text))?;
    let in_two = match named.as_slice() {
        [(field, number)] => currency.in_two(*field, number),
        _ => None,
    };
    Ok(in_two.map_or(named, Vec::from))
}

/// The refusal of `3.1` in a currency of two pieces: spreadsheets write so what was `3.10`.
fn two_readings(currency: &TypedCurrency<'_>, text: &str, first: &str, second: &str) -> Box<Violation> {
    let (one, other) = (currency.name_of(0), currency.name_of(1));
    let names = ": write the names too.";
    refused(text, &[" can be ", first, " ", one, " ", second, " ", other, ", or ", text, " ", one, names])
}

fn unclear(currency: &TypedCurrency<'_>, text: &str) -> Box<Violation> {
    let written = currency.written_field();
    let (one, other) = (currency.name_of(written), currency.name_of(written.saturating_add(1)));
    let and = if other.is_empty() { "" } else { " 3 " };
    refused(text, &[" is no price here: write one such as 5, or 5 ", one, and, other, "."])
}

/// A refusal that begins with the text.
fn refused(text: &str, rest: &[&str]) -> Box<Violation> {
    let mut message = String::from("“");
    message.push_str(&truncate(text));
    message.push('”');
    rest.iter().for_each(|part| message.push_str(part));
    Box::new(Violation::new(ViolationCode::InvalidNumber, message))
}

/// The text that means this price: the opposite of [`typed_price`].
#[must_use]
pub fn price_as_typed(currency: &TypedCurrency<'_>, price: &BidForm) -> String {
    let counts = all_counts(currency, price);
    match counts.as_slice() {
        [_, (second, _)] if currency.is_the_same(second) => between_points(&counts),
        _ => price_in_cell(currency, price),
    }
}

/// The text that means this price in a cell of a table. Two pieces are written with their codes: a
/// spreadsheet takes a point between them for a decimal one.
#[must_use]
pub fn price_in_cell(currency: &TypedCurrency<'_>, price: &BidForm) -> String {
    if let Some(amount) = &price.amount {
        return clear(amount.as_str(), currency.has_thousandths);
    }
    let counts = all_counts(currency, price);
    if counts.len() > 2 && counts.iter().all(|(count, _)| !count.contains('.')) {
        return between_points(&counts);
    }
    let given = counts.into_iter().filter(|(count, _)| *count != "0");
    let given = given.map(|(count, code)| [&clear(count, currency.has_thousandths), " ", code].concat());
    given.collect::<Vec<_>>().join(" ")
}

/// The counts of all pieces with their codes.
fn all_counts<'a>(currency: &'a TypedCurrency<'_>, price: &'a BidForm) -> Vec<(&'a str, &'a str)> {
    let entries = price.entered_representation.as_deref().unwrap_or_default();
    let count = |piece: &'a DenominationDefinition| {
        let entry = entries.iter().find(|entry| entry.denomination == piece.code);
        (entry.map_or("0", |entry| entry.count.as_str()), piece.code.as_str())
    };
    currency.definition.denominations.iter().map(count).collect()
}

fn between_points(counts: &[(&str, &str)]) -> String {
    counts.iter().map(|(count, _)| *count).collect::<Vec<_>>().join(".")
}

/// A number with a zero more, if its point might be taken for one between thousands.
#[must_use]
pub fn clear(number: &str, has_thousandths: bool) -> String {
    match is_number(&typed_number(number, has_thousandths)) {
        true => number.to_owned(),
        false => [number, "0"].concat(),
    }
}

#[cfg(test)]
mod tests {
    use alloc::{format, vec};

    use super::super::tests::{currency, guild, old_money};
    use super::*;

    fn counts(price: &Result<BidForm, Box<Violation>>) -> Vec<(&str, &str)> {
        let price = price.as_ref().unwrap();
        let entries = price.entered_representation.as_deref().unwrap_or_default();
        entries.iter().map(|entry| (entry.denomination.as_str(), entry.count.as_str())).collect()
    }

    #[test]
    fn counts_between_points_are_those_of_all_pieces() {
        let price = typed_price(&guild(), " 3.0.12 ");
        assert_eq!(counts(&price), [("GOLD", "3"), ("SILVER", "0"), ("COPPER", "12")]);
        assert_eq!(price_as_typed(&guild(), &price.unwrap()), "3.0.12");
    }

    #[test]
    fn a_number_alone_counts_the_first_written_piece() {
        let price = typed_price(&guild(), "3");
        assert_eq!(counts(&price), [("GOLD", "3")]);
        assert_eq!(price_as_typed(&guild(), &price.unwrap()), "3.0.0");
        let mut silver_first = guild();
        silver_first.definition.denominations.iter_mut().take(1).for_each(|piece| piece.written = false);
        assert_eq!(counts(&typed_price(&silver_first, "3")), [("SILVER", "3")]);
    }

    #[test]
    fn the_name_of_any_piece_counts_in_a_field_for_the_whole_price() {
        for (text, expected) in [
            ("5s", vec![("SHILLING", "5")]),
            ("6 pence", vec![("PENNY", "6")]),
            ("£1 2s 6d", vec![("POUND", "1"), ("SHILLING", "2"), ("PENNY", "6")]),
            ("2 gold pieces", vec![("GOLD", "2")]),
        ] {
            assert_eq!(counts(&typed_price(&old_money(), text)), expected, "{text}");
        }
    }

    #[test]
    fn two_pieces_and_a_point_have_two_readings() {
        let pieces = [["GOLD", "Gold", "", "g", "100"], ["SILVER", "Silver", "", "", "1"]];
        let two = currency("Coins", "", "", &pieces);
        for text in ["3.1", "3.100", "0.5"] {
            let refusal = typed_price(&two, text).unwrap_err();
            assert_eq!(refusal.code, ViolationCode::InvalidNumber);
        }
        assert_eq!(
            typed_price(&two, "3.1").unwrap_err().message,
            "“3.1” can be 3 Gold 1 Silver, or 3.1 Gold: write the names too."
        );
        for (text, silver) in [("3.10", "10"), ("3.05", "05"), ("3.0", "0")] {
            let same = typed_price(&two, text);
            assert_eq!(counts(&same), [("GOLD", "3"), ("SILVER", silver)], "{text} is the same in both");
        }
        let price = typed_price(&two, "3g 10 silver");
        assert_eq!(counts(&price), [("GOLD", "3"), ("SILVER", "10")]);
        let typed = price_in_cell(&two, price.as_ref().unwrap());
        assert_eq!(typed, "3 GOLD 10 SILVER");
        assert_eq!(typed_price(&two, &typed), price);
        assert_eq!(price_as_typed(&two, price.as_ref().unwrap()), "3.10");
        let few = typed_price(&two, "3g 5 silver").unwrap();
        assert_eq!(price_as_typed(&two, &few), "3 GOLD 5 SILVER");
    }

    #[test]
    fn a_decimal_of_the_first_piece_counts_the_second() {
        let pieces = [["EUR", "Euro", "Euros", "€", "100"], ["CENT", "Cent", "Cents", "", "1"]];
        let coins = currency("Coins", "", "", &pieces);
        for text in ["12,50", "12.50", "€12.50", "€ 12,50", "12,50 €", "12.5 euros", "12,5 EUR", "١٢٫٥٠"]
        {
            assert_eq!(counts(&typed_price(&coins, text)), [("EUR", "12"), ("CENT", "50")], "{text}");
        }
        assert_eq!(counts(&typed_price(&coins, "1.200,50")), [("EUR", "1200"), ("CENT", "50")]);
        assert_eq!(counts(&typed_price(&coins, ",50 €")), [("EUR", "0"), ("CENT", "50")]);
        for text in ["12,5", "12.5"] {
            let words = format!("“{text}” can be 12 Euro 5 Cent, or {text} Euro: write the names too.");
            assert_eq!(typed_price(&coins, text).unwrap_err().message, words);
        }
        for (text, count) in [("-12,50", "-12.50"), ("€12.5050", "12.5050")] {
            assert_eq!(counts(&typed_price(&coins, text)), [("EUR", count)], "for the engine to refuse");
        }
        let mut fractions = coins.clone();
        fractions.definition.precision = 2;
        assert_eq!(counts(&typed_price(&fractions, "12.5 €")), [("EUR", "12.5")], "a count may be so");
    }

    #[test]
    fn an_amount_may_have_a_decimal_comma() {
        let euros = currency("EUR", "", "€", &[]);
        let amount = |text: &str| typed_price(&euros, text).unwrap().amount.map(String::from);
        for (text, number) in [("12,5", "12.5"), ("€ 1.200,00", "1200.00"), ("12.50 eur", "12.50")] {
            assert_eq!(amount(text).as_deref(), Some(number), "{text}");
        }
        assert_eq!(amount("1.250").as_deref(), Some("1,250"), "for the engine to refuse");
        let price = BidForm { amount: Some("1.250".into()), entered_representation: None };
        assert_eq!(price_as_typed(&euros, &price), "1.2500");
    }

    #[test]
    fn a_price_that_is_not_clear_says_what_to_write() {
        for text in ["5 taler", "5g 3", "5g 3g", "abc", "g", "1.000", "3.2.1.4"] {
            let message = typed_price(&guild(), text).unwrap_err().message;
            let words = format!("“{text}” is no price here: write one such as 5, or 5 Gold 3 Silver.");
            assert_eq!(message, words);
        }
        assert_eq!(typed_price(&guild(), "  "), Ok(BidForm::default()));
    }
}

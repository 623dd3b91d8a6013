//! Text of fields as bids, prices and amounts, and amounts as the fields show them again.

use rules_engine::typed::{self, TypedCurrency};
use rules_engine::words::Said;
use rules_engine::{BidForm, Violation};

use crate::model::{BaseUnit, BidCurrency};

/// The numbers of the fields of a bid, as the engine takes them.
pub fn typed_bid(currency: &BidCurrency, texts: &[String]) -> Vec<String> {
    let texts: Vec<String> = texts.iter().map(|text| composed(text)).collect();
    typed::typed_bid(&as_typed(currency), &texts)
}

/// A price that is typed in one field.
///
/// # Errors
/// A text without a clear meaning in the pieces of the currency, with what to write.
pub fn typed_price(currency: &BidCurrency, text: &str) -> Result<BidForm, Box<Violation>> {
    typed::typed_price(&as_typed(currency), &composed(text))
}

/// The text that means this price: the opposite of [`typed_price`].
pub fn price_as_typed(currency: &BidCurrency, price: &BidForm) -> String {
    typed::price_as_typed(&as_typed(currency), price)
}

/// The amount in base units that a text means, as the API takes it.
pub fn typed_amount(unit: &BaseUnit, currencies: &[BidCurrency], text: &str) -> String {
    let currencies: Vec<_> = currencies.iter().map(as_typed).collect();
    typed::typed_amount(&unit_as_typed(unit), &currencies, &composed(text))
}

/// An amount in base units as a field shows it: in the pieces of the unit's currency where they say something
/// else than the number, and where the field reads them as the same amount.
pub fn shown_amount(unit: &BaseUnit, amount: &str) -> String {
    let Some(currency) = &unit.written_in else { return shown_number(amount) };
    let named = unit.is_named().then(|| unit.noun());
    let said = Said::new(amount, named, Some(&currency.named()));
    let is_same =
        |pieces: &String| typed_amount(&unit.bare(), std::slice::from_ref(&**currency), pieces) == amount;
    let pieces = said.pieces.filter(|_| said.base.is_some()).filter(is_same);
    pieces.unwrap_or_else(|| shown_number(amount))
}

/// A number as a field shows it. One that would be refused for what may be a separator of thousands has a
/// zero more.
pub fn shown_number(number: &str) -> String {
    typed::clear(number, false)
}

fn as_typed(currency: &BidCurrency) -> TypedCurrency<'_> {
    let own = [&currency.name, currency.plural.as_deref().unwrap_or_default(), &currency.symbol];
    let pieces = currency
        .denominations
        .iter()
        .map(|piece| [&piece.name, piece.plural.as_deref().unwrap_or_default(), &piece.symbol, &piece.code]);
    TypedCurrency::new(currency.definition(), own, pieces, same_letters)
}

fn unit_as_typed(unit: &BaseUnit) -> TypedCurrency<'_> {
    let names = [&unit.name, unit.plural.as_deref().unwrap_or_default(), &unit.symbol];
    TypedCurrency::of_unit(names, same_letters)
}

/// Some keyboards write a letter and its accent apart. Names are stored in normal form C.
#[cfg(feature = "ssr")]
pub fn composed(text: &str) -> String {
    unicode_normalization::UnicodeNormalization::nfc(text).collect()
}

/// By the browser, as the letters of [`same_letters`].
#[cfg(not(feature = "ssr"))]
pub fn composed(text: &str) -> String {
    js_sys::JsString::from(text).normalize("NFC").into()
}

/// A text in lower case.
#[cfg(feature = "ssr")]
pub fn lowered(text: &str) -> String {
    use icu_casemap::CaseMapper;
    CaseMapper::new().lowercase_to_string(text, &icu_locale_core::LanguageIdentifier::UNKNOWN).into_owned()
}

/// By the browser, as the letters of [`same_letters`].
#[cfg(not(feature = "ssr"))]
pub fn lowered(text: &str) -> String {
    js_sys::JsString::from(text).to_lower_case().into()
}

/// Whether two letters differ in case at most.
#[cfg(feature = "ssr")]
pub fn same_letters(one: char, other: char) -> bool {
    let lower = |letter: char| lowered(letter.encode_utf8(&mut [0; 4]));
    one == other || lower(one) == lower(other)
}

/// By the browser: a table of letters takes 5 kB of the bundle.
#[cfg(not(feature = "ssr"))]
pub fn same_letters(one: char, other: char) -> bool {
    let lower = |letter: char| js_sys::JsString::from(letter).to_lower_case();
    lower(one) == lower(other)
}

#[cfg(test)]
mod tests {
    use rules_engine::{FractionPolicy, InputMode};

    use super::*;
    use crate::model::Denomination;

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

    fn pence() -> BaseUnit {
        BaseUnit { name: "Penny".to_owned(), plural: Some("Pence".to_owned()), ..BaseUnit::default() }
    }

    #[test]
    fn the_symbol_of_a_currency_with_pieces_is_not_one_of_a_field() {
        let price = typed_price(&old_money(), "£1 6 pence").unwrap();
        let counts = price.entered_representation.unwrap_or_default();
        let counts: Vec<_> =
            counts.iter().map(|entry| (entry.denomination.as_str(), entry.count.as_str())).collect();
        assert_eq!(counts, [("POUND", "1"), ("PENNY", "6")]);
    }

    #[test]
    fn letters_and_accents_may_be_typed_apart() {
        let ecu = BidCurrency {
            name: "Écu".to_owned(),
            symbol: String::new(),
            input_mode: InputMode::Scalar,
            denominations: Vec::new(),
            ..old_money()
        };
        for text in ["5 écu", "5 e\u{301}cu", "E\u{301}cu 5"] {
            assert_eq!(typed_bid(&ecu, &[text.to_owned()]), ["5"], "{text}");
        }
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
            assert_eq!(shown_amount(&unit, amount), shown);
            assert_eq!(typed_amount(&pence(), &[old_money()], shown), amount);
        }
        assert_eq!(shown_amount(&pence(), "270"), "270", "an auction without currencies");
    }

    #[test]
    fn a_shown_number_is_read_as_itself() {
        for (number, shown) in [("1.125", "1.1250"), ("1.5", "1.5"), ("0.125", "0.125"), ("12", "12")] {
            assert_eq!(shown_number(number), shown);
        }
    }
}

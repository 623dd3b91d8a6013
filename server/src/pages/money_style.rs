//! How a viewer's locale writes amounts of ISO 4217 currencies.

use std::collections::HashMap;
use std::sync::LazyLock;

use auction_house::items::price::minor_digits;
use iso_currency::Currency as IsoCurrency;
use pure_rust_locales::{Locale, locale_match};

use super::iso_currencies;

/// The ISO 4217 code of the currency of a locale, given as a BCP 47 tag. EUR where none is in use: the tables
/// of the C library have replaced currencies.
pub fn currency_of(tag: Option<&str>) -> &'static str {
    let code =
        tag.and_then(locale_of).map(|locale| locale_match!(locale => LC_MONETARY::INT_CURR_SYMBOL).trim());
    let named = code.and_then(IsoCurrency::from_code);
    let current = named.map(|currency| currency.is_superseded().unwrap_or(currency).code());
    current.filter(|code| iso_currencies::is_in_use(code)).unwrap_or("EUR")
}

/// Where the symbol and the decimal comma stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoneyStyle {
    symbol_first: bool,
    has_space: bool,
    decimal_comma: bool,
}

/// `£12.50`.
impl Default for MoneyStyle {
    fn default() -> Self {
        Self { symbol_first: true, has_space: false, decimal_comma: false }
    }
}

impl MoneyStyle {
    /// The style of a locale, given as a BCP 47 tag. An unknown region has the style of its language in
    /// another one, and an unknown language the default.
    pub fn of(tag: Option<&str>) -> Self {
        let Some(locale) = tag.and_then(locale_of) else { return Self::default() };
        Self {
            symbol_first: locale_match!(locale => LC_MONETARY::P_CS_PRECEDES) != 0,
            has_space: locale_match!(locale => LC_MONETARY::P_SEP_BY_SPACE) > 0,
            decimal_comma: locale_match!(locale => LC_MONETARY::MON_DECIMAL_POINT) == ",",
        }
    }

    /// Whether numbers have a decimal comma.
    pub fn has_comma(self) -> bool {
        self.decimal_comma
    }

    /// An amount of zero in this currency.
    pub fn zero(self, currency: IsoCurrency) -> String {
        let symbol = symbol(currency);
        let is_word = symbol.chars().all(char::is_alphabetic);
        let space = if self.has_space || is_word { "\u{a0}" } else { "" };
        let fraction = "0".repeat(usize::try_from(minor_digits(currency)).unwrap_or_default());
        let point = if self.decimal_comma { "," } else { "." };
        let number = if fraction.is_empty() { "0".to_owned() } else { format!("0{point}{fraction}") };
        if self.symbol_first {
            format!("{symbol}{space}{number}")
        } else {
            format!("{number}{space}{symbol}")
        }
    }
}

/// The locale of the C library for a BCP 47 tag: `de_CH` for `de-CH` and `de-Latn-CH`, `de_DE` for `de`.
fn locale_of(tag: &str) -> Option<Locale> {
    let mut parts = tag.split('-');
    let language = parts.next()?.to_lowercase();
    let region = parts.find(|part| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_alphabetic()));
    let named = |region: &str| Locale::try_from(format!("{language}_{region}").as_str()).ok();
    region
        .and_then(|region| named(&region.to_uppercase()))
        .or_else(|| if language == "en" { named("GB") } else { named(&language.to_uppercase()) })
        .or_else(|| {
            let letters = || (b'A'..=b'Z').map(char::from);
            letters()
                .flat_map(|one| letters().map(move |two| format!("{one}{two}")))
                .find_map(|it| named(&it))
        })
}

/// The currency's symbol, or its code if several currencies have the symbol: `$` is that of the US dollar,
/// `A$` none.
fn symbol(currency: IsoCurrency) -> String {
    let symbol = currency.symbol().to_string();
    let owner = SYMBOLS.get(&symbol).copied().flatten();
    if owner == Some(currency) { symbol } else { currency.code().to_owned() }
}

/// The currency that each symbol means. Absent if nobody can tell.
static SYMBOLS: LazyLock<HashMap<String, Option<IsoCurrency>>> = LazyLock::new(|| {
    let mut symbols = HashMap::new();
    for currency in (0..1000).filter_map(IsoCurrency::from_numeric).filter(|it| it.is_superseded().is_none())
    {
        let owner = symbols.entry(currency.symbol().to_string()).or_insert(Some(currency));
        if *owner != Some(currency) {
            *owner = None;
        }
    }
    for known in [IsoCurrency::EUR, IsoCurrency::GBP, IsoCurrency::JPY, IsoCurrency::USD] {
        symbols.insert(known.symbol().to_string(), Some(known));
    }
    symbols
});

#[cfg(test)]
mod tests {
    use app::model::written_like;

    use super::*;

    fn written(tag: Option<&str>, currency: IsoCurrency, amount: &str) -> String {
        written_like(&MoneyStyle::of(tag).zero(currency), amount)
    }

    #[test]
    fn money_is_written_as_in_the_locale() {
        for (tag, currency, amount, expected) in [
            (None, IsoCurrency::GBP, "12.5", "£12.50"),
            (Some("en-GB"), IsoCurrency::EUR, "12", "€12.00"),
            (Some("de-DE"), IsoCurrency::EUR, "12.5", "12,50\u{a0}€"),
            (Some("de"), IsoCurrency::GBP, "12.5", "12,50\u{a0}£"),
            (Some("cs"), IsoCurrency::EUR, "12.5", "12,50\u{a0}€"),
            (Some("en"), IsoCurrency::JPY, "1200", "¥1200"),
            (Some("en-US"), IsoCurrency::USD, "0.1", "$0.10"),
            (Some("zz-ZZ"), IsoCurrency::GBP, "1", "£1.00"),
            (Some("de-Latn-CH-1996"), IsoCurrency::CHF, "5", "CHF\u{a0}5.00"),
        ] {
            assert_eq!(written(tag, currency, amount), expected, "{tag:?}");
        }
    }

    #[test]
    fn the_currency_of_a_locale_is_one_in_use() {
        for (tag, expected) in [
            (None, "EUR"),
            (Some("hr-HR"), "EUR"),
            (Some("bg-BG"), "EUR"),
            (Some("en-GB"), "GBP"),
            (Some("de-CH"), "CHF"),
            (Some("zz-ZZ"), "EUR"),
        ] {
            assert_eq!(currency_of(tag), expected, "{tag:?}");
        }
    }

    #[test]
    fn a_symbol_of_several_currencies_is_replaced_by_the_code() {
        assert_eq!(written(None, IsoCurrency::AUD, "1"), "AUD\u{a0}1.00");
        assert_eq!(written(Some("sv-SE"), IsoCurrency::SEK, "1"), "1,00\u{a0}SEK");
    }
}

//! How a viewer's locale writes amounts of ISO 4217 currencies.

use std::collections::HashMap;
use std::sync::LazyLock;

use app::components::name::isolated;
use auction_house::items::price::minor_digits;
use iso_currency::Currency as IsoCurrency;
use platform::text::is_symbol;

use super::cldr::LanguageTag;
use super::iso_currencies;

/// The ISO 4217 code of the currency of a locale, given as a BCP 47 tag. EUR where none is known.
pub fn currency_of(tag: Option<&str>) -> &'static str {
    tag.and_then(|tag| LanguageTag::of(tag).currency())
        .filter(|code| iso_currencies::is_in_use(code))
        .unwrap_or("EUR")
}

/// Where the symbol and the decimal comma stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoneyStyle {
    symbol_first: bool,
    has_space: bool,
    decimal_comma: bool,
    /// Whether the viewer reads Arabic letters.
    arabic_script: bool,
}

/// `£12.50`.
impl Default for MoneyStyle {
    fn default() -> Self {
        Self { symbol_first: true, has_space: false, decimal_comma: false, arabic_script: false }
    }
}

impl MoneyStyle {
    /// The style of a locale, given as a BCP 47 tag. An unknown region has the style of its language, and an
    /// unknown language the default.
    pub fn of(tag: Option<&str>) -> Self {
        let Some((tag, money)) =
            tag.map(LanguageTag::of).and_then(|tag| tag.money().map(|money| (tag, money)))
        else {
            return Self::default();
        };
        Self {
            symbol_first: money.starts_with('¤'),
            has_space: money.contains('_'),
            decimal_comma: money.contains(','),
            arabic_script: tag.is_arabic_script(),
        }
    }

    /// Whether numbers have a decimal comma.
    pub fn has_comma(self) -> bool {
        self.decimal_comma
    }

    /// An amount of zero in this currency.
    pub fn zero(self, currency: IsoCurrency) -> String {
        let symbol = self.symbol(currency);
        // A letter or a dot stands apart from digits, as CLDR has it.
        let beside = if self.symbol_first { symbol.chars().next_back() } else { symbol.chars().next() };
        let is_apart = self.has_space || beside.is_some_and(|beside| !is_symbol(beside));
        let space = if is_apart { "\u{a0}" } else { "" };
        let symbol = isolated(&symbol);
        let fraction = "0".repeat(usize::try_from(minor_digits(currency)).unwrap_or_default());
        let point = if self.decimal_comma { "," } else { "." };
        let number = if fraction.is_empty() { "0".to_owned() } else { format!("0{point}{fraction}") };
        if self.symbol_first {
            format!("{symbol}{space}{number}")
        } else {
            format!("{number}{space}{symbol}")
        }
    }

    /// The currency's symbol, or its code if several currencies have the symbol: `$` is that of the US
    /// dollar, `A$` none. A symbol in Arabic letters is for viewers who read them.
    fn symbol(self, currency: IsoCurrency) -> String {
        let symbol = currency.symbol().to_string();
        let is_own = SYMBOLS.get(&symbol).copied().flatten() == Some(currency);
        let is_read = self.arabic_script || isolated(&symbol) == symbol;
        if is_own && is_read { symbol } else { currency.code().to_owned() }
    }
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
            (Some("de-LU"), IsoCurrency::EUR, "12.5", "12,50\u{a0}€"),
            (Some("de-AT"), IsoCurrency::EUR, "12.5", "€\u{a0}12,50"),
            (Some("it"), IsoCurrency::EUR, "12.5", "12,50\u{a0}€"),
            (Some("it-CH"), IsoCurrency::EUR, "12.5", "€\u{a0}12.50"),
            (Some("da-DK"), IsoCurrency::EUR, "12.5", "12,50\u{a0}€"),
            (Some("nb-NO"), IsoCurrency::EUR, "12.5", "12,50\u{a0}€"),
            (Some("no"), IsoCurrency::EUR, "12.5", "12,50\u{a0}€"),
            (Some("ro-RO"), IsoCurrency::EUR, "12.5", "12,50\u{a0}€"),
            (Some("lv-LV"), IsoCurrency::EUR, "12.5", "12,50\u{a0}€"),
            (Some("tr-TR"), IsoCurrency::EUR, "12.5", "€12,50"),
            (Some("fr-CH"), IsoCurrency::EUR, "12.5", "12.50\u{a0}€"),
            (Some("he-IL"), IsoCurrency::EUR, "12.5", "12.50\u{a0}€"),
            (Some("en-ZA"), IsoCurrency::ZAR, "12.5", "R\u{a0}12,50"),
            (Some("zh-HK"), IsoCurrency::EUR, "12.5", "€12.50"),
            (Some("pt-PT"), IsoCurrency::EUR, "12.5", "12,50\u{a0}€"),
            (Some("es-MX"), IsoCurrency::EUR, "12.5", "€12.50"),
        ] {
            assert_eq!(written(tag, currency, amount), expected, "{tag:?}");
        }
    }

    /// On 29 November 2026 by the list of ISO 4217 and CLDR 48.2.
    #[test]
    fn the_currency_of_a_locale_is_one_in_use() {
        for (tag, expected) in [
            (None, "EUR"),
            (Some("hr-HR"), "EUR"),
            (Some("bg-BG"), "EUR"),
            (Some("bg"), "EUR"),
            (Some("lt-LT"), "EUR"),
            (Some("en-GB"), "GBP"),
            (Some("de-CH"), "CHF"),
            (Some("de-LI"), "CHF"),
            (Some("sv"), "SEK"),
            (Some("sr"), "RSD"),
            (Some("sr-Latn"), "RSD"),
            (Some("sr-Latn-ME"), "EUR"),
            (Some("be-BY"), "BYN"),
            (Some("be"), "BYN"),
            (Some("es-VE"), "VES"),
            (Some("tk-TM"), "TMT"),
            (Some("nl-CW"), "XCG"),
            (Some("en-SL"), "SLE"),
            (Some("en-ZW"), "ZWG"),
            (Some("es-CU"), "CUP"),
            (Some("zh-Hant"), "TWD"),
            (Some("ar"), "EGP"),
            (Some("pt"), "BRL"),
            (Some("es-419"), "EUR"),
            (Some("de-u-nu-latn"), "EUR"),
            (Some("nb"), "NOK"),
            (Some("ja"), "JPY"),
            (Some("zz-ZZ"), "EUR"),
            (Some(""), "EUR"),
        ] {
            assert_eq!(currency_of(tag), expected, "{tag:?}");
        }
        for option in super::super::account::choices::locales(None) {
            let region = option.value.rsplit('-').next().unwrap_or_default();
            assert!(option.value.is_empty() || region.len() == 2, "{}", option.value);
            assert!(iso_currencies::is_in_use(currency_of(Some(&option.value))), "{}", option.value);
        }
    }

    #[test]
    fn a_symbol_of_several_currencies_is_replaced_by_the_code() {
        assert_eq!(written(None, IsoCurrency::AUD, "1"), "AUD\u{a0}1.00");
        assert_eq!(written(Some("sv-SE"), IsoCurrency::SEK, "1"), "1,00\u{a0}SEK");
    }

    #[test]
    fn arabic_letters_are_for_viewers_who_read_them() {
        for currency in
            ["AED", "KWD", "SAR", "QAR", "BHD", "OMR", "IQD", "YER", "LYD", "TND", "MAD", "DZD", "AFN"]
        {
            let currency = IsoCurrency::from_code(currency).unwrap();
            for tag in [None, Some("en-US"), Some("hi-IN"), Some("he-IL"), Some("de-DE")] {
                let written = written(tag, currency, "1300");
                assert!(written.contains(currency.code()), "{tag:?}: {written}");
                assert_eq!(isolated(&written), written);
            }
        }
        assert_eq!(written(None, IsoCurrency::AED, "1300"), "AED\u{a0}1300.00");
        let own = written(Some("ar-AE"), IsoCurrency::AED, "1300");
        assert!(own.contains("\u{2068}د.إ\u{2069}"), "{own}");
    }
}

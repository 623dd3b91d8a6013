//! Units of amounts.

use super::BidCurrency;
use super::wire::wire_struct;

pub use rules_engine::words::Noun;
use rules_engine::words::with_digits;

wire_struct! {
    /// The unit that every bid of an auction is converted to. In a legacy auction the currency of the item.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    #[cfg_attr(feature = "ssr", derive(serde::Serialize))]
    pub struct BaseUnit {
        pub name: String,
        pub plural: Option<String>,
        pub symbol: String,
        /// How amounts are written if the unit is an ISO 4217 currency, as an amount of zero in the viewer's
        /// locale: `£0.00`, `0,00 €`. One text, so that the browser needs no further code to read it.
        #[cfg_attr(feature = "ssr", serde(skip_serializing_if = "Option::is_none"))]
        pub zero: Option<String>,
        /// The currency in whose pieces amounts are written, if the auction has its own.
        #[cfg_attr(feature = "ssr", serde(skip_serializing_if = "Option::is_none"))]
        pub written_in: Option<Box<BidCurrency>>,
    }
}

impl BaseUnit {
    /// The unit alone, for amounts that stand beside pieces.
    pub fn bare(&self) -> Self {
        Self { written_in: None, ..self.clone() }
    }

    /// The words after `In` in the hint of a field for an amount: `Knuts, or in pieces`.
    pub fn asked(&self) -> String {
        let has_pieces = self.written_in.as_ref().is_some_and(|currency| currency.by_denomination());
        let several = self.noun().several().to_owned();
        if has_pieces { several + ", or in pieces" } else { several }
    }

    /// Whether the unit has a name or a symbol.
    pub fn is_named(&self) -> bool {
        !self.name.is_empty() || !self.symbol.is_empty()
    }

    /// The name of the unit, or else its symbol.
    pub fn noun(&self) -> Noun<'_> {
        match (self.name.as_str(), self.symbol.as_str()) {
            ("", "") => Noun::BASE_UNIT,
            ("", symbol) => Noun { one: symbol, several: None },
            (name, _) => Noun::new(name, self.plural.as_ref()),
        }
    }
}

/// Writes an amount like the amount of zero. `amount` is a canonical decimal, none of whose digits is lost,
/// or words, which stay as they are. Digits are grouped by CSS.
pub fn written_like(zero: &str, amount: &str) -> String {
    let is_number = amount.starts_with(|first: char| first.is_ascii_digit());
    let (Some(begin), true) = (zero.find('0'), is_number) else {
        return amount.to_owned();
    };
    let (before, rest) = zero.split_at(begin);
    let after = rest.trim_start_matches(['0', ',', '.']);
    let (pattern, _) = rest.split_at(rest.len() - after.len());
    // The pattern is a zero, the mark, and a zero for each digit.
    let mark = if pattern.contains(',') { "," } else { "." };
    format!("{before}{}{after}", with_digits(amount, pattern.len().saturating_sub(2), mark))
}

#[cfg(test)]
mod tests {
    use super::written_like;

    #[test]
    fn money_has_its_minor_digits_and_loses_none() {
        let written = ["12", "12.5", "12.50", "0.05", "12.125"].map(|amount| written_like("£0.00", amount));
        assert_eq!(written, ["£12.00", "£12.50", "£12.50", "£0.05", "£12.125"]);
        let written = ["1200", "0.5", "more than 10^18", "–"].map(|amount| written_like("¥0", amount));
        assert_eq!(written, ["¥1200", "¥0.5", "more than 10^18", "–"]);
        assert_eq!(written_like("0,00\u{a0}€", "1234.5"), "1234,50\u{a0}€");
        assert_eq!(written_like("no zero", "5"), "5");
    }
}

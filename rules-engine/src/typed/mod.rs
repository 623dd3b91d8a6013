//! Numbers, bids and amounts as people type them, into the fields of pages and into tables (SPEC, section
//! 11).

mod amount;
mod bid;
mod number;
mod price;

use alloc::{borrow::ToOwned, string::String, vec, vec::Vec};

use crate::{
    money::{FractionPolicy, Literal},
    profile::{InputMode, ProfileDefinition},
};

pub use self::amount::typed_amount;
pub use self::bid::typed_bid;
pub use self::number::{is_digit, number_note, typed_number};
pub use self::price::{clear, price_as_typed, price_in_cell, typed_price};

/// Fraction digits of an amount in base units, at most.
const PRECISION_OF_UNITS: u8 = 8;

/// A currency with the names that may stand beside its numbers.
#[derive(Debug, Clone)]
pub struct TypedCurrency<'a> {
    /// What its bids are worth.
    pub definition: ProfileDefinition,
    /// The symbols, names, plurals and codes, each with the field of a bid that it belongs to. A currency
    /// without denominations has one field. The first name of a field is that of one. None is empty.
    pub names: Vec<(usize, &'a str)>,
    /// Whether two letters differ in case at most. The engine has no table of letters: a browser and a server
    /// have their own.
    pub same_letters: fn(char, char) -> bool,
    /// A mark before three digits is decimal: as many stand after the point of the currency.
    has_thousandths: bool,
}

impl<'a> TypedCurrency<'a> {
    /// A currency with its own names, which count in SCALAR mode, and those of its pieces, one first.
    pub fn new<const N: usize>(
        definition: ProfileDefinition,
        own: [&'a str; N],
        pieces: impl Iterator<Item = [&'a str; 4]>,
        same_letters: fn(char, char) -> bool,
    ) -> Self {
        let mut names: Vec<(usize, &str)> = Vec::new();
        let own = own.into_iter().map(|name| (0, name));
        names.extend(own.filter(|_| definition.input_mode == InputMode::Scalar));
        for (field, of_piece) in pieces.enumerate() {
            names.extend(of_piece.map(|name| (field, name)));
        }
        names.retain(|(_, name)| !name.is_empty());
        let has_thousandths = definition.precision >= 3;
        Self { definition, names, same_letters, has_thousandths }
    }

    /// A base unit with its names, as a currency.
    pub fn of_unit(names: impl IntoIterator<Item = &'a str>, same_letters: fn(char, char) -> bool) -> Self {
        let definition = ProfileDefinition {
            id: "unit".to_owned(),
            input_mode: InputMode::Scalar,
            rate_to_base: Literal::from("1"),
            precision: PRECISION_OF_UNITS,
            fraction_policy: FractionPolicy::Reject,
            denominations: vec![],
        };
        let names = names.into_iter().filter(|name| !name.is_empty()).map(|name| (0, name)).collect();
        // Units may have many digits, and are seldom written with them.
        Self { definition, names, same_letters, has_thousandths: false }
    }

    fn by_denomination(&self) -> bool {
        self.definition.input_mode == InputMode::Denomination
    }

    /// The name of one of what a field counts.
    fn name_of(&self, field: usize) -> &'a str {
        let named = self.names.iter().find(|(of, _)| *of == field);
        named.map_or("", |(_, name)| *name)
    }

    /// Number of digits after the point of the first of two pieces that count the second: 2, where a euro has
    /// 100 cents. None if such digits count no piece.
    fn fraction_digits(&self) -> Option<usize> {
        let [one, other] = self.definition.denominations.as_slice() else { return None };
        let zeros = one.factor.as_str().strip_prefix(other.factor.as_str())?;
        (!zeros.is_empty() && zeros.bytes().all(|digit| digit == b'0')).then_some(zeros.len())
    }

    /// Whether a count of the second of two pieces is worth what it would be as the fraction of the first: 50
    /// cents in `2.50` euros, and none.
    fn is_the_same(&self, count: &str) -> bool {
        count.bytes().all(|digit| digit == b'0') || self.fraction_digits() == Some(count.len())
    }

    /// A number of the first of two pieces, before and after its point. None without a point, below zero, or
    /// if the digits after it count no piece.
    fn fraction<'n>(&self, field: usize, number: &'n str) -> Option<(&'n str, &'n str)> {
        let (whole, fraction) = number.split_once('.').filter(|(whole, _)| !whole.starts_with('-'))?;
        (field == 0 && fraction.len() <= self.fraction_digits()?).then_some((whole, fraction))
    }

    /// The two counts of a number that is named as one of the first of two pieces, and that this piece can't
    /// have: 12 and 50 for `12.5` euros.
    fn in_two(&self, field: usize, number: &str) -> Option<[(usize, String); 2]> {
        let (whole, fraction) = self.fraction(field, number)?;
        if fraction.len() <= usize::from(self.definition.precision) {
            return None;
        }
        let zeros = self.fraction_digits()?.saturating_sub(fraction.len());
        Some([(0, whole.to_owned()), (1, [fraction, &"0".repeat(zeros)].concat())])
    }

    /// The field of the first piece that amounts are written with.
    fn written_field(&self) -> usize {
        self.definition.denominations.iter().position(|piece| piece.written).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use alloc::borrow::ToOwned;

    use super::*;
    use crate::DenominationDefinition;

    /// By the table of the compiler.
    #[expect(clippy::disallowed_methods, reason = "stands for the table of a caller")]
    pub fn same_letters(one: char, other: char) -> bool {
        one.to_lowercase().eq(other.to_lowercase())
    }

    /// A currency with precision 2, whose pieces have a code, the names of one and of several, a symbol and a
    /// factor.
    pub fn currency<'a>(
        name: &'a str,
        plural: &'a str,
        symbol: &'a str,
        pieces: &[[&'a str; 5]],
    ) -> TypedCurrency<'a> {
        let denomination = |[code, _, _, _, factor]: &[&str; 5]| DenominationDefinition {
            code: (*code).to_owned(),
            factor: Literal::from(*factor),
            written: true,
        };
        let definition = ProfileDefinition {
            id: name.to_owned(),
            input_mode: if pieces.is_empty() { InputMode::Scalar } else { InputMode::Denomination },
            rate_to_base: Literal::from("1"),
            precision: if pieces.is_empty() { 2 } else { 0 },
            fraction_policy: FractionPolicy::Reject,
            denominations: pieces.iter().map(denomination).collect(),
        };
        let names = pieces.iter().map(|[code, one, several, symbol, _]| [*one, *several, *symbol, *code]);
        TypedCurrency::new(definition, [name, plural, symbol], names, same_letters)
    }

    pub fn guild() -> TypedCurrency<'static> {
        currency(
            "Guild money",
            "",
            "",
            &[
                ["GOLD", "Gold", "", "g", "100"],
                ["SILVER", "Silver", "", "s", "10"],
                ["COPPER", "Copper", "", "c", "1"],
            ],
        )
    }

    pub fn old_money() -> TypedCurrency<'static> {
        currency(
            "Old money",
            "",
            "£",
            &[
                ["POUND", "Pound", "Pounds", "£", "240"],
                ["SHILLING", "Shilling", "Shillings", "s", "12"],
                ["PENNY", "Penny", "Pence", "d", "1"],
                ["GOLD", "Gold piece", "Gold pieces", "gp", "7"],
            ],
        )
    }
}

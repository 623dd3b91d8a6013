//! A price that is typed in one field, as clerks do: `12`, `£1 2s`, or the counts of all pieces, `3.2.1`.

use rules_engine::{BidForm, EnteredCount, Literal};

use super::typed_bid;
use crate::model::{BidCurrency, Denomination};

/// Reads a price in a currency. A text that is no price stays for the engine to refuse.
pub fn written_price(currency: &BidCurrency, text: &str, has_comma: bool) -> BidForm {
    let text = text.trim();
    if text.is_empty() {
        return BidForm::default();
    }
    let pieces = &currency.denominations;
    if !currency.by_denomination() {
        let amount = typed_bid(currency, &[text.to_owned()], has_comma).concat();
        return BidForm { amount: Some(Literal::from(amount)), entered_representation: None };
    }
    let counts: Vec<&str> = text.split('.').map(str::trim).collect();
    let is_count = |count: &&str| !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit());
    let numbers: Vec<String> = if counts.len() == pieces.len() && counts.iter().all(is_count) {
        counts.into_iter().map(str::to_owned).collect()
    } else {
        let written = pieces.iter().position(|piece| piece.written).unwrap_or(0);
        let of = |at| if at == written { text.to_owned() } else { String::new() };
        typed_bid(currency, &(0..pieces.len()).map(of).collect::<Vec<_>>(), has_comma)
    };
    let given = pieces.iter().zip(numbers).filter(|(_, number)| !number.is_empty());
    let count = |(piece, number): (&Denomination, String)| EnteredCount {
        denomination: piece.code.clone(),
        count: number.into(),
    };
    BidForm { amount: None, entered_representation: Some(given.map(count).collect()) }
}

/// The text that means this price: the opposite of [`written_price`].
pub fn price_as_typed(currency: &BidCurrency, price: &BidForm) -> String {
    if let Some(amount) = &price.amount {
        return amount.as_str().to_owned();
    }
    let entries = price.entered_representation.as_deref().unwrap_or_default();
    let count = |piece: &Denomination| {
        let entry = entries.iter().find(|entry| entry.denomination == piece.code);
        entry.map_or("0", |entry| entry.count.as_str())
    };
    currency.denominations.iter().map(count).collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use rules_engine::{FractionPolicy, InputMode};

    use super::*;

    fn wizarding() -> BidCurrency {
        let piece = |code: &str, symbol: &str| Denomination {
            code: code.to_owned(),
            name: code.to_owned(),
            plural: None,
            symbol: symbol.to_owned(),
            factor: Literal::from("1"),
            written: true,
        };
        BidCurrency {
            profile_id: Some("p".to_owned()),
            name: "Wizarding money".to_owned(),
            plural: None,
            symbol: String::new(),
            input_mode: InputMode::Denomination,
            rate_to_base: Literal::from("1"),
            precision: 0,
            fraction_policy: FractionPolicy::Reject,
            denominations: vec![piece("GALLEON", "G"), piece("SICKLE", "s"), piece("KNUT", "k")],
        }
    }

    fn counts(price: &BidForm) -> Vec<(&str, &str)> {
        let entries = price.entered_representation.as_deref().unwrap_or_default();
        entries.iter().map(|entry| (entry.denomination.as_str(), entry.count.as_str())).collect()
    }

    #[test]
    fn counts_between_points_are_those_of_all_pieces() {
        let price = written_price(&wizarding(), " 3.0.12 ", false);
        assert_eq!(counts(&price), [("GALLEON", "3"), ("SICKLE", "0"), ("KNUT", "12")]);
        assert_eq!(price_as_typed(&wizarding(), &price), "3.0.12");
    }

    #[test]
    fn a_number_alone_counts_the_first_written_piece() {
        let price = written_price(&wizarding(), "3", false);
        assert_eq!(counts(&price), [("GALLEON", "3")]);
        assert_eq!(price_as_typed(&wizarding(), &price), "3.0.0");
    }

    #[test]
    fn an_amount_may_have_a_decimal_comma() {
        let euros = BidCurrency { input_mode: InputMode::Scalar, denominations: Vec::new(), ..wizarding() };
        let price = written_price(&euros, "12,5", true);
        assert_eq!(price.amount.as_ref().map(Literal::as_str), Some("12.5"));
        assert_eq!(price_as_typed(&euros, &price), "12.5");
    }

    #[test]
    fn nothing_is_no_price() {
        assert_eq!(written_price(&wizarding(), "  ", false), BidForm::default());
    }
}

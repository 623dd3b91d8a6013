//! A broken rule, in words that say what to do, with the names of the auction's own money.

use rules_engine::Normalized;
use rules_engine::{Violation, ViolationCode};

use crate::components::money::{counted, percent, plural};
use crate::model::BidCurrency;

/// One sentence for the list of violations.
pub fn sentence(violation: &Violation, currency: &BidCurrency, unit: &str) -> String {
    let required = violation.required.as_deref().unwrap_or_default();
    let worth = counted(required, unit);
    match violation.code {
        ViolationCode::MinBid => match missing(violation) {
            Some(missing) => format!("{} more: bids begin at {worth}.", counted(&missing, unit)),
            None => format!("Bids begin at {worth}."),
        },
        ViolationCode::EqualNotHigher => format!("Bid more than {worth}, the highest bid."),
        ViolationCode::MinIncrement => match missing(violation) {
            Some(missing) => format!("{} more: the next bid is at least {worth}.", counted(&missing, unit)),
            None => format!("The next bid is at least {worth}."),
        },
        ViolationCode::MinComponentRatio => {
            let piece = plural(piece(violation, currency));
            let share = percent(violation.actual.as_deref().unwrap_or("0"));
            format!("More {piece}: at least {} of the bid's value, now {share}.", percent(required))
        }
        ViolationCode::RequiredDenomination => {
            let piece = piece(violation, currency);
            match missing(violation) {
                Some(missing) => format!("{} more: at least {required}.", counted(&missing, piece)),
                None => format!("At least {}.", counted(required, piece)),
            }
        }
        _ => renamed(violation, currency),
    }
}

/// The same in a few words, for the place beside the field that it names.
pub fn beside_field(violation: &Violation, currency: &BidCurrency) -> String {
    let required = violation.required.as_deref().unwrap_or_default();
    match violation.code {
        ViolationCode::InvalidNumber => "digits only, such as 12".to_owned(),
        ViolationCode::Negative => "not below 0".to_owned(),
        ViolationCode::FractionNotAllowed if required == "0" => "whole numbers only".to_owned(),
        ViolationCode::FractionNotAllowed if required == "1" => "at most 1 digit after the point".to_owned(),
        ViolationCode::FractionNotAllowed => format!("at most {required} digits after the point"),
        ViolationCode::AmountOutOfRange => format!("at most {required}"),
        ViolationCode::MinComponentRatio => format!("at least {} of the value", percent(required)),
        ViolationCode::RequiredDenomination => match missing(violation) {
            Some(missing) => format!("{missing} more"),
            None => format!("at least {required}"),
        },
        _ => renamed(violation, currency),
    }
}

/// The engine knows denominations by their code, people by their name.
fn renamed(violation: &Violation, currency: &BidCurrency) -> String {
    let code = violation.denomination.as_deref().unwrap_or_default();
    match violation.message.strip_prefix(code) {
        Some(rest) if !code.is_empty() => format!("{}{rest}", piece(violation, currency)),
        _ => violation.message.clone(),
    }
}

fn piece<'a>(violation: &'a Violation, currency: &'a BidCurrency) -> &'a str {
    let code = violation.denomination.as_deref().unwrap_or_default();
    let known = currency.denominations.iter().find(|denomination| denomination.code == code);
    known.map_or(code, |denomination| &denomination.name)
}

/// How much more it takes, exactly.
fn missing(violation: &Violation) -> Option<String> {
    let required: Normalized = violation.required.as_deref()?.parse().ok()?;
    let actual: Normalized = violation.actual.as_deref()?.parse().ok()?;
    Some(required.checked_sub(actual)?.to_string())
}

#[cfg(test)]
mod tests {
    use rules_engine::money::{FractionPolicy, Literal};
    use rules_engine::{DenominationDefinition, InputMode, ProfileDefinition};

    use super::*;
    use crate::model::DenominationName;

    fn currency() -> BidCurrency {
        BidCurrency {
            profile_id: Some("p".to_owned()),
            name: "Wizarding money".to_owned(),
            symbol: String::new(),
            definition: ProfileDefinition {
                id: "p".to_owned(),
                input_mode: InputMode::Denomination,
                rate_to_base: Literal::from("1"),
                precision: 0,
                fraction_policy: FractionPolicy::Reject,
                denominations: vec![DenominationDefinition {
                    code: "GALLEON".to_owned(),
                    factor: Literal::from("493"),
                }],
            },
            denominations: vec![DenominationName {
                code: "GALLEON".to_owned(),
                name: "Galleon".to_owned(),
                symbol: String::new(),
            }],
        }
    }

    fn violation(code: ViolationCode, required: &str, actual: &str) -> Violation {
        Violation {
            code,
            rule_id: None,
            message: "GALLEON must be a whole number.".to_owned(),
            required: Some(required.to_owned()),
            actual: Some(actual.to_owned()),
            denomination: Some("GALLEON".to_owned()),
        }
    }

    #[test]
    fn says_how_much_more_exactly() {
        let short = violation(ViolationCode::MinIncrement, "505", "502.0000000000001");
        let words = sentence(&short, &currency(), "Knut");
        assert_eq!(words, "2.9999999999999\u{a0}Knuts more: the next bid is at least 505\u{a0}Knuts.");
    }

    #[test]
    fn names_the_denomination_as_people_do() {
        let few = violation(ViolationCode::RequiredDenomination, "2", "0");
        assert_eq!(sentence(&few, &currency(), "Knut"), "2\u{a0}Galleons more: at least 2.");
        assert_eq!(beside_field(&few, &currency()), "2 more");
        let half = violation(ViolationCode::FractionNotAllowed, "0", "0.5");
        assert_eq!(sentence(&half, &currency(), "Knut"), "Galleon must be a whole number.");
    }
}

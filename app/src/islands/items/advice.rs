//! Texts for violations. They say what to do, with the names of the auction's currencies.

use rules_engine::money::grouped;
use rules_engine::{Normalized, Violation, ViolationCode};

use crate::components::money::{amount_in, counted, number_note, percent};
use crate::components::name::isolated;
use crate::model::{BaseUnit, BidCurrency, Noun};

/// One sentence for the list of violations.
pub fn sentence(violation: &Violation, currency: &BidCurrency, unit: &BaseUnit) -> String {
    let required = violation.required.as_deref().unwrap_or_default();
    let value = amount_in(required, unit);
    match violation.code {
        ViolationCode::MinBid => match missing(violation) {
            Some(missing) => format!("Add {}: bids begin at {value}.", amount_in(&missing, unit)),
            None => format!("Bids begin at {value}."),
        },
        ViolationCode::EqualNotHigher => format!("Bid more than {value}, the highest bid."),
        ViolationCode::MinIncrement => match missing(violation) {
            Some(missing) => format!("Add {}: the next bid is at least {value}.", amount_in(&missing, unit)),
            None => format!("The next bid is at least {value}."),
        },
        ViolationCode::Step => match missing(violation) {
            Some(missing) => format!("Add {}: the next step is {value}.", amount_in(&missing, unit)),
            None => format!("The next step is {value}."),
        },
        ViolationCode::MaxIncrement => format!("Bid {value} at most: no higher rise is allowed."),
        ViolationCode::MaxBid => format!("Bid {value} at most: no bid may be higher."),
        ViolationCode::InsufficientBalance => {
            let has = amount_in(violation.actual.as_deref().unwrap_or("0"), unit);
            match missing(violation) {
                Some(missing) => {
                    format!("You have {has} available: {} too much.", amount_in(&missing, unit))
                }
                None => violation.message.clone(),
            }
        }
        ViolationCode::MinComponentRatio => {
            let names = isolated(denomination(violation, currency).several());
            let share = percent(violation.actual.as_deref().unwrap_or("0"));
            let least = if required == "0.5" { "half".to_owned() } else { percent(required) };
            format!("At least {least} must be in {names}; now {share}.")
        }
        ViolationCode::RequiredDenomination => {
            let noun = denomination(violation, currency);
            match missing(violation) {
                Some(missing) => format!("Add {} (at least {required} needed).", counted(&missing, noun)),
                None => format!("At least {}.", counted(required, noun)),
            }
        }
        // The words beside the field, after its name.
        ViolationCode::InvalidNumber if violation.actual.is_some() => {
            let name = violation.denomination.as_ref().map(|_| denomination(violation, currency).one);
            format!("{}: {}.", name.unwrap_or("Amount"), field_note(violation, currency))
        }
        _ => renamed(violation, currency),
    }
}

/// A few words for the place next to the field.
pub fn field_note(violation: &Violation, currency: &BidCurrency) -> String {
    let required = violation.required.as_deref().unwrap_or_default();
    match violation.code {
        ViolationCode::InvalidNumber => {
            number_note(currency.precision, violation.actual.as_deref().unwrap_or_default()).to_owned()
        }
        ViolationCode::Negative => "not below 0".to_owned(),
        ViolationCode::FractionNotAllowed if required == "0" => "whole numbers only".to_owned(),
        ViolationCode::FractionNotAllowed if required == "1" => "at most 1 digit after the point".to_owned(),
        ViolationCode::FractionNotAllowed => format!("at most {required} digits after the point"),
        ViolationCode::AmountOutOfRange => format!("at most {}", grouped(required)),
        ViolationCode::MinComponentRatio => format!("at least {} of the value", percent(required)),
        ViolationCode::RequiredDenomination => match missing(violation) {
            Some(missing) => format!("{missing} more"),
            None => format!("at least {required}"),
        },
        _ => renamed(violation, currency),
    }
}

/// The message of the engine, with the name of the denomination instead of its code.
fn renamed(violation: &Violation, currency: &BidCurrency) -> String {
    let code = violation.denomination.as_deref().unwrap_or_default();
    match violation.message.strip_prefix(code) {
        Some(rest) if !code.is_empty() => format!("{}{rest}", denomination(violation, currency).one),
        _ => violation.message.clone(),
    }
}

fn denomination<'a>(violation: &'a Violation, currency: &'a BidCurrency) -> Noun<'a> {
    currency.piece(violation.denomination.as_deref().unwrap_or_default())
}

/// The exact difference between the required and the actual value.
pub fn missing(violation: &Violation) -> Option<String> {
    let required: Normalized = violation.required.as_deref()?.parse().ok()?;
    let actual: Normalized = violation.actual.as_deref()?.parse().ok()?;
    Some(required.checked_sub(actual)?.to_string())
}

#[cfg(test)]
mod tests {
    use rules_engine::money::{FractionPolicy, Literal};
    use rules_engine::{
        BidContext, BidForm, EnteredCount, InputMode, ItemTerms, RuleDefinition, RuleParams, RuleSet,
        RuleType, Tier,
    };

    use super::*;
    use crate::model::Denomination;

    fn knut() -> BaseUnit {
        BaseUnit { name: "Knut".to_owned(), plural: Some("Knuts".to_owned()), ..BaseUnit::default() }
    }

    fn currency() -> BidCurrency {
        BidCurrency {
            profile_id: Some("p".to_owned()),
            name: "Wizarding money".to_owned(),
            plural: None,
            symbol: String::new(),
            input_mode: InputMode::Denomination,
            rate_to_base: Literal::from("1"),
            precision: 0,
            fraction_policy: FractionPolicy::Reject,
            denominations: vec![Denomination {
                code: "GALLEON".to_owned(),
                name: "Galleon".to_owned(),
                plural: Some("Galleons".to_owned()),
                symbol: String::new(),
                factor: Literal::from("493"),
                written: true,
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
    fn the_difference_is_exact() {
        let short = violation(ViolationCode::MinIncrement, "505", "502.0000000000001");
        let words = sentence(&short, &currency(), &knut());
        assert_eq!(words, "Add 2.9999999999999\u{a0}Knuts: the next bid is at least 505\u{a0}Knuts.");
    }

    #[test]
    fn the_next_step_is_that_of_the_next_tier() {
        let tier =
            |from, step| Tier { from: Literal::from(from), amount: None, step: Some(Literal::from(step)) };
        let rule = RuleDefinition {
            id: "r".to_owned(),
            currency_profile_id: None,
            rule_type: RuleType::Step,
            params: RuleParams {
                tiers: Some(vec![tier("0", "300"), tier("500", "700")]),
                ..RuleParams::default()
            },
            enabled: true,
            position: 0,
        };
        let currency = currency();
        let rules = RuleSet::compile(&currency.definition(), &[rule], &ItemTerms::default()).expect("a rule");
        let words = |count: &str| {
            let entry = EnteredCount { denomination: "GALLEON".to_owned(), count: Literal::from(count) };
            let bid = BidForm { amount: None, entered_representation: Some(vec![entry]) };
            let violations = rules.evaluate(BidContext::default(), &bid).violations;
            violations.first().map(|violation| sentence(violation, &currency, &knut()))
        };
        let next = "Add 207\u{a0}Knuts: the next step is 700\u{a0}Knuts.";
        assert_eq!(words("1").as_deref(), Some(next), "600 is in the next tier, and no step of it");
    }

    #[test]
    fn a_denomination_has_its_name_not_its_code() {
        let few = violation(ViolationCode::RequiredDenomination, "2", "0");
        assert_eq!(sentence(&few, &currency(), &knut()), "Add 2\u{a0}Galleons (at least 2 needed).");
        assert_eq!(field_note(&few, &currency()), "2 more");
        let half = violation(ViolationCode::FractionNotAllowed, "0", "0.5");
        assert_eq!(sentence(&half, &currency(), &knut()), "Galleon must be a whole number.");
    }

    #[test]
    fn a_share_is_said_in_words_where_it_is_half() {
        let share = |required| violation(ViolationCode::MinComponentRatio, required, "0.123");
        let half = "At least half must be in Galleons; now 12.3\u{a0}%.";
        assert_eq!(sentence(&share("0.5"), &currency(), &knut()), half);
        let quarter = "At least 25\u{a0}% must be in Galleons; now 12.3\u{a0}%.";
        assert_eq!(sentence(&share("0.25"), &currency(), &knut()), quarter);
    }

    #[test]
    fn an_invalid_number_is_told_what_the_field_takes() {
        let note = |typed, precision| {
            let currency = BidCurrency { precision, ..currency() };
            field_note(&violation(ViolationCode::InvalidNumber, "", typed), &currency)
        };
        assert_eq!(note("1.000,50", 0), "without a separator for thousands, such as 1000");
        assert_eq!(note("1,000", 2), "without a separator for thousands, such as 1000 or 12.5");
        assert_eq!(note("12x", 2), "a number, alone or beside its own name");
        assert_eq!(note("+5", 2), "a number, alone or beside its own symbol");
        assert_eq!(note("£5", 2), "a number, alone or beside its own symbol");
        assert_eq!(note("1 00", 2), "a number, such as 12.5");
        assert_eq!(note("", 0), "digits only, such as 12");
        let said = sentence(&violation(ViolationCode::InvalidNumber, "", "1,000"), &currency(), &knut());
        assert_eq!(said, "Galleon: without a separator for thousands, such as 1000.");
    }
}

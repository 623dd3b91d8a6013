//! A message that asks for more asks for exactly as much as is needed.

use proptest::prelude::*;
use rules_engine::{
    Amount, BidContext, BidForm, EnteredCount, InputMode, Normalized, RuleSet, Violation, ViolationCode,
};

use crate::{
    cases::case_in,
    rationals::{self, Rational, power},
};

/// The number in a message that asks for more.
fn asked(violation: &Violation) -> Option<&str> {
    if let Some(rest) = violation.message.strip_prefix("Add ") {
        return rest.split(':').next();
    }
    let (_, end) = violation.message.rsplit_once(": ")?;
    let more = end.strip_suffix(" more.").or_else(|| end.strip_suffix(" too much."));
    more.or_else(|| end.strip_suffix(" more would do."))
}

/// A normalized amount as a fraction.
fn decimal_of(text: Option<&str>) -> Rational {
    let amount: Normalized = text.and_then(|text| text.parse().ok()).expect("an amount");
    Rational::from_integer(amount.mantissa().into()) / power(13)
}

/// The bid with `more` of one denomination.
fn with(bid: &BidForm, denomination: &str, more: Amount) -> BidForm {
    let mut entries = bid.entered_representation.clone().unwrap_or_default();
    match entries.iter_mut().find(|entry| entry.denomination == denomination) {
        Some(entry) => {
            let count = Amount::try_from(&entry.count).expect("a count");
            entry.count = count.checked_add(more).expect("a count").into();
        }
        None => entries.push(EnteredCount { denomination: denomination.into(), count: more.into() }),
    }
    BidForm { amount: None, entered_representation: Some(entries) }
}

/// Whether a bid still violates the same rule; none if it is too large to be judged.
fn violates(rules: &RuleSet, context: BidContext, bid: &BidForm, violation: &Violation) -> Option<bool> {
    let verdict = rules.evaluate(context, bid);
    let same = |other: &Violation| (other.code, &other.rule_id) == (violation.code, &violation.rule_id);
    verdict.normalized.map(|_| verdict.violations.iter().any(same))
}

proptest! {
    #![proptest_config(crate::tries())]

    #[test]
    fn the_amount_in_a_message_is_just_enough(case in case_in(Just(InputMode::Denomination))) {
        let rules = case.compile();
        let Ok((entered, _)) = rules.normalize(&case.bid) else { return Ok(()) };
        let bid = BidForm::from(&entered);
        let step = Amount::from_mantissa(10_i128.pow(8 - u32::from(case.profile.precision))).expect("a step");
        for violation in rules.evaluate(case.context(), &bid).violations {
            match (violation.code, asked(&violation)) {
                (ViolationCode::MinBid | ViolationCode::MinIncrement, Some(more)) => {
                    let amount = |text: Option<&str>| text.and_then(|text| text.parse().ok());
                    let actual: Option<Normalized> = amount(violation.actual.as_deref());
                    let reached = actual.and_then(|actual| actual.checked_add(more.parse().ok()?));
                    prop_assert_eq!(reached, amount(violation.required.as_deref()));
                }
                (ViolationCode::Step, more) => {
                    let rule = case.rules.iter().find(|rule| Some(&rule.id) == violation.rule_id.as_ref());
                    let value = decimal_of(violation.actual.as_deref());
                    let next = rule.map(|rule| rationals::next_step(rule, &value));
                    let required = Some(decimal_of(violation.required.as_deref()));
                    prop_assert_eq!(&required, &next, "{}", violation.message);
                    prop_assert_eq!(more.map(|more| value + decimal_of(Some(more))), next, "{}", violation.message);
                }
                (ViolationCode::MinComponentRatio | ViolationCode::RequiredDenomination, Some(more)) => {
                    let more: Amount = more.parse().expect("an amount");
                    let code = violation.denomination.clone().unwrap_or_default();
                    let less = more.checked_sub(step).expect("an amount");
                    let enough = violates(&rules, case.context(), &with(&bid, &code, more), &violation);
                    let short = violates(&rules, case.context(), &with(&bid, &code, less), &violation);
                    prop_assert!(enough != Some(true), "{} does not do", violation.message);
                    prop_assert!(short != Some(false), "{} asks too much", violation.message);
                }
                _ => {}
            }
        }
    }
}

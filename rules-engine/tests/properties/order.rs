//! Changes that must not change a verdict, or must not make it worse.

use proptest::prelude::*;
use rules_engine::{BidForm, Literal, ViolationCode};

use crate::cases::{Case, case};

fn shuffled_rules() -> impl Strategy<Value = (Case, Case)> {
    case().prop_flat_map(|case| {
        let rules = Just(case.rules.clone()).prop_shuffle();
        rules.prop_map(move |rules| (case.clone(), Case { rules, ..case.clone() }))
    })
}

fn shuffled_entries() -> impl Strategy<Value = (Case, Case)> {
    case().prop_flat_map(|case| {
        let entries = Just(case.bid.entered_representation.clone().unwrap_or_default()).prop_shuffle();
        entries.prop_map(move |entries| {
            let entered_representation = case.bid.entered_representation.as_ref().map(|_| entries);
            let bid = BidForm { amount: case.bid.amount.clone(), entered_representation };
            (case.clone(), Case { bid, ..case.clone() })
        })
    })
}

/// The bid with one number raised, as text, by a digit in front.
fn raised(bid: &BidForm, which: usize) -> BidForm {
    let raise = |literal: &Literal| Literal::from(format!("1{:0>9}", literal.as_str()));
    let mut bid = bid.clone();
    if let Some(amount) = &mut bid.amount {
        *amount = raise(amount);
    }
    let entries = bid.entered_representation.iter_mut().flatten();
    for (_, entry) in entries.enumerate().filter(|(at, _)| *at == which) {
        entry.count = raise(&entry.count);
    }
    bid
}

proptest! {
    #![proptest_config(crate::tries())]

    #[test]
    fn the_order_of_rules_changes_nothing((case, shuffled) in shuffled_rules()) {
        let verdict = |case: &Case| case.compile().evaluate(case.context(), &case.bid);
        prop_assert_eq!(verdict(&case), verdict(&shuffled));
    }

    /// In the input phase violations are listed as entered; after it the order does not matter.
    #[test]
    fn the_order_of_entries_changes_no_normalized_bid((case, shuffled) in shuffled_entries()) {
        let rules = case.compile();
        let (verdict, other) = (rules.evaluate(case.context(), &case.bid), rules.evaluate(case.context(), &shuffled.bid));
        prop_assert_eq!(verdict.normalized, other.normalized);
        if verdict.normalized.is_some() {
            prop_assert_eq!(verdict, other);
        }
    }

    #[test]
    fn raising_a_bid_never_makes_it_too_low(case in case(), which in 0_usize..4) {
        let rules = case.compile();
        let raised = rules.evaluate(case.context(), &raised(&case.bid, which));
        let before = rules.evaluate(case.context(), &case.bid);
        if before.normalized.is_none() || raised.normalized < before.normalized {
            return Ok(());
        }
        let amounts = [ViolationCode::MinBid, ViolationCode::EqualNotHigher, ViolationCode::MinIncrement];
        for violation in raised.violations.iter().filter(|violation| amounts.contains(&violation.code)) {
            let same = |earlier: &&rules_engine::Violation| {
                (earlier.code, &earlier.rule_id) == (violation.code, &violation.rule_id)
            };
            prop_assert!(before.violations.iter().any(|earlier| same(&earlier)), "{:?} is new", violation);
        }
    }

    /// An evaluation leaves no state behind.
    #[test]
    fn the_same_case_gives_the_same_bytes(case in case()) {
        let json = case.json(false);
        prop_assert_eq!(rules_engine::evaluate(&json), rules_engine::evaluate(&json));
        prop_assert_eq!(rules_engine::evaluate(&json), rules_engine::evaluate(&case.json(true)));
    }
}

//! The engine against fractions of unbounded integers.

use proptest::{collection::vec, prelude::*};
use rules_engine::{Amount, Entered, FractionPolicy, InputMode};

use crate::{
    cases::{case, positive},
    rationals::{self, Expected, decimal, int, print},
};

proptest! {
    #![proptest_config(crate::tries())]

    /// Every violation with what it requires and what it saw, and of an accepted bid every digit.
    #[test]
    fn verdicts_are_those_of_unbounded_fractions(case in case()) {
        let verdict = case.compile().evaluate(case.context(), &case.bid);
        let broken: Vec<Expected> = verdict.violations.iter().map(Expected::from).collect();
        match rationals::read(&case) {
            Err(expected) => {
                prop_assert_eq!(broken, expected);
                prop_assert_eq!(verdict.normalized, None);
                prop_assert_eq!(verdict.entered, None);
            }
            Ok(bid) => {
                let expected = rationals::judge(&case, &bid);
                prop_assert_eq!(verdict.normalized.map(String::from), Some(print(&bid.value)));
                prop_assert_eq!(verdict.accepted(), expected.is_empty());
                prop_assert_eq!(broken, expected);
                if let Some(entered) = verdict.entered {
                    prop_assert_eq!(counts(&entered), above_zero(&case, &bid));
                }
            }
        }
    }

    /// The input phase alone gives the same result as the input phase of judging.
    #[test]
    fn normalizing_is_the_first_half_of_judging(case in case()) {
        let rules = case.compile();
        let verdict = rules.evaluate(case.context(), &case.bid);
        match rules.normalize(&case.bid) {
            Ok((entered, value)) => {
                prop_assert_eq!(verdict.normalized, Some(value));
                prop_assert!(verdict.entered.is_none_or(|listed| listed == entered));
            }
            Err(violations) => prop_assert_eq!(verdict.violations, violations),
        }
    }

    /// A rounded bid, entered again, has the same value.
    #[test]
    fn rounding_twice_is_rounding_once(case in case()) {
        let rules = case.compile();
        if let Ok((entered, value)) = rules.normalize(&case.bid) {
            prop_assert_eq!(rules.normalize(&(&entered).into()), Ok((entered, value)));
        }
    }

    /// Numbers in the profile's order give the same bid as their text; numbers that would be rounded give
    /// none.
    #[test]
    fn numbers_are_the_bid_of_their_text(case in case(), counts in vec(mantissa(), 1..17)) {
        let rules = case.compile();
        let amounts: Vec<Amount> =
            counts.iter().filter_map(|count| Amount::from_mantissa(*count / 5_000 * 50_000_000)).collect();
        let codes = case.profile.denominations.iter().map(|denomination| denomination.code.clone());
        let entered = match case.profile.input_mode {
            InputMode::Scalar => Entered::Amount(amounts[0]),
            InputMode::Denomination => {
                // One more than there are denominations has no code of its own.
                let codes = codes.chain((0..17).map(|at| format!("further {at}")));
                Entered::Representation(codes.zip(amounts.iter().copied()).collect())
            }
        };
        let amounts = if case.profile.input_mode == InputMode::Scalar { &amounts[..1] } else { &amounts };
        let fits = |amount: &Amount| {
            amount.mantissa() % 10_i128.pow(8 - u32::from(case.profile.precision)) == 0
        };
        let read = rules.read(&(&entered).into()).ok().filter(|_| amounts.iter().all(fits));
        prop_assert_eq!(rules.count(amounts), read);
    }

    /// Decimals print canonically, and read back.
    #[test]
    fn printing_is_canonical(text in positive(18, 9), minus in any::<bool>()) {
        let text = if minus { format!("-{text}") } else { text };
        let number: rules_engine::Fixed<9> = text.parse().expect("a decimal");
        prop_assert_eq!(number.to_string(), print(&decimal(&text).expect("a decimal")));
        prop_assert_eq!(number.to_string().parse(), Ok(number));
    }

    /// No policy rounds by a whole step.
    #[test]
    fn rounding_stays_within_one_step(text in positive(12, 9), precision in 0_usize..=4) {
        let value = decimal(&text).expect("a decimal");
        for policy in FractionPolicy::ALL {
            if let Some(rounded) = rationals::round(&value, precision, policy) {
                let off = (rounded - &value) * rationals::power(precision);
                prop_assert!(off < int(1) && off > -int(1));
            }
        }
    }
}

/// An amount in units of 10^-4: also below zero, the largest that may be entered, and the next above it.
fn mantissa() -> impl Strategy<Value = i128> {
    let most = 10_i128.pow(16);
    prop_oneof![20 => -20_000..2_000_000_000_i128, 1 => Just(most), 1 => Just(most + 5_000)]
}

fn counts(entered: &Entered) -> Vec<(String, String)> {
    match entered {
        Entered::Amount(amount) => vec![(String::new(), amount.to_string())],
        Entered::Representation(counts) => {
            counts.iter().map(|(code, count)| (code.clone(), count.to_string())).collect()
        }
    }
}

fn above_zero(case: &crate::cases::Case, bid: &rationals::Bid) -> Vec<(String, String)> {
    let codes = case.profile.denominations.iter().map(|denomination| denomination.code.clone());
    let codes = codes.chain([String::new()]);
    let counted = codes.zip(&bid.counts).filter(|(_, count)| **count > int(0));
    counted.map(|(code, count)| (code, print(count))).collect()
}

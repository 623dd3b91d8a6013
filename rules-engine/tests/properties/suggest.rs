//! The least bid: always accepted, and optimal where the specification requires it.

use proptest::{collection::vec, prelude::*, sample::select};
use rules_engine::{
    Amount, BidContext, BidForm, DenominationDefinition, EnteredCount, FractionPolicy, InputMode, ItemTerms,
    Literal, Normalized, ProfileDefinition, RuleDefinition, RuleParams, RuleSet, RuleType, Tier,
};

use crate::cases::{Case, case, case_in};

fn amount(steps: i128, precision: u8) -> BidForm {
    let mantissa = steps * 10_i128.pow(8 - u32::from(precision));
    let amount = Amount::from_mantissa(mantissa).expect("an amount");
    BidForm { amount: Some(amount.into()), entered_representation: None }
}

fn whole(value: u64) -> Normalized {
    value.to_string().parse().expect("a whole number")
}

/// Denominations with whole factors and a rate of 1.
fn profile(factors: &[u64], precision: u8) -> ProfileDefinition {
    let denomination = |(at, factor): (usize, &u64)| DenominationDefinition {
        code: format!("C{at}"),
        factor: factor.to_string().as_str().into(),
        written: true,
    };
    ProfileDefinition {
        id: "p".into(),
        input_mode: InputMode::Denomination,
        rate_to_base: "1".into(),
        precision,
        fraction_policy: FractionPolicy::Reject,
        denominations: factors.iter().enumerate().map(denomination).collect(),
    }
}

fn opening(minimum: Normalized) -> ItemTerms {
    ItemTerms { min_bid_normalized: Some(minimum), ..ItemTerms::default() }
}

/// The amount in canonical form, as a suggestion writes it.
fn canonical(bid: &BidForm) -> Option<Literal> {
    bid.amount.as_ref().and_then(|amount| Amount::parse(amount.as_str()).ok()).map(Literal::from)
}

/// The whole counts of a bid in the profile's order.
fn counts(bid: &BidForm, denominations: usize) -> Vec<u64> {
    let count = |at| {
        let mut entries = bid.entered_representation.iter().flatten();
        let entry = entries.find(|entry| entry.denomination == format!("C{at}"));
        entry.map_or(0, |entry| entry.count.as_str().parse().expect("whole"))
    };
    (0..denominations).map(count).collect()
}

/// Factors of which each divides the next larger, in any order.
fn chain() -> impl Strategy<Value = Vec<u64>> {
    let factors = (1_u64..4, vec(1_u64..5, 0..4)).prop_map(|(first, ratios)| {
        let mut factors = vec![first];
        for ratio in ratios {
            factors.push(factors.last().map_or(first, |factor| factor * ratio));
        }
        factors
    });
    factors.prop_shuffle()
}

/// Chooses among all counts with a value of at least `least`: the smallest value, then the smallest
/// total, then the first denominations.
fn brute_force(factors: &[u64], least: u64) -> (u64, u64, Vec<u64>) {
    let most = least + factors.iter().max().copied().unwrap_or(0);
    let mut all = vec![Vec::new()];
    for factor in factors {
        let more = |counts: &Vec<u64>| {
            let used: u64 = counts.iter().zip(factors).map(|(count, factor)| count * factor).sum();
            let counts = counts.clone();
            (0..=(most - used) / factor).map(move |count| [counts.clone(), vec![count]].concat())
        };
        all = all.iter().flat_map(more).collect();
    }
    let rank = |counts: Vec<u64>| {
        let value = counts.iter().zip(factors).map(|(count, factor)| count * factor).sum();
        (value, counts.iter().sum(), counts)
    };
    let enough = all.into_iter().map(rank).filter(|(value, _, _)| *value >= least && *value > 0);
    let best = enough.min_by_key(|(value, total, counts)| {
        (*value, *total, counts.iter().map(|count| u64::MAX - count).collect::<Vec<_>>())
    });
    best.expect("some counts")
}

/// A rule on steps: tiers with whole starts and steps, of which the first starts at 0.
fn step_rule(at: usize, tiers: &[(u64, u64)]) -> RuleDefinition {
    let mut from = 0;
    let tier = |(width, step): &(u64, u64)| {
        let tier = Tier { from: whole(from).into(), amount: None, step: Some(whole(*step).into()) };
        from += width;
        tier
    };
    RuleDefinition {
        id: format!("steps{at}"),
        currency_profile_id: None,
        rule_type: RuleType::Step,
        params: RuleParams { tiers: Some(tiers.iter().map(tier).collect()), ..RuleParams::default() },
        enabled: true,
        position: 0,
    }
}

/// One to three rules on steps, as widths and steps of their tiers.
fn step_rules() -> impl Strategy<Value = Vec<RuleDefinition>> {
    let rules = vec(vec((1_u64..60, 1_u64..12), 1..4), 1..4);
    rules.prop_map(|rules| rules.iter().enumerate().map(|(at, tiers)| step_rule(at, tiers)).collect())
}

/// Whether a whole value keeps all rules on steps: written without the engine.
fn keeps_steps(rules: &[RuleDefinition], value: u64) -> bool {
    let number = |literal: &Literal| literal.as_str().parse::<u64>().expect("whole");
    rules.iter().all(|rule| {
        let mut tiers = rule.params.tiers.iter().flatten().rev();
        let tier = tiers.find(|tier| number(&tier.from) <= value).expect("the first tier");
        tier.step.as_ref().is_some_and(|step| value.is_multiple_of(number(step)))
    })
}

proptest! {
    #![proptest_config(crate::tries())]

    #[test]
    fn what_is_suggested_is_accepted(case in case()) {
        let rules = case.compile();
        if let Some(bid) = rules.suggest(case.context()) {
            let verdict = rules.evaluate(case.context(), &bid);
            prop_assert!(verdict.accepted(), "{:?}: {:?}", bid, verdict.violations);
            // In the profile's order, without zeros, canonical: the form of an accepted bid.
            prop_assert_eq!(verdict.entered.as_ref().map(BidForm::from), Some(bid));
        }
    }

    #[test]
    fn nothing_smaller_than_a_suggested_amount_is_accepted(
        case in case_in(Just(InputMode::Scalar)),
        further in 1_i128..1_000_000,
    ) {
        let (rules, precision) = (case.compile(), case.profile.precision);
        let unit = 10_i128.pow(u32::from(precision));
        let refused = |steps| !rules.evaluate(case.context(), &amount(steps, precision)).accepted();
        match rules.suggest(case.context()).and_then(|bid| bid.amount) {
            Some(least) => {
                let least = Amount::parse(least.as_str()).expect("an amount").mantissa() * unit / 100_000_000;
                prop_assert!(refused(least - 1));
                prop_assert!(refused((least - further).max(0)));
            }
            // Then no amount is accepted: every amount within the bounds is too low for the rules, or more
            // than there is.
            None => {
                let rate: rules_engine::Rate = case.profile.rate_to_base.as_str().parse().expect("a rate");
                let most = (10_i128.pow(21) * unit / rate.mantissa()).min(10_i128.pow(12) * unit);
                prop_assert!(refused(most));
                prop_assert!(refused((most - further).max(0)));
                let available = case.available.map_or(0, |available| available.mantissa().max(0));
                let affordable = (available * unit / rate.mantissa() / 10_i128.pow(7)).min(most);
                prop_assert!(refused(affordable));
                prop_assert!(refused((affordable - further).max(0)));
            }
        }
    }

    #[test]
    fn dividing_denominations_give_the_smallest_count(factors in chain(), least in 0_u64..40) {
        let rules = RuleSet::compile(&profile(&factors, 0), &[], &opening(whole(least))).expect("bounds");
        let bid = rules.suggest(BidContext::default()).expect("a bid");
        prop_assert_eq!(counts(&bid, factors.len()), brute_force(&factors, least).2, "{:?} for {}", factors, least);
    }

    /// Around the borders of tiers, with several rules, and with amounts that are no whole base units.
    #[test]
    fn a_suggested_amount_is_the_first_on_all_steps(
        rules in step_rules(),
        rate in select(vec!["1", "0.5", "0.3", "7", "2.5"]),
        precision in 0_u8..2,
        least in 0_u64..200,
    ) {
        let profile = ProfileDefinition {
            input_mode: InputMode::Scalar,
            rate_to_base: rate.into(),
            ..profile(&[], precision)
        };
        let rules = RuleSet::compile(&profile, &rules, &opening(whole(least))).expect("bounds");
        let first = (1..3_000).map(|steps| amount(steps, precision)).find(|bid| rules.evaluate(BidContext::default(), bid).accepted());
        let suggested = rules.suggest(BidContext::default());
        match first {
            Some(first) => prop_assert_eq!(suggested, Some(BidForm { amount: canonical(&first), ..first })),
            None => {
                let last = rules.normalize(&amount(2_999, precision)).expect("a value").1;
                prop_assert!(suggested.is_none_or(|bid| rules.normalize(&bid).expect("a value").1 > last));
            }
        }
    }

    #[test]
    fn dividing_denominations_on_steps_give_the_smallest_count(
        factors in chain(),
        rules in step_rules(),
        least in 0_u64..40,
    ) {
        let smallest = factors.iter().min().copied().unwrap_or(1);
        let reachable = |value: &u64| value.is_multiple_of(smallest) && keeps_steps(&rules, *value);
        let first = (least.max(1)..120).find(reachable);
        let compiled = RuleSet::compile(&profile(&factors, 0), &rules, &opening(whole(least))).expect("bounds");
        let suggested = compiled.suggest(BidContext::default());
        match first {
            Some(value) => {
                let expected = brute_force(&factors, value);
                prop_assert_eq!(expected.0, value);
                let bid = suggested.expect("a bid");
                prop_assert_eq!(counts(&bid, factors.len()), expected.2, "{:?} for {}", factors, value);
            }
            None => prop_assert!(suggested.is_none_or(|bid| compiled.normalize(&bid).expect("a bid").1 >= whole(120))),
        }
    }

    /// Denominations that do not divide one another, and demands on them, still make a whole number of steps.
    #[test]
    fn odd_denominations_on_steps_make_a_bid(
        factors in vec(1_u64..100, 1..6),
        demands in vec((0_usize..6, 1_u64..1_500, 0_u64..50), 1..4),
        tiers in vec((1_u64..500, 1_u64..100), 1..4),
        least in 1_u64..100_000,
        demanding in any::<bool>(),
    ) {
        let mut rules = vec![step_rule(0, &tiers)];
        // With demands only the denominations that divide one another are sure to reach a step.
        let factors: Vec<u64> = if demanding { factors.iter().map(|factor| factor.next_power_of_two()).collect() } else { factors };
        if demanding {
            rules.extend(demands.iter().enumerate().flat_map(|(at, demand)| on_denomination(at, demand, factors.len())));
        }
        let rules = RuleSet::compile(&profile(&factors, 0), &rules, &opening(whole(least))).expect("bounds");
        prop_assert!(rules.suggest(BidContext::default()).is_some());
    }

    /// With no denomination that divides another a suggestion is still found, and no higher than one coin
    /// above the least, or 1 % of it.
    #[test]
    fn odd_total_still_make_a_bid(factors in vec(1_u64..500, 1..6), least in 1_u64..1_000_000) {
        let rules = RuleSet::compile(&profile(&factors, 0), &[], &opening(whole(least))).expect("bounds");
        let (_, value) = rules.normalize(&rules.suggest(BidContext::default()).expect("a bid")).expect("a value");
        let smallest = factors.iter().min().copied().unwrap_or(0);
        // The least itself is less than one coin above.
        let most = least + smallest - 1;
        let most = most + smallest.max(most / 100);
        prop_assert!(value >= whole(least) && value <= whole(most), "{} for {}", value, least);
    }

    /// Demands on denominations that leave room for each other are met.
    #[test]
    fn shares_that_leave_room_are_found(
        factors in vec(1_u64..500, 1..6),
        least in 1_u64..1_000_000,
        demands in vec((0_usize..6, 1_u64..2_000, 0_u64..50), 0..5),
        precision in 0_u8..3,
    ) {
        let rules: Vec<RuleDefinition> = demands.iter().enumerate().flat_map(|(at, demand)| {
            on_denomination(at, demand, factors.len())
        }).collect();
        let rules = RuleSet::compile(&profile(&factors, precision), &rules, &opening(whole(least))).expect("bounds");
        prop_assert!(rules.suggest(BidContext::default()).is_some());
    }

    /// Ratios that add up to the whole leave one choice, which is found.
    #[test]
    fn shares_that_are_the_whole_are_found(factors in vec(1_u64..100, 2..4), least in 1_u64..10_000) {
        let ratios = if factors.len() == 2 { vec![4_000, 6_000] } else { vec![2_500, 2_500, 5_000] };
        let rules: Vec<RuleDefinition> = ratios.iter().enumerate().flat_map(|(at, ratio)| {
            on_denomination(at, &(at, *ratio, 0), factors.len())
        }).collect();
        let rules = RuleSet::compile(&profile(&factors, 0), &rules, &opening(whole(least))).expect("bounds");
        prop_assert!(rules.suggest(BidContext::default()).is_some());
    }
}

/// A ratio in units of 10^-4 and a count of one denomination, as rules.
fn on_denomination(at: usize, demand: &(usize, u64, u64), denominations: usize) -> Vec<RuleDefinition> {
    let (which, ratio, count) = *demand;
    let denomination = Some(format!("C{}", which % denominations));
    let rule = |kind: &str, rule_type, params| RuleDefinition {
        id: format!("{kind}{at}"),
        currency_profile_id: Some("p".into()),
        rule_type,
        params,
        enabled: true,
        position: 0,
    };
    let min_ratio = Some(format!("0.{ratio:04}").as_str().into());
    let min_count = Some(count.to_string().as_str().into());
    let share = RuleParams { denomination: denomination.clone(), min_ratio, ..RuleParams::default() };
    let required = RuleParams { denomination, min_count, ..RuleParams::default() };
    let mut rules = vec![rule("s", RuleType::MinComponentRatio, share)];
    if count > 0 {
        rules.push(rule("c", RuleType::RequiredDenomination, required));
    }
    rules
}

/// Where next to nothing is left beside a share, the bid must be large: step by step one would not get there.
#[test]
fn a_share_that_leaves_a_ten_thousandth_is_found() {
    let mut rules = on_denomination(0, &(0, 9_998, 0), 2);
    rules.extend(on_denomination(1, &(1, 1, 10), 2));
    let rules = RuleSet::compile(&profile(&[1, 1000], 0), &rules, &opening(whole(1))).expect("bounds");
    let (_, value) = rules.normalize(&rules.suggest(BidContext::default()).expect("a bid")).expect("a value");
    assert!(value >= whole(50_000_000) && value < whole(200_000_000), "{value}");
    // And with nothing left there is none.
    let mut rules = on_denomination(0, &(0, 9_998, 0), 2);
    rules.extend(on_denomination(1, &(1, 3, 0), 2));
    let rules = RuleSet::compile(&profile(&[1, 1000], 0), &rules, &opening(whole(1))).expect("bounds");
    assert_eq!(rules.suggest(BidContext::default()), None);
}

/// At the limits: the small denomination alone is not enough, so one of the large is needed, which is a
/// little too much.
#[test]
fn limits_of_a_count_are_kept() {
    let minimum: Normalized = "500000000000000.001".parse().expect("an amount");
    let mut definition = profile(&[1, 1000], 0);
    definition.denominations[0].factor = "0.001".into();
    let rules = RuleSet::compile(&definition, &[], &opening(minimum)).expect("bounds");
    let entry = |denomination: &str, count: &str| EnteredCount {
        denomination: denomination.into(),
        count: count.into(),
    };
    let expected = vec![entry("C0", "1"), entry("C1", "500000000000")];
    assert_eq!(
        rules.suggest(BidContext::default()).and_then(|bid| bid.entered_representation),
        Some(expected)
    );
}

/// Past 10^15 nothing is accepted, and so nothing is suggested.
#[test]
fn nothing_is_suggested_past_the_bounds() {
    let most: Normalized = "1000000000000000".parse().expect("an amount");
    let rules = RuleSet::compile(&profile(&[1000], 0), &[], &ItemTerms::default()).expect("bounds");
    assert_eq!(rules.suggest(BidContext::over(Some(most))), None);
    let below: Normalized = "999999999999000".parse().expect("an amount");
    assert!(rules.suggest(BidContext::over(Some(below))).is_some());
    let case = Case {
        profile: profile(&[1000], 0),
        rules: vec![],
        item: ItemTerms::default(),
        highest: Some(most),
        available: None,
        bid: BidForm::default(),
    };
    assert_eq!(rules_engine::suggest(&case.json(false)), "null");
}

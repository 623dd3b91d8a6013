//! Each bound of the specification at its last value, one below, and one above.

#![expect(clippy::expect_used, reason = "a test that can't read its own JSON has failed")]

use rules_engine::{
    BidContext, BidForm, EnteredCount, ItemTerms, Profile, ProfileDefinition, Rule, RuleDefinition, RuleSet,
    ViolationCode,
};
use serde_json::{Value, json};

/// Errors, as `path message`.
type Wrong = Vec<String>;

fn wrong<T>(read: Result<T, Vec<rules_engine::DefinitionError>>) -> Wrong {
    let faults = read.err().unwrap_or_default();
    faults.into_iter().map(|fault| format!("{} {}", fault.path, fault.message)).collect()
}

fn paths(wrong: &Wrong) -> Vec<&str> {
    wrong.iter().filter_map(|fault| fault.split(' ').next()).collect()
}

fn profile_with(path: &str, value: Value) -> Result<ProfileDefinition, serde_json::Error> {
    let mut profile = json!({
        "id": "p", "inputMode": "DENOMINATION", "rateToBase": "1", "precision": 0, "fractionPolicy": "REJECT",
        "denominations": [{"code": "A", "factor": "1"}, {"code": "B", "factor": "1"}],
    });
    *profile.pointer_mut(path).expect("a member") = value;
    serde_json::from_str(&profile.to_string())
}

fn profile(path: &str, value: Value) -> Wrong {
    wrong(Profile::parse(&profile_with(path, value).expect("a profile")))
}

fn rule_of(rule_type: &str, params: Value) -> RuleDefinition {
    let rule = json!({"id": "r", "currencyProfileId": "p", "type": rule_type, "params": params, "enabled": true,
        "position": 0});
    serde_json::from_str(&rule.to_string()).expect("a rule")
}

fn rule(rule_type: &str, params: Value) -> Wrong {
    wrong(Rule::parse(&rule_of(rule_type, params)))
}

fn letters(count: usize) -> String {
    "é".repeat(count)
}

/// Checks that the values pass, and that the others are refused with exactly the path.
fn table(check: impl Fn(Value) -> Wrong, path: &str, pass: &[&str], fail: &[&str]) {
    for text in pass {
        assert_eq!(check(json!(text)), Wrong::new(), "{path} {text}");
    }
    for text in fail {
        assert_eq!(paths(&check(json!(text))), [path], "{path} {text}");
    }
}

#[test]
fn rates() {
    let pass = ["0.000001", "1", "1.5000000", "999999.999999", "1000000", "1000000.000000000"];
    let fail = ["0", "-1", "0.0000001", "1000000.000001", "1000001", "", "x", "1e3", "+1", "1.0000000000"];
    table(|value| profile("/rateToBase", value), "rateToBase", &pass, &fail);
}

#[test]
fn factors() {
    let pass = ["0.001", "1", "999999.999", "1000000", "0.5000"];
    let fail = ["0", "-0.001", "0.0001", "1000000.001", "1000001"];
    table(|value| profile("/denominations/1/factor", value), "denominations.1.factor", &pass, &fail);
}

#[test]
fn denomination_codes() {
    let pass = ["B", "0", "_", "-", "ABCDEFGHIJK", "ABCDEFGHIJKL"];
    let fail = ["", "b", "É", "A B", "ABCDEFGHIJKLM", "A"];
    table(|value| profile("/denominations/1/code", value), "denominations.1.code", &pass, &fail);
}

#[test]
fn ids() {
    let (last, past) = (letters(64), letters(65));
    table(|value| profile("/id", value), "id", &["p", &letters(63), &last], &["", &past]);
    let id = |value: Value| {
        let definition = RuleDefinition {
            id: value.as_str().expect("text").into(),
            ..rule_of("MIN_INCREMENT", json!({"amount": 1}))
        };
        wrong(Rule::parse(&definition))
    };
    table(id, "id", &["r", &letters(63), &last], &["", &past]);
    let profile_id = |value: Value| {
        let currency_profile_id = value.as_str().map(String::from);
        let definition =
            RuleDefinition { currency_profile_id, ..rule_of("MIN_INCREMENT", json!({"amount": 1})) };
        wrong(Rule::parse(&definition))
    };
    table(profile_id, "currencyProfileId", &["p", &letters(63), &last], &["", &past]);
}

#[test]
fn precision_is_an_integer_from_0_to_4_or_8() {
    for precision in 0..=4 {
        assert_eq!(profile("/precision", json!(precision)), Wrong::new());
    }
    assert_eq!(paths(&profile("/precision", json!(5))), ["precision"]);
    let scalar = |precision: u8, rate: &str| {
        let definition =
            json!({"id": "p", "inputMode": "SCALAR", "rateToBase": rate, "precision": precision});
        wrong(Profile::parse(&serde_json::from_str(&definition.to_string()).expect("a profile")))
    };
    for (precision, rate) in
        [(5, "0.000001"), (7, "0.000001"), (8, "0.00001"), (8, "1.500000"), (8, "1000000")]
    {
        assert_eq!(scalar(precision, rate), Wrong::new(), "{precision} {rate}");
    }
    for (precision, rate) in [(8, "0.000001"), (8, "1.234567"), (9, "1"), (255, "1")] {
        assert_eq!(paths(&scalar(precision, rate)), ["precision"], "{precision} {rate}");
    }
    for value in [json!(-1), json!(2.0), json!("2"), json!(300)] {
        assert!(profile_with("/precision", value).is_err());
    }
}

#[test]
fn a_profile_has_1_to_16_denominations_or_none() {
    let denominations = |count: usize| {
        let denomination = |at| json!({"code": format!("D{at}"), "factor": 1});
        profile("/denominations", (0..count).map(denomination).collect())
    };
    for count in [1, 15, 16] {
        assert_eq!(denominations(count), Wrong::new());
    }
    for count in [0, 17, 1_000] {
        assert_eq!(paths(&denominations(count)), ["denominations"]);
    }
    assert_eq!(
        profile("/inputMode", json!("SCALAR")),
        ["denominations must be empty where bids are entered as one amount"]
    );
}

#[test]
fn all_errors_are_reported_at_once() {
    let definition = json!({"id": "", "inputMode": "DENOMINATION", "rateToBase": 0, "precision": 9,
        "denominations": [{"code": "a", "factor": 0}, {"code": "B", "factor": "1.0001"}, {"code": "B", "factor": 1}]});
    let definition: ProfileDefinition = serde_json::from_str(&definition.to_string()).expect("a profile");
    assert_eq!(
        wrong(Profile::parse(&definition)),
        [
            "id must have 1 to 64 characters",
            "rateToBase must be a decimal above 0 and at most 1\u{a0}000\u{a0}000, with at most 6 fraction digits (for more, use a larger unit, such as thousands)",
            "precision must be an integer from 0 to 4",
            "denominations.0.code must be 1 to 12 of A–Z 0–9 _ -",
            "denominations.0.factor must be a decimal above 0 and at most 1\u{a0}000\u{a0}000, with at most 3 fraction digits (for more, use a larger unit, such as thousands)",
            "denominations.1.factor must be a decimal above 0 and at most 1\u{a0}000\u{a0}000, with at most 3 fraction digits (for more, use a larger unit, such as thousands)",
            "denominations.2.code must be unique in the profile",
        ]
    );
}

#[test]
fn increments() {
    let amount = |value| rule("MIN_INCREMENT", json!({"amount": value}));
    let pass = ["0.000001", "999999999999999.999999", "1000000000000000", "1.0000000"];
    let fail = ["0", "-1", "0.0000001", "1000000000000000.000001", "1000000000000001"];
    table(amount, "params.amount", &pass, &fail);
    let percent = |value| rule("MIN_INCREMENT", json!({"percent": value}));
    table(percent, "params.percent", &["0.001", "99.999", "100"], &["0", "0.0001", "100.001", "101", "-5"]);
    let tier = |value| rule("MIN_INCREMENT", json!({"tiers": [{"from": 0, "amount": value}]}));
    table(tier, "params.tiers.0.amount", &pass, &fail);
    let from = |value| {
        rule("MIN_INCREMENT", json!({"tiers": [{"from": 0, "amount": 1}, {"from": value, "amount": 1}]}))
    };
    let pass = ["0.000000001", "1", "999999999999999.999999999", "1000000000000000"];
    let fail = ["0", "-1", "0.0000000001", "1000000000000000.000000001", "1000000000000001"];
    table(from, "params.tiers.1.from", &pass, &fail);
    let first = |value| rule("MIN_INCREMENT", json!({"tiers": [{"from": value, "amount": 1}]}));
    table(first, "params.tiers.0.from", &["0", "0.00", "-0"], &["0.000000001", "1"]);
}

#[test]
fn increments_are_exactly_one_of_three() {
    let one = json!({"amount": 1, "percent": null});
    assert_eq!(rule("MIN_INCREMENT", one), Wrong::new(), "null is absent");
    for params in [json!({}), json!({"amount": 1, "percent": 1}), json!({"amount": 1, "tiers": []})] {
        assert_eq!(
            rule("MIN_INCREMENT", params),
            ["params must have exactly one of amount, percent and tiers"]
        );
    }
}

#[test]
fn steps() {
    let step = |value| rule("STEP", json!({"step": value}));
    let pass = ["0.000001", "999999999999999.999999", "1000000000000000", "1.0000000"];
    let fail = ["0", "-1", "0.0000001", "1000000000000000.000001", "1000000000000001"];
    table(step, "params.step", &pass, &fail);
    let tier = |value| rule("STEP", json!({"tiers": [{"from": 0, "step": value}]}));
    table(tier, "params.tiers.0.step", &pass, &fail);
    let from = |value| rule("STEP", json!({"tiers": [{"from": 0, "step": 1}, {"from": value, "step": 1}]}));
    let pass = ["0.000000001", "1", "999999999999999.999999999", "1000000000000000"];
    let fail = ["0", "-1", "0.0000000001", "1000000000000000.000000001", "1000000000000001"];
    table(from, "params.tiers.1.from", &pass, &fail);
    let first = |value| rule("STEP", json!({"tiers": [{"from": value, "step": 1}]}));
    table(first, "params.tiers.0.from", &["0", "0.00", "-0"], &["0.000000001", "1"]);
}

#[test]
fn steps_are_exactly_one_of_three() {
    for params in [json!({}), json!({"step": 1, "tiers": []}), json!({"step": 1, "ladder": [1]})] {
        assert_eq!(rule("STEP", params), ["params must have exactly one of step, ladder and tiers"]);
    }
    let amount = json!({"amount": 1, "step": 1});
    assert_eq!(rule("STEP", amount), ["params.amount must be absent in STEP"]);
}

#[test]
fn ladders() {
    let ladder = |values: Value| rule("STEP", json!({ "ladder": values }));
    for values in
        [json!([1]), json!(["0.000001", "0.000009"]), json!(["1", "9.999999"]), json!([100, 120, 999])]
    {
        assert_eq!(ladder(values), Wrong::new());
    }
    let value = |value| ladder(json!([value]));
    let pass = ["0.000001", "999999999999999.999999", "1000000000000000", "1.0000000"];
    let fail = ["0", "-1", "0.0000001", "1000000000000000.000001", "1000000000000001", "x", ""];
    table(value, "params.ladder.0", &pass, &fail);
    let second = |value| ladder(json!(["2", value]));
    table(second, "params.ladder.1", &["2.000001", "19.999999"], &["2", "1", "20", "0"]);
    let many = |count: usize| ladder((0..count).map(|at| json!(at + 100)).collect());
    for count in [1, 63, 64] {
        assert_eq!(many(count), Wrong::new());
    }
    for count in [0, 65, 1_000] {
        assert_eq!(many(count), ["params.ladder must be 1 to 64"]);
    }
    assert_eq!(
        rule("MIN_INCREMENT", json!({"amount": 1, "ladder": [1]})),
        ["params.ladder must be absent in MIN_INCREMENT"]
    );
}

#[test]
fn upper_limits() {
    let pass = ["0.000001", "999999999999999.999999", "1000000000000000", "1.0000000"];
    let fail = ["0", "-1", "0.0000001", "1000000000000000.000001", "1000000000000001"];
    table(|value| rule("MAX_BID", json!({"amount": value})), "params.amount", &pass, &fail);
    table(|value| rule("MAX_INCREMENT", json!({"amount": value})), "params.amount", &pass, &fail);
    let percent = |value| rule("MAX_INCREMENT", json!({"percent": value}));
    table(
        percent,
        "params.percent",
        &["0.001", "999.999", "1000"],
        &["0", "0.0001", "1000.001", "1001", "-5"],
    );
    for params in [json!({}), json!({"amount": 1, "percent": 1})] {
        assert_eq!(rule("MAX_INCREMENT", params), ["params must have exactly one of amount and percent"]);
    }
    assert_eq!(rule("MAX_BID", json!({})), ["params.amount must be given"]);
    assert_eq!(
        rule("MAX_BID", json!({"amount": 1, "percent": 1})),
        ["params.percent must be absent in MAX_BID"]
    );
}

#[test]
fn one_piece_is_written_at_least() {
    let pieces = |written: [bool; 2]| {
        let piece = |(code, written): (&str, bool)| json!({"code": code, "factor": 1, "written": written});
        profile("/denominations", ["A", "B"].into_iter().zip(written).map(piece).collect())
    };
    for written in [[true, true], [true, false], [false, true]] {
        assert_eq!(pieces(written), Wrong::new());
    }
    assert_eq!(pieces([false, false]), ["denominations must have at least one that is written"]);
    for value in [json!(null), json!("true"), json!(1)] {
        let piece = json!([{"code": "A", "factor": 1, "written": value}]);
        assert!(profile_with("/denominations", piece).is_err());
    }
}

#[test]
fn a_tier_has_the_member_of_its_rule() {
    let step = json!({"tiers": [{"from": 0, "step": 1}, {"from": 1, "amount": 1, "step": 1}]});
    assert_eq!(rule("STEP", step), ["params.tiers.1.amount must be absent in STEP"]);
    let increment = json!({"tiers": [{"from": 0, "step": 1}]});
    let expected =
        ["params.tiers.0.step must be absent in MIN_INCREMENT", "params.tiers.0.amount must be given"];
    assert_eq!(rule("MIN_INCREMENT", increment), expected);
    let null = json!({"tiers": [{"from": 0, "step": 1, "amount": null}]});
    assert_eq!(rule("STEP", null), Wrong::new(), "null is absent");
}

#[test]
fn a_rule_has_1_to_32_tiers_that_rise() {
    let tiers = |count: usize| {
        let tiers: Value = (0..count).map(|at| json!({"from": at, "amount": 1})).collect();
        rule("MIN_INCREMENT", json!({ "tiers": tiers }))
    };
    for count in [1, 31, 32] {
        assert_eq!(tiers(count), Wrong::new());
    }
    for count in [0, 33] {
        assert_eq!(tiers(count), ["params.tiers must be 1 to 32"]);
    }
    let tiers = json!([{"from": 0, "amount": 1}, {"from": 5, "amount": 1}, {"from": 5, "amount": 1}, {"from": 4, "amount": 1}]);
    let falls = "must be above that of the tier before";
    let expected = [format!("params.tiers.2.from {falls}"), format!("params.tiers.3.from {falls}")];
    assert_eq!(rule("MIN_INCREMENT", json!({ "tiers": tiers })), expected);
}

#[test]
fn shares_and_counts() {
    let ratio = |value| rule("MIN_COMPONENT_RATIO", json!({"denomination": "A", "minRatio": value}));
    table(
        ratio,
        "params.minRatio",
        &["0.0001", "0.9999", "1", "1.0000"],
        &["0", "0.00001", "1.0001", "2", "-0.5"],
    );
    let count = |value| rule("REQUIRED_DENOMINATION", json!({"denomination": "A", "minCount": value}));
    let pass = ["0.0001", "999999999999.9999", "1000000000000"];
    table(count, "params.minCount", &pass, &["0", "0.00001", "1000000000000.0001", "1000000000001"]);
    let code = |value| rule("REQUIRED_DENOMINATION", json!({"denomination": value, "minCount": 1}));
    table(code, "params.denomination", &["A", "ABCDEFGHIJKL"], &["", "a", "ABCDEFGHIJKLM"]);
}

#[test]
fn parameters_belong_to_their_type() {
    let wrong = rule("REQUIRED_DENOMINATION", json!({"denomination": "A", "minRatio": "0.5", "amount": 1}));
    assert_eq!(
        wrong,
        [
            "params.amount must be absent in REQUIRED_DENOMINATION",
            "params.minRatio must be absent in REQUIRED_DENOMINATION",
            "params.minCount must be given",
        ]
    );
    assert_eq!(paths(&rule("MIN_COMPONENT_RATIO", json!({}))), ["params.denomination", "params.minRatio"]);
}

#[test]
fn positions() {
    for (position, holds) in [(0, true), (999_999, true), (1_000_000, true), (1_000_001, false)] {
        let definition = RuleDefinition { position, ..rule_of("MIN_INCREMENT", json!({"amount": 1})) };
        assert_eq!(Rule::parse(&definition).is_ok(), holds, "{position}");
    }
}

#[test]
fn rules_on_denominations_name_a_profile_that_has_them() {
    let profile = profile_with("/precision", json!(0)).expect("a profile");
    let scalar = json!({"id": "p", "inputMode": "SCALAR", "rateToBase": 1});
    let scalar: ProfileDefinition = serde_json::from_str(&scalar.to_string()).expect("a profile");
    let definition = rule_of("REQUIRED_DENOMINATION", json!({"denomination": "Z", "minCount": 1}));
    let everywhere = RuleDefinition { currency_profile_id: None, ..definition.clone() };
    assert_eq!(paths(&wrong(Rule::parse(&everywhere))), ["currencyProfileId"]);
    let rule = Rule::parse(&definition).expect("a rule");
    let check = |definition| wrong(rule.check(&Profile::parse(definition).expect("a profile")));
    assert_eq!(check(&profile), ["params.denomination must be a denomination of the profile"]);
    assert_eq!(
        check(&scalar),
        ["currencyProfileId must name a profile whose bids are entered by denomination"]
    );
    // A set is as strict with a rule that is disabled, and passes over one of another profile.
    let disabled = RuleDefinition { enabled: false, ..definition.clone() };
    let compiled = |rule| wrong(RuleSet::compile(&profile, &[rule], &ItemTerms::default()));
    assert_eq!(paths(&compiled(disabled)), ["rules.0.params.denomination"]);
    assert_eq!(
        compiled(RuleDefinition { currency_profile_id: Some("q".into()), ..definition }),
        Wrong::new()
    );
}

#[test]
fn a_set_has_64_rules_with_ids_of_their_own() {
    let profile = profile_with("/precision", json!(0)).expect("a profile");
    let rules = |count: usize| -> Vec<RuleDefinition> {
        let rule = |at: usize| RuleDefinition {
            id: at.to_string(),
            ..rule_of("MIN_INCREMENT", json!({"amount": 1}))
        };
        (0..count).map(rule).collect()
    };
    let compile = |rules: &[RuleDefinition]| wrong(RuleSet::compile(&profile, rules, &ItemTerms::default()));
    for (count, holds) in [(0, true), (63, true), (64, true), (65, false)] {
        assert_eq!(compile(&rules(count)).is_empty(), holds, "{count}");
    }
    let twice = [rules(3), rules(1)].concat();
    assert_eq!(compile(&twice), ["rules.3.id must be unique"]);
}

#[test]
fn an_items_own_terms() {
    let profile = profile_with("/precision", json!(0)).expect("a profile");
    let compile =
        |member: &str, value: Value| match serde_json::from_str(&json!({ member: value }).to_string()) {
            Ok(item) => wrong(RuleSet::compile(&profile, &[], &item)),
            Err(_) => vec![format!("item.{member} unread")],
        };
    let pass = ["0.0000000000001", "999999999999999.9999999999999", "1000000000000000"];
    let fail = ["-0.0000000000001", "1000000000000000.0000000000001", "0.00000000000001", "x"];
    table(|value| compile("minBidNormalized", value), "item.minBidNormalized", &pass, &fail);
    table(|value| compile("minBidNormalized", value), "item.minBidNormalized", &["0"], &[]);
    table(|value| compile("minIncrementNormalized", value), "item.minIncrementNormalized", &pass, &fail);
    table(|value| compile("minIncrementNormalized", value), "item.minIncrementNormalized", &[], &["0"]);
}

#[test]
fn a_bid_has_64_entries_with_short_codes() {
    let entry = |code: String| EnteredCount { denomination: code, count: "1".into() };
    let form = |entries| BidForm { amount: None, entered_representation: Some(entries) };
    for (count, holds) in [(0, true), (63, true), (64, true), (65, false)] {
        assert_eq!(form(vec![entry(String::new()); count]).check().is_ok(), holds, "{count}");
    }
    for (length, holds) in [(0, true), (63, true), (64, true), (65, false)] {
        assert_eq!(form(vec![entry(letters(length))]).check().is_ok(), holds, "{length}");
    }
    let wrong = wrong(form(vec![entry("A".into()), entry(letters(65))]).check());
    assert_eq!(wrong, ["enteredRepresentation.1.denomination must have at most 64 characters"]);
}

/// The codes that a bid of one amount violates, with the given rate.
fn codes(amount: &str, rate: &str) -> Vec<ViolationCode> {
    let profile =
        json!({"id": "p", "inputMode": "SCALAR", "rateToBase": rate, "precision": 4, "fractionPolicy": "UP"});
    let profile = serde_json::from_str(&profile.to_string()).expect("a profile");
    let rules = RuleSet::compile(&profile, &[], &ItemTerms::default()).expect("bounds");
    let verdict =
        rules.evaluate(BidContext::default(), &BidForm { amount: Some(amount.into()), ..BidForm::default() });
    verdict.violations.into_iter().map(|violation| violation.code).collect()
}

#[test]
fn amounts_and_their_values() {
    let out = [ViolationCode::AmountOutOfRange];
    assert_eq!(codes("999999999999.9999", "1"), []);
    assert_eq!(codes("1000000000000", "1"), []);
    assert_eq!(codes("999999999999.99999", "1"), [], "rounded first");
    assert_eq!(codes("1000000000000.00001", "1"), out, "rounded first");
    assert_eq!(codes("1000000000000", "1000"), []);
    assert_eq!(codes("999999999999.9999", "1000"), []);
    assert_eq!(codes("1000000000000", "1000.000001"), out);
    assert_eq!(codes("0", "1"), [ViolationCode::NotPositive]);
    assert_eq!(codes("0.0001", "0.000001"), []);
    assert_eq!(codes("-0.000000001", "1"), [ViolationCode::Negative]);
    assert_eq!(codes("-0.0", "1"), [ViolationCode::NotPositive]);
}

/// The largest bid that the bounds allow: all denominations at their limits, and no digit lost.
#[test]
fn the_largest_bid_does_not_wrap() {
    let denomination = |at| json!({"code": format!("D{at}"), "factor": "1000000"});
    let profile = json!({"id": "p", "inputMode": "DENOMINATION", "rateToBase": "1000000", "precision": 4,
        "denominations": (0..16).map(denomination).collect::<Value>()});
    let profile = serde_json::from_str(&profile.to_string()).expect("a profile");
    let rules = RuleSet::compile(&profile, &[], &ItemTerms::default()).expect("bounds");
    let entry = |at| EnteredCount { denomination: format!("D{at}"), count: "1000000000000".into() };
    let form = BidForm { amount: None, entered_representation: Some((0..16).map(entry).collect()) };
    let violations = rules.evaluate(BidContext::default(), &form).violations;
    assert_eq!(violations.len(), 1);
    assert_eq!(violations[0].code, ViolationCode::AmountOutOfRange);
    assert_eq!(violations[0].required.as_deref(), Some("1000000000000000"));
}

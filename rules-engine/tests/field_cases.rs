//! Cases from auctions in the field, each with its right answer.

#![expect(clippy::expect_used, reason = "a test that can't read an answer has failed")]

use rules_engine::{
    DenominationDefinition, FractionPolicy, InputMode, ProfileDefinition, evaluate, suggest,
    words::{NamedCurrency, Noun, Said},
};
use serde_json::{Value, json};

fn verdict(case: &Value) -> Value {
    serde_json::from_str(&evaluate(&case.to_string())).expect("a verdict")
}

fn least(case: &Value) -> Value {
    serde_json::from_str(&suggest(&case.to_string())).expect("a bid")
}

fn scalar(precision: u8) -> Value {
    json!({"id": "p", "inputMode": "SCALAR", "rateToBase": 1, "precision": precision})
}

fn pieces(factors: &[(&str, &str)]) -> Value {
    let denominations: Vec<Value> =
        factors.iter().map(|(code, factor)| json!({"code": code, "factor": factor})).collect();
    json!({"id": "p", "inputMode": "DENOMINATION", "rateToBase": 1, "denominations": denominations})
}

fn rule(rule_type: &str, params: Value) -> Value {
    json!({"id": "r", "type": rule_type, "params": params, "enabled": true, "position": 0, "currencyProfileId": null})
}

fn amount(amount: &str, rule: Value, highest: Option<&str>) -> Value {
    json!({"profile": scalar(2), "rules": [rule], "item": {}, "highest": highest, "bid": {"amount": amount}})
}

/// Pieces that do not divide one another: a bid that a person can hand over, not hundreds of the smallest.
#[test]
fn the_least_bid_can_be_handed_over() {
    let profile = pieces(&[("A", "174.3"), ("B", "11.7"), ("C", "1"), ("D", "0.23"), ("E", "0.091")]);
    let case = |highest: &str| json!({"profile": profile, "rules": [], "item": {}, "highest": highest});
    let counts = |bid: &Value| -> Vec<(String, String)> {
        let entries = bid["enteredRepresentation"].as_array().expect("counts");
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        entries.iter().map(|entry| (text(&entry["denomination"]), text(&entry["count"]))).collect()
    };
    let one = |code: &str| (code.to_owned(), "1".to_owned());
    assert_eq!(counts(&least(&case("187"))), [one("A"), one("B"), one("C"), one("E")], "187.091");
    let bid = least(&case("100"));
    let total: u64 = counts(&bid).iter().map(|(_, count)| count.parse::<u64>().expect("a count")).sum();
    assert!(total <= 16, "{bid}");
    let mut tried = case("100");
    tried["bid"] = bid;
    assert_eq!(verdict(&tried)["accepted"], true, "{tried}");
}

/// The tier of the required value decides, and the message names the same value.
#[test]
fn a_step_across_tiers_names_the_value_that_is_accepted() {
    let tiers = [(0, 10), (200, 20), (300, 300), (320, 320), (350, 350)];
    let tiers: Vec<Value> = tiers.iter().map(|(from, step)| json!({"from": from, "step": step})).collect();
    let step = rule("STEP", json!({ "tiers": tiers }));
    let refused = verdict(&amount("310", step.clone(), None));
    let violation = &refused["violations"][0];
    assert_eq!((&violation["code"], &violation["required"]), (&json!("STEP"), &json!("320")));
    assert!(violation["message"].as_str().expect("words").contains("the next step is 320"), "{violation}");
    assert_eq!(verdict(&amount("320", step, None))["accepted"], true);
}

/// An auctioneer's 2-5-8, in every decade.
#[test]
fn a_ladder_repeats_in_each_decade() {
    let steps = [100, 120, 150, 180, 200, 220, 250, 280, 300, 320, 350, 380, 400, 420, 450, 480, 500, 550];
    let steps: Vec<u32> = steps.into_iter().chain((600..1000).step_by(50)).collect();
    let ladder = rule("STEP", json!({ "ladder": steps }));
    for (bid, required) in [("320", None), ("330", Some("350")), ("3300", Some("3500")), ("3200", None)] {
        let found = verdict(&amount(bid, ladder.clone(), None));
        let expected = required.map_or(Value::Null, |required| json!(required));
        assert_eq!(found["violations"][0]["required"], expected, "{bid}");
        assert_eq!(found["accepted"], required.is_none(), "{bid}");
    }
}

#[test]
fn a_bid_may_be_limited_from_above() {
    let rise = rule("MAX_INCREMENT", json!({"amount": 50}));
    let most = rule("MAX_BID", json!({"amount": 1000}));
    let code = |case: Value| verdict(&case)["violations"][0]["code"].clone();
    assert_eq!(code(amount("150", rise.clone(), Some("100"))), Value::Null);
    assert_eq!(code(amount("150.01", rise, Some("100"))), "MAX_INCREMENT");
    assert_eq!(code(amount("1000", most.clone(), None)), Value::Null);
    assert_eq!(code(amount("1000.5", most, None)), "MAX_BID");
}

/// One satoshi of a bitcoin.
#[test]
fn money_of_one_number_may_have_eight_digits() {
    let case = |typed: &str| json!({"profile": scalar(8), "rules": [], "item": {}, "bid": {"amount": typed}});
    assert_eq!(verdict(&case("0.00000001"))["normalizedAmount"], "0.00000001");
    assert_eq!(verdict(&case("0.123456789"))["violations"][0]["code"], "FRACTION_NOT_ALLOWED");
}

fn named(pieces: &[(&'static str, &'static str, &str, bool)]) -> NamedCurrency<'static> {
    let codes = ["A", "B", "C", "D"];
    let denomination = |(code, (_, _, factor, written)): (&&str, &(&str, &str, &str, bool))| {
        DenominationDefinition { code: (*code).to_owned(), factor: (*factor).into(), written: *written }
    };
    NamedCurrency {
        definition: ProfileDefinition {
            id: "p".to_owned(),
            input_mode: InputMode::Denomination,
            rate_to_base: "1".into(),
            precision: 0,
            fraction_policy: FractionPolicy::Reject,
            denominations: codes.iter().zip(pieces).map(denomination).collect(),
        },
        noun: Noun { one: "Money", several: None },
        pieces: codes
            .into_iter()
            .zip(pieces)
            .map(|(code, (name, several, ..))| (code, Noun { one: name, several: Some(several) }))
            .collect(),
    }
}

fn said(amount: &str, unit: Noun<'_>, currency: &NamedCurrency<'_>) -> String {
    Said::new(amount, Some(unit), Some(currency)).to_string().replace('\u{a0}', " ")
}

#[test]
fn amounts_are_said_as_people_say_them() {
    let copper = Noun { one: "Copper piece", several: Some("Copper pieces") };
    let guild = named(&[
        ("Gold", "Gold", "100", true),
        ("Silver", "Silver", "10", true),
        ("Copper piece", "Copper pieces", "1", true),
    ]);
    assert_eq!(said("430", copper, &guild), "4 Gold · 3 Silver (430 Copper pieces)");
    // A guinea may be bid, and is not used in writing.
    let penny = Noun { one: "Penny", several: Some("Pence") };
    let old = named(&[
        ("Guinea", "Guineas", "252", false),
        ("Pound", "Pounds", "240", true),
        ("Shilling", "Shillings", "12", true),
        ("Penny", "Pence", "1", true),
    ]);
    assert_eq!(said("270", penny, &old), "1 Pound · 2 Shillings · 6 Pence (270 Pence)");
    // Plurals are the maker's.
    let orb = Noun { one: "Orb of Alchemy", several: Some("Orbs of Alchemy") };
    assert_eq!(Said::new("6", Some(orb), None).to_string(), "6\u{a0}Orbs of Alchemy");
    let eight = Noun { one: "Piece of eight", several: Some("Pieces of eight") };
    assert_eq!(Said::new("2", Some(eight), None).to_string(), "2\u{a0}Pieces of eight");
    let yen = Noun { one: "Yen", several: None };
    assert_eq!(Said::new("3", Some(yen), None).to_string(), "3\u{a0}Yen", "nothing is guessed");
}

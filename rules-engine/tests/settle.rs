//! Sealed items: the table of SPEC, section 6a, the laws of prices, and sixty thousand random items against a
//! second implementation, which tries every bid.

#![expect(clippy::expect_used, reason = "a test whose own arithmetic fails has failed")]

#[path = "support/numbers.rs"]
mod numbers;
#[path = "support/second_draw.rs"]
mod second_draw;
#[path = "support/second_settle.rs"]
mod second_settle;

use numbers::Numbers;
use rules_engine::settle;
use serde_json::{Value, json};

/// A currency in which every whole amount can be said as well in pieces: 1 base unit each, and of 20 and 5.
fn profiles() -> Value {
    json!([
        {"id": "amount", "inputMode": "SCALAR", "rateToBase": "1"},
        {"id": "pieces", "inputMode": "DENOMINATION", "rateToBase": "1", "denominations": [
            {"code": "CROWN", "factor": "20"}, {"code": "FIVE", "factor": "5"}, {"code": "PENNY", "factor": "1"}
        ]}
    ])
}

/// The representation of an amount in the pieces above.
fn pieces(amount: u32) -> Value {
    let counts = [("CROWN", amount / 20), ("FIVE", amount % 20 / 5), ("PENNY", amount % 5)];
    let given = counts.into_iter().filter(|(_, count)| *count > 0);
    given.map(|(code, count)| json!({"denomination": code, "count": count.to_string()})).collect()
}

/// The prices of bids that were received in this order, each checked to be said in the bid's own currency.
fn prices(profile: &str, price: &str, tie: &str, copies: u32, bids: &[u32]) -> Vec<u32> {
    let bid = |(receipt, amount): (usize, &u32)| match profile {
        "amount" => {
            json!({"id": format!("b{receipt}"), "profile": profile, "amount": amount, "receipt": receipt})
        }
        _ => {
            json!({"id": format!("b{receipt}"), "profile": profile, "enteredRepresentation": pieces(*amount),
            "receipt": receipt})
        }
    };
    let case = json!({
        "format": "SEALED", "price": price, "plus": "5", "tie": tie, "copies": copies, "minimum": "100",
        "bids": bids.iter().enumerate().map(bid).collect::<Vec<_>>(),
        "rules": {"profiles": profiles(), "rules": []},
    });
    let answer: Value = serde_json::from_str(&settle(&case.to_string())).expect("JSON");
    let winners = answer["winners"].as_array().unwrap_or_else(|| panic!("{answer} of {case}"));
    let price = |(copy, winner): (usize, &Value)| {
        assert_eq!(winner["copy"], copy);
        let price: u32 = winner["price"].as_str().and_then(|price| price.parse().ok()).expect("a price");
        match profile {
            "amount" => assert_eq!(winner["amount"], price.to_string()),
            _ => assert_eq!(winner["enteredRepresentation"], pieces(price), "{price}"),
        }
        price
    };
    (1..).zip(winners).map(price).collect()
}

#[test]
fn prices_are_those_of_the_table() {
    for profile in ["amount", "pieces"] {
        let of = |price, tie, copies, bids: &[u32]| prices(profile, price, tie, copies, bids);
        for (price, three, alone, two, equal) in
            [("OWN", 350, 350, 350, 350), ("NEXT", 285, 100, 350, 350), ("LOWEST", 350, 350, 350, 350)]
        {
            assert_eq!(of(price, "EARLIEST", 1, &[280, 350, 150]), [three], "{price}");
            assert_eq!(of(price, "EARLIEST", 1, &[350]), [alone], "{price}");
            assert_eq!(of(price, "EARLIEST", 1, &[350, 349]), [two], "{price}");
            assert_eq!(of(price, "EARLIEST", 1, &[350, 350]), [equal], "{price}");
        }
        for (price, earliest, nobody) in
            [("OWN", [300, 200], 300), ("NEXT", [205, 200], 205), ("LOWEST", [200, 200], 300)]
        {
            assert_eq!(of(price, "EARLIEST", 2, &[200, 300, 150, 200]), earliest, "{price}");
            assert_eq!(of(price, "NOBODY", 2, &[200, 300, 150, 200]), [nobody], "{price}");
        }
    }
}

/// One of a list.
fn one<'a, T>(numbers: &mut Numbers, list: &'a [T]) -> &'a T {
    let at = numbers.below(u64::try_from(list.len()).expect("short"));
    &list[usize::try_from(at).expect("short")]
}

fn maybe(numbers: &mut Numbers) -> bool {
    numbers.below(2) == 0
}

/// A currency with up to three pieces, or one amount.
fn random_profile(numbers: &mut Numbers, id: &str) -> Value {
    let rate = *one(numbers, &["1", "2", "0.5", "3"]);
    let precision = u8::from(numbers.below(3) == 0);
    if maybe(numbers) {
        return json!({"id": id, "inputMode": "SCALAR", "rateToBase": rate, "precision": precision});
    }
    let count = 1 + usize::try_from(numbers.below(3)).expect("small");
    let pieces = ["A", "B", "C"].map(|code| {
        let factor = one(numbers, &["1", "2", "3", "4", "5", "7", "10", "12", "20", "2.5"]);
        json!({"code": code, "factor": factor, "written": code == "A" || numbers.below(4) > 0})
    });
    // Two small pieces with a digit each would be too many bids to try.
    json!({"id": id, "inputMode": "DENOMINATION", "rateToBase": rate, "precision": 0,
        "denominations": pieces[..count]})
}

fn random_rule(numbers: &mut Numbers, id: usize, profiles: &[Value]) -> Value {
    let profile = one(numbers, profiles);
    let denomination = if profile["inputMode"] == "DENOMINATION" { "A" } else { "" };
    let (kind, params) = match numbers.below(if denomination.is_empty() { 6 } else { 8 }) {
        0 => ("MAX_BID", json!({"amount": 40 + numbers.below(60)})),
        1 => ("STEP", json!({"step": 1 + numbers.below(12)})),
        2 => ("STEP", json!({"ladder": [1, 2, 5]})),
        3 => {
            ("STEP", json!({"tiers": [{"from": 0, "step": 2}, {"from": 20 + numbers.below(40), "step": 5}]}))
        }
        4 => ("MIN_INCREMENT", json!({"amount": 50})),
        5 => ("MAX_INCREMENT", json!({"percent": 1})),
        6 => (
            "MIN_COMPONENT_RATIO",
            json!({"denomination": denomination, "minRatio": one(numbers, &["0.3", "0.5", "1"])}),
        ),
        _ => {
            ("REQUIRED_DENOMINATION", json!({"denomination": denomination, "minCount": 1 + numbers.below(3)}))
        }
    };
    let own = kind.contains("DENOMINATION") || kind.contains("COMPONENT") || maybe(numbers);
    let named = if own { profile["id"].clone() } else { Value::Null };
    json!({"id": format!("r{id}"), "currencyProfileId": named, "type": kind, "params": params,
        "enabled": numbers.below(8) > 0, "position": 0})
}

/// A bid of a few pieces, whether or not it breaks rules.
fn random_bid(numbers: &mut Numbers, receipt: u64, profiles: &[Value]) -> Value {
    let profile = one(numbers, profiles);
    let mut bid = json!({"id": format!("b{receipt}"), "profile": profile["id"], "receipt": receipt});
    match profile["denominations"].as_array() {
        Some(pieces) => {
            let count = |piece: &Value| json!({"denomination": piece["code"], "count": 1 + numbers.below(6)});
            bid["enteredRepresentation"] = pieces.iter().map(count).collect();
        }
        None if profile["precision"] == 1 => {
            bid["amount"] = json!(format!("{}.{}", 1 + numbers.below(30), numbers.below(10)));
        }
        None => bid["amount"] = json!(1 + numbers.below(40)),
    }
    bid
}

/// A sealed item with bids in several currencies; many of them tie.
fn random_case(numbers: &mut Numbers) -> Value {
    let ids = ["p", "q", "r"];
    let count = 1 + usize::try_from(numbers.below(3)).expect("small");
    let profiles: Vec<Value> = ids[..count].iter().map(|id| random_profile(numbers, id)).collect();
    let rules = usize::try_from(numbers.below(4)).expect("small");
    let rules: Vec<Value> = (0..rules).map(|id| random_rule(numbers, id, &profiles)).collect();
    let mut bids: Vec<Value> = (0..numbers.below(8)).map(|at| random_bid(numbers, at, &profiles)).collect();
    // Copies of bids tie with them; the list is in no order.
    for receipt in 100..100 + numbers.below(4) {
        if !bids.is_empty() {
            let mut twin = one(numbers, &bids).clone();
            twin["id"] = json!(format!("b{receipt}"));
            twin["receipt"] = json!(receipt);
            let at = usize::try_from(numbers.below(2)).expect("small");
            bids.insert(at, twin);
        }
    }
    json!({
        "format": "SEALED",
        "price": one(numbers, &["OWN", "NEXT", "LOWEST"]),
        "plus": *one(numbers, &["0", "5", "0.5", "1", "12"]),
        "tie": one(numbers, &["EARLIEST", "ROLL", "NOBODY"]),
        "copies": 1 + numbers.below(5),
        "minimum": if maybe(numbers) { json!(null) } else { json!(numbers.below(30)) },
        "bids": bids,
        "rules": {"profiles": profiles, "rules": rules},
        "seed": format!("{:016x}", numbers.0).repeat(4),
        "itemId": format!("lot-{}", numbers.below(100)),
    })
}

#[test]
fn sixty_thousand_items_are_settled_as_a_second_implementation_settles_them() {
    let mut numbers = Numbers(0x0020_2611_2921_0058);
    let (mut winners, mut reduced) = (0, 0);
    for _ in 0..60_000 {
        let case = random_case(&mut numbers);
        let answer: Value = serde_json::from_str(&settle(&case.to_string())).expect("JSON");
        let won = answer["winners"].as_array().unwrap_or_else(|| panic!("{answer} of {case}"));
        let found: Vec<(String, usize, i64)> = won
            .iter()
            .map(|winner| {
                let copy =
                    winner["copy"].as_u64().and_then(|copy| usize::try_from(copy).ok()).expect("a number");
                let id = winner["id"].as_str().expect("an id").to_owned();
                (id, copy, second_settle::thousandths(&winner["price"]))
            })
            .collect();
        let expected = second_settle::winners(&case);
        assert_eq!(found, expected, "{answer} of {case}");
        reduced += won.iter().filter(|winner| second_settle::is_reduced(&case, winner)).count();
        winners += won.len();
    }
    assert!(winners > 100_000 && reduced > 30_000, "{winners}, {reduced}");
}

/// The answer to a case with these bids in the currencies above.
fn answer(bids: &Value, change: impl FnOnce(&mut Value)) -> Value {
    let mut case = json!({"format": "SEALED", "bids": bids, "rules": {"profiles": profiles(), "rules": []}});
    change(&mut case);
    serde_json::from_str(&settle(&case.to_string())).expect("JSON")
}

#[test]
fn members_with_defaults_may_be_absent() {
    let bids = json!([
        {"id": "a", "profile": "amount", "amount": "7.0", "receipt": 2},
        {"id": "b", "profile": "pieces", "enteredRepresentation": [{"denomination": "PENNY", "count": 7}], "receipt": 1}
    ]);
    let first = json!([{"id": "b", "copy": 1, "price": "7",
        "enteredRepresentation": [{"denomination": "PENNY", "count": "7"}]}]);
    assert_eq!(answer(&bids, |_| {}), json!({"winners": first}));
    assert_eq!(answer(&json!([]), |_| {}), json!({"winners": []}));
}

#[test]
fn a_price_is_in_written_pieces_with_the_most_of_the_largest() {
    let bids = json!([
        {"id": "a", "profile": "p", "enteredRepresentation": [{"denomination": "ONE", "count": 500}], "receipt": 1}
    ]);
    let price = |written: [bool; 3], minimum: u32| {
        let piece = |(code, factor, written)| json!({"code": code, "factor": factor, "written": written});
        let pieces = [("TEN", 10, written[0]), ("SEVEN", 7, written[1]), ("ONE", 1, written[2])].map(piece);
        let answer = answer(&bids, |case| {
            case["rules"] = json!({"profiles": [{"id": "p", "inputMode": "DENOMINATION", "rateToBase": 1,
                "denominations": pieces}], "rules": []});
            case["price"] = json!("NEXT");
            case["minimum"] = json!(minimum);
        });
        let winner = &answer["winners"][0];
        assert_eq!(winner["price"], minimum.to_string(), "{answer}");
        let counts = winner["enteredRepresentation"].as_array().expect("counts").iter();
        counts
            .map(|count| format!("{} {}", count["count"], count["denomination"]).replace('"', ""))
            .collect::<Vec<_>>()
    };
    assert_eq!(price([true, true, true], 21), ["2 TEN", "1 ONE"]);
    assert_eq!(price([true, true, false], 21), ["3 SEVEN"]);
    assert_eq!(price([true, true, false], 24), ["1 TEN", "2 SEVEN"]);
    assert_eq!(price([true, true, false], 23), ["2 TEN", "3 ONE"]);
    assert_eq!(price([false, true, true], 21), ["3 SEVEN"]);
}

#[test]
fn currencies_that_are_too_odd_to_search_still_have_prices() {
    let odd = |first: &str, second: &str| {
        json!({"id": "p", "inputMode": "DENOMINATION", "rateToBase": 1, "denominations": [
            {"code": "A", "factor": first}, {"code": "B", "factor": second}]})
    };
    for (profile, minimum, price) in [
        (odd("100.003", "33.331"), 1_000, "1000"),
        (odd("100.003", "99.999"), 1_000, "1000.002"),
        // In these the least bid is suggested.
        (odd("999999.999", "999999.998"), 1_500_000, "1999999.996"),
        (odd("999999.999", "100.003"), 1_000, "1000.03"),
    ] {
        let bids = json!([{"id": "a", "profile": "p", "receipt": 1, "enteredRepresentation":
            [{"denomination": "A", "count": 100_000}, {"denomination": "B", "count": 100_000}]}]);
        let answer = answer(&bids, |case| {
            case["rules"] = json!({"profiles": [profile], "rules": []});
            case["price"] = json!("NEXT");
            case["minimum"] = json!(minimum);
        });
        assert_eq!(answer["winners"][0]["price"], price, "{answer}");
    }
}

#[test]
fn many_bids_are_settled() {
    let bids: Vec<Value> = (0..10_000)
        .map(|at| json!({"id": format!("b{at}"), "profile": "amount", "amount": 1 + at % 5_000, "receipt": 10_000 - at}))
        .collect();
    let answer = answer(&json!(bids), |case| {
        case["copies"] = json!(100);
        case["price"] = json!("LOWEST");
    });
    let winners = answer["winners"].as_array().expect("winners");
    assert_eq!(
        (winners.len(), &winners[0]["id"], &winners[99]["id"]),
        (100, &json!("b9999"), &json!("b4950"))
    );
    assert!(winners.iter().all(|winner| winner["price"] == "4951"));
}

#[test]
fn what_is_wrong_is_an_error_that_names_it() {
    let right = json!({"format": "SEALED", "price": "OWN", "plus": 1, "tie": "ROLL", "copies": 1, "minimum": 1,
        "seed": "00".repeat(32), "itemId": "lot", "rules": {"profiles": profiles(), "rules": []},
        "bids": [{"id": "a", "profile": "amount", "amount": 1, "receipt": 1},
            {"id": "b", "profile": "amount", "amount": 1, "receipt": 2}]});
    let answer = |case: &Value| -> Value { serde_json::from_str(&settle(&case.to_string())).expect("JSON") };
    assert!(answer(&right)["winners"].is_array());
    let rule = json!([{"id": "r", "currencyProfileId": null, "type": "MAX_BID", "params": {"amount": 0}, "position": 0}]);
    for (member, wrong, error) in [
        ("/format", json!("OPEN"), "expected SEALED at byte"),
        ("/format", json!("DRAW"), "expected SEALED at byte"),
        ("/price", json!("LEAST"), "expected OWN, NEXT or LOWEST at byte"),
        ("/price", json!(null), "expected a string at byte"),
        ("/tie", json!("LATEST"), "expected EARLIEST, ROLL or NOBODY at byte"),
        ("/plus", json!(-1), "plus must be a decimal from 0 to"),
        ("/plus", json!("1000000000000001"), "plus must be a decimal from 0 to"),
        ("/minimum", json!(-1), "minimum must be a decimal from 0 to"),
        ("/copies", json!(0), "copies must be from 1 to 100"),
        ("/copies", json!(101), "copies must be from 1 to 100"),
        ("/seed", json!("0"), "seed must be 32 bytes in lower-case hexadecimal"),
        ("/seed", json!(null), "seed must be given"),
        ("/itemId", json!(null), "itemId must be given"),
        ("/itemId", json!(""), "itemId must have 1 to 64 characters"),
        ("/bids/1/id", json!(""), "bids.1.id must have 1 to 64 characters"),
        ("/bids/1/id", json!("a"), "bids.1.id must be unique"),
        ("/bids/1/receipt", json!(1), "bids.1.receipt must be unique"),
        ("/bids/1/receipt", json!("1"), "expected an integer at byte"),
        ("/bids/1/profile", json!("other"), "bids.1.profile must be the id of one of the profiles"),
        ("/bids/1/profile", json!("pieces"), "bids.1 is no bid: "),
        ("/bids/1/amount", json!(0), "bids.1 is no bid: "),
        ("/bids/1/amount", json!("10000000000000"), "bids.1 is no bid: The amount must be at most"),
        ("/bids", json!(vec![1]), "expected an object at byte"),
        (
            "/bids",
            json!(vec![right["bids"][0].clone(); 10_001]),
            "bids must have at most 10,000 entries; bids.1.id",
        ),
        ("/rules", json!([]), "expected an object at byte"),
        ("/rules/profiles", json!([]), "rules.profiles must have 1 to 64 entries"),
        ("/rules/profiles/1/id", json!("amount"), "rules.profiles.1.id must be unique"),
        ("/rules/profiles/1/rateToBase", json!(0), "rules.profiles.1.rateToBase must be a decimal above 0"),
        ("/rules/rules", rule, "rules.rules.0.params.amount must be a decimal above 0"),
    ] {
        let mut case = right.clone();
        *case.pointer_mut(member).expect("a place") = wrong;
        let answer = answer(&case);
        let told = answer["error"].as_str().unwrap_or_else(|| panic!("{answer} of {case}"));
        assert!(told.starts_with(error), "{told}");
    }
    let whole = right.to_string();
    for end in 0..whole.len() {
        assert!(settle(&whole[..end]).starts_with(r#"{"error":""#), "{}", &whole[..end]);
    }
}

//! Sealed items: the table of SPEC, section 6a, the laws of prices, and sixty thousand random items against a
//! second implementation, which tries every bid.

#![expect(clippy::expect_used, reason = "a test whose own arithmetic fails has failed")]

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

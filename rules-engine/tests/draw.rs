//! Draws: thousands of hats against a second implementation, the chances of a ticket, and what is wrong.

#![expect(clippy::expect_used, reason = "a test whose own arithmetic fails has failed")]

#[path = "support/numbers.rs"]
mod numbers;
#[path = "support/second_draw.rs"]
mod second_draw;

use std::collections::BTreeMap;

use numbers::Numbers;
use rules_engine::{
    draw,
    draw::{Again, Drawing, Seed, Tickets},
};
use serde_json::{Value, json};

const SEED: &str = "8f1d2c3b4a5968778695a4b3c2d1e0f00112233445566778899aabbccddeeff0";

fn answer(case: &Value) -> Value {
    serde_json::from_str(&draw(&case.to_string())).expect("JSON")
}

#[test]
fn thousands_of_hats_give_the_tickets_of_a_second_implementation() {
    let mut numbers = Numbers(0x6b20_2611_2921_0058);
    let mut short = 0;
    for item in 0..4_000 {
        let rows = numbers.below(6);
        let tickets: Vec<(String, usize)> = (0..rows)
            .map(|_| {
                let count = if numbers.below(20) == 0 { 10_000 } else { 9 };
                let count = 1 + usize::try_from(numbers.below(count)).expect("small");
                (format!("p{}", numbers.below(4)), count)
            })
            .collect();
        let (seed, item) = (format!("{:016x}", numbers.0).repeat(4), format!("item-{item}"));
        let copies = 1 + numbers.below(8);
        let again = if numbers.below(2) == 0 { "PERSON" } else { "TICKET" };
        let rows: Vec<Value> = tickets.iter().map(|(id, count)| json!({"id": id, "count": count})).collect();
        let case = json!({"seed": seed, "itemId": item, "copies": copies, "again": again, "tickets": rows});
        let copies = usize::try_from(copies).expect("small");
        let expected = second_draw::winners((&seed, &item), copies, again == "PERSON", &tickets);
        let winners: Vec<Value> = expected
            .iter()
            .map(|(id, copy, ticket)| json!({"id": id, "copy": copy, "ticket": ticket}))
            .collect();
        assert_eq!(answer(&case), json!({"winners": winners}), "{case}");
        short += usize::from(winners.len() < copies);
    }
    assert!(short > 1_000, "{short} hats were empty before their copies were drawn");
}

/// The sum of squares of all differences from what is expected, by what is expected.
fn chi_squared(counts: impl Iterator<Item = u32>, expected: f64) -> f64 {
    counts.map(|count| (f64::from(count) - expected).powi(2) / expected).sum()
}

/// Below the quantile of 99.9 % for 19 degrees of freedom, and not so even that chance has no part in it.
fn assert_even(counts: &BTreeMap<(u64, u64), u32>, draws: u32) {
    assert_eq!(counts.len(), 20);
    let chi_squared = chi_squared(counts.values().copied(), f64::from(draws) / 20.0);
    assert!((5.4..43.8).contains(&chi_squared), "{chi_squared}: {counts:?}");
}

#[test]
fn a_million_draws_give_each_ticket_its_share() {
    let seed = Seed::parse(SEED).expect("a seed");
    let row = |holder, count| Tickets { holder, count };
    // 20 tickets of four people; and 20 pairs of the first two of five tickets.
    let people = [row("a", 1), row("b", 4), row("c", 5), row("a", 2), row("d", 8)];
    let one = [row("a", 3), row("b", 2)];
    let (mut tickets, mut pairs) = (BTreeMap::new(), BTreeMap::new());
    let draws = 500_000;
    for item in 0..draws {
        let id = item.to_string();
        let drawing = Drawing { seed: &seed, item_id: &id };
        let first = draw::draw(drawing, 1, Again::Person, &people);
        *tickets.entry((first[0].ticket, 0)).or_insert(0) += 1;
        let two = draw::draw(drawing, 2, Again::Ticket, &one);
        *pairs.entry((two[0].ticket, two[1].ticket)).or_insert(0) += 1;
    }
    assert_even(&tickets, draws);
    assert_even(&pairs, draws);
}

#[test]
fn the_largest_hat_is_drawn_from() {
    let rows: Vec<Value> =
        (0..100_000).map(|id| json!({"id": format!("p{id}"), "count": 1_000_000_000})).collect();
    for again in ["PERSON", "TICKET"] {
        let case = json!({"seed": SEED, "itemId": "lot", "copies": 100, "again": again, "tickets": rows});
        let answer = answer(&case);
        let winners = answer["winners"].as_array().expect("winners");
        assert_eq!(winners.len(), 100);
        for winner in winners {
            let ticket = winner["ticket"].as_u64().expect("a number");
            assert_eq!(winner["id"], format!("p{}", (ticket - 1) / 1_000_000_000));
        }
    }
}

#[test]
fn what_is_wrong_is_an_error_that_names_it() {
    let case = json!({"seed": SEED, "itemId": "lot", "tickets": [{"id": "a", "count": 1}]});
    assert_eq!(answer(&case), json!({"winners": [{"id": "a", "copy": 1, "ticket": 1}]}));
    for (member, wrong, error) in [
        ("/seed", json!(SEED[1..]), "seed must be 32 bytes in lower-case hexadecimal: 64 of 0–9 a–f"),
        ("/seed", json!(format!("{SEED}00")), "seed must be 32 bytes"),
        ("/seed", json!(SEED.to_ascii_uppercase()), "seed must be 32 bytes"),
        ("/seed", json!(1), "expected a string at byte"),
        ("/itemId", json!(""), "itemId must have 1 to 64 characters"),
        ("/itemId", json!("ä".repeat(65)), "itemId must have 1 to 64 characters"),
        ("/copies", json!(0), "copies must be from 1 to 100"),
        ("/copies", json!(101), "copies must be from 1 to 100"),
        ("/copies", json!(1.5), "expected an integer at byte"),
        ("/copies", json!(1_u64 << 32), "expected a smaller integer at byte"),
        ("/again", json!("NEVER"), "expected PERSON or TICKET at byte"),
        ("/more", json!(1), "unknown member more at byte"),
        ("/tickets", json!(null), "expected a list at byte"),
        (
            "/tickets",
            json!(vec![json!({"id": "a", "count": 1}); 100_001]),
            "tickets must have at most 100,000",
        ),
        ("/tickets/0/id", json!(""), "tickets.0.id must have 1 to 64 characters"),
        ("/tickets/0/count", json!(0), "tickets.0.count must be from 1 to 1,000,000,000"),
        ("/tickets/0/count", json!(1_000_000_001), "tickets.0.count must be from 1 to 1,000,000,000"),
        ("/tickets/0/count", json!(-1), "expected an integer at byte"),
    ] {
        let mut case = json!({"seed": SEED, "itemId": "lot", "copies": 1, "again": "PERSON",
            "tickets": [{"id": "a", "count": 1}], "more": 0});
        let members = case.as_object_mut().expect("an object");
        if member != "/more" {
            members.remove("more");
        }
        *case.pointer_mut(member).expect("a place") = wrong;
        let answer = answer(&case);
        let told = answer["error"].as_str().unwrap_or_else(|| panic!("{answer} of {case}"));
        assert!(told.starts_with(error), "{told}");
    }
    let whole = case.to_string();
    for end in 0..whole.len() {
        assert!(draw(&whole[..end]).starts_with(r#"{"error":""#), "{}", &whole[..end]);
    }
}

#[test]
fn a_hat_without_tickets_has_no_winners() {
    let case = json!({"seed": SEED, "itemId": "lot", "copies": 3, "tickets": []});
    assert_eq!(answer(&case), json!({"winners": []}));
}

use serde_json::{Value, json};

use super::{Sale, mistyped, other};

#[tokio::test]
async fn a_bidder_takes_a_mistyped_bid_back_and_the_bid_before_leads_again() {
    let sale = Sale::legacy(json!({})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    sale.bid(&bob, json!({"amount": 5})).await.expect(201);
    let placed = sale.bid(&ada, json!({"amount": 500})).await.expect(201);
    assert_eq!(placed["withdrawn"], Value::Null);
    sale.app.clock.advance_seconds(60);
    let body = json!({"reason": "MISTYPED", "note": " A zero too many. "});
    let mut withdrawn = sale.withdraw(&ada, 2, body).await.expect(200);
    let mark = json!({"at": "2026-05-01T18:01:00.000Z", "by": "BIDDER", "reason": "MISTYPED", "note": "A zero too many."});
    assert_eq!(withdrawn["withdrawn"], mark);
    assert_eq!(withdrawn.as_object_mut().unwrap().remove("overcommitted"), Some(json!([])));
    let listed = sale.bids().await;
    assert_eq!((listed.len(), &listed[0]), (2, &withdrawn), "the bid stays in the list");
    withdrawn["withdrawn"] = Value::Null;
    assert_eq!(withdrawn, placed);

    let item = sale.owner.get(&sale.item_path()).await.expect(200);
    assert_eq!((&item["bidCount"], &item["highestBid"]["normalizedAmount"]), (&json!(1), &json!("5")));
    assert_eq!(item["highestBid"]["bidder"]["name"], "bob");
    let next = sale.bid(&ada, json!({"amount": 6})).await.expect(201);
    assert_eq!(next["sequence"], 3, "a sequence is not used again");
}

#[tokio::test]
async fn a_repeat_gets_the_first_response_even_with_another_reason() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    let first = sale.withdraw(&ada, 1, mistyped()).await;
    first.expect(200);
    sale.app.clock.advance_seconds(100);
    for body in [mistyped(), json!({"reason": "WRONG_ITEM", "note": "Oh"}), other()] {
        let again = sale.withdraw(&ada, 1, body).await;
        again.expect(200);
        assert_eq!(again.text, first.text);
    }
}

#[tokio::test]
async fn a_bidder_has_sixty_seconds() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    sale.app.clock.advance_seconds(61);
    sale.withdraw(&ada, 1, mistyped()).await.expect_problem(409, "TOO_LATE");
    assert_eq!(sale.bids().await[0]["withdrawn"], Value::Null);
}

#[tokio::test]
async fn only_the_newest_of_all_bids_can_be_taken_back() {
    let sale = Sale::legacy(json!({})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    sale.bid(&bob, json!({"amount": 6})).await.expect(201);
    sale.withdraw(&ada, 1, mistyped()).await.expect_problem(409, "TOO_LATE");
    sale.withdraw(&bob, 2, mistyped()).await.expect(200);
    sale.withdraw(&ada, 1, mistyped()).await.expect_problem(409, "TOO_LATE");
}

#[tokio::test]
async fn a_bid_shortly_before_a_late_end_or_after_it_stays() {
    let late = json!({"endDate": "2026-05-01T18:10:00Z", "antiSnipeEnabled": true, "antiSnipeThresholdSeconds": 60,
                      "antiSnipeExtensionSeconds": 30});
    let sale = Sale::legacy(late).await;
    let ada = sale.bidder("ada").await;
    sale.app.clock.advance_seconds(539);
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    sale.withdraw(&ada, 1, mistyped()).await.expect(200);
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    sale.app.clock.advance_seconds(1);
    sale.withdraw(&ada, 2, mistyped()).await.expect_problem(409, "TOO_LATE");

    let sale = Sale::legacy(json!({"endDate": "2026-05-01T18:10:00Z"})).await;
    let ada = sale.bidder("ada").await;
    sale.app.clock.advance_seconds(599);
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    sale.withdraw(&ada, 1, mistyped()).await.expect(200);
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    sale.app.clock.advance_seconds(1);
    sale.withdraw(&ada, 2, mistyped()).await.expect_problem(409, "TOO_LATE");
}

#[tokio::test]
async fn a_bidder_takes_back_three_bids_in_an_auction() {
    let mut sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    for sequence in 1..=2 {
        sale.bid(&ada, json!({"amount": 5})).await.expect(201);
        sale.withdraw(&ada, sequence, mistyped()).await.expect(200);
    }
    sale.item = sale.add_item(json!({"currencyCode": "EUR"})).await;
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    sale.withdraw(&ada, 1, json!({"reason": "WRONG_ITEM"})).await.expect(200);
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    sale.withdraw(&ada, 2, mistyped()).await.expect_problem(409, "LIMIT_REACHED");
    let bob = sale.bidder("bob").await;
    sale.bid(&bob, json!({"amount": 6})).await.expect(201);
    sale.withdraw(&bob, 3, mistyped()).await.expect(200);
}

#[tokio::test]
async fn a_bidder_takes_back_mistakes_only_even_as_a_manager() {
    let sale = Sale::legacy(json!({})).await;
    for bidder in [sale.bidder("ada").await, sale.admin("admin").await] {
        let bid = sale.bid(&bidder, json!({"amount": 1 + sale.bids().await.len()})).await.expect(201);
        let sequence = bid["sequence"].as_i64().unwrap();
        for reason in ["ITEM_CHANGED", "BIDDER_REMOVED", "OTHER"] {
            let refused = sale.withdraw(&bidder, sequence, json!({"reason": reason})).await;
            refused.expect_problem(403, "FORBIDDEN");
        }
        sale.withdraw(&bidder, sequence, mistyped()).await.expect(200);
    }
}

#[tokio::test]
async fn the_body_is_read_after_the_authorization() {
    let sale = Sale::legacy(json!({})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    let stranger = sale.app.user("stranger").await;
    for nobody in [&bob, &stranger] {
        sale.withdraw(nobody, 1, json!({"reason": "NONE"})).await.expect_problem(403, "FORBIDDEN");
    }
    sale.withdraw(&ada, 2, json!({})).await.expect_problem(404, "NOT_FOUND");
    for (body, path) in [
        (json!({}), "reason"),
        (json!({"reason": "NONE"}), "reason"),
        (json!({"reason": "MISTYPED", "note": "n".repeat(501)}), "note"),
        (json!({"reason": "MISTYPED", "why": "x"}), "why"),
    ] {
        let problem = sale.withdraw(&ada, 1, body).await.expect_problem(422, "INVALID_BODY");
        assert_eq!(problem["details"]["fields"][0]["path"], path);
    }
    sale.withdraw(&ada, 1, json!({"reason": "MISTYPED", "note": "n".repeat(500)})).await.expect(200);
}

#[tokio::test]
async fn three_of_many_withdrawals_at_once_are_accepted() {
    let mut sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    let mut paths = Vec::new();
    for _ in 0..9 {
        sale.item = sale.add_item(json!({"currencyCode": "EUR"})).await;
        sale.bid(&ada, json!({"amount": 5})).await.expect(201);
        paths.push(format!("{}/1/withdraw", sale.bids_path()));
    }
    let answers = futures::future::join_all(paths.iter().map(|path| ada.post(path, mistyped()))).await;
    let accepted = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(accepted, 3);
    for refused in answers.iter().filter(|answer| answer.status != 200) {
        refused.expect_problem(409, "LIMIT_REACHED");
    }
}

use serde_json::{Value, json};

use super::bids::{Sale, points, wizards};
use crate::harness::{Answer, TestApp};
use crate::routes::auctions::{auction, give_role, join, tickets, wrong_fields};

#[tokio::test]
async fn the_creator_and_managers_change_an_item() {
    let app = TestApp::start().await;
    let (ada, bob, eve) = (app.user("ada").await, app.user("bob").await, app.user("eve").await);
    let zoe = app.user("zoe").await;
    let path = auction(&ada, json!({"joinMode": "FREE"})).await;
    for member in [&bob, &eve] {
        join(member, &path).await;
        give_role(&ada, &path, member, "CREATOR").await;
    }
    let made = bob.post(&format!("{path}/items"), json!({"name": "A vase", "currencyCode": "EUR"})).await;
    made.expect(201);
    let item = made.header("location");
    for other in [&eve, &zoe] {
        for (published, status, code) in [(false, 404, "NOT_FOUND"), (true, 403, "FORBIDDEN")] {
            bob.patch(item, json!({"isPublished": published})).await.expect(200);
            for body in [r#"{"name": "Mine"}"#, "{"] {
                other.send_text("PATCH", item, body).await.expect_problem(status, code);
            }
            other.delete(item).await.expect_problem(status, code);
        }
    }
    assert_eq!(ada.patch(item, json!({"name": "An urn"})).await.expect(200)["creator"]["name"], "bob");
    bob.delete(item).await.expect(204);
}

#[tokio::test]
async fn an_outdated_version_is_refused_before_a_frozen_field() {
    let sale = Sale::legacy(json!({})).await;
    let path = sale.item_path();
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    let send = async |tag: &str, body: Value| {
        Answer::of(sale.owner.request("PATCH", &path).header("if-match", tag).json(&body)).await
    };
    send("\"1\"", json!({"startingBid": 1})).await.expect_problem(412, "PRECONDITION_FAILED");
    send("\"2\"", json!({"startingBid": 1})).await.expect_problem(409, "FROZEN");
    send("\"2\"", json!({"name": "D"})).await.expect(200);
}

#[tokio::test]
async fn a_bid_changes_the_version_of_its_item() {
    let sale = Sale::legacy(json!({})).await;
    let path = sale.item_path();
    let ada = sale.bidder("ada").await;
    let stands = async |tag: &str, second: u32| {
        let seen = sale.owner.get(&path).await;
        let updated_at = json!(format!("2026-05-01T18:00:{second:02}.000Z"));
        assert_eq!((seen.header("etag"), &seen.expect(200)["updatedAt"]), (tag, &updated_at));
    };
    stands("\"1\"", 0).await;
    for (amount, tag, second) in [(5, "\"2\"", 5), (6, "\"3\"", 10)] {
        sale.app.clock.advance_seconds(5);
        sale.bid(&ada, json!({"amount": amount})).await.expect(201);
        stands(tag, second).await;
    }
    sale.app.clock.advance_seconds(5);
    sale.owner.patch(&path, json!({"name": "An urn"})).await.expect(200);
    stands("\"4\"", 15).await;
}

#[tokio::test]
async fn the_price_of_an_item_with_bids_is_frozen_and_it_stays_published() {
    let sale = Sale::legacy(json!({"startingBid": 1, "endDate": "2026-06-01T00:00:00Z"})).await;
    let path = sale.item_path();
    sale.owner.patch(&path, json!({"startingBid": 2})).await.expect(200);
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    for patch in [
        json!({"startingBid": 1}),
        json!({"startingBid": null}),
        json!({"minBidIncrement": 1, "name": "Lost"}),
        json!({"currencyCode": "USD"}),
        json!({"startsAt": "2026-05-02T00:00:00Z"}),
    ] {
        sale.owner.patch(&path, patch).await.expect_problem(409, "FROZEN");
    }
    sale.owner.patch(&path, json!({"isPublished": false})).await.expect_problem(409, "HAS_BIDS");
    sale.owner.patch(&path, json!({"isPublished": null})).await.expect_problem(409, "HAS_BIDS");
    let free = json!({
        "name": "An urn", "description": "Green", "startingBid": "2.0", "endDate": "2026-06-02T00:00:00Z",
        "antiSnipeEnabled": true,
    });
    let changed = sale.owner.patch(&path, free).await.expect(200);
    assert_eq!((&changed["name"], &changed["bidCount"]), (&json!("An urn"), &json!(1)));
    assert_eq!(changed["highestBid"]["normalizedAmount"], "5");
    assert_eq!(changed["endDate"], "2026-06-02T00:00:00.000Z");
    sale.bid(&ada, json!({"amount": 6})).await.expect(201);
}

#[tokio::test]
async fn a_closed_item_cannot_be_changed() {
    let sale = Sale::legacy(json!({"endDate": "2026-05-01T18:01:00Z"})).await;
    sale.app.clock.advance_seconds(60);
    let had = sale.owner.get(&sale.item_path()).await.expect(200);
    for patch in
        [json!({"endDate": "2026-06-01T00:00:00Z"}), json!({"endDate": null}), json!({"name": "An urn"})]
    {
        sale.owner.patch(&sale.item_path(), patch).await.expect_problem(409, "CLOSED");
    }
    assert_eq!(sale.owner.get(&sale.item_path()).await.expect(200), had);
}

#[tokio::test]
async fn a_draft_cannot_be_published_after_the_auctions_end() {
    let terms = json!({"endDate": "2026-05-01T18:01:00Z", "itemEndMode": "NONE"});
    let sale = Sale::open(terms, &[], json!({"currencyCode": "EUR", "isPublished": false})).await;
    let path = sale.item_path();
    let auction = format!("/api/auctions/{}", sale.auction);
    assert_eq!(sale.owner.get(&auction).await.expect(200)["status"], "OPEN");
    sale.app.clock.advance_seconds(60);
    assert_eq!(sale.owner.get(&auction).await.expect(200)["status"], "CLOSED");
    sale.owner.patch(&path, json!({"isPublished": true})).await.expect_problem(409, "CLOSED");
    assert_eq!(sale.owner.get(&auction).await.expect(200)["status"], "CLOSED");
}

#[tokio::test]
async fn an_own_end_needs_custom_and_is_never_after_the_auctions() {
    let end = "2026-06-01T00:00:00.000Z";
    let sale = Sale::open(json!({"endDate": end}), &[], json!({"currencyCode": "EUR"})).await;
    let path = sale.item_path();
    for late in ["2026-06-01T00:00:00.001Z", "2027-01-01T00:00:00Z"] {
        assert_eq!(wrong_fields(&sale.owner.patch(&path, json!({"endDate": late})).await), ["endDate"]);
    }
    let past = json!({"name": "", "endDate": "2026-05-01T18:00:00Z"});
    assert_eq!(wrong_fields(&sale.owner.patch(&path, past).await), ["name", "endDate"], "all errors at once");
    let changed = sale.owner.patch(&path, json!({"endDate": "2026-05-20T00:00:00Z"})).await.expect(200);
    assert_eq!(changed["endDate"], "2026-05-20T00:00:00.000Z");
    assert_eq!(sale.owner.patch(&path, json!({"endDate": null})).await.expect(200)["endDate"], end);
    for (mode, in_force) in [("AUCTION_END", json!(end)), ("NONE", json!(null))] {
        let sale =
            Sale::open(json!({"endDate": end, "itemEndMode": mode}), &[], json!({"currencyCode": "EUR"}))
                .await;
        let path = sale.item_path();
        assert_eq!(
            wrong_fields(&sale.owner.patch(&path, json!({"endDate": end})).await),
            ["endDate"],
            "{mode}"
        );
        assert_eq!(sale.owner.patch(&path, json!({"endDate": null})).await.expect(200)["endDate"], in_force);
    }
}

#[tokio::test]
async fn a_patch_keeps_an_end_that_a_late_bid_has_moved() {
    for mode in ["AUCTION_END", "CUSTOM"] {
        let terms = json!({"endDate": "2026-05-01T18:01:00Z", "itemEndMode": mode});
        let sale = Sale::open(terms, &[], json!({"currencyCode": "EUR", "antiSnipeEnabled": true})).await;
        let path = sale.item_path();
        let ada = sale.bidder("ada").await;
        sale.bid(&ada, json!({"amount": 5})).await.expect(201);
        let moved = "2026-05-01T18:05:00.000Z";
        assert_eq!(sale.owner.get(&path).await.expect(200)["endDate"], moved, "after the auction's end");
        let changed = sale.owner.patch(&path, json!({"name": "An urn"})).await.expect(200);
        assert_eq!(changed["endDate"], moved, "{mode}");
        let named = sale
            .owner
            .patch(&path, json!({"endDate": if mode == "CUSTOM" { json!(moved) } else { json!(null) }}))
            .await;
        assert_eq!(named.expect(200)["endDate"], moved, "{mode}: the end in force, or no end of its own");
        sale.app.clock.advance_seconds(120);
        if mode == "CUSTOM" {
            assert_eq!(
                wrong_fields(&sale.owner.patch(&path, json!({"endDate": null})).await),
                ["endDate"],
                "in the past"
            );
        }
        sale.owner.patch(&path, json!({"description": "Blue"})).await.expect(200);
    }
}

#[tokio::test]
async fn a_minimum_is_merged_and_normalized_again() {
    let sale = Sale::open(json!({}), &[wizards(), points("P", "2.5")], json!({})).await;
    let path = sale.item_path();
    let currencies = sale.owner.get(&format!("/api/auctions/{}/currencies", sale.auction)).await.expect(200);
    let (coins, points) = (&currencies["currencies"][0]["id"], &currencies["currencies"][1]["id"]);
    let knuts = json!([{"denomination": "KNUT", "count": "7"}]);
    for (patch, kept, normalized) in [
        (
            json!({"currencyProfileId": points, "amount": 4}),
            json!({"currencyProfileId": points, "amount": "4"}),
            json!("10"),
        ),
        (json!({"amount": "6.0"}), json!({"currencyProfileId": points, "amount": "6"}), json!("15")),
        (
            json!({"currencyProfileId": coins, "enteredRepresentation": knuts}),
            json!({"currencyProfileId": coins, "enteredRepresentation": knuts}),
            json!("7"),
        ),
        (
            json!({"currencyProfileId": points, "amount": 2}),
            json!({"currencyProfileId": points, "amount": "2"}),
            json!("5"),
        ),
        (json!(null), json!(null), json!(null)),
    ] {
        let changed = sale.owner.patch(&path, json!({"minBidConstraint": patch})).await.expect(200);
        assert_eq!(
            (&changed["minBidConstraint"], &changed["minBidNormalized"]),
            (&kept, &normalized),
            "{patch}"
        );
        assert_eq!(sale.owner.get(&path).await.expect(200), changed);
    }
    let minimum = json!({"currencyProfileId": points, "amount": 2});
    let patch = json!({"minBidConstraint": minimum, "minIncrementNormalized": "0.500000"});
    let had = sale.owner.patch(&path, patch).await.expect(200);
    assert_eq!(had["minIncrementNormalized"], "0.5");
    for (code, patch) in [
        ("INPUT_MODE_MISMATCH", json!({"currencyProfileId": coins})),
        ("INPUT_MODE_MISMATCH", json!({"amount": 1, "enteredRepresentation": knuts})),
        ("AMOUNT_REQUIRED", json!({"amount": null})),
        ("FRACTION_NOT_ALLOWED", json!({"amount": "0.5"})),
        ("NOT_POSITIVE", json!({"amount": 0})),
    ] {
        let answer = sale.owner.patch(&path, json!({"name": "Lost", "minBidConstraint": patch})).await;
        assert_eq!(wrong_fields(&answer), ["minBidConstraint"], "{patch}");
        assert_eq!(answer.json()["details"]["violations"][0]["code"], code, "{patch}");
    }
    for (name, patch) in [
        ("currencyCode", json!({"currencyCode": "EUR"})),
        ("startingBid", json!({"startingBid": 1})),
        ("minBidConstraint.currencyProfileId", json!({"minBidConstraint": {"currencyProfileId": null}})),
        ("minBidConstraint", json!({"minBidConstraint": 7})),
    ] {
        assert_eq!(wrong_fields(&sale.owner.patch(&path, patch.clone()).await), [name], "{patch}");
    }
    assert_eq!(sale.owner.get(&path).await.expect(200), had);

    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"currencyProfileId": points, "amount": 2})).await.expect(201);
    for patch in [
        json!({"minBidConstraint": null}),
        json!({"minBidConstraint": {"amount": 1}}),
        json!({"minIncrementNormalized": 1}),
    ] {
        sale.owner.patch(&path, patch).await.expect_problem(409, "FROZEN");
    }
    sale.owner.patch(&path, json!({"minBidConstraint": minimum, "name": "An urn"})).await.expect(200);
}

#[tokio::test]
async fn legacy_terms_apply_again_without_profiles() {
    let sale = Sale::legacy(json!({"startingBid": 10, "minBidIncrement": 2})).await;
    let path = sale.item_path();
    let currencies = format!("/api/auctions/{}/currencies", sale.auction);
    let profile = sale.owner.post(&currencies, tickets(json!({}))).await;
    profile.expect(201);
    let changed =
        sale.owner.patch(&path, json!({"name": "An urn", "minIncrementNormalized": 3})).await.expect(200);
    assert_eq!((&changed["startingBid"], &changed["minBidNormalized"]), (&Value::Null, &Value::Null));
    assert_eq!(changed["minIncrementNormalized"], "3");
    sale.owner.delete(profile.header("location")).await.expect(204);
    let back = sale.owner.get(&path).await.expect(200);
    for (name, value) in [
        ("currencyCode", "EUR"),
        ("startingBid", "10"),
        ("minBidNormalized", "10"),
        ("minIncrementNormalized", "2"),
    ] {
        assert_eq!(back[name], value, "{name}");
    }
    let changed = sale.owner.patch(&path, json!({"minBidIncrement": null})).await.expect(200);
    assert_eq!((&changed["startingBid"], &changed["minIncrementNormalized"]), (&json!("10"), &Value::Null));
    let again = sale.owner.post(&currencies, tickets(json!({}))).await;
    again.expect(201);
    assert_eq!(
        sale.owner.get(&path).await.expect(200)["minIncrementNormalized"],
        "3",
        "the others also move"
    );
}

use serde_json::{Value, json};

use super::{Hall, named, text};
use crate::harness::Answer;
use crate::routes::auctions::items::bids::codes;
use crate::routes::auctions::{remove, user_id, wrong_fields};
use crate::routes::groups::{Group, item};

#[tokio::test]
async fn a_clerk_bids_for_a_member_as_whom_the_bid_is_judged() {
    let hall = Hall::open().await;
    let (sale, ada) = (&hall.sale, named(&hall.ada).await);
    let bid = sale.bid(&hall.clerk, json!({"amount": 5, "for": ada})).await.expect(201);
    assert_eq!((&bid["bidder"]["name"], &bid["placedBy"]["name"]), (&json!("ada"), &json!("carl")));
    assert_eq!(bid["overridden"], Value::Null);
    let low = sale.bid(&hall.clerk, json!({"amount": 5, "for": named(&hall.bob).await})).await;
    assert_eq!(codes(&low.expect_problem(422, "BID_REJECTED")), ["EQUAL_NOT_HIGHER"]);
    let validate = format!("{}/validate", sale.bids_path());
    let verdict = hall.clerk.post(&validate, json!({"amount": 6, "for": named(&hall.bob).await})).await;
    assert_eq!(verdict.expect(200)["accepted"], true);

    let seller = json!({"userId": user_id(&sale.owner).await});
    let own = json!({"amount": 7, "for": seller});
    sale.bid(&hall.clerk, own.clone()).await.expect_problem(403, "OWN_ITEM");
    hall.clerk.post(&validate, own).await.expect_problem(403, "OWN_ITEM");
    for client in [&hall.ada, &hall.bob] {
        sale.bid(client, json!({"amount": 8, "for": named(&hall.bob).await}))
            .await
            .expect_problem(403, "FORBIDDEN");
    }
    let eve = sale.app.user("eve").await;
    let of_eve = sale.bid(&hall.clerk, json!({"amount": 9, "for": named(&eve).await})).await;
    assert_eq!(wrong_fields(&of_eve), ["for.userId"]);
    remove(&sale.owner, &hall.auction(), &hall.bob).await;
    let removed = sale.bid(&hall.clerk, json!({"amount": 9, "for": named(&hall.bob).await})).await;
    assert_eq!(wrong_fields(&removed), ["for.userId"]);
    for (named, wrong) in [
        (json!({}), "for"),
        (json!({"number": 1, "userId": user_id(&hall.ada).await}), "for"),
        (json!({"number": 1}), "for.number"),
    ] {
        let refused = sale.bid(&hall.clerk, json!({"amount": 9, "for": named})).await;
        assert_eq!(wrong_fields(&refused), [wrong]);
    }
    assert_eq!(sale.bids().await.len(), 1);
}

#[tokio::test]
async fn who_placed_a_bid_is_shown_to_its_bidder_and_those_who_run_the_sale() {
    let hall = Hall::open().await;
    hall.sale.bid(&hall.clerk, json!({"amount": 5, "for": named(&hall.ada).await})).await.expect(201);
    for (client, sees) in
        [(&hall.sale.owner, true), (&hall.clerk, true), (&hall.ada, true), (&hall.bob, false)]
    {
        let listed = client.get(&hall.sale.bids_path()).await.expect(200);
        let bid = &listed["bids"][0];
        assert_eq!(bid["placedBy"]["name"], if sees { json!("carl") } else { Value::Null });
        let mut events =
            crate::harness::Events::open(client, &format!("{}/events?after=0", hall.sale.item_path())).await;
        events.item().await;
        assert_eq!(events.bid().await.1, *bid);
    }
}

#[tokio::test]
async fn a_repeat_of_the_clerk_places_one_bid() {
    let hall = Hall::open().await;
    let body = json!({"amount": 5, "for": named(&hall.ada).await});
    let bid = async || {
        let request = hall.clerk.request("POST", &hall.sale.bids_path()).header("idempotency-key", "k");
        Answer::of(request.json(&body)).await
    };
    let first = bid().await.expect(201);
    hall.sale.app.clock.advance_seconds(5);
    let again = bid().await;
    assert_eq!(again.header("idempotent-replayed"), "true");
    assert_eq!(again.expect(201), first);
    let own = hall.ada.request("POST", &hall.sale.bids_path()).header("idempotency-key", "k");
    Answer::of(own.json(&json!({"amount": 6}))).await.expect(201);
    assert_eq!(hall.sale.bids().await.len(), 2, "the key of the clerk is not the bidder's");
}

#[tokio::test]
async fn a_member_is_named_by_the_number_in_the_group() {
    let group = Group::start().await;
    let people = group.add(&["Ada", "Bob"]).await;
    let auction = group.auction(json!({})).await;
    let lot = item(&group.keeper, &auction, "Cake").await;
    let seventeen = people[1]["number"].clone();
    let bids = format!("{lot}/bids");
    let bid = group.keeper.post(&bids, json!({"amount": 3, "for": {"number": seventeen}})).await;
    // The keeper sells the item and may bid for others.
    let bid = bid.expect(201);
    assert_eq!((&bid["bidder"]["name"], &bid["bidder"]["number"]), (&json!("Bob"), &seventeen));
    assert_eq!(bid["placedBy"]["number"], 1);
    let unknown = group.keeper.post(&bids, json!({"amount": 4, "for": {"number": 999}})).await;
    assert_eq!(wrong_fields(&unknown), ["for.number"]);

    let ada = group.signed_in(&people[0]).await;
    let own = ada.post(&bids, json!({"amount": 5})).await.expect(201);
    assert_eq!(own["bidder"]["number"], people[0]["number"], "beside the name in every answer");
    let withdrawn = ada.post(&format!("{bids}/2/withdraw"), json!({"reason": "MISTYPED"})).await.expect(200);
    assert_eq!(withdrawn["bidder"]["number"], people[0]["number"]);
    let listed = group.keeper.get(&bids).await.expect(200);
    assert_eq!(listed["bids"][0]["bidder"], own["bidder"]);
    assert_eq!(text(&listed["bids"][1]["id"]), text(&bid["id"]));
}

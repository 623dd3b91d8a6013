use serde_json::{Value, json};

use super::bids::Sale;
use super::close::outcomes;
use crate::harness::{Answer, Client, Events};
use crate::routes::auctions::{user_id, wrong_fields};

fn path(sale: &Sale) -> String {
    format!("{}/outcome", sale.item_path())
}

/// A sale with bids of ada (5), bob (6) and ada (7), the last one sold.
async fn sold(terms: Value) -> (Sale, Client, Client) {
    let sale = Sale::open(terms, &[], json!({"currencyCode": "EUR"})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    for (bidder, amount) in [(&ada, 5), (&bob, 6), (&ada, 7)] {
        sale.bid(bidder, json!({"amount": amount})).await.expect(201);
    }
    sale.owner.post(&format!("{}/close", sale.item_path()), json!({})).await.expect(200);
    (sale, ada, bob)
}

#[tokio::test]
async fn an_outcome_is_marked_as_paid_and_collected() {
    let (sale, ada, _) = sold(json!({})).await;
    let mut events = Events::open(&ada, &format!("{}/events", sale.item_path())).await;
    events.item().await;
    let paid = sale.owner.patch(&path(&sale), json!({"paid": true})).await.expect(200);
    assert_eq!((&paid["itemId"], &paid["number"]), (&json!(sale.item), &json!(1)));
    assert_eq!(paid["paidAt"], "2026-05-01T18:00:00.000Z");
    assert_eq!(paid["collectedAt"], Value::Null);
    assert_eq!(events.item().await["outcome"], paid, "streams send the marks");
    sale.app.clock.advance_seconds(60);
    let collected =
        sale.owner.patch(&path(&sale), json!({"paid": true, "collected": true})).await.expect(200);
    assert_eq!(collected["paidAt"], paid["paidAt"], "a mark keeps its time");
    assert_eq!(collected["collectedAt"], "2026-05-01T18:01:00.000Z");
    let read = ada.get(&sale.item_path()).await.expect(200);
    assert_eq!(read["outcome"], collected);
    let undone = sale.owner.patch(&path(&sale), json!({"paid": false})).await.expect(200);
    assert_eq!(undone["paidAt"], Value::Null);
    assert_eq!(undone["collectedAt"], collected["collectedAt"]);
    assert_eq!(outcomes(&sale, &ada).await, [undone], "a mark is no new outcome");
}

#[tokio::test]
async fn a_mark_needs_a_manager_a_sale_and_flags() {
    let (sale, ada, _) = sold(json!({})).await;
    ada.patch(&path(&sale), json!({"paid": true})).await.expect_problem(403, "FORBIDDEN");
    ada.patch(&path(&sale), json!({"paid": 1})).await.expect_problem(403, "FORBIDDEN");
    for wrong in [json!({"paid": null}), json!({"paid": "yes"})] {
        assert_eq!(wrong_fields(&sale.owner.patch(&path(&sale), wrong).await), ["paid"]);
    }
    let unchanged = sale.owner.get(&sale.item_path()).await;
    sale.owner.patch(&path(&sale), json!({})).await.expect(200);
    sale.owner.patch(&path(&sale), json!({"paid": false})).await.expect(200);
    let read = sale.owner.get(&sale.item_path()).await;
    assert_eq!(read.header("etag"), unchanged.header("etag"));
    let request = sale.owner.request("PATCH", &path(&sale)).header("if-match", "\"1\"");
    let request = request.header("content-type", "application/json").body(r#"{"paid": true}"#);
    Answer::of(request).await.expect_problem(412, "PRECONDITION_FAILED");

    let open = Sale::legacy(json!({})).await;
    open.owner.patch(&path(&open), json!({"paid": true})).await.expect_problem(409, "NOT_CLOSED");
    let decision = json!({"sequence": null, "reason": "early"});
    open.owner.post(&path(&open), decision).await.expect_problem(409, "NOT_CLOSED");
}

#[tokio::test]
async fn an_item_is_sold_to_the_next_bidder_and_to_nobody() {
    let (sale, ada, _) = sold(json!({})).await;
    sale.owner.patch(&path(&sale), json!({"paid": true})).await.expect(200);
    let next = json!({"sequence": 2, "reason": "Ada has left."});
    let sold = sale.owner.post(&path(&sale), next).await;
    let item = sold.expect(200);
    assert_eq!(sold.header("etag"), sale.owner.get(&sale.item_path()).await.header("etag"));
    let outcome = &item["outcome"];
    assert_eq!((&outcome["number"], &outcome["result"]), (&json!(2), &json!("SOLD")));
    assert_eq!(outcome["winner"]["name"], "bob");
    assert_eq!((&outcome["bid"]["sequence"], &outcome["bid"]["amount"]), (&json!(2), &json!(6)));
    assert_eq!((&outcome["reason"], &outcome["by"]["name"]), (&json!("Ada has left."), &json!("owner")));
    assert_eq!(outcome["paidAt"], Value::Null, "the new winner has not paid");
    assert_eq!(item["highestBid"]["amount"], 7, "the bids stay");

    let nobody = json!({"sequence": null, "reason": "Bob has left, too."});
    let item = sale.owner.post(&path(&sale), nobody).await.expect(200);
    let outcome = &item["outcome"];
    assert_eq!((&outcome["number"], &outcome["result"]), (&json!(3), &json!("UNSOLD")));
    assert_eq!((&outcome["winner"], &outcome["bid"]), (&Value::Null, &Value::Null));
    let all = outcomes(&sale, &ada).await;
    let numbers: Vec<_> = all.iter().map(|outcome| &outcome["number"]).collect();
    assert_eq!(numbers, [1, 2, 3]);
    assert_ne!(all[0]["paidAt"], Value::Null, "an earlier outcome keeps its marks");
    sale.owner.post(&path(&sale), json!({"sequence": 3, "reason": "Ada is back."})).await.expect(200);
}

#[tokio::test]
async fn a_decision_names_a_standing_bid_or_null_and_a_reason() {
    let (sale, ada, _) = sold(json!({})).await;
    let next = json!({"sequence": 2, "reason": "Ada has left."});
    ada.post(&path(&sale), next).await.expect_problem(403, "FORBIDDEN");
    for (wrong, fields) in [
        (json!({}), vec!["sequence", "reason"]),
        (json!({"reason": "a"}), vec!["sequence"]),
        (json!({"sequence": null}), vec!["reason"]),
        (json!({"sequence": null, "reason": " "}), vec!["reason"]),
        (json!({"sequence": 4, "reason": "a"}), vec!["sequence"]),
        (json!({"sequence": 0, "reason": "a"}), vec!["sequence"]),
        (json!({"sequence": "2", "reason": "a"}), vec!["sequence"]),
        (json!({"sequence": 2, "reason": "a", "x": 1}), vec!["x"]),
    ] {
        assert_eq!(wrong_fields(&sale.owner.post(&path(&sale), wrong.clone()).await), fields, "{wrong}");
    }
    assert_eq!(outcomes(&sale, &ada).await.len(), 1);
}

/// A reason may name the winner, or the one before.
#[tokio::test]
async fn the_reason_of_an_outcome_is_hidden_where_its_people_are() {
    let (sale, ada, bob) = sold(json!({})).await;
    let auction = format!("/api/auctions/{}", sale.auction);
    let hidden = json!({"bidderVisibility": "ANONYMOUS", "readableBy": "ANYONE"});
    sale.owner.patch(&auction, hidden).await.expect(200);
    let stranger = sale.app.anonymous();
    let reasons = async |client: &Client| {
        let item = client.get(&sale.item_path()).await.expect(200)["outcome"]["reason"].clone();
        let listed = client.get(&format!("{auction}/outcomes")).await.expect(200)["outcomes"].clone();
        assert_eq!(listed.as_array().unwrap().last().unwrap()["reason"], item);
        item
    };
    let mut stream = Events::open(&bob, &format!("{}/events", sale.item_path())).await;
    stream.item().await;
    let nobody = json!({"sequence": null, "reason": "Ada did not pay."});
    sale.owner.post(&path(&sale), nobody).await.expect(200);
    assert_eq!(stream.item().await["outcome"]["reason"], Value::Null);
    for client in [&ada, &bob, &stranger] {
        assert_eq!(reasons(client).await, Value::Null);
        let page = client.get(&format!("/auctions/{}/items/{}", sale.auction, sale.item)).await;
        assert!(page.status == 200 && !page.text.contains("did not pay"), "{}", page.text);
    }
    assert_eq!(reasons(&sale.owner).await, "Ada did not pay.");

    let body = json!({"name": "A lamp", "currencyCode": "EUR", "isPublished": true});
    let other = sale.owner.post(&format!("{auction}/items"), body).await.expect(201);
    let other = format!("{auction}/items/{}", other["id"].as_str().unwrap());
    sale.owner.post(&format!("{other}/cancel"), json!({"reason": "It broke."})).await.expect(200);
    assert_eq!(stranger.get(&other).await.expect(200)["outcome"]["reason"], "It broke.");
}

/// Readers without an account know no names, where members do.
#[tokio::test]
async fn the_reason_of_an_outcome_is_for_members_where_anyone_may_read() {
    let (sale, ada, bob) = sold(json!({})).await;
    let auction = format!("/api/auctions/{}", sale.auction);
    sale.owner.patch(&auction, json!({"readableBy": "ANYONE"})).await.expect(200);
    let nobody = json!({"sequence": null, "reason": "Ada did not pay."});
    sale.owner.post(&path(&sale), nobody).await.expect(200);
    let stranger = sale.app.anonymous();
    let pages = [
        sale.item_path(),
        format!("{auction}/outcomes"),
        format!("/auctions/{}/items/{}", sale.auction, sale.item),
        format!("/auctions/{}/results", sale.auction),
    ];
    for page in &pages {
        let shown = stranger.get(page).await;
        assert!(shown.status == 200 && !shown.text.contains("did not pay"), "{page}: {}", shown.text);
    }
    for member in [&ada, &bob] {
        let told = member.get(&sale.item_path()).await.expect(200)["outcome"]["reason"].clone();
        assert_eq!(told, "Ada did not pay.");
    }
}

/// Winners are as visible as bidders; a seller knows the winner, and no former one.
#[tokio::test]
async fn a_hidden_winner_is_shown_to_the_managers_to_themselves_and_to_the_seller() {
    let mut sale =
        Sale::open(json!({"bidderVisibility": "ANONYMOUS"}), &[], json!({"currencyCode": "EUR"})).await;
    let seller = sale.bidder("seller").await;
    sale.give_role(&seller, "CREATOR").await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    let body = json!({"name": "A lamp", "currencyCode": "EUR", "isPublished": true});
    let made = seller.post(&format!("/api/auctions/{}/items", sale.auction), body).await.expect(201);
    sale.item = made["id"].as_str().unwrap().to_owned();
    for (bidder, amount) in [(&ada, 5), (&bob, 6)] {
        sale.bid(bidder, json!({"amount": amount})).await.expect(201);
    }
    sale.owner.post(&format!("{}/close", sale.item_path()), json!({})).await.expect(200);
    let winner = async |viewer: &Client| {
        let listed = outcomes(&sale, viewer).await;
        let shown = viewer.get(&sale.item_path()).await.expect(200)["outcome"]["winner"].clone();
        assert_eq!(listed.last().unwrap()["winner"], shown);
        let mut events = Events::open(viewer, &format!("{}/events", sale.item_path())).await;
        assert_eq!(events.item().await["outcome"]["winner"]["name"], shown["name"]);
        listed.iter().map(|outcome| outcome["winner"]["name"].clone()).collect::<Vec<_>>()
    };
    for viewer in [&sale.owner, &seller, &bob] {
        assert_eq!(winner(viewer).await, ["bob"]);
    }
    assert_eq!(winner(&ada).await, [Value::Null]);
    let next = json!({"sequence": 1, "reason": "Bob has left."});
    sale.owner.post(&path(&sale), next).await.expect(200);
    let names = async |viewer: &Client| {
        outcomes(&sale, viewer)
            .await
            .iter()
            .map(|outcome| outcome["winner"]["name"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&sale.owner).await, ["bob", "ada"]);
    assert_eq!(names(&seller).await, [Value::Null, json!("ada")]);
    assert_eq!(names(&bob).await, [json!("bob"), Value::Null]);
    let seen = seller.get(&sale.item_path()).await.expect(200);
    assert_eq!(seen["highestBid"]["bidder"], Value::Null, "who leads has not won");
}

#[tokio::test]
async fn the_name_of_a_winner_outlives_the_account() {
    let (sale, ada, _) = sold(json!({})).await;
    let delete = ada.send("DELETE", "/api/user", json!({"password": crate::harness::PASSWORD})).await;
    delete.expect(204);
    let item = sale.owner.get(&sale.item_path()).await.expect(200);
    assert_eq!(item["highestBid"]["bidder"]["name"], "deleted user");
    assert_eq!(item["outcome"]["winner"]["name"], "ada");
    assert_eq!(outcomes(&sale, &sale.owner).await[0]["winner"]["name"], "ada");
}

/// Where an item is sold to another bidder than the leader, some viewers may know one of the two alone.
#[tokio::test]
async fn streams_show_a_resold_item_as_the_api_does() {
    let terms = json!({"bidderVisibility": "ANONYMOUS"});
    let sale = Sale::open(terms, &[], json!({"currencyCode": "EUR"})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    let (seller, eve) = (sale.bidder("seller").await, sale.bidder("eve").await);
    let path_of = sale.item_path();
    sale.owner.patch(&path_of, json!({"sellerId": user_id(&seller).await})).await.expect(200);
    for (bidder, amount) in [(&bob, 6), (&ada, 7)] {
        sale.bid(bidder, json!({"amount": amount})).await.expect(201);
    }
    bob.send("PUT", &format!("{path_of}/watch"), json!({})).await.expect(204);
    sale.owner.post(&format!("{path_of}/close"), json!({})).await.expect(200);
    sale.owner.post(&path(&sale), json!({"sequence": 1, "reason": "ada gave up"})).await.expect(200);
    let viewers = [
        (&ada, Some("ada"), None),
        (&bob, None, Some("bob")),
        (&seller, None, Some("bob")),
        (&eve, None, None),
        (&sale.owner, Some("ada"), Some("bob")),
    ];
    let mut streams = Vec::new();
    for (viewer, leader, winner) in viewers {
        let seen = viewer.get(&path_of).await.expect(200);
        assert_eq!(seen["highestBid"]["bidder"]["name"], json!(leader));
        assert_eq!(seen["outcome"]["winner"]["name"], json!(winner));
        let mut events = Events::open(viewer, &format!("{path_of}/events")).await;
        assert_eq!(events.item().await, seen);
        streams.push((viewer, events));
    }
    sale.owner.patch(&path(&sale), json!({"paid": true})).await.expect(200);
    for (viewer, mut events) in streams {
        assert_eq!(events.item().await, viewer.get(&path_of).await.expect(200));
    }
}

//! The terms of a sealed sale, and what stays once it is open.

use serde_json::json;

use super::super::{Sale, points};
use super::{bid, open};
use crate::routes::auctions::wrong_fields;

#[tokio::test]
async fn an_open_sale_has_one_copy_and_the_own_price() {
    let sale = Sale::open(json!({}), &[points("PTS", "1")], json!({})).await;
    let items = format!("/api/auctions/{}/items", sale.auction);
    let seen = sale.owner.get(&sale.item_path()).await.expect(200);
    let terms = ["format", "copies", "price", "plus", "tie"].map(|name| seen[name].clone());
    assert_eq!(terms, [json!("OPEN"), json!(1), json!("OWN"), json!("0"), json!("EARLIEST")]);
    for (name, value) in
        [("copies", json!(2)), ("price", json!("NEXT")), ("plus", json!(1)), ("tie", json!("ROLL"))]
    {
        let body = json!({"name": "A lamp", name: value});
        assert_eq!(wrong_fields(&sale.owner.post(&items, body).await), [name]);
    }
    for (name, value) in [
        ("copies", json!(0)),
        ("copies", json!(101)),
        ("price", json!("LEAST")),
        ("plus", json!("-1")),
        ("tie", json!("LATEST")),
        ("format", json!("DUTCH")),
        ("plus", json!("0.0000001")),
    ] {
        let mut body = json!({"name": "A lamp", "format": "SEALED"});
        body[name] = value.clone();
        assert_eq!(wrong_fields(&sale.owner.post(&items, body).await), [name], "{value}");
    }
}

/// With and without bids, so that no seller learns whether there are any.
#[tokio::test]
async fn the_terms_of_an_open_sealed_item_stay() {
    let sale = open(json!({"copies": 2})).await;
    let path = sale.item_path();
    let ada = sale.bidder("ada").await;
    for with_bid in [false, true] {
        if with_bid {
            bid(&sale, &ada, 5).await;
        }
        for patch in [
            json!({"format": "OPEN", "copies": 1}),
            json!({"copies": 3}),
            json!({"price": "NEXT"}),
            json!({"tie": "ROLL"}),
            json!({"plus": 2}),
            json!({"minIncrementNormalized": "5"}),
            json!({"isPublished": false}),
            json!({"startsAt": "2027-01-01T00:00:00Z"}),
        ] {
            sale.owner.patch(&path, patch).await.expect_problem(409, "FROZEN");
        }
        sale.owner.delete(&path).await.expect_problem(409, "FROZEN");
        sale.owner.patch(&path, json!({"description": format!("{with_bid}")})).await.expect(200);
    }
}

#[tokio::test]
async fn a_draft_changes_its_format_and_a_copy_keeps_it() {
    let sale = Sale::open(json!({}), &[points("PTS", "1")], json!({})).await;
    let items = format!("/api/auctions/{}/items", sale.auction);
    let made = sale.owner.post(&items, json!({"name": "A lamp"})).await.expect(201);
    let path = format!("{items}/{}", made["id"].as_str().unwrap());
    let terms = json!({"format": "SEALED", "copies": 12, "price": "LOWEST", "tie": "ROLL"});
    let changed = sale.owner.patch(&path, terms).await.expect(200);
    assert_eq!((&changed["copies"], &changed["seed"]), (&json!(12), &json!(null)));
    let hash = changed["seedHash"].as_str().unwrap().to_owned();
    let again = sale.owner.patch(&path, json!({"copies": 11})).await.expect(200);
    assert_eq!(again["seedHash"], json!(hash), "the seed stays");
    let copy = json!({"name": "Next year", "items": true});
    let copied = sale.owner.post(&format!("/api/auctions/{}/copy", sale.auction), copy).await.expect(201);
    let listed = format!("/api/auctions/{}/items", copied["id"].as_str().unwrap());
    let listed = sale.owner.get(&listed).await.expect(200);
    let lamp = listed["items"].as_array().unwrap().iter().find(|item| item["name"] == "A lamp").unwrap();
    assert_eq!(
        (&lamp["format"], &lamp["copies"], &lamp["price"]),
        (&json!("SEALED"), &json!(11), &json!("LOWEST"))
    );
    assert_ne!(lamp["seedHash"], json!(hash));
}

/// An auction that is closed by its clock closes drafts, each copy for itself.
#[tokio::test]
async fn a_draft_that_its_auction_closes_has_an_outcome_for_each_copy() {
    let sale = open(json!({})).await;
    let items = format!("/api/auctions/{}/items", sale.auction);
    let draft = json!({"name": "A lamp", "format": "SEALED", "copies": 3});
    let made = sale.owner.post(&items, draft).await.expect(201);
    let path = format!("/api/auctions/{}", sale.auction);
    let end = sale.app.state.context.clock.now().plus_seconds(60).to_string();
    sale.owner.patch(&path, json!({"endDate": end})).await.expect(200);
    sale.app.clock.advance_seconds(61);
    sale.app.reconcile().await;
    let seen = sale.owner.get(&format!("{items}/{}", made["id"].as_str().unwrap())).await.expect(200);
    assert_eq!(super::sold(&seen), ["UNSOLD", "UNSOLD", "UNSOLD"]);
}

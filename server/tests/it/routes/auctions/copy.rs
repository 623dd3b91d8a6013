//! `POST /api/auctions/{auction_id}/copy`

use serde_json::{Value, json};

use super::items::bids::Sale;
use super::{tickets, wizards, wrong_fields};

/// An auction with two currencies, two rules and two items, one of which has a bid.
async fn sale() -> Sale {
    let terms = json!({
        "description": "Old lamps", "joinMode": "FREE", "memberCanInvite": true, "endDate": "2026-06-01T00:00:00Z",
        "bidderVisibility": "PER_BID", "readableBy": "ANYONE", "baseUnit": {"name": "Knut", "symbol": "k"}, "defaultAntiSnipe": true,
        "defaultAntiSnipeThreshold": 120, "defaultAntiSnipeExtension": 60,
    });
    let sale = Sale::open(terms, &[wizards(json!({})), tickets(json!({}))], json!({"lotNumber": 7})).await;
    let currencies = sale.owner.get(&path(&sale, "currencies")).await.expect(200);
    let (first, second) = (&currencies["currencies"][0]["id"], &currencies["currencies"][1]["id"]);
    for rule in [
        json!({"type": "MIN_INCREMENT", "params": {"amount": 1}}),
        json!({"type": "REQUIRED_DENOMINATION", "currencyProfileId": first, "params": {"denomination": "KNUT", "minCount": 1}}),
    ] {
        sale.owner.post(&path(&sale, "currency-rules"), rule).await.expect(201);
    }
    let minimum = json!({"currencyProfileId": second, "amount": 4});
    let lamp = json!({
        "name": "Lamp", "description": "Blue", "minBidConstraint": minimum, "startsAt": "2026-05-01T00:00:00Z",
        "endDate": "2026-05-20T00:00:00Z", "minIncrementNormalized": "0.5",
    });
    sale.add_item(lamp).await;
    let ada = sale.bidder("ada").await;
    let bid =
        json!({"currencyProfileId": first, "enteredRepresentation": [{"denomination": "KNUT", "count": 9}]});
    sale.bid(&ada, bid).await.expect(201);
    sale
}

fn path(sale: &Sale, part: &str) -> String {
    format!("/api/auctions/{}/{part}", sale.auction)
}

fn without(mut value: Value, names: &[&str]) -> Value {
    for name in names {
        value.as_object_mut().unwrap().remove(*name);
    }
    value
}

#[tokio::test]
async fn a_copy_has_the_settings_the_currencies_and_the_rules() {
    let sale = sale().await;
    let answer = sale.owner.post(&path(&sale, "copy"), json!({"name": "Summer sale"})).await;
    let copy = answer.expect(201);
    let copied = answer.header("location").to_owned();
    assert_eq!(sale.owner.get(&copied).await.expect(200), copy);
    let source = sale.owner.get(&format!("/api/auctions/{}", sale.auction)).await.expect(200);
    let own = ["id", "name", "endDate", "createdAt", "updatedAt", "inviteToken"];
    assert_eq!(without(copy.clone(), &own), without(source, &own));
    assert_eq!(
        (&copy["name"], &copy["endDate"], &copy["myRole"]),
        (&json!("Summer sale"), &Value::Null, &json!("OWNER"))
    );

    let list = async |path: String, name: &str| {
        sale.owner.get(&path).await.expect(200)[name].as_array().unwrap().clone()
    };
    let (had, has) = (
        list(path(&sale, "currencies"), "currencies").await,
        list(format!("{copied}/currencies"), "currencies").await,
    );
    let own = ["id", "auctionId", "createdAt", "updatedAt"];
    assert_eq!(has.len(), 2);
    for (had, has) in had.iter().zip(&has) {
        assert_ne!(had["id"], has["id"]);
        assert_eq!(without(had.clone(), &own), without(has.clone(), &own));
    }
    let rules = list(format!("{copied}/currency-rules"), "rules").await;
    assert_eq!(rules.len(), 2);
    assert_eq!(rules[0]["currencyProfileId"], Value::Null);
    assert_eq!(rules[1]["currencyProfileId"], has[0]["id"]);
    assert_eq!(list(format!("{copied}/items"), "items").await, Vec::<Value>::new());
}

#[tokio::test]
async fn items_are_copied_as_drafts_without_dates_and_bids() {
    let sale = sale().await;
    let answer = sale.owner.post(&path(&sale, "copy"), json!({"name": "Summer sale", "items": true})).await;
    let copied = answer.header("location").to_owned();
    answer.expect(201);
    let items = sale.owner.get(&format!("{copied}/items")).await.expect(200)["items"].clone();
    let currencies = sale.owner.get(&format!("{copied}/currencies")).await.expect(200);
    let facts: Vec<_> =
        items.as_array().unwrap().iter().map(|item| (&item["lotNumber"], &item["name"])).collect();
    assert_eq!(facts, [(&json!("7"), &json!("A vase")), (&json!("8"), &json!("Lamp"))]);
    for item in items.as_array().unwrap() {
        assert_eq!(
            (&item["status"], &item["bidCount"], &item["startsAt"]),
            (&json!("DRAFT"), &json!(0), &Value::Null)
        );
        assert_eq!((&item["endDate"], &item["seller"]["name"]), (&Value::Null, &json!("owner")));
    }
    let lamp = &items[1];
    let minimum = json!({"currencyProfileId": currencies["currencies"][1]["id"], "amount": "4"});
    assert_eq!(lamp["minBidConstraint"], minimum);
    assert_eq!((&lamp["minBidNormalized"], &lamp["minIncrementNormalized"]), (&json!("50"), &json!("0.5")));
    let lamp = format!("{copied}/items/{}", lamp["id"].as_str().unwrap());
    sale.owner.patch(&lamp, json!({"isPublished": true})).await.expect(200);
    let next = sale.owner.post(&format!("{copied}/items"), json!({"name": "Urn"})).await.expect(201);
    assert_eq!(next["lotNumber"], "9");
}

#[tokio::test]
async fn a_repeated_request_copies_once() {
    let sale = sale().await;
    let copy = || {
        let request = sale.owner.request("POST", &path(&sale, "copy"));
        request
            .header("content-type", "application/json")
            .header("idempotency-key", "k")
            .body(r#"{"name": "Copy"}"#)
    };
    let first = crate::harness::Answer::of(copy()).await;
    let again = crate::harness::Answer::of(copy()).await;
    assert_eq!((first.expect(201), again.header("idempotent-replayed")), (again.expect(201), "true"));
    for (field, body) in [
        ("name", json!({})),
        ("items", json!({"name": "x", "items": 1})),
        ("dates", json!({"name": "x", "dates": true})),
    ] {
        assert_eq!(wrong_fields(&sale.owner.post(&path(&sale, "copy"), body).await), [field]);
    }
}

#[tokio::test]
async fn a_copy_that_was_interrupted_goes_on_when_the_request_is_repeated() {
    let sale = sale().await;
    // More than one part.
    for number in 0..205 {
        sale.add_item(json!({"lotNumber": 100 + number})).await;
    }
    let copy = || {
        let request = sale.owner.request("POST", &path(&sale, "copy"));
        request
            .header("content-type", "application/json")
            .header("idempotency-key", "k")
            .body(r#"{"name": "Copy", "items": true}"#)
    };
    let first = crate::harness::Answer::of(copy()).await;
    let copied = first.header("location").to_owned();
    first.expect(201);
    let numbers = async || {
        let (mut numbers, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = sale.owner.get(&format!("{copied}/items?limit=100{cursor}")).await.expect(200);
            numbers.extend(page["items"].as_array().unwrap().iter().map(|item| item["lotNumber"].clone()));
            match page["nextCursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => return numbers,
            }
        }
    };
    let all = numbers().await;
    assert_eq!((all.len(), all.last()), (207, Some(&json!("304"))));
    // As if the server had ended before the last part.
    sale.app.write("DELETE FROM items WHERE is_published = FALSE AND lot_integer >= 250").await;
    assert_eq!(numbers().await.len(), 152);
    let again = crate::harness::Answer::of(copy()).await;
    assert_eq!((again.expect(201), again.header("idempotent-replayed")), (first.json(), "true"));
    assert_eq!(numbers().await, all);
    // What its owner deletes stays away.
    let items = sale.owner.get(&format!("{copied}/items?limit=1")).await.expect(200);
    let item = format!("{copied}/items/{}", items["items"][0]["id"].as_str().unwrap());
    sale.owner.delete(&item).await.expect(204);
    crate::harness::Answer::of(copy()).await.expect(201);
    assert_eq!(numbers().await, all[1..]);
}

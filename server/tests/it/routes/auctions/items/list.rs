//! Lists of items, compared with a model.

use std::cmp::Reverse;

use serde_json::{Value, json};

use super::bids::{Sale, points};
use crate::harness::{Client, TestApp};
use crate::routes::auctions::{auction, wrong_fields};

const SORTS: [&str; 6] = ["lot", "end", "price", "name", "newest", "bids"];

async fn listed(client: &Client, path: &str, query: &str) -> Vec<Value> {
    let mut found = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = client.get(&format!("{path}?limit=3&{query}{cursor}")).await.expect(200);
        let items = page["items"].as_array().unwrap();
        assert!(items.len() <= 3);
        found.extend(items.iter().cloned());
        match page["nextCursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return found,
        }
    }
}

fn ids(items: &[Value]) -> Vec<&str> {
    items.iter().map(|item| item["id"].as_str().unwrap()).collect()
}

/// Thirteen fraction digits of a price as an integer; nothing for an item without a price.
fn price(item: &Value) -> i128 {
    let highest = &item["highestBid"]["normalizedAmount"];
    let Some(text) = highest.as_str().or(item["minBidNormalized"].as_str()) else { return -1 };
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    format!("{whole}{fraction:0<13}").parse().unwrap()
}

/// The items in the order that SPEC, section 3, states.
fn model(items: &[Value], sort: &str) -> Vec<Value> {
    let mut sorted = items.to_vec();
    let text = |item: &Value, name: &str| item[name].as_str().map(str::to_owned);
    let id = |item: &Value| item["id"].as_str().unwrap().to_owned();
    match sort {
        "lot" => sorted.sort_by_key(|item| item["lotNumber"].as_str().unwrap().parse().unwrap_or(i64::MAX)),
        "end" => sorted.sort_by_key(|item| (item["endDate"].is_null(), text(item, "endDate"), id(item))),
        "price" => sorted.sort_by_key(|item| (price(item), id(item))),
        "name" => sorted.sort_by_key(|item| (item["name"].as_str().unwrap().to_ascii_lowercase(), id(item))),
        "newest" => sorted.sort_by_key(|item| Reverse((text(item, "createdAt"), id(item)))),
        _ => sorted.sort_by_key(|item| Reverse((item["bidCount"].as_i64(), id(item)))),
    }
    sorted
}

/// An auction with items of many prices, ends, names and numbers of bids.
async fn many() -> (Sale, String) {
    let sale =
        Sale::open(json!({}), &[points("P", "0.001")], json!({"name": "zebra", "lotNumber": 50})).await;
    let ada = sale.bidder("ada").await;
    let items = format!("/api/auctions/{}/items", sale.auction);
    let profile = sale.owner.get(&format!("/api/auctions/{}/currencies", sale.auction)).await.expect(200);
    let profile = profile["currencies"][0]["id"].clone();
    let names =
        ["Vase", "vase", "Ämter", "ämter 2", "100 %", "100 x", "a_b", "aXb", "花瓶", "Apple", "apple", "B"];
    let minimums =
        ["5", "50", "500", "1500", "999999999999", "1000000000000", "15", "1", "10", "9", "100", "90"];
    for (number, (name, minimum)) in names.into_iter().zip(minimums).enumerate() {
        let mut item = json!({"name": name, "isPublished": number != 4});
        if number % 3 != 0 {
            item["minBidConstraint"] = json!({"currencyProfileId": profile, "amount": minimum});
        }
        if number % 2 == 0 {
            item["endDate"] = json!(format!("2026-05-{:02}T18:00:00Z", 6 - number / 4));
        }
        if number == 7 {
            item["startsAt"] = json!("2026-05-08T18:00:00Z");
        }
        if number == 8 {
            item["lotNumber"] = json!("KM-8");
            item["estimate"] = json!("40 to 60 points");
        }
        if number == 9 {
            item["description"] = json!("Not a VASE at all");
        }
        let made = sale.owner.post(&items, item).await.expect(201);
        sale.app.clock.advance_seconds(i64::try_from(number % 2).unwrap());
        for bid in 0..number % 4 {
            let body = json!({"amount": 1_000_000_000_000_u64 / 7_u64.pow(u32::try_from(number).unwrap()) + 2000 + u64::try_from(bid).unwrap()});
            let path = format!("{items}/{}/bids", made["id"].as_str().unwrap());
            ada.post(&path, body).await;
        }
    }
    (sale, items)
}

#[tokio::test]
async fn lot_numbers_have_their_natural_order() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let items = format!("{}/items", auction(&ada, json!({})).await);
    for number in ["KM-10", "13", "12a", "KM-2", "2", "100", "12"] {
        let item = json!({"name": "A vase", "currencyCode": "EUR", "lotNumber": number});
        ada.post(&items, item).await.expect(201);
    }
    let found = listed(&ada, &items, "sort=lot").await;
    let numbers: Vec<_> = found.iter().map(|item| &item["lotNumber"]).collect();
    assert_eq!(numbers, ["2", "12", "12a", "13", "100", "KM-2", "KM-10"]);
}

#[tokio::test]
async fn each_order_is_that_of_the_model_page_by_page() {
    let (sale, items) = many().await;
    let all = sale.owner.get(&format!("{items}?limit=100")).await.expect(200);
    let all = all["items"].as_array().unwrap();
    assert_eq!(all.len(), 13);
    assert!(all.iter().filter(|item| item["bidCount"] != 0).count() > 4, "some have bids");
    for sort in SORTS {
        let found = listed(&sale.owner, &items, &format!("sort={sort}")).await;
        assert_eq!(ids(&found), ids(&model(all, sort)), "{sort}");
    }
    assert_eq!(listed(&sale.owner, &items, "").await, model(all, "lot"), "the default");
}

#[tokio::test]
async fn a_search_finds_literal_words_in_any_order_without_case_and_accents() {
    let (sale, items) = many().await;
    for (text, expected) in [
        ("vase", &["Vase", "vase", "Apple"][..]),
        ("VASE", &["Vase", "vase", "Apple"]),
        ("%C3%84MTER", &["Ämter", "ämter 2"]),
        ("100+%25", &["100 %"]),
        ("a_b", &["a_b"]),
        ("%E7%93%B6", &["花瓶"]),
        ("amter", &["Ämter", "ämter 2"]),
        ("a%CC%88mter", &["Ämter", "ämter 2"]),
        ("2+%C3%84MT", &["ämter 2"]),
        ("all+vase+not+at", &["Apple"]),
        ("all+vase+not+at+zebra", &[]),
        ("vase+a_b", &[]),
        ("points+km-8", &["花瓶"]),
        ("%27%22%5C", &[]),
        ("", &["zebra", "Vase", "vase"]),
    ] {
        let found = sale.owner.get(&format!("{items}?q={text}&limit=3")).await.expect(200);
        let mut names: Vec<&str> =
            found["items"].as_array().unwrap().iter().map(|item| item["name"].as_str().unwrap()).collect();
        let mut expected = expected.to_vec();
        if text.is_empty() {
            assert_eq!(names.len(), 3);
            continue;
        }
        names.sort_unstable();
        expected.sort_unstable();
        assert_eq!(names, expected, "{text}");
    }
}

#[tokio::test]
async fn a_status_selects_the_items_that_have_it() {
    let (sale, items) = many().await;
    sale.app.clock.set("2026-05-05T18:00:00Z".parse().unwrap());
    let all = sale.owner.get(&format!("{items}?limit=100")).await.expect(200);
    let all = all["items"].as_array().unwrap();
    let mut seen = 0;
    for status in ["DRAFT", "SCHEDULED", "OPEN", "CLOSED"] {
        let wanted: Vec<Value> = all.iter().filter(|item| item["status"] == status).cloned().collect();
        for sort in SORTS {
            let found = listed(&sale.owner, &items, &format!("status={status}&sort={sort}")).await;
            assert_eq!(ids(&found), ids(&model(&wanted, sort)), "{status} {sort}");
        }
        seen += wanted.len();
    }
    assert_eq!(seen, all.len());
    assert!(sale.owner.get(&format!("{items}?status=CLOSED")).await.expect(200)["items"][0].is_object());
}

#[tokio::test]
async fn a_draft_is_in_no_list_of_other_members() {
    let (sale, items) = many().await;
    let eve = sale.bidder("eve").await;
    for query in ["", "status=DRAFT", "q=100+%25"] {
        let found = listed(&eve, &items, query).await;
        assert!(found.iter().all(|item| item["name"] != "100 %"), "{query}");
    }
    assert_eq!(listed(&sale.owner, &items, "status=DRAFT").await.len(), 1);
}

#[tokio::test]
async fn other_values_are_refused() {
    let sale = Sale::legacy(json!({})).await;
    let items = format!("/api/auctions/{}/items", sale.auction);
    sale.add_item(json!({"currencyCode": "EUR"})).await;
    let long = format!("q={}", "x".repeat(201));
    let page = sale.owner.get(&format!("{items}?limit=1")).await.expect(200);
    let other_order = format!("sort=name&cursor={}", page["nextCursor"].as_str().unwrap());
    for (name, query) in [
        ("sort", "sort=colour"),
        ("sort", "sort="),
        ("sort", "sort=LOT"),
        ("status", "status=SOLD"),
        ("status", "status=open"),
        ("watched", "watched=false"),
        ("watched", "watched=1"),
        ("q", "q=%00"),
        ("q", &long),
        ("cursor", "cursor=x"),
        ("cursor", "cursor=6c6f74"),
        ("cursor", &other_order),
        ("limit", "limit=0"),
    ] {
        assert_eq!(wrong_fields(&sale.owner.get(&format!("{items}?{query}")).await), [name], "{query}");
    }
}

#[tokio::test]
async fn an_item_that_is_added_meanwhile_repeats_none_and_hides_none() {
    let (sale, items) = many().await;
    for sort in SORTS {
        let before = listed(&sale.owner, &items, &format!("sort={sort}")).await;
        let first = sale.owner.get(&format!("{items}?limit=5&sort={sort}")).await.expect(200);
        let new = sale.owner.post(&items, json!({"name": format!("m {sort}")})).await.expect(201);
        let cursor = first["nextCursor"].as_str().unwrap();
        let rest =
            sale.owner.get(&format!("{items}?limit=100&sort={sort}&cursor={cursor}")).await.expect(200);
        let mut both = first["items"].as_array().unwrap().clone();
        both.extend(rest["items"].as_array().unwrap().iter().cloned());
        both.retain(|item| item["id"] != new["id"]);
        assert_eq!(ids(&both), ids(&before), "{sort}");
    }
}

/// What the page of an auction shows is kept with it, not counted.
#[tokio::test]
async fn the_number_of_published_items_is_kept() {
    let (sale, items) = many().await;
    let page = format!("/auctions/{}", sale.auction);
    let shows = async |count: &str| {
        let text = sale.owner.get(&page).await.text;
        assert!(text.contains(&format!("<span>{count}")), "{count}");
    };
    shows("12 items").await;
    let draft = listed(&sale.owner, &items, "status=DRAFT").await;
    let draft = format!("{items}/{}", draft[0]["id"].as_str().unwrap());
    sale.owner.patch(&draft, json!({"isPublished": true})).await.expect(200);
    shows("13 items").await;
    sale.owner.patch(&draft, json!({"isPublished": false})).await.expect(200);
    shows("12 items").await;
    sale.owner.delete(&draft).await.expect(204);
    shows("12 items").await;
    let last = sale.owner.post(&items, json!({"name": "Last", "isPublished": true})).await.expect(201);
    shows("13 items").await;
    sale.owner.delete(&format!("{items}/{}", last["id"].as_str().unwrap())).await.expect(204);
    shows("12 items").await;
}

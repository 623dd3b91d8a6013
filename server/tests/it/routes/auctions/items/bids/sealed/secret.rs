//! Nobody sees anything of a sealed bid but its bidder.

use serde_json::{Value, json};

use super::{bid, open};
use crate::harness::Client;

/// Every answer in which a bid could show, but for the hash of a page's nonce.
const PATHS: [&str; 15] = [
    "/api/auctions/{a}",
    "/api/auctions/{a}/items",
    "/api/auctions/{a}/items/{i}",
    "/api/auctions/{a}/items/{i}/bids",
    "/api/auctions/{a}/outcomes",
    "/api/auctions/{a}/members",
    "/api/auctions?status=open",
    "/api/user/bids",
    "/api/user/notifications",
    "/api/auctions/{a}/export?format=csv",
    "/api/auctions/{a}/export?format=json",
    "/api/auctions/{a}/items/export?format=csv",
    "/api/auctions/{a}/calendar.ics",
    "/auctions/{a}",
    "/auctions/{a}/results",
];

/// The path, the status, the headers and the text of an answer.
type Seen = (String, u16, Vec<(String, String)>, String);

async fn answers(client: &Client, auction: &str, item: &str) -> Vec<Seen> {
    let mut answers = Vec::new();
    for path in PATHS {
        let path = path.replace("{a}", auction).replace("{i}", item);
        let response = client.request("GET", &path).send().await.unwrap();
        let status = response.status().as_u16();
        let is_kept = |name: &str| {
            !["date", "x-request-id", "server-timing", "content-security-policy", "set-cookie"]
                .contains(&name)
        };
        let headers = response.headers().iter().filter(|(name, _)| is_kept(name.as_str()));
        let headers =
            headers.map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned())).collect();
        let text = response.text().await.unwrap();
        answers.push((path, status, headers, plain(&text)));
    }
    answers
}

/// The text without what differs from one request to the next.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    for (at, part) in text.split("nonce=\"").enumerate() {
        let rest = if at == 0 { part } else { part.split_once('"').map_or("", |(_, rest)| rest) };
        plain.push_str(rest);
    }
    let id = plain.split_once("\"requestId\":\"").and_then(|(_, rest)| rest.split_once('"'));
    match id.map(|(id, _)| id.to_owned()) {
        Some(id) => plain.replace(&id, ""),
        None => plain,
    }
}

/// Everything that others see is the same, byte for byte, before and after a sealed bid, its replacement and
/// its withdrawal. OWNER, ADMIN and CLERK see how many there are, and nothing else.
#[tokio::test]
async fn no_answer_to_another_changes_with_a_sealed_bid() {
    let sale = open(json!({"copies": 2, "price": "NEXT"})).await;
    let (ada, ben, seller) =
        (sale.bidder("ada").await, sale.bidder("ben").await, sale.bidder("seller").await);
    let admin = sale.bidder("admin").await;
    sale.give_role(&admin, "ADMIN").await;
    let seller_id = crate::routes::auctions::user_id(&seller).await;
    let path = sale.item_path();
    sale.owner.patch(&path, json!({"sellerId": seller_id})).await.expect(200);
    let others = [&ben, &seller];
    let managers = [&sale.owner, &admin];
    let counted = async |client: &Client| {
        let seen = client.get(&path).await.expect(200);
        seen["sealedBidCount"].as_i64()
    };
    let without_count = |answers: Vec<Seen>| -> Vec<_> {
        let strip = |(path, status, headers, text): Seen| {
            let parsed: Result<Value, _> = serde_json::from_str(&text);
            let text = parsed.map_or(text, |mut value| {
                value.as_object_mut().map(|object| object.remove("sealedBidCount"));
                value.to_string()
            });
            let headers: Vec<_> = headers.into_iter().filter(|(name, _)| name != "content-length").collect();
            (path, status, headers, text)
        };
        answers.into_iter().map(strip).collect()
    };
    let mut before = Vec::new();
    for other in others {
        before.push(answers(other, &sale.auction, &sale.item).await);
    }
    let mut managed = Vec::new();
    for manager in managers {
        managed.push(without_count(answers(manager, &sale.auction, &sale.item).await));
    }
    assert!(before.iter().flatten().all(|(_, status, ..)| *status < 500));
    let withdraw = format!("{}/own/withdraw", sale.bids_path());
    for step in ["bid", "replaced", "withdrawn"] {
        match step {
            "withdrawn" => drop(ada.post(&withdraw, json!({})).await.expect(200)),
            _ => drop(bid(&sale, &ada, 50).await),
        }
        for (other, before) in others.iter().zip(&before) {
            for (now, before) in answers(other, &sale.auction, &sale.item).await.iter().zip(before) {
                assert_eq!(now, before, "after {step}");
            }
        }
        for (manager, before) in managers.iter().zip(&managed) {
            let now = without_count(answers(manager, &sale.auction, &sale.item).await);
            for (now, before) in now.iter().zip(before) {
                assert_eq!(now, before, "after {step}");
            }
            assert_eq!(counted(manager).await, Some(i64::from(step != "withdrawn")));
        }
        assert_eq!(counted(&ben).await, None);
        assert_eq!(counted(&seller).await, None);
    }
}

#[tokio::test]
async fn a_stream_tells_of_a_sealed_bid_at_the_end_only() {
    let sale = open(json!({})).await;
    let (ada, ben) = (sale.bidder("ada").await, sale.bidder("ben").await);
    let path = format!("/api/auctions/{}/events", sale.auction);
    let mut events = crate::harness::Events::open(&ben, &path).await;
    events.item().await;
    bid(&sale, &ada, 50).await;
    bid(&sale, &ada, 40).await;
    // The next event is that of a later change.
    sale.owner.patch(&sale.item_path(), json!({"description": "Old"})).await.expect(200);
    let item = events.item().await;
    assert_eq!((&item["description"], &item["bidCount"]), (&json!("Old"), &json!(0)));
    super::close(&sale).await;
    let (id, opened) = events.bid().await;
    assert_eq!((&opened["sequence"], &opened["amount"], id > 0), (&json!(1), &json!(40), true));
    assert_eq!(super::sold(&events.item().await), ["ada 40"]);
}

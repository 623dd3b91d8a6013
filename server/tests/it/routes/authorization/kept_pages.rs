//! Pages of which parts are kept for their next viewers.

use std::net::SocketAddr;

use serde_json::json;

use super::callers::{BIDDER, CALLERS, CLERK, CREATOR, Callers, OWNER};
use crate::harness::Answer;
use crate::routes::auctions::user_id;

/// The pages that show what is kept.
const PAGES: [&str; 3] = [
    "/auctions/{auction_id}",
    "/auctions/{auction_id}/items/{item_id}",
    "/auctions/{auction_id}/items/{item_id}/bids",
];

/// The text without what is new in each response, and without the address of the listener: the nonce, and the
/// idempotency key.
fn comparable(answer: &Answer, address: SocketAddr) -> String {
    let after = |text: &str, mark: &str, end: char| {
        let (_, rest) = text.split_once(mark)?;
        rest.split(end).next().map(str::to_owned)
    };
    let nonce = after(answer.header("content-security-policy"), "'nonce-", '\'');
    let key = after(&answer.text, "name=\"idempotencyKey\" value=\"", '"');
    let new = nonce.into_iter().chain(key).chain([address.to_string()]);
    let text = new.fold(answer.text.clone(), |text, new| text.replace(&new, "…"));
    format!("{} {text}", answer.status)
}

#[tokio::test]
async fn a_page_is_the_same_whoever_has_seen_it_before() {
    let callers = Callers::start().await;
    callers.let_anyone_read().await;
    let auction = callers.fill("/api/auctions/{auction_id}");
    let bids = callers.fill("/api/auctions/{auction_id}/items/{item_id}/bids");
    let bidder = user_id(callers.client(BIDDER)).await;
    for round in 0..4 {
        let owner = callers.client(OWNER);
        match round {
            1 => {
                let by_clerk = json!({"amount": 15, "for": {"userId": bidder}});
                callers.client(CLERK).post(&bids, by_clerk).await.expect(201);
            }
            2 => {
                owner.post(&format!("{bids}/3/withdraw"), json!({"reason": "OTHER"})).await.expect(200);
            }
            3 => {
                owner.patch(&auction, json!({"bidderVisibility": "ANONYMOUS"})).await.expect(200);
            }
            _ => {}
        }
        for (amount, caller) in (1..).zip([CREATOR, BIDDER, CREATOR]) {
            let bid = json!({"amount": 20 * round + amount + 1});
            callers.client(caller).post(&bids, bid).await.expect(201);
        }
        for path in PAGES.map(|path| callers.fill(path)) {
            let mut kept = Vec::new();
            for _ in 0..2 {
                kept.clear();
                for caller in 0..CALLERS.len() {
                    kept.push(comparable(&callers.client(caller).get(&path).await, callers.address()));
                }
            }
            assert!(kept.iter().any(|text| *text != kept[0]), "viewers see what is theirs");
            for (caller, kept) in kept.iter().enumerate() {
                let address = callers.without_kept_pages().await;
                let anew = comparable(&callers.client(caller).at(address).get(&path).await, address);
                assert_eq!(*kept, anew, "{path} as {}, round {round}", CALLERS[caller]);
            }
        }
    }
}

//! Pages of which parts are kept for their next viewers.

use std::net::SocketAddr;

use serde_json::json;

use super::callers::{BIDDER, CALLERS, CLERK, CREATOR, Callers, OWNER};
use super::table;
use crate::harness::Answer;
use crate::routes::auctions::user_id;

/// The pages that show what is kept.
const PAGES: [&str; 3] = [
    "/auctions/{auction_id}",
    "/auctions/{auction_id}/items/{item_id}",
    "/auctions/{auction_id}/items/{item_id}/bids",
];

/// The text without what is new in each response: the nonce, and idempotency keys. The address of the
/// listener is left out, too, in texts and in QR codes.
fn comparable(answer: &Answer, address: SocketAddr) -> String {
    let after = |text: &str, mark: &str, end: char| {
        let (_, rest) = text.split_once(mark)?;
        rest.split(end).next().map(str::to_owned)
    };
    let nonce = after(answer.header("content-security-policy"), "'nonce-", '\'');
    let key = after(&answer.text, "name=\"idempotencyKey\" value=\"", '"');
    let key_of_island = after(&answer.text, "\"key\":\"", '"');
    let new = nonce.into_iter().chain(key).chain(key_of_island).chain([address.to_string()]);
    let text = new.fold(answer.text.clone(), |text, new| text.replace(&new, "…"));
    let mut parts = text.split(QR_CODE);
    let before = parts.next().unwrap_or_default().to_owned();
    let text = parts.fold(before, |text, part| text + part.split_once("</svg>").unwrap().1);
    format!("{} {text}", answer.status)
}

/// The end of the tag of a QR code.
const QR_CODE: &str = "class=\"qr-code\">";

/// Pages with something new in each response beside the nonce and the idempotency key.
const NEVER_THE_SAME: [&str; 1] = ["/account/second-factor"];

#[tokio::test]
async fn every_page_is_that_of_its_viewer_after_all_callers_have_seen_it() {
    let callers = Callers::start().await;
    callers.let_anyone_read().await;
    let bids = callers.fill("/api/auctions/{auction_id}/items/{item_id}/bids");
    for (amount, caller) in (2..).zip([CREATOR, BIDDER]) {
        callers.client(caller).post(&bids, json!({"amount": amount})).await.expect(201);
    }
    let pages =
        table::PAGES.iter().filter(|(method, path, _)| *method == "get" && !NEVER_THE_SAME.contains(path));
    let mut shown = 0;
    for (_, path, _) in pages {
        let path = callers.fill(path);
        for caller in 0..CALLERS.len() {
            callers.client(caller).get(&path).await;
        }
        for (caller, name) in CALLERS.iter().enumerate() {
            let kept = callers.client(caller).get(&path).await;
            if kept.status != 200 {
                continue;
            }
            let address = callers.without_kept_pages().await;
            let anew = callers.client(caller).at(address).get(&path).await;
            let (kept, anew) = (comparable(&kept, callers.address()), comparable(&anew, address));
            assert_eq!(kept, anew, "{path} as {name}");
            shown += 1;
        }
    }
    assert!(shown > 200, "{shown} pages were shown");
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

//! What the page of an item says about its stage, its price and its end.

use auction_house::path::ItemPath;
use serde_json::json;

use crate::harness::Client;
use crate::routes::auctions::items::bids::Sale;

async fn page(sale: &Sale, viewer: &Client) -> String {
    let page = viewer.get(&format!("/auctions/{}/items/{}", sale.auction, sale.item)).await;
    assert_eq!(page.status, 200, "{}", page.text);
    page.text
}

/// Asserts which of these texts the page has.
#[track_caller]
fn assert_says(page: &str, has: &[&str], has_not: &[&str]) {
    for text in has {
        assert!(page.contains(text), "{text}: {page}");
    }
    for text in has_not {
        assert!(!page.contains(text), "not {text}: {page}");
    }
}

#[tokio::test]
async fn each_stage_of_an_item_says_one_true_thing() {
    let end = "2026-05-03T18:00:00Z";
    let draft = Sale::legacy(json!({"isPublished": false, "endDate": end})).await;
    let waits = ["No bids yet", "Ends 3 May 2026"];
    let untrue = ["Ended", "Be the first to bid", " left", "Bidding has ended"];
    let text = page(&draft, &draft.owner).await;
    assert_says(&text, &waits, &untrue);
    assert_says(&text, &["This is a draft. It takes bids once it is published."], &[]);

    let scheduled = Sale::legacy(json!({"startsAt": "2026-05-02T18:00:00Z", "endDate": end})).await;
    let ada = scheduled.bidder("ada").await;
    let text = page(&scheduled, &ada).await;
    assert_says(&text, &waits, &untrue);
    assert_says(&text, &["Bidding has not started yet."], &[]);

    let open = Sale::legacy(json!({})).await;
    let ada = open.bidder("ada").await;
    let bids = ["Be the first to bid.", "No end date: the owner closes it"];
    assert_says(&page(&open, &ada).await, &bids, &["Ended", "Bidding has ended."]);
    open.owner.post(&format!("{}/close", open.item_path()), json!({})).await.expect(200);
    let over = ["Ended without a bid", "Bidding has ended."];
    assert_says(&page(&open, &ada).await, &over, &["Be the first", " left", "No bids yet"]);
}

#[tokio::test]
async fn a_price_is_a_hammer_price_only_if_the_item_was_sold() {
    for (verb, body, own, winners) in [
        ("close", json!({}), "Hammer price", "You won. Hammer price"),
        ("cancel", json!({"reason": "Broken"}), "Highest bid", "Highest bid"),
    ] {
        let sale = Sale::legacy(json!({})).await;
        let ada = sale.bidder("ada").await;
        sale.bid(&ada, json!({"amount": 5})).await.expect(201);
        sale.owner.post(&format!("{}/{verb}", sale.item_path()), body).await.expect(200);
        let label =
            |class: &str, words: &str| format!("role=\"status\" class=\"highest-label{class}\">{words}");
        assert_says(&page(&sale, &sale.owner).await, &[&label("", own)], &[]);
        let class = if own == winners { "" } else { " good" };
        assert_says(&page(&sale, &ada).await, &[&label(class, winners)], &[]);
    }
}

#[tokio::test]
async fn a_bidder_sees_who_leads() {
    let sale = Sale::legacy(json!({})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    let leads = ["Your bid of €5.00 leads.", "You lead"];
    assert_says(&page(&sale, &ada).await, &leads, &[]);
    sale.bid(&bob, json!({"amount": 6})).await.expect(201);
    assert_says(&page(&sale, &ada).await, &["You were outbid"], &leads);
    assert_says(&page(&sale, &sale.owner).await, &["Highest bid"], &["You were outbid"]);
}

#[tokio::test]
async fn the_chart_covers_all_bids_with_a_bounded_number_of_points() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 1})).await.expect(201);
    assert_says(&page(&sale, &ada).await, &[], &["From €1.00"]);
    sale.bid_to_1002().await;
    let text = page(&sale, &ada).await;
    assert_says(&text, &["From €1.00 to €1002.00 in 1002 bids."], &[]);
    let points = text.matches("h0M").count() + 1;
    assert_eq!(points, 118, "44 of the first 928, the 24 of a block, and the newest 50");
    assert!(text.len() < 64 * 1024, "{} bytes", text.len());
}

/// The prices of an item's chart before the listed bids, by sequence, as its page reads them.
async fn earlier(sale: &Sale, before: i64) -> Vec<i64> {
    let at = ItemPath { auction_id: sale.auction.parse().unwrap(), item_id: sale.item.parse().unwrap() };
    let mut db = sale.app.state.context.db.read().await.unwrap();
    let prices = auction_house::bids::prices::before(&mut db, at, before).await.unwrap();
    assert!(prices.iter().all(|price| price.normalized.to_string() == price.sequence.to_string()));
    prices.into_iter().map(|price| price.sequence).collect()
}

#[tokio::test]
async fn the_chart_has_the_first_and_the_last_price_and_no_withdrawn_one() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 1})).await.expect(201);
    sale.bid_to_1002().await;
    for (before, most) in [(2, 1), (61, 60), (401, 60), (402, 61), (1_002, 53)] {
        let prices = earlier(&sale, before).await;
        assert_eq!((prices.first(), prices.last()), (Some(&(before - 1)), Some(&1)), "before {before}");
        assert!(prices.is_sorted_by(|one, next| one > next), "{prices:?}");
        assert!(prices.len() <= most && prices.len() + 10 >= most, "{} before {before}", prices.len());
    }
    sale.write(
        "INSERT INTO withdrawals
             (item_id, sequence, position, number, auction_id, withdrawn_by, user_id, reason, withdrawn_at,
              newest, head)
         SELECT item_id, sequence, position, sequence, auction_id, 'MANAGER', bidder_id, 'OTHER', created_at,
                position, position
         FROM bids WHERE sequence <= 300",
    )
    .await;
    for before in [401, 1_002] {
        assert!(earlier(&sale, before).await.into_iter().all(|sequence| sequence > 300), "before {before}");
    }
}

#[tokio::test]
async fn a_name_does_not_end_the_state_of_the_island() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    ada.patch("/api/user", json!({"name": "</script><b>ada"})).await.expect(200);
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    let text = page(&sale, &sale.owner).await;
    assert_says(&text, &["\\u003c/script>\\u003cb>ada"], &["<b>ada"]);
}

#[tokio::test]
async fn money_is_written_in_the_viewers_locale() {
    let sale = Sale::legacy(json!({"currencyCode": "GBP", "startingBid": "10"})).await;
    let ada = sale.bidder("ada").await;
    assert_says(&page(&sale, &ada).await, &["£10.00", "Bid £10.00 or more."], &["10\u{a0}GBP"]);
    sale.bid(&ada, json!({"amount": "12.5"})).await.expect(201);
    assert_says(&page(&sale, &ada).await, &["£12.50"], &["12.5\u{a0}GBP"]);
    ada.patch("/api/user", json!({"locale": "de-DE"})).await.expect(200);
    assert_says(&page(&sale, &ada).await, &["12,50\u{a0}£"], &["£12.50"]);
}

#[tokio::test]
async fn a_late_bid_and_what_it_does_are_explained() {
    let late = json!({
        "endDate": "2026-05-01T18:10:00Z", "antiSnipeEnabled": true,
        "antiSnipeThresholdSeconds": 300, "antiSnipeExtensionSeconds": 90,
    });
    let sale = Sale::legacy(late).await;
    let ada = sale.bidder("ada").await;
    let rule = "<p class=\"late-bids\">After a bid in the last 5\u{a0}minutes, bidding stays open for at least 90\u{a0}seconds.";
    let moved = "Extended to 18:11:20 UTC because of a late bid.";
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    assert_says(&page(&sale, &ada).await, &[rule], &[moved]);
    sale.app.clock.advance_seconds(590);
    sale.bid(&ada, json!({"amount": 6})).await.expect(201);
    assert_says(&page(&sale, &ada).await, &[moved, rule], &[]);

    let never = Sale::legacy(json!({"endDate": "2026-05-01T18:10:00Z"})).await;
    assert_says(&page(&never, &never.owner).await, &[], &["After a bid in the last"]);
}

#[tokio::test]
async fn pages_say_from_what_is_accepted_where_steps_ask_for_more_than_the_minimum() {
    let sale = Sale::legacy(json!({"startingBid": 15})).await;
    let auction = format!("/api/auctions/{}", sale.auction);
    let say = async |least: &str| {
        let item = page(&sale, &sale.owner).await;
        assert!(item.contains(least), "{least}: {item}");
        let from = format!("From <span class=\"value\"><span class=\"figures\">{least}");
        for (part, words) in [("", least), ("/share?print=catalogue", from.as_str())] {
            let text = sale.owner.get(&format!("{}{part}", auction.replace("/api", ""))).await.text;
            assert!(text.contains(words), "{part}, {words}: {text}");
        }
    };
    say("€15.00").await;
    let rule = json!({"type": "STEP", "params": {"step": 10}});
    sale.owner.post(&format!("{auction}/currency-rules"), rule).await.expect(201);
    say("€20.00").await;
}

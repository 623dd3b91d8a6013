//! Bids at one instant, at one server and at two.

use serde_json::json;

use super::{BookSale, short_of};
use crate::harness::{Break, Client, Line, TestApp, times};

const ITEMS: usize = 64;

/// One bidder bids on many items at one instant: each bid is affordable alone, and only ten together.
async fn ten_are_accepted(opened: &BookSale, name: &str, servers: &[&TestApp]) {
    let (auction, _) = opened.another_auction().await;
    let items = format!("/api/auctions/{auction}/items");
    let mut paths = Vec::new();
    for _ in 0..ITEMS {
        let item = json!({"name": "A vase", "isPublished": true});
        let item = opened.sale.owner.post(&items, item).await.expect(201);
        paths.push(format!("{items}/{}/bids", item["id"].as_str().unwrap()));
    }
    let bidder = opened.sale.bidder(name).await;
    let here: Vec<Client> = servers.iter().map(|app| bidder.at(app.address)).collect();
    let bids =
        paths.iter().zip(here.iter().cycle()).map(|(path, here)| here.post(path, json!({"amount": 10})));
    let answers = futures::future::join_all(bids).await;
    let (accepted, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 201);
    assert_eq!(accepted.len(), 10);
    refused.into_iter().for_each(|answer| assert_eq!(short_of(answer).1, "0"));
    assert_eq!(opened.funds(&bidder).await, ["100", "100", "0"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_of_64_bids_at_one_instant_are_accepted() {
    let opened = BookSale::open("100").await;
    for n in 0..times(2, 100) {
        ten_are_accepted(&opened, &format!("ada{n}"), &[&opened.sale.app]).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_of_64_bids_at_two_servers_are_accepted() {
    let opened = BookSale::open_in(TestApp::start_on_postgres().await, "100").await;
    let other = opened.sale.app.another().await;
    for n in 0..times(2, 100) {
        ten_are_accepted(&opened, &format!("ada{n}"), &[&opened.sale.app, &other]).await;
    }
}

/// Whether or not the commit was done before its connection broke, the winner is charged once.
#[tokio::test]
async fn a_charge_whose_commit_is_not_confirmed_is_written_once() {
    for when in [Break::BeforeCommit, Break::AfterCommit] {
        let opened = BookSale::open_in(TestApp::start_on_postgres().await, "100").await;
        let sale = &opened.sale;
        let line = Line::to(&sale.app.state.installation.settings.database_url).await;
        let other = sale.app.another_with(|settings| settings.database_url = line.database_url.clone()).await;
        let ada = sale.bidder("ada").await;
        opened.bid_on(&sale.item, &ada, 60).await.expect(201);
        line.break_next(when);
        // The answer may be that the item is closed already.
        sale.owner.at(other.address).post(&format!("{}/close", sale.item_path()), json!({})).await;
        assert!(line.is_broken(), "{when:?}");
        let expected = [("GRANT".to_owned(), "100".to_owned()), ("CHARGE".to_owned(), "-60".to_owned())];
        assert_eq!(opened.entries_of(&ada).await, expected, "{when:?}");
        assert_eq!(opened.funds(&ada).await, ["40", "0", "40"]);
    }
}

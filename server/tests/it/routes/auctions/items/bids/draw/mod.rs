//! Draws: tickets for the money of a book, among which a seed decides that was fixed beforehand.

mod end;
mod tickets;

use serde_json::{Value, json};

use super::books::BookSale;
use super::{merge, text};
use crate::harness::{Answer, Client};

/// A draw in an auction with a book, in points.
struct Draw {
    opened: BookSale,
    item: String,
}

impl Draw {
    /// Tickets cost 10 points. Each holder begins with 100.
    async fn open(terms: Value) -> Self {
        let opened = BookSale::open("100").await;
        let item = opened.sale.add_item(terms_of(&opened, terms).await).await;
        Self { opened, item }
    }

    fn path(&self) -> String {
        format!("/api/auctions/{}/items/{}", self.opened.sale.auction, self.item)
    }

    async fn bidder(&self, name: &str) -> Client {
        self.opened.sale.bidder(name).await
    }

    async fn tickets(&self, bidder: &Client, tickets: i64) -> Answer {
        bidder.post(&format!("{}/bids", self.path()), json!({ "tickets": tickets })).await
    }

    async fn read(&self, by: &Client) -> Value {
        by.get(&self.path()).await.expect(200)
    }

    async fn close(&self) -> Value {
        self.opened.sale.owner.post(&format!("{}/close", self.path()), json!({})).await.expect(200)
    }
}

/// The terms of a draw whose tickets cost 10 points.
async fn terms_of(opened: &BookSale, terms: Value) -> Value {
    let profile = profile_of(opened).await;
    let mut item =
        json!({"format": "DRAW", "ticket": {"currencyProfileId": profile, "amount": 10}, "name": "The hat"});
    merge(&mut item, terms);
    item
}

async fn profile_of(opened: &BookSale) -> String {
    let path = format!("/api/auctions/{}/currencies", opened.sale.auction);
    text(&opened.sale.owner.get(&path).await.expect(200)["currencies"][0]["id"])
}

/// Name and result of each copy.
fn winners(item: &Value) -> Vec<String> {
    let name = |outcome: &Value| match outcome["winner"]["name"].as_str() {
        Some(name) => name.to_owned(),
        None => text(&outcome["result"]),
    };
    item["outcomes"].as_array().unwrap().iter().map(name).collect()
}

//! An auction with many lots that are hammered, and a few that take bids.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Accepted, CONNECTIONS, EACH, send_all};
use crate::client::{BenchClient, text};
use crate::load::{self, MeasureError};
use crate::target::Server;

/// Items that take bids: one of each connection, so that none is overtaken by another.
const BID_ITEMS: usize = CONNECTIONS;

pub struct Lots {
    /// Path of the page of the screen.
    pub screen: String,
    /// Paths of items. The first [`BID_ITEMS`] take bids.
    items: Vec<String>,
    /// Ids of the members to whom items are sold.
    buyers: Vec<String>,
    next_amount: AtomicU64,
}

impl Lots {
    /// Imports the items of a new auction in one currency with a minimum increment, which has an item on the
    /// block.
    pub async fn create(server: &Server) -> Result<Self, MeasureError> {
        let filled = &server.target.filled;
        let mut owner = BenchClient::open(server.target.address, &filled.owner).await?;
        let auction = owner.post("/api/auctions", r#"{"name":"Lots","joinMode":"FREE"}"#).await?;
        let auction = format!("/api/auctions/{}", text(&auction, "id")?);
        let currency = r#"{"code":"PTS","name":"Points","rateToBase":"1","inputMode":"SCALAR"}"#;
        owner.post(&format!("{auction}/currencies"), currency).await?;
        let rule = r#"{"type":"MIN_INCREMENT","params":{"amount":1}}"#;
        owner.post(&format!("{auction}/currency-rules"), rule).await?;
        let mut buyers = Vec::new();
        for token in &filled.tokens[..CONNECTIONS] {
            let mut buyer = BenchClient::open(server.target.address, token).await?;
            buyer.post(&format!("{auction}/join"), "{}").await?;
            buyers.push(text(&buyer.get("/api/user").await?["user"], "id")?);
        }
        let mut table = "lot,name,published\n".to_owned();
        for lot in 1..=BID_ITEMS + CONNECTIONS * EACH {
            // Writing to a string can't fail.
            let _ = writeln!(table, "{lot},Item {lot},yes");
        }
        owner.post_file(&format!("{auction}/items/import"), "text/csv", "1", table.as_bytes()).await?;
        let mut items = Vec::new();
        let mut cursor = String::new();
        loop {
            let page = owner.get(&format!("{auction}/items?limit=100{cursor}")).await?;
            for item in page["items"].as_array().ok_or(MeasureError::NotFilled)? {
                items.push(format!("{auction}/items/{}", text(item, "id")?));
            }
            let Some(next) = page["nextCursor"].as_str() else { break };
            cursor = format!("&cursor={next}");
        }
        let block = items[0].rsplit('/').next().unwrap_or_default();
        owner.send("PUT", &format!("{auction}/block"), &format!(r#"{{"itemId":"{block}"}}"#)).await?;
        let screen = owner.post(&format!("{auction}/screen"), "{}").await?;
        let screen = format!("/screen/{}", text(&screen, "screenToken")?);
        Ok(Self { screen, items, buyers, next_amount: AtomicU64::new(1) })
    }

    /// Bids of two members an item, who outbid each other.
    pub async fn bids(&self, server: &Server) -> Result<Accepted, MeasureError> {
        let paths: Vec<String> = self.items[..BID_ITEMS].iter().map(|item| format!("{item}/bids")).collect();
        let tokens = &server.target.filled.tokens;
        send_all(server, |connection, n, request| {
            let bidder = (connection + n) % 2 * BID_ITEMS / 2 + connection / 2;
            let amount = self.next_amount.fetch_add(1, Ordering::Relaxed);
            let body = format!(r#"{{"amount":{amount}}}"#);
            load::post(request, &paths[connection], &tokens[bidder], &body);
        })
        .await
    }

    /// Sells each of the other items to a member.
    pub async fn hammers(&self, server: &Server) -> Result<Accepted, MeasureError> {
        let clerk = &server.target.filled.owner;
        send_all(server, |connection, n, request| {
            let item = BID_ITEMS + connection * EACH + n;
            let (path, buyer) = (format!("{}/hammer", self.items[item]), &self.buyers[connection]);
            let body = format!(r#"{{"result":"SOLD","for":{{"userId":"{buyer}"}},"amount":{item}}}"#);
            load::post_keyed(request, &path, clerk, &item.to_string(), &body);
        })
        .await
    }
}

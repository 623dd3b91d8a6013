//! The item page, as somebody sees it who has joined the demo auction.

use std::collections::BTreeSet;

use serde_json::json;

use super::Client;
use crate::failure::{Failure, Outcome};

pub struct Page {
    pub path: String,
}

/// Registers, joins the demo's first auction, and names the page of its item with the most bids.
pub fn find_item_page(client: &mut Client) -> Outcome<Page> {
    let nobody = |what: &str| Failure::new(format!("the demo has no {what}"));
    client.post_json(
        "/api/auth/register",
        &json!({"name": "Bench", "email": "bench@example.org", "password": "a swish and a flick"}),
    )?;
    let auctions = client.get_json("/api/auctions")?;
    let auction = auctions["auctions"][0]["id"].as_str().ok_or_else(|| nobody("auction"))?;
    client.post_json(&format!("/api/auctions/{auction}/join"), &json!({}))?;
    let items = client.get_json(&format!("/api/auctions/{auction}/items"))?;
    let item = items["items"]
        .as_array()
        .and_then(|items| items.iter().max_by_key(|item| item["bidCount"].as_u64()))
        .and_then(|item| item["id"].as_str())
        .ok_or_else(|| nobody("item"))?;
    Ok(Page { path: format!("/auctions/{auction}/items/{item}") })
}

impl Page {
    /// Bytes of the page and of all that it loads, as they travel.
    pub fn weight(&self, client: &mut Client) -> Outcome<usize> {
        let plain = client.get(&self.path, "identity")?;
        let html = String::from_utf8_lossy(&plain.body);
        let assets: BTreeSet<&str> = html
            .match_indices("/pkg/")
            .filter_map(|(at, _)| html[at..].split(['"', '\'', '`', ' ', '>', ')']).next())
            .filter(|path| path.contains('.'))
            .collect();
        let mut bytes = client.get(&self.path, "br")?.body.len();
        for asset in assets {
            let answer = client.get(asset, "br")?;
            if answer.status != 200 {
                return Err(Failure::new(format!("the page names {asset}, which answers {}", answer.status)));
            }
            bytes += answer.body.len();
        }
        Ok(bytes)
    }

    /// Asks for the page as often as told, one after the other.
    pub fn ask(&self, client: &mut Client, times: usize) -> Outcome<()> {
        for _ in 0..times {
            let status = client.get(&self.path, "br")?.status;
            if status != 200 {
                return Err(Failure::new(format!("{} answered {status}", self.path)));
            }
        }
        Ok(())
    }
}

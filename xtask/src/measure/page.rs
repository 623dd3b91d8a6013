//! The item page as a member of the demo auction loads it.

use serde_json::json;

use super::HttpClient;
use anyhow::{Context, Result, bail};

pub struct MeasuredPage {
    pub path: String,
}

/// Registers, joins the demo's first auction, and returns the page of its item with the most bids.
pub fn find_item_page(client: &mut HttpClient) -> Result<MeasuredPage> {
    client.post_json(
        "/api/auth/register",
        &json!({"name": "Bench", "email": "bench@example.org", "password": "a swish and a flick"}),
    )?;
    let auctions = client.get_json("/api/auctions")?;
    let auction = auctions["auctions"][0]["id"].as_str().context("the demo has no auction")?;
    client.post_json(&format!("/api/auctions/{auction}/join"), &json!({}))?;
    let items = client.get_json(&format!("/api/auctions/{auction}/items"))?;
    let item = items["items"]
        .as_array()
        .and_then(|items| items.iter().max_by_key(|item| item["bidCount"].as_u64()))
        .and_then(|item| item["id"].as_str())
        .context("the demo has no item")?;
    Ok(MeasuredPage { path: format!("/auctions/{auction}/items/{item}") })
}

impl MeasuredPage {
    /// Requests the page `times` times, one after the other.
    pub fn request(&self, client: &mut HttpClient, times: usize) -> Result<()> {
        for _ in 0..times {
            let status = client.get(&self.path, "br")?.status;
            if status != 200 {
                bail!("{} answered {status}", self.path);
            }
        }
        Ok(())
    }
}

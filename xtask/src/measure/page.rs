//! The item page as a member of the demo auction loads it.

use std::collections::BTreeSet;

use serde_json::json;

use super::Client;
use anyhow::{Context, Result, bail};

pub struct Page {
    pub path: String,
}

/// Registers, joins the demo's first auction, and returns the page of its item with the most bids.
pub fn find_item_page(client: &mut Client) -> Result<Page> {
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
    Ok(Page { path: format!("/auctions/{auction}/items/{item}") })
}

impl Page {
    /// Bytes of the page and of all that it loads, as transferred.
    pub fn size(&self, client: &mut Client) -> Result<u64> {
        let plain = client.get(&self.path, "identity")?;
        let html = String::from_utf8_lossy(&plain.body);
        let assets: BTreeSet<&str> = html
            .match_indices("/pkg/")
            .filter_map(|(at, _)| html[at..].split(['"', '\'', '`', ' ', '>', ')']).next())
            .filter(|path| path.contains('.'))
            // Loaded only when the site is installed as an application.
            .filter(|path| !path.ends_with(".png") && !path.ends_with(".webmanifest"))
            .collect();
        let mut bytes = client.get(&self.path, "br")?.body.len();
        for asset in assets {
            let response = client.get(asset, "br")?;
            if response.status != 200 {
                bail!("the page refers to {asset}, which answered {}", response.status);
            }
            bytes += response.body.len();
        }
        Ok(bytes as u64)
    }

    /// Requests the page `times` times, one after the other.
    pub fn request(&self, client: &mut Client, times: usize) -> Result<()> {
        for _ in 0..times {
            let status = client.get(&self.path, "br")?.status;
            if status != 200 {
                bail!("{} answered {status}", self.path);
            }
        }
        Ok(())
    }
}

//! What the demo tells, as data: `story.json` with a place for everything. Bodies are those of the API.

use std::collections::BTreeMap;

use auction_house::engine::Literal;
use serde::Deserialize;

use platform::fields::Object;

const STORY: &str = include_str!("story.json");

/// See the module.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Story {
    /// Everybody's.
    pub password: String,
    pub people: Vec<DemoPerson>,
    pub auctions: Vec<DemoAuction>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DemoPerson {
    pub name: String,
    pub email: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DemoAuction {
    pub owner: String,
    pub begun_hours_ago: f64,
    pub ends_in_hours: f64,
    pub members: Vec<String>,
    pub auction: Object,
    #[serde(default)]
    pub currencies: Vec<Object>,
    #[serde(default)]
    pub rules: Vec<DemoRule>,
    pub items: Vec<DemoItem>,
}

/// A rule for one currency, by its code, or for all.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DemoRule {
    pub currency: Option<String>,
    pub rule: Object,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DemoItem {
    pub seller: String,
    #[serde(default)]
    pub draft: bool,
    pub starts_in_hours: Option<f64>,
    pub ends_in_hours: Option<f64>,
    pub item: Object,
    pub minimum: Option<DemoAmount>,
    pub bids: Vec<DemoBid>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DemoBid {
    pub by: String,
    pub hours_ago: f64,
    /// By its code; absent in a legacy auction.
    pub currency: Option<String>,
    pub amount: Option<Literal>,
    pub counts: Option<BTreeMap<String, Literal>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DemoAmount {
    pub currency: String,
    pub amount: Option<Literal>,
    pub counts: Option<BTreeMap<String, Literal>>,
}

/// The story is part of the binary, and a test reads it.
pub fn read() -> Result<Story, serde_json::Error> {
    serde_json::from_str(STORY)
}

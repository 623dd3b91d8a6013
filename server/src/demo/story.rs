//! The demo as data, from `story.json`. Bodies are those of the API.

use std::collections::BTreeMap;

use auction_house::engine::Literal;
use serde::Deserialize;

use platform::fields::Object;

const STORY: &str = include_str!("story.json");

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Story {
    /// The password of all people.
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
    /// The book of the auction. Its owner is that of the auction, its holders are the members.
    pub book: Option<Object>,
    pub auction: Object,
    #[serde(default)]
    pub currencies: Vec<Object>,
    #[serde(default)]
    pub rules: Vec<DemoRule>,
    pub items: Vec<DemoItem>,
}

/// A rule for the currency with this code, or for every currency.
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
    pub minimum: Option<DemoMinimum>,
    pub bids: Vec<DemoBid>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DemoBid {
    pub by: String,
    pub hours_ago: f64,
    /// A code. Absent in a legacy auction.
    pub currency: Option<String>,
    pub amount: Option<Literal>,
    pub counts: Option<BTreeMap<String, Literal>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DemoMinimum {
    pub currency: String,
    pub amount: Option<Literal>,
    pub counts: Option<BTreeMap<String, Literal>>,
}

/// Reads the story that is embedded in the binary.
pub fn read() -> Result<Story, serde_json::Error> {
    serde_json::from_str(STORY)
}

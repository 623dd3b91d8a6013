//! The demo as data, from the files in `story`. Bodies are those of the API.

use std::collections::BTreeMap;

use auction_house::engine::Literal;
use serde::Deserialize;

use super::drawing::DemoPicture;
use platform::fields::Object;

const STORY: &str = include_str!("story/story.json");
/// One auction each. Lists begin with the newest one, that of Lantern Street.
const AUCTIONS: [&str; 7] = [
    include_str!("story/first_raid.json"),
    include_str!("story/book_fair.json"),
    include_str!("story/class.json"),
    include_str!("story/raffle.json"),
    include_str!("story/hall.json"),
    include_str!("story/second_raid.json"),
    include_str!("story/lantern_street.json"),
];

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Story {
    /// The password of all people.
    pub password: String,
    pub people: Vec<DemoPerson>,
    pub groups: Vec<DemoGroup>,
    pub books: Vec<DemoBook>,
    #[serde(skip)]
    pub auctions: Vec<DemoAuction>,
    pub places: Vec<DemoPlace>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DemoPerson {
    pub name: String,
    pub email: String,
    /// The person’s part in the demo, as words after the name.
    pub about: String,
}

/// A group of managed users, with the numbers from 1 on.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DemoGroup {
    pub keeper: String,
    pub name: String,
    pub hours_ago: f64,
    /// The PIN of all people.
    pub pin: String,
    pub people: Vec<String>,
}

/// A book that auctions name.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DemoBook {
    pub owner: String,
    pub hours_ago: f64,
    pub book: Object,
}

/// A page that the first page of a demo leads to. All names are those of the story.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DemoPlace {
    pub title: String,
    pub about: String,
    /// Who is signed in there.
    pub person: Option<String>,
    /// The number in the group of who is signed in there.
    pub number: Option<i64>,
    pub group: Option<String>,
    pub book: Option<String>,
    pub auction: Option<String>,
    /// The rest of the auction's address.
    #[serde(default)]
    pub page: String,
    /// The auction whose screen it is.
    pub screen: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DemoAuction {
    pub owner: String,
    pub begun_hours_ago: f64,
    pub ends_in_hours: Option<f64>,
    #[serde(default)]
    pub members: Vec<String>,
    #[serde(default)]
    pub clerks: Vec<String>,
    pub group: Option<String>,
    /// The book of the auction by name. Members without a group are its holders.
    pub book: Option<String>,
    pub auction: Object,
    #[serde(default)]
    pub currencies: Vec<Object>,
    #[serde(default)]
    pub rules: Vec<DemoRule>,
    pub items: Vec<DemoItem>,
    /// Lots that were hammered, in this order.
    #[serde(default)]
    pub sales: Vec<DemoSale>,
    /// The lot on the block.
    pub block: Option<String>,
    /// Runs of the book after the sales.
    #[serde(default)]
    pub runs: Vec<DemoRun>,
}

/// A lot that a clerk has sold or, without a buyer, passed.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DemoSale {
    pub lot: String,
    pub by: String,
    pub hours_ago: f64,
    pub to: Option<String>,
    pub currency: Option<String>,
    pub amount: Option<Literal>,
    pub counts: Option<BTreeMap<String, Literal>>,
}

/// A run of the book, by its owner: one of the three kinds.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DemoRun {
    pub hours_ago: f64,
    pub reason: String,
    /// Names of those among whom the pot of the auction is shared.
    pub share: Option<Vec<String>>,
    /// The parameters of a decay.
    pub decay: Option<Object>,
    /// The amount that everyone gets.
    pub grant: Option<String>,
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
    #[serde(default)]
    pub pictures: Vec<DemoPicture>,
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
    let mut story: Story = serde_json::from_str(STORY)?;
    story.auctions = AUCTIONS.into_iter().map(serde_json::from_str).collect::<Result<_, _>>()?;
    Ok(story)
}

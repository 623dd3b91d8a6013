//! Creates the demo on a clock of its own, which it sets to the time of each past event.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use accounts::Person;
use auction_house::access::Role;
use auction_house::bids::entered::EnteredBid;
use auction_house::bids::leads::recent::RecentBids;
use auction_house::bids::place::{BidRequest, PlaceBid};
use auction_house::bids::queue::BidQueue;
use auction_house::context::Context;
use auction_house::engine::{BidForm, EnteredCount, Literal};
use auction_house::ids::{AuctionId, BookId, GroupId, ItemId, UserId};
use auction_house::images::Images;
use auction_house::path::ItemPath;
use platform::fields::Object;
use platform::time::{ManualClock, Moment};

use super::DemoError;
use super::fixtures::{Fixtures, refused};
use super::story::{DemoAuction, DemoBid, DemoBook, DemoGroup, DemoItem, Story};

pub struct DemoBuilder {
    pub(super) fixtures: Fixtures,
    images: Images,
    pub(super) bids: BidQueue,
    pub(super) clock: Arc<ManualClock>,
    /// The time at which the demo starts.
    pub(super) now: Moment,
    /// Ids by name.
    people: HashMap<String, UserId>,
    groups: HashMap<String, GroupId>,
    books: HashMap<String, BookId>,
}

impl DemoBuilder {
    /// Adds the people of the story.
    pub async fn start(
        context: &Context,
        images: &Images,
        story: &Story,
        password_hash: &str,
    ) -> Result<Self, DemoError> {
        let now = context.clock.now();
        let clock = Arc::new(ManualClock::at(now));
        let context = Context { clock: clock.clone(), ..context.clone() };
        let (db, events) = (context.db.clone(), context.events.clone());
        // What it commits is read from the ledger.
        let bids = BidQueue::open(db, clock.clone(), events, context.notifier, RecentBids::default())?;
        let fixtures = Fixtures::new(context);
        let people = story.people.iter().map(|person| (person.name.as_str(), person.email.as_str()));
        let ids = fixtures.add_users(people, password_hash).await?;
        let people = story.people.iter().map(|person| person.name.clone()).zip(ids).collect();
        let (groups, books) = Default::default();
        Ok(Self { fixtures, images: images.clone(), bids, clock, now, people, groups, books })
    }

    /// `pin_hash` is that of the PIN of each group, in their order.
    pub async fn build(mut self, story: Story, pin_hashes: &[String]) -> Result<(), DemoError> {
        for (group, pin_hash) in story.groups.into_iter().zip(pin_hashes) {
            self.add_group(group, pin_hash).await?;
        }
        for DemoBook { owner, hours_ago, book } in story.books {
            self.set_hours_ago(hours_ago);
            let name = book.get("name").unwrap_or_default();
            let book_id = self.fixtures.add_book(self.person(&owner)?, book).await?;
            self.books.insert(name, book_id);
        }
        for auction in story.auctions {
            self.add_auction(auction).await?;
        }
        self.bids.finish().await;
        Ok(())
    }

    async fn add_group(&mut self, demo: DemoGroup, pin_hash: &str) -> Result<(), DemoError> {
        self.set_hours_ago(demo.hours_ago);
        let mut body = Object::default();
        body.set("name", &demo.name);
        let group = self.fixtures.add_group(self.person(&demo.keeper)?, body).await?;
        let ids = self.fixtures.add_people(group.id, demo.people.iter().cloned(), pin_hash).await?;
        self.people.extend(demo.people.into_iter().zip(ids));
        self.groups.insert(demo.name, group.id);
        Ok(())
    }

    async fn add_auction(&self, demo: DemoAuction) -> Result<(), DemoError> {
        self.set_hours_ago(demo.begun_hours_ago);
        let owner = self.person(&demo.owner)?;
        let members = self.members(&demo)?;
        let mut body = demo.auction;
        body.set_given(
            "endDate",
            demo.ends_in_hours.map(|hours| self.hours_from_now(hours).to_string()).as_ref(),
        );
        let book_id = demo.book.map(|name| named(&self.books, &name).copied()).transpose()?;
        if let Some(book_id) = book_id {
            self.fixtures.add_holders(book_id, members.iter().map(|(user, _)| *user)).await?;
            body.set("bookId", &book_id.to_string());
        }
        if let Some(group) = demo.group {
            body.set("groupId", named(&self.groups, &group)?);
        }
        let auction_id = self.fixtures.add_auction(owner, body).await?;
        let mut currencies = HashMap::new();
        for body in demo.currencies {
            let currency = self.fixtures.add_currency(auction_id, owner, body).await?;
            currencies.insert(currency.code.to_string(), currency.id.to_string());
        }
        for demo in demo.rules {
            let mut body = demo.rule;
            if let Some(code) = &demo.currency {
                body.set("currencyProfileId", named(&currencies, code)?);
            }
            self.fixtures.add_rule(auction_id, owner, body).await?;
        }
        self.fixtures.add_members(auction_id, members).await?;
        let mut target = FilledAuction { auction_id, currencies, items: HashMap::new() };
        // One minute apart, because a page lists items by age: the first item of the story comes first.
        for (minutes, item) in (0..).zip(demo.items) {
            self.clock.set(self.hours_from_now(-demo.begun_hours_ago).plus_seconds(60 * minutes));
            let name = item.item.get("name").unwrap_or_default();
            let item_id = self.add_item(&target, item).await?;
            target.items.insert(name, item_id);
        }
        for sale in demo.sales {
            self.add_sale(&target, sale).await?;
        }
        if let Some(lot) = demo.block {
            self.put_on_block(&target, owner, &lot).await?;
        }
        for (run, book_id) in demo.runs.into_iter().zip(book_id.into_iter().cycle()) {
            self.add_run((auction_id, book_id), owner, run).await?;
        }
        Ok(())
    }

    /// Sellers are CREATORs, the other members BIDDERs, beside the clerks.
    fn members(&self, demo: &DemoAuction) -> Result<Vec<(UserId, Role)>, DemoError> {
        let role = |name: &str| {
            let sells = demo.items.iter().any(|item| item.seller == name);
            if sells { Role::Creator } else { Role::Bidder }
        };
        let members = demo.members.iter().map(|name| Ok((self.person(name)?, role(name))));
        let clerks = demo.clerks.iter().map(|name| Ok((self.person(name)?, Role::Clerk)));
        members.chain(clerks).collect()
    }

    async fn add_item(&self, target: &FilledAuction, demo: DemoItem) -> Result<ItemId, DemoError> {
        let mut body = demo.item;
        body.set("isPublished", &!demo.draft);
        if let Some(hours) = demo.starts_in_hours {
            body.set("startsAt", &self.hours_from_now(hours).to_string());
        }
        if let Some(hours) = demo.ends_in_hours {
            body.set("endDate", &self.hours_from_now(hours).to_string());
        }
        if let Some(minimum) = &demo.minimum {
            let constraint = MinimumBid {
                currency_profile_id: named(&target.currencies, &minimum.currency)?,
                amount: minimum.amount.as_ref(),
                entered_representation: minimum.counts.as_ref().map(counts),
            };
            body.set("minBidConstraint", &constraint);
        }
        let seller = self.person(&demo.seller)?;
        let item_id = self.fixtures.add_item(target.auction_id, seller, body).await?;
        for picture in demo.pictures {
            let file = picture.draw(self.images.new_upload()?)?;
            self.fixtures
                .add_picture(&self.images, (target.auction_id, item_id), seller, file, picture.alt)
                .await?;
        }
        for bid in demo.bids {
            self.add_bid(target, item_id, bid).await?;
        }
        Ok(item_id)
    }

    async fn add_bid(&self, target: &FilledAuction, item_id: ItemId, demo: DemoBid) -> Result<(), DemoError> {
        self.set_hours_ago(demo.hours_ago);
        let currency = demo.currency.map(|code| named(&target.currencies, &code).cloned()).transpose()?;
        let form = BidForm { amount: demo.amount, entered_representation: demo.counts.as_ref().map(counts) };
        let entered = EnteredBid::new(currency, false, form)
            .map_err(|errors| DemoError::InvalidBid(format!("{errors:?}")))?;
        let bidder = Person { id: self.person(&demo.by)?, name: demo.by };
        let item = ItemPath { auction_id: target.auction_id, item_id };
        let request = Ok(BidRequest { entered, named: None, keyed: None });
        let bid = PlaceBid { item, sender: bidder, may_join: true, request };
        self.bids.submit(bid).await.map_err(refused("bid"))?;
        Ok(())
    }

    pub(super) fn set_hours_ago(&self, hours: f64) {
        self.clock.set(self.hours_from_now(-hours));
    }

    pub(super) fn person(&self, name: &str) -> Result<UserId, DemoError> {
        named(&self.people, name).copied()
    }

    #[expect(clippy::cast_possible_truncation, reason = "the story's hours come to a few months at most")]
    fn hours_from_now(&self, hours: f64) -> Moment {
        self.now.plus_seconds((hours * 3600.0) as i64)
    }
}

/// The auction to which items are added.
pub struct FilledAuction {
    pub auction_id: AuctionId,
    /// Ids by code.
    pub currencies: HashMap<String, String>,
    /// Ids by name.
    pub items: HashMap<String, ItemId>,
}

/// The minimum of an item in the API.
#[derive(serde::Serialize)]
#[serde(rename_all = "camelCase")]
struct MinimumBid<'a> {
    currency_profile_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    amount: Option<&'a Literal>,
    #[serde(skip_serializing_if = "Option::is_none")]
    entered_representation: Option<Vec<EnteredCount>>,
}

pub fn counts(by_denomination: &BTreeMap<String, Literal>) -> Vec<EnteredCount> {
    let entry = |(code, count): (&String, &Literal)| EnteredCount {
        denomination: code.clone(),
        count: count.clone(),
    };
    by_denomination.iter().map(entry).collect()
}

pub fn named<'a, T>(by_name: &'a HashMap<String, T>, name: &str) -> Result<&'a T, DemoError> {
    by_name.get(name).ok_or_else(|| DemoError::UnknownName(name.to_owned()))
}

//! Creates the demo on a clock of its own, which it sets to the time of each past event.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use accounts::Person;
use auction_house::access::Role;
use auction_house::bids::entered::EnteredBid;
use auction_house::bids::place::{BidRequest, PlaceBid};
use auction_house::bids::queue::BidQueue;
use auction_house::context::Context;
use auction_house::engine::{BidForm, EnteredCount, Literal};
use auction_house::ids::{AuctionId, ItemId, UserId};
use auction_house::images::Images;
use auction_house::path::ItemPath;
use platform::time::{ManualClock, Moment};

use super::DemoError;
use super::fixtures::{Fixtures, refused};
use super::story::{DemoAuction, DemoBid, DemoItem, Story};

pub struct DemoBuilder {
    fixtures: Fixtures,
    images: Images,
    bids: BidQueue,
    clock: Arc<ManualClock>,
    /// The time at which the demo starts.
    now: Moment,
    /// Ids by name.
    people: HashMap<String, UserId>,
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
        let bids =
            BidQueue::open(context.db.clone(), clock.clone(), context.events.clone(), context.notifier)?;
        let fixtures = Fixtures::new(context);
        let people = story.people.iter().map(|person| (person.name.as_str(), person.email.as_str()));
        let ids = fixtures.add_users(people, password_hash).await?;
        let people = story.people.iter().map(|person| person.name.clone()).zip(ids).collect();
        Ok(Self { fixtures, images: images.clone(), bids, clock, now, people })
    }

    pub async fn build(self, story: Story) -> Result<(), DemoError> {
        for auction in story.auctions {
            self.add_auction(auction).await?;
        }
        self.bids.finish().await;
        Ok(())
    }

    async fn add_auction(&self, demo: DemoAuction) -> Result<(), DemoError> {
        self.clock.set(self.hours_from_now(-demo.begun_hours_ago));
        let owner = self.person(&demo.owner)?;
        let members = self.members(&demo)?;
        let mut body = demo.auction;
        body.set("endDate", &self.hours_from_now(demo.ends_in_hours).to_string());
        if let Some(book) = demo.book {
            let book_id = self.fixtures.add_book(owner, book).await?;
            self.fixtures.add_holders(book_id, members.iter().map(|(user, _)| *user)).await?;
            body.set("bookId", &book_id.to_string());
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
        let target = Target { auction_id, currencies };
        // One minute apart, because a page lists items by age: the first item of the story comes first.
        for (minutes, item) in (0..).zip(demo.items) {
            self.clock.set(self.hours_from_now(-demo.begun_hours_ago).plus_seconds(60 * minutes));
            self.add_item(&target, item).await?;
        }
        Ok(())
    }

    /// Sellers are CREATORs, the other members BIDDERs.
    fn members(&self, demo: &DemoAuction) -> Result<Vec<(UserId, Role)>, DemoError> {
        let role = |name: &str| {
            let sells = demo.items.iter().any(|item| item.seller == name);
            if sells { Role::Creator } else { Role::Bidder }
        };
        demo.members.iter().map(|name| Ok((self.person(name)?, role(name)))).collect()
    }

    async fn add_item(&self, target: &Target, demo: DemoItem) -> Result<(), DemoError> {
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
        Ok(())
    }

    async fn add_bid(&self, target: &Target, item_id: ItemId, demo: DemoBid) -> Result<(), DemoError> {
        self.clock.set(self.hours_from_now(-demo.hours_ago));
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

    fn person(&self, name: &str) -> Result<UserId, DemoError> {
        named(&self.people, name).copied()
    }

    #[expect(clippy::cast_possible_truncation, reason = "the story's hours come to a few months at most")]
    fn hours_from_now(&self, hours: f64) -> Moment {
        self.now.plus_seconds((hours * 3600.0) as i64)
    }
}

/// The auction to which items are added.
struct Target {
    auction_id: AuctionId,
    /// Ids by code.
    currencies: HashMap<String, String>,
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

fn counts(by_denomination: &BTreeMap<String, Literal>) -> Vec<EnteredCount> {
    let entry = |(code, count): (&String, &Literal)| EnteredCount {
        denomination: code.clone(),
        count: count.clone(),
    };
    by_denomination.iter().map(entry).collect()
}

fn named<'a, T>(by_name: &'a HashMap<String, T>, name: &str) -> Result<&'a T, DemoError> {
    by_name.get(name).ok_or_else(|| DemoError::UnknownName(name.to_owned()))
}

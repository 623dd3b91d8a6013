//! A lively demo: people, an auction in three currencies and one in pounds, with the bids of the last days.
//! It is told through the same verbs as everything else, on a clock that is held at each past moment.

mod story;

use auction_house::context::Context;
use auction_house::locks::LockingWrites;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use auction_house::engine::Literal;
use auction_house::engine::{BidForm, EnteredCount};

use crate::state::{AppState, Parts};
use auction_house::access::{self, Role};
use auction_house::accounts::Person;
use auction_house::accounts::{self, User, password::HashError};
use auction_house::auctions::create::create_auction;
use auction_house::bids::entered::EnteredBid;
use auction_house::bids::place::{PlaceBid, PlaceError};
use auction_house::bids::queue::BidQueue;
use auction_house::currencies::create::{CreateCurrencyRefusal, create_currency};
use auction_house::ids::{AuctionId, ItemId, UserId};
use auction_house::items::create::{CreateItemRefusal, create_item};
use auction_house::rules::create::{CreateRuleRefusal, create_rule};
use platform::db::DbError;
use platform::time::{HeldClock, Moment};
use platform::verb::VerbError;
use std::convert::Infallible;
use story::{DemoAuction, DemoItem, Story};

/// What there is to sign in with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignIns {
    pub emails: Vec<String>,
    pub password: String,
}

/// What became of the demo.
#[derive(Debug, PartialEq, Eq)]
pub enum Demo {
    /// It is there, now or since an earlier start.
    There(SignIns),
    /// The database holds something else, and stays as it is.
    NotAdded,
}

#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    #[error("the demo's story can't be read: {0}")]
    Story(#[from] serde_json::Error),
    /// A name in the story that stands for nobody or nothing.
    #[error("the demo's story has no `{0}`")]
    Unknown(String),
    #[error("the demo's story does not fit: {0}")]
    Misfit(String),
    #[error("can't start a queue of bids: {0}")]
    Queue(#[from] std::io::Error),
    #[error(transparent)]
    Hash(#[from] HashError),
    #[error(transparent)]
    Db(#[from] DbError),
    #[error("auction: {0}")]
    Auction(#[from] VerbError<Infallible>),
    #[error("currency: {0}")]
    Currency(#[from] VerbError<CreateCurrencyRefusal>),
    #[error("rule: {0}")]
    Rule(#[from] VerbError<CreateRuleRefusal>),
    #[error("item: {0}")]
    Item(#[from] VerbError<CreateItemRefusal>),
    #[error("bid: {0}")]
    Bid(#[from] PlaceError),
}

/// Fills an empty database. One that holds anything is left alone.
pub async fn fill(state: &AppState) -> Result<Demo, DemoError> {
    let story = story::read()?;
    let mut db = state.context.db.read().await?;
    let first = story.people.first().map_or("", |person| person.email.as_str());
    let there = accounts::store::email_is_taken(&mut db, &parsed(first)?).await?;
    let empty = !accounts::store::any_user(&mut db).await?;
    drop(db);
    if empty {
        Teller::begin(state, &story).await?.tell(&story).await?;
    } else if !there {
        return Ok(Demo::NotAdded);
    }
    let emails = story.people.into_iter().map(|person| person.email).collect();
    Ok(Demo::There(SignIns { emails, password: story.password }))
}

/// Tells the story on a clock of its own.
struct Teller {
    state: AppState,
    clock: Arc<HeldClock>,
    now: Moment,
    people: HashMap<String, UserId>,
}

impl Teller {
    async fn begin(state: &AppState, story: &Story) -> Result<Self, DemoError> {
        let now = state.context.clock.now();
        let clock = Arc::new(HeldClock::at(now));
        let context = Context { clock: clock.clone(), ..state.context.clone() };
        let bids = BidQueue::open(context.db.clone(), clock.clone(), context.events.clone())?;
        let state = AppState::of(Parts { bids, context, ..Parts::clone(state) });
        let mut teller = Self { state, clock, now, people: HashMap::new() };
        teller.add_people(story).await?;
        Ok(teller)
    }

    async fn tell(&self, story: &Story) -> Result<(), DemoError> {
        for auction in &story.auctions {
            self.hold_auction(auction).await?;
        }
        self.state.bids.finish().await;
        Ok(())
    }

    /// One hash serves all, since all have one password.
    async fn add_people(&mut self, story: &Story) -> Result<(), DemoError> {
        let hash = self.state.accounts.passwords.hash(parsed(&story.password)?).await?;
        let mut db = self.state.context.db.write().await?;
        for person in &story.people {
            let user = User {
                id: UserId::new(self.now).map_err(DbError::from)?,
                email: person.email.clone(),
                name: person.name.clone(),
                locale: None,
                created_at: self.now,
            };
            accounts::store::insert_user(&mut db, &user, &parsed(&person.email)?, &hash).await?;
            self.people.insert(person.name.clone(), user.id);
        }
        db.commit().await?;
        Ok(())
    }

    async fn hold_auction(&self, told: &DemoAuction) -> Result<(), DemoError> {
        self.clock.hold(self.at(-told.begun_hours_ago));
        let owner = self.person(&told.owner)?;
        let mut body = told.auction.clone();
        body.set("endDate", &self.at(told.ends_in_hours).to_string());
        let auction_id = create_auction(&self.state.context, owner, body).await?.resource.auction.id;
        let mut currencies = HashMap::new();
        for body in &told.currencies {
            let currency =
                create_currency(&self.state.context, auction_id, owner, body.clone()).await?.resource;
            currencies.insert(currency.code.to_string(), currency.id.to_string());
        }
        for told in &told.rules {
            let mut body = told.rule.clone();
            if let Some(code) = &told.currency {
                body.set("currencyProfileId", found(&currencies, code)?);
            }
            create_rule(&self.state.context, auction_id, owner, body).await?;
        }
        self.add_members(told, auction_id).await?;
        let sale = Sale { auction_id, currencies };
        // The oldest is listed first: the story's order is the page's.
        for (minutes, item) in told.items.iter().enumerate() {
            let minutes = i64::try_from(minutes).unwrap_or(0);
            self.clock.hold(self.at(-told.begun_hours_ago).plus_seconds(60 * minutes));
            self.sell(&sale, item).await?;
        }
        Ok(())
    }

    /// Who sells something is a CREATOR, the others are BIDDERs.
    async fn add_members(&self, told: &DemoAuction, auction_id: AuctionId) -> Result<(), DemoError> {
        let mut db = self.state.context.db.write_in(&[auction_id]).await?;
        for member in &told.members {
            let sells = told.items.iter().any(|item| item.seller == *member);
            let role = if sells { Role::Creator } else { Role::Bidder };
            let user = self.person(member)?;
            access::store::insert(&mut db, auction_id, user, role, self.state.context.clock.now()).await?;
        }
        db.commit().await?;
        Ok(())
    }

    async fn sell(&self, sale: &Sale, told: &DemoItem) -> Result<(), DemoError> {
        let mut body = told.item.clone();
        body.set("isPublished", &!told.draft);
        if let Some(hours) = told.starts_in_hours {
            body.set("startsAt", &self.at(hours).to_string());
        }
        if let Some(hours) = told.ends_in_hours {
            body.set("endDate", &self.at(hours).to_string());
        }
        if let Some(minimum) = &told.minimum {
            let constraint = Constraint {
                currency_profile_id: found(&sale.currencies, &minimum.currency)?,
                amount: minimum.amount.as_ref(),
                entered_representation: minimum.counts.as_ref().map(entries),
            };
            body.set("minBidConstraint", &constraint);
        }
        let item = create_item(&self.state.context, sale.auction_id, self.person(&told.seller)?, body)
            .await?
            .resource
            .item;
        for bid in &told.bids {
            self.clock.hold(self.at(-bid.hours_ago));
            let currency =
                bid.currency.as_ref().map(|code| found(&sale.currencies, code).cloned()).transpose()?;
            let form = BidForm {
                amount: bid.amount.clone(),
                entered_representation: bid.counts.as_ref().map(entries),
            };
            self.bid(sale.auction_id, item.id, &bid.by, currency, form).await?;
        }
        Ok(())
    }

    async fn bid(
        &self,
        auction_id: AuctionId,
        item_id: ItemId,
        name: &str,
        currency: Option<String>,
        form: BidForm,
    ) -> Result<(), DemoError> {
        let entered = EnteredBid::new(currency, false, form)
            .map_err(|faults| DemoError::Misfit(format!("{faults:?}")))?;
        let bidder = Person { id: self.person(name)?, name: name.to_owned() };
        self.state.bids.submit(PlaceBid { auction_id, item_id, bidder, entered, keyed: None }).await?;
        Ok(())
    }

    fn person(&self, name: &str) -> Result<UserId, DemoError> {
        found(&self.people, name).copied()
    }

    /// The moment so many hours from now.
    #[expect(clippy::cast_possible_truncation, reason = "hours of the story, whole seconds are enough")]
    fn at(&self, hours: f64) -> Moment {
        self.now.plus_seconds((hours * 3600.0) as i64)
    }
}

/// The auction that items are added to.
struct Sale {
    auction_id: AuctionId,
    /// Their ids by code.
    currencies: HashMap<String, String>,
}

#[derive(serde::Serialize)]
#[serde(rename_all = "camelCase")]
struct Constraint<'a> {
    currency_profile_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    amount: Option<&'a Literal>,
    #[serde(skip_serializing_if = "Option::is_none")]
    entered_representation: Option<Vec<EnteredCount>>,
}

fn entries(counts: &BTreeMap<String, Literal>) -> Vec<EnteredCount> {
    let entry = |(code, count): (&String, &Literal)| EnteredCount {
        denomination: code.clone(),
        count: count.clone(),
    };
    counts.iter().map(entry).collect()
}

fn found<'a, T>(named: &'a HashMap<String, T>, name: &str) -> Result<&'a T, DemoError> {
    named.get(name).ok_or_else(|| DemoError::Unknown(name.to_owned()))
}

fn parsed<T: std::str::FromStr<Err: std::fmt::Display>>(text: &str) -> Result<T, DemoError> {
    text.parse().map_err(|error: T::Err| DemoError::Misfit(format!("`{text}` {error}")))
}

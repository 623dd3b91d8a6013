//! Who was outbid and who leads again: notifications that follow the ledger.

use std::collections::{BTreeMap, BTreeSet};

use platform::time::Clock;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::dice::Dice;
use crate::harness::{Client, Events, TestApp, times};
use crate::routes::auctions::items::bids::{Sale, text};

async fn bid(sale: &Sale, bidder: &Client, amount: u32) {
    sale.bid(bidder, json!({ "amount": amount })).await.expect(201);
}

/// The notifications about who leads the item, oldest first: kind, time and price.
async fn told(client: &Client, item: &str) -> Vec<(String, String, String)> {
    let listed = client.get("/api/user/notifications?limit=100").await.expect(200);
    let all = listed["notifications"].as_array().unwrap().iter().rev();
    let of_item = all.filter(|one| one["itemId"] == item && one["kind"] != "ITEM_CHANGED");
    let price = |one: &Value| {
        let words = text(&one["text"]).replace('\u{a0}', " ");
        words.split(' ').find(|word| word.ends_with(".00")).unwrap_or_default().to_owned()
    };
    of_item.map(|one| (text(&one["kind"]), text(&one["createdAt"]), price(one))).collect()
}

async fn kinds(client: &Client, sale: &Sale) -> Vec<String> {
    told(client, &sale.item).await.into_iter().map(|(kind, ..)| kind).collect()
}

#[tokio::test]
async fn a_user_who_leads_again_before_it_is_told_learns_of_nothing() {
    let sale = Sale::legacy(json!({})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    for (bidder, amount) in [(&ada, 1), (&bob, 2), (&ada, 3)] {
        bid(&sale, bidder, amount).await;
    }
    assert_eq!(kinds(&bob, &sale).await, [""; 0], "a bid writes nothing for others");
    sale.app.tell_leads().await;
    assert_eq!(kinds(&ada, &sale).await, [""; 0]);
    assert_eq!(kinds(&bob, &sale).await, ["OUTBID"]);
}

#[tokio::test]
async fn a_notification_has_the_time_of_the_bid_and_the_price_that_leads() {
    let sale = Sale::legacy(json!({})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    bid(&sale, &ada, 1).await;
    sale.app.clock.advance_seconds(5);
    bid(&sale, &bob, 2).await;
    let at = sale.app.clock.now().to_string();
    sale.app.clock.advance_seconds(5);
    bid(&sale, &bob, 3).await;
    sale.app.tell_leads().await;
    assert_eq!(told(&ada, &sale.item).await, [("OUTBID".to_owned(), at, "3.00".to_owned())]);
}

#[tokio::test]
async fn what_was_committed_before_a_restart_is_told_once_after_it() {
    let mut sale = Sale::legacy(json!({})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    bid(&sale, &ada, 1).await;
    bid(&sale, &bob, 2).await;
    sale.app = sale.app.restart().await;
    let ada = ada.at(sale.app.address);
    for _ in 0..2 {
        sale.app.tell_leads().await;
        assert_eq!(kinds(&ada, &sale).await, ["OUTBID"]);
    }
}

/// Runs the job of a server until the guard is dropped.
fn run(app: &TestApp) -> tokio_util::sync::DropGuard {
    let stopping = CancellationToken::new();
    tokio::spawn(app.state.leads.clone().run(app.state.context.clone(), stopping.clone()));
    stopping.drop_guard()
}

#[tokio::test]
async fn a_commit_wakes_the_job() {
    let sale = Sale::legacy(json!({})).await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    bid(&sale, &ada, 1).await;
    let _job = run(&sale.app);
    let mut events = Events::open(&ada, "/api/user/events").await;
    for amount in [2, 4] {
        bid(&sale, &bob, amount).await;
        assert_eq!(events.next().await.expect("an event").data["kind"], "OUTBID");
        bid(&sale, &ada, amount + 1).await;
    }
}

#[tokio::test]
async fn two_servers_tell_each_change_once() {
    let sale = on_postgres().await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    let other = sale.app.another().await;
    for round in 1..=5 {
        bid(&sale, &ada, 2 * round - 1).await;
        bid(&sale, &bob, 2 * round).await;
        tokio::join!(sale.app.tell_leads(), other.tell_leads());
    }
    assert_eq!(kinds(&ada, &sale).await, ["OUTBID"; 5]);
    assert_eq!(kinds(&bob, &sale).await, [""; 0], "bob leads whenever it is told");
}

/// The server that has accepted the bids tells nobody, as if it had been killed.
#[tokio::test]
async fn another_server_tells_what_a_killed_one_has_committed() {
    let sale = on_postgres().await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    let other = sale.app.another().await;
    let _job = run(&other);
    let mut events = Events::open(&ada.at(other.address), "/api/user/events").await;
    for amount in [1, 3] {
        // At first the job looks through everything. Later it hears of the commit.
        bid(&sale, &ada, amount).await;
        bid(&sale, &bob, amount + 1).await;
        assert_eq!(events.next().await.expect("an event").data["kind"], "OUTBID");
    }
    assert_eq!(kinds(&ada, &sale).await, ["OUTBID"; 2]);
}

async fn on_postgres() -> Sale {
    Sale::open_in(TestApp::start_on_postgres().await, json!({}), &[], json!({"currencyCode": "EUR"})).await
}

/// What users believe, and what they are told so that it becomes true.
#[derive(Default)]
struct Model {
    /// The bidders of the standing bids, by sequence.
    standing: BTreeMap<i64, usize>,
    last_sequence: i64,
    /// Who takes themselves for the leader.
    believers: BTreeSet<usize>,
    /// When users were last outbid, and when a withdrawal last gave them the lead.
    outbid_at: BTreeMap<usize, String>,
    leads_since: BTreeMap<usize, String>,
    told: BTreeMap<usize, Vec<(String, String, String)>>,
}

impl Model {
    fn leader(&self) -> Option<usize> {
        self.standing.last_key_value().map(|(_, user)| *user)
    }

    /// Who bids leads, and knows that.
    fn bid(&mut self, user: usize, at: &str) {
        if let Some(leader) = self.leader().filter(|leader| *leader != user) {
            self.outbid_at.insert(leader, at.to_owned());
        }
        self.last_sequence += 1;
        self.standing.insert(self.last_sequence, user);
        self.believers.insert(user);
    }

    /// A bidder is told of the withdrawal of a bid, or has withdrawn it.
    fn withdraw(&mut self, sequence: i64, at: &str) {
        let before = self.leader();
        self.standing.remove(&sequence);
        let after = self.leader();
        if before != after {
            self.believers.retain(|user| Some(*user) != before);
            self.leads_since.extend(after.map(|user| (user, at.to_owned())));
        }
    }

    fn tell(&mut self, users: usize) {
        let price = self.standing.last_key_value().map(|(sequence, _)| format!("{sequence}.00"));
        for user in 0..users {
            let (believes, leads) = (self.believers.contains(&user), self.leader() == Some(user));
            let news = match (believes, leads) {
                (true, false) if self.standing.values().any(|one| *one == user) => {
                    ("OUTBID", &self.outbid_at)
                }
                (false, true) => ("LEADING_AGAIN", &self.leads_since),
                _ => continue,
            };
            let told = (news.0.to_owned(), news.1[&user].clone(), price.clone().unwrap());
            self.told.entry(user).or_default().push(told);
        }
        self.believers = self.leader().into_iter().collect();
    }
}

/// Random bids and withdrawals, told at random times: each user has exactly the notifications of the model.
#[tokio::test]
async fn each_user_is_told_what_the_model_tells() {
    const USERS: usize = 4;
    let mut sale = Sale::legacy(json!({})).await;
    let admin = sale.admin("admin").await;
    let mut bidders = Vec::new();
    for name in ["ada", "bob", "eve", "joe"] {
        bidders.push(sale.bidder(name).await);
    }
    for seed in 0..times(60, 10_000) {
        let mut dice = Dice(0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(seed + 1));
        let mut below = |bound: usize| usize::try_from(dice.below(bound as u64)).unwrap();
        let mut model = Model::default();
        sale.item = sale.add_item(json!({"currencyCode": "EUR"})).await;
        for _ in 0..4 + below(12) {
            sale.app.clock.advance_seconds(1);
            let at = sale.app.clock.now().to_string();
            match below(10) {
                0..6 => {
                    let user = below(USERS);
                    let amount = u32::try_from(model.last_sequence + 1).unwrap();
                    bid(&sale, &bidders[user], amount).await;
                    model.bid(user, &at);
                }
                6..8 if !model.standing.is_empty() => {
                    let newest = model.standing.keys().rev().take(3);
                    let any = newest.copied().collect::<Vec<_>>();
                    let sequence = any[below(any.len())];
                    let reason = json!({"reason": "OTHER", "note": "So be it."});
                    sale.withdraw(&admin, sequence, reason).await.expect(200);
                    model.withdraw(sequence, &at);
                }
                _ => {
                    match below(2) {
                        0 => sale.app.tell_leads().await,
                        _ => sale.app.tell_leads_from_ledger().await,
                    }
                    model.tell(USERS);
                }
            }
        }
        sale.app.tell_leads().await;
        model.tell(USERS);
        for (user, client) in bidders.iter().enumerate() {
            let expected = model.told.remove(&user).unwrap_or_default();
            assert_eq!(told(client, &sale.item).await, expected, "user {user} of history {seed}");
        }
    }
}

//! Compares random bids, rules, ends, closings and restarts with a simple model. A failure names the seed of
//! its run.

use serde_json::{Value, json};

use super::{Sale, codes, points, text};
use crate::dice::Dice;
use crate::harness::{Answer, Client, times};

const BIDDERS: usize = 4;
/// Time from the start to the end of an item.
const ITEM_SECONDS: i64 = 120;

/// Expected state of the item.
#[derive(Default)]
struct Model {
    ledger: Vec<u64>,
    /// Id of the rule, and its parameter.
    increments: Vec<(String, u64)>,
    closed: bool,
    seconds: i64,
}

impl Model {
    /// Expected answer to a bid: status and codes of violations.
    fn judge(&self, amount: u64) -> (u16, Vec<&'static str>) {
        if self.closed || self.seconds >= ITEM_SECONDS {
            return (409, Vec::new());
        }
        let Some(highest) = self.ledger.last() else { return (201, Vec::new()) };
        let mut broken = Vec::new();
        if amount <= *highest {
            broken.push("EQUAL_NOT_HIGHER");
        }
        broken.extend(
            self.increments.iter().filter(|(_, least)| amount < highest + least).map(|_| "MIN_INCREMENT"),
        );
        (if broken.is_empty() { 201 } else { 422 }, broken)
    }
}

struct Run {
    sale: Sale,
    bidders: Vec<Client>,
    model: Model,
    dice: Dice,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::print_stderr, reason = "a run that fails is found again by its seed")]
async fn random_runs_agree_with_the_model() {
    for run in 0..times(3, 60) {
        let seed = 0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(run + 1);
        eprintln!("seed {seed:#x}");
        let mut run = Run::begin(seed).await;
        for _ in 0..80 {
            run = if run.dice.below(100) < 3 { run.restarted().await } else { run.step().await };
        }
        run.check().await;
    }
}

impl Run {
    async fn begin(seed: u64) -> Self {
        let end = json!({"endDate": "2026-05-01T18:02:00Z"});
        let sale = Sale::open(json!({}), &[points("PTS", "1")], end).await;
        let mut bidders = Vec::new();
        for n in 0..BIDDERS {
            bidders.push(sale.bidder(&format!("bidder{n}")).await);
        }
        Self { sale, bidders, model: Model::default(), dice: Dice(seed) }
    }

    /// The same sale at another server on the same database.
    async fn restarted(self) -> Self {
        let Self { sale: Sale { app, owner, auction, item }, bidders, model, dice } = self;
        let app = app.restart().await;
        let owner = owner.at(app.address);
        let bidders = bidders.iter().map(|bidder| bidder.at(app.address)).collect();
        Self { sale: Sale { app, owner, auction, item }, bidders, model, dice }
    }

    async fn step(mut self) -> Self {
        match self.dice.below(100) {
            0..70 => self.bid().await,
            70..80 => self.bid_together().await,
            80..87 => self.add_rule().await,
            87..93 => self.remove_rule().await,
            93..99 => {
                let seconds = i64::try_from(self.dice.below(12)).unwrap();
                self.sale.app.clock.advance_seconds(seconds);
                self.model.seconds += seconds;
            }
            _ => self.close().await,
        }
        self
    }

    fn amount(&mut self) -> u64 {
        let highest = self.model.ledger.last().copied().unwrap_or(5);
        highest.saturating_sub(2).max(1) + self.dice.below(12)
    }

    async fn bid(&mut self) {
        let (amount, bidder) = (self.amount(), self.dice.below(BIDDERS as u64) as usize);
        let answer = self.sale.bid(&self.bidders[bidder], json!({"amount": amount})).await;
        self.compare(amount, &answer);
    }

    /// Several concurrent equal bids have the same result as one after the other.
    async fn bid_together(&mut self) {
        let amount = self.amount();
        let bids = self.bidders.iter().map(|bidder| self.sale.bid(bidder, json!({"amount": amount})));
        let mut answers = futures::future::join_all(bids).await;
        // An accepted bid was the first of them.
        answers.sort_by_key(|answer| answer.status != 201);
        for answer in &answers {
            self.compare(amount, answer);
        }
    }

    fn compare(&mut self, amount: u64, answer: &Answer) {
        let (status, broken) = self.model.judge(amount);
        assert_eq!(answer.status.as_u16(), status, "{amount} on {:?}: {}", self.model.ledger, answer.text);
        match status {
            201 => {
                self.model.ledger.push(amount);
                assert_eq!(answer.json()["sequence"], self.model.ledger.len());
            }
            422 => assert_eq!(codes(&answer.json()), broken, "{amount} on {:?}", self.model.ledger),
            _ => assert_eq!(answer.json()["code"], "ITEM_NOT_OPEN"),
        }
    }

    async fn add_rule(&mut self) {
        let least = 1 + self.dice.below(6);
        let rule = json!({"type": "MIN_INCREMENT", "params": {"amount": least}});
        let path = format!("/api/auctions/{}/currency-rules", self.sale.auction);
        let added = self.sale.owner.post(&path, rule).await;
        if self.model.closed {
            added.expect_problem(409, "CLOSED");
            return;
        }
        let added = added.expect(201);
        self.model.increments.push((text(&added["id"]), least));
    }

    async fn remove_rule(&mut self) {
        if self.model.increments.is_empty() {
            return;
        }
        let at = self.dice.below(self.model.increments.len() as u64) as usize;
        let (id, _) = self.model.increments.remove(at);
        let path = format!("/api/auctions/{}/currency-rules/{id}", self.sale.auction);
        self.sale.owner.delete(&path).await.expect(204);
    }

    async fn close(&mut self) {
        let path = format!("/api/auctions/{}/close", self.sale.auction);
        let answer = self.sale.owner.post(&path, json!({})).await;
        assert_eq!(answer.status.as_u16(), if self.model.closed { 409 } else { 200 }, "{}", answer.text);
        self.model.closed = true;
    }

    async fn check(&self) {
        let mut bids = self.sale.bids().await;
        bids.reverse();
        let amounts: Vec<Value> = bids.iter().map(|bid| bid["normalizedAmount"].clone()).collect();
        let expected: Vec<String> = self.model.ledger.iter().map(ToString::to_string).collect();
        assert_eq!(json!(amounts), json!(expected));
    }
}

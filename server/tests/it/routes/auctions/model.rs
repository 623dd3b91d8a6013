//! Compares random bids, withdrawals, closings, cancellations, decisions and changes of roles over several items with a
//! simple model. A failure names the seed of its run.

use serde_json::{Value, json};

use super::items::bids::{Sale, points, text};
use crate::dice::Dice;
use crate::harness::{Answer, Client, times};

const BIDDERS: usize = 4;
const ITEMS: usize = 3;
const STEPS: u64 = 150;
/// Time from the start to the end of the items.
const ITEM_SECONDS: i64 = 300;
const THRESHOLD_SECONDS: i64 = 20;
const EXTENSION_SECONDS: i64 = 30;
/// How long a bidder may take a bid back, and how often.
const WITHDRAWAL_SECONDS: i64 = 60;
const WITHDRAWALS_MAX: usize = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Bidder,
    Admin,
    Removed,
}

#[derive(Debug)]
struct Bid {
    bidder: usize,
    amount: u64,
    placed_at: i64,
    withdrawn: bool,
}

#[derive(Debug, PartialEq, Eq)]
struct Outcome {
    result: &'static str,
    /// The sequence of the bid that the item was sold to.
    sequence: Option<usize>,
}

#[derive(Debug)]
struct Item {
    bids: Vec<Bid>,
    /// Seconds after the start.
    ends_at: i64,
    outcomes: Vec<Outcome>,
}

impl Item {
    fn is_open(&self, now: i64) -> bool {
        self.outcomes.is_empty() && now < self.ends_at
    }

    fn is_late(&self, now: i64) -> bool {
        now >= self.ends_at - THRESHOLD_SECONDS
    }

    /// The sequence of the highest standing bid.
    fn leading(&self) -> Option<usize> {
        self.bids.iter().rposition(|bid| !bid.withdrawn).map(|at| at + 1)
    }

    fn highest(&self) -> u64 {
        self.leading().map_or(0, |sequence| self.bids[sequence - 1].amount)
    }

    fn extend(&mut self, now: i64) {
        if self.is_late(now) {
            self.ends_at = self.ends_at.max(now + EXTENSION_SECONDS);
        }
    }

    fn close(&mut self, result: Option<&'static str>) {
        let leading = self.leading().filter(|_| result.is_none());
        let sold = if leading.is_some() { "SOLD" } else { "UNSOLD" };
        self.outcomes.push(Outcome { result: result.unwrap_or(sold), sequence: leading });
    }
}

struct Run {
    sale: Sale,
    bidders: Vec<Client>,
    ids: Vec<String>,
    items: Vec<String>,
    roles: Vec<Role>,
    /// How many bids of their own the bidders have withdrawn.
    taken_back: Vec<usize>,
    model: Vec<Item>,
    now: i64,
    dice: Dice,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::print_stderr, reason = "a run that fails is found again by its seed")]
async fn random_sales_agree_with_the_model() {
    for run in 0..times(2, 40) {
        let seed = 0xD1B5_4A32_D192_ED03_u64.wrapping_mul(run + 1);
        eprintln!("seed {seed:#x}");
        let mut run = Run::begin(seed).await;
        for _ in 0..STEPS {
            run.step().await;
        }
        run.check().await;
        run.pass(2 * ITEM_SECONDS).await;
        run.check().await;
    }
}

impl Run {
    async fn begin(seed: u64) -> Self {
        let mut sale = Sale::open(json!({}), &[points("PTS", "1")], json!({})).await;
        let seller = sale.bidder("seller").await;
        let seller_id = text(&seller.get("/api/user").await.expect(200)["user"]["id"]);
        let (mut bidders, mut ids, mut items) = (Vec::new(), Vec::new(), Vec::new());
        for n in 0..BIDDERS {
            let bidder = sale.bidder(&format!("bidder{n}")).await;
            ids.push(text(&bidder.get("/api/user").await.expect(200)["user"]["id"]));
            bidders.push(bidder);
        }
        for _ in 0..ITEMS {
            let item = json!({
                "sellerId": seller_id, "endDate": "2026-05-01T18:05:00Z", "antiSnipeEnabled": true,
                "antiSnipeThresholdSeconds": THRESHOLD_SECONDS, "antiSnipeExtensionSeconds": EXTENSION_SECONDS,
            });
            items.push(sale.add_item(item).await);
        }
        sale.item = items[0].clone();
        let item = || Item { bids: Vec::new(), ends_at: ITEM_SECONDS, outcomes: Vec::new() };
        let model = (0..ITEMS).map(|_| item()).collect();
        let (roles, taken_back) = (vec![Role::Bidder; BIDDERS], vec![0; BIDDERS]);
        Self { sale, bidders, ids, items, roles, taken_back, model, now: 0, dice: Dice(seed) }
    }

    async fn step(&mut self) {
        let (item, user) = (self.below(ITEMS), self.below(BIDDERS));
        match self.dice.below(100) {
            0..55 => self.bid(item, user).await,
            55..72 => self.withdraw(item, user).await,
            72..76 => self.change_role(user).await,
            76..78 => self.close(item, user).await,
            78..79 => self.cancel(item, user).await,
            79..85 => self.decide(item, user).await,
            _ => {
                let seconds = i64::try_from(self.dice.below(12)).unwrap();
                self.pass(seconds).await;
            }
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.dice.below(bound as u64)).unwrap()
    }

    fn path(&self, item: usize, rest: &str) -> String {
        format!("/api/auctions/{}/items/{}{rest}", self.sale.auction, self.items[item])
    }

    fn expect(&self, answer: &Answer, status: u16, code: &str) {
        let context = format!("at {} s, {:?}\n{:?}\n{}", self.now, self.roles, self.model, answer.text);
        assert_eq!(answer.status.as_u16(), status, "{code}: {context}");
        if status >= 400 {
            assert_eq!(answer.json()["code"], code, "{context}");
        }
    }

    async fn bid(&mut self, item: usize, user: usize) {
        let amount = self.model[item].highest().saturating_sub(1) + self.dice.below(8) + 1;
        let path = self.path(item, "/bids");
        let answer = self.bidders[user].post(&path, json!({"amount": amount})).await;
        let now = self.now;
        let state = &mut self.model[item];
        let (status, code) = match self.roles[user] {
            Role::Removed => (403, "FORBIDDEN"),
            _ if !state.is_open(now) => (409, "ITEM_NOT_OPEN"),
            _ if amount <= state.highest() => (422, "BID_REJECTED"),
            _ => {
                state.extend(now);
                state.bids.push(Bid { bidder: user, amount, placed_at: now, withdrawn: false });
                (201, "")
            }
        };
        self.expect(&answer, status, code);
        if status == 201 {
            assert_eq!(answer.json()["sequence"], self.model[item].bids.len());
        }
    }

    async fn withdraw(&mut self, item: usize, user: usize) {
        let sequence = self.model[item].bids.len().saturating_sub(self.below(3)).max(1);
        let path = self.path(item, &format!("/bids/{sequence}/withdraw"));
        let answer = self.bidders[user].post(&path, json!({"reason": "MISTYPED"})).await;
        let (now, role) = (self.now, self.roles[user]);
        let earlier = self.taken_back[user];
        let state = &mut self.model[item];
        let (leading, newest, open, late) =
            (state.leading(), state.bids.len(), state.is_open(now), state.is_late(now));
        let (status, code) = match state.bids.get(sequence - 1) {
            None => (404, "NOT_FOUND"),
            Some(_) if role == Role::Removed => (403, "FORBIDDEN"),
            Some(bid) if bid.bidder != user && role != Role::Admin => (403, "FORBIDDEN"),
            Some(bid) if bid.withdrawn => (200, ""),
            Some(bid) if bid.bidder != user && !open => (409, "CLOSED"),
            Some(bid) if bid.bidder != user => (200, ""),
            Some(bid) => {
                let in_time = open
                    && leading == Some(sequence)
                    && newest == sequence
                    && now <= bid.placed_at + WITHDRAWAL_SECONDS
                    && !late;
                if !in_time {
                    (409, "TOO_LATE")
                } else if earlier >= WITHDRAWALS_MAX {
                    (409, "LIMIT_REACHED")
                } else {
                    (200, "")
                }
            }
        };
        if let Some(bid) = state.bids.get_mut(sequence - 1).filter(|bid| status == 200 && !bid.withdrawn) {
            bid.withdrawn = true;
            self.taken_back[user] += usize::from(bid.bidder == user);
            state.extend(now);
        }
        self.expect(&answer, status, code);
    }

    async fn change_role(&mut self, user: usize) {
        let role = match self.dice.below(8) {
            0 => Role::Removed,
            1..5 => Role::Bidder,
            _ => Role::Admin,
        };
        if self.roles[user] == Role::Removed {
            return;
        }
        let path = format!("/api/auctions/{}/members/{}", self.sale.auction, self.ids[user]);
        match role {
            Role::Removed => self.sale.owner.delete(&path).await.expect(204),
            Role::Bidder => self.sale.owner.patch(&path, json!({"role": "BIDDER"})).await.expect(200),
            Role::Admin => self.sale.owner.patch(&path, json!({"role": "ADMIN"})).await.expect(200),
        };
        self.roles[user] = role;
    }

    async fn close(&mut self, item: usize, user: usize) {
        let answer = self.bidders[user].post(&self.path(item, "/close"), json!({})).await;
        self.end(item, user, &answer, None);
    }

    async fn cancel(&mut self, item: usize, user: usize) {
        let answer = self.bidders[user].post(&self.path(item, "/cancel"), json!({"reason": "broken"})).await;
        self.end(item, user, &answer, Some("CANCELLED"));
    }

    fn end(&mut self, item: usize, user: usize, answer: &Answer, result: Option<&'static str>) {
        let (status, code) = match self.roles[user] {
            Role::Admin if self.model[item].is_open(self.now) => (200, ""),
            Role::Admin => (409, "CLOSED"),
            Role::Bidder | Role::Removed => (403, "FORBIDDEN"),
        };
        if status == 200 {
            self.model[item].close(result);
        }
        self.expect(answer, status, code);
    }

    /// Sells to another bid or to nobody.
    async fn decide(&mut self, item: usize, user: usize) {
        let sequence = self.below(self.model[item].bids.len() + 1);
        let sequence = (sequence > 0).then_some(sequence);
        let body = json!({"sequence": sequence, "reason": "decided"});
        let answer = self.bidders[user].post(&self.path(item, "/outcome"), body).await;
        let state = &mut self.model[item];
        let (status, code) = match state.outcomes.last() {
            _ if self.roles[user] != Role::Admin => (403, "FORBIDDEN"),
            _ if sequence.is_some_and(|sequence| state.bids[sequence - 1].withdrawn) => (422, "INVALID_BODY"),
            None => (409, "NOT_CLOSED"),
            Some(outcome) if outcome.result == "CANCELLED" => (409, "CLOSED"),
            Some(_) => {
                let result = if sequence.is_some() { "SOLD" } else { "UNSOLD" };
                state.outcomes.push(Outcome { result, sequence });
                (200, "")
            }
        };
        self.expect(&answer, status, code);
    }

    /// Time passes, and what has ended is closed, by two servers' reconcilers at once.
    async fn pass(&mut self, seconds: i64) {
        self.sale.app.clock.advance_seconds(seconds);
        self.now += seconds;
        tokio::join!(self.sale.app.reconcile(), self.sale.app.reconcile());
        let now = self.now;
        let ended = self.model.iter_mut().filter(|item| item.outcomes.is_empty() && !item.is_open(now));
        ended.for_each(|item| item.close(None));
    }

    async fn check(&self) {
        let outcomes = format!("/api/auctions/{}/outcomes?limit=100", self.sale.auction);
        let outcomes = self.sale.owner.get(&outcomes).await.expect(200);
        let outcomes = outcomes["outcomes"].as_array().unwrap();
        for (at, model) in self.model.iter().enumerate() {
            let item = self.sale.owner.get(&self.path(at, "")).await.expect(200);
            let mut bids = Vec::new();
            let mut page = self.path(at, "/bids?limit=100");
            loop {
                let list = self.sale.owner.get(&page).await.expect(200);
                bids.extend(list["bids"].as_array().unwrap().iter().cloned());
                match list["nextBefore"].as_i64() {
                    Some(before) => page = self.path(at, &format!("/bids?limit=100&before={before}")),
                    None => break,
                }
            }
            bids.reverse();
            let found: Vec<Value> = bids
                .iter()
                .map(|bid| json!([bid["sequence"], bid["normalizedAmount"], bid["withdrawn"].is_object()]))
                .collect();
            let expected: Vec<Value> = (1..)
                .zip(&model.bids)
                .map(|(sequence, bid)| json!([sequence, bid.amount.to_string(), bid.withdrawn]))
                .collect();
            assert_eq!(found, expected);
            let standing = model.bids.iter().filter(|bid| !bid.withdrawn);
            let amounts: Vec<u64> = standing.map(|bid| bid.amount).collect();
            assert!(amounts.is_sorted_by(|one, next| one < next), "{amounts:?}");
            assert_eq!(item["bidCount"], amounts.len());
            let highest = amounts.last().map(ToString::to_string);
            assert_eq!(item["highestBid"]["normalizedAmount"], json!(highest));

            let of_item = outcomes.iter().filter(|outcome| outcome["itemId"] == self.items[at]);
            let found: Vec<Value> = of_item
                .map(|outcome| json!([outcome["number"], outcome["result"], outcome["bid"]["sequence"]]))
                .collect();
            let expected: Vec<Value> = (1..)
                .zip(&model.outcomes)
                .map(|(number, outcome)| json!([number, outcome.result, outcome.sequence]))
                .collect();
            assert_eq!(found, expected);
            assert_eq!(item["status"] == "CLOSED", !model.outcomes.is_empty());
        }
    }
}

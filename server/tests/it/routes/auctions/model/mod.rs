//! Compares random bids, own and for others, withdrawals, roles, sellers, hammers, closings, cancellations,
//! decisions and corrections over several items with a simple model. A failure names the seed of its run.

mod item;

use platform::time::Moment;
use serde_json::{Value, json};

use super::items::bids::{Sale, points};
use super::user_id;
use crate::dice::Dice;
use crate::harness::{Answer, Client, times};
use item::{Call, EXTENSION_SECONDS, Expected, Item, Role, THRESHOLD_SECONDS};

const BIDDERS: usize = 4;
const ITEMS: usize = 3;
/// From the start to the end of the first item.
const FIRST_END_SECONDS: i64 = 150;
const STEPS: u64 = 300;
/// Seconds between the ends of two items.
const STAGGER_SECONDS: i64 = 200;

struct Run {
    sale: Sale,
    bidders: Vec<Client>,
    ids: Vec<String>,
    items: Vec<String>,
    roles: Vec<Role>,
    /// How many bids of their own the bidders have withdrawn.
    taken_back: Vec<usize>,
    model: Vec<Item>,
    begin: Moment,
    now: i64,
    /// Idempotency keys so far.
    keys: u64,
    dice: Dice,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::print_stderr, reason = "a run that fails is found again by its seed")]
async fn random_sales_agree_with_the_model() {
    for run in 0..times(10, 200) {
        let seed = 0xD1B5_4A32_D192_ED03_u64.wrapping_mul(run + 1);
        eprintln!("seed {seed:#x}");
        let mut run = Run::begin(seed).await;
        for _ in 0..STEPS {
            run.step().await;
        }
        run.check().await;
        run.pass(4 * STAGGER_SECONDS).await;
        run.check().await;
    }
}

impl Run {
    async fn begin(seed: u64) -> Self {
        let mut sale = Sale::open(json!({}), &[points("PTS", "1")], json!({})).await;
        let begin = sale.app.state.context.clock.now();
        let seller_id = user_id(&sale.bidder("seller").await).await;
        let (mut bidders, mut ids, mut items) = (Vec::new(), Vec::new(), Vec::new());
        for n in 0..BIDDERS {
            let bidder = sale.bidder(&format!("bidder{n}")).await;
            ids.push(user_id(&bidder).await);
            bidders.push(bidder);
        }
        let model: Vec<Item> =
            (0..).map(|n| Item::open(FIRST_END_SECONDS + n * STAGGER_SECONDS)).take(ITEMS).collect();
        for item in &model {
            let item = json!({
                "sellerId": seller_id, "endDate": begin.plus_seconds(item.ends_at).to_string(),
                "antiSnipeEnabled": true, "antiSnipeThresholdSeconds": THRESHOLD_SECONDS,
                "antiSnipeExtensionSeconds": EXTENSION_SECONDS,
            });
            items.push(sale.add_item(item).await);
        }
        sale.item = items[0].clone();
        sale.give_role(&bidders[0], "ADMIN").await;
        let mut roles = vec![Role::Bidder; BIDDERS];
        roles[0] = Role::Admin;
        let taken_back = vec![0; BIDDERS];
        Self { sale, bidders, ids, items, roles, taken_back, model, begin, now: 0, keys: 0, dice: Dice(seed) }
    }

    async fn step(&mut self) {
        let (item, user) = (self.below(ITEMS), self.below(BIDDERS));
        match self.dice.below(100) {
            0..34 => self.bid(item, user).await,
            34..42 => self.bid_for(item, user).await,
            42..45 => self.hammer(item, user).await,
            45..50 => self.correct(item, user).await,
            50..65 => self.withdraw(item, user).await,
            65..69 => self.change_role(user).await,
            69..75 => self.assign(item, user).await,
            75..77 => self.end(item, user, "close", None).await,
            77..78 => self.end(item, user, "cancel", Some("CANCELLED")).await,
            78..86 => self.decide(item, user).await,
            _ => {
                // Now and then longer than a bid can be taken back.
                let limit = if self.below(4) == 0 { 100 } else { 12 };
                let seconds = i64::try_from(self.dice.below(limit)).unwrap();
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

    fn expect(&self, answer: &Answer, (status, code): Expected) {
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
        let expected = self.model[item].bid(user, self.roles[user], amount, self.now);
        self.expect(&answer, expected);
        if answer.status == 201 {
            assert_eq!(answer.json()["sequence"], self.model[item].bids.len());
        }
    }

    async fn bid_for(&mut self, item: usize, user: usize) {
        let member = self.below(BIDDERS);
        let amount = self.model[item].highest().saturating_sub(1) + self.dice.below(8) + 1;
        let body = json!({"amount": amount, "for": {"userId": self.ids[member]}});
        let answer = self.bidders[user].post(&self.path(item, "/bids"), body).await;
        let (role, of_member) = (self.roles[user], self.roles[member]);
        let expected = self.model[item].bid_for(role, member, of_member, amount, self.now);
        self.expect(&answer, expected);
    }

    /// Sells an item to a member or to its leader, or passes it.
    async fn hammer(&mut self, item: usize, user: usize) {
        let member = self.below(BIDDERS);
        let amount = self.model[item].highest() + self.dice.below(3);
        let call = match self.below(4) {
            0 => Call::Passed,
            1 => Call::ToLeader,
            _ => Call::Sold { member, of_member: self.roles[member], amount: amount.max(1) },
        };
        let body = match call {
            Call::Passed => json!({"result": "PASSED"}),
            Call::ToLeader => json!({"result": "SOLD"}),
            Call::Sold { amount, .. } => {
                json!({"result": "SOLD", "for": {"userId": self.ids[member]}, "amount": amount})
            }
        };
        self.keys += 1;
        let send = async || {
            let request = self.bidders[user].request("POST", &self.path(item, "/hammer"));
            Answer::of(request.header("idempotency-key", self.keys.to_string()).json(&body)).await
        };
        let (answer, again) = (send().await, send().await);
        let expected = self.model[item].hammer(self.roles[user], call, self.now);
        self.expect(&answer, expected);
        // What was done is done once, and what was refused is judged again.
        self.expect(&again, expected);
        assert_eq!(again.header("idempotent-replayed") == "true", answer.status == 200);
        if answer.status == 200 {
            assert_eq!(again.json(), answer.json());
        }
    }

    async fn correct(&mut self, item: usize, user: usize) {
        let (member, amount) = (self.below(BIDDERS), self.dice.below(20) + 1);
        let body = json!({"for": {"userId": self.ids[member]}, "amount": amount, "reason": "corrected"});
        let answer = self.bidders[user].post(&self.path(item, "/outcome"), body).await;
        let (role, of_member) = (self.roles[user], self.roles[member]);
        let expected = self.model[item].correct(role, member, of_member, self.now);
        self.expect(&answer, expected);
    }

    async fn withdraw(&mut self, item: usize, user: usize) {
        let newest = self.model[item].bids.len();
        let sequence = if self.below(2) == 0 { newest } else { newest.saturating_sub(self.below(4)) }.max(1);
        // Most withdrawals are those of the bidder.
        let bidder = self.model[item].bids.get(sequence - 1).map(|bid| bid.bidder);
        let user = bidder.filter(|_| self.dice.below(3) > 0).unwrap_or(user);
        let path = self.path(item, &format!("/bids/{sequence}/withdraw"));
        let reason = ["MISTYPED", "WRONG_ITEM", "OTHER"][self.below(3)];
        let answer = self.bidders[user].post(&path, json!({"reason": reason})).await;
        let (role, earlier) = (self.roles[user], &mut self.taken_back[user]);
        let is_mistake = reason != "OTHER";
        let expected = self.model[item].withdraw(sequence, user, role, is_mistake, earlier, self.now);
        self.expect(&answer, expected);
    }

    async fn change_role(&mut self, user: usize) {
        let role = match self.dice.below(8) {
            0 => Role::Removed,
            1..4 => Role::Bidder,
            4 => Role::Clerk,
            _ => Role::Admin,
        };
        if self.roles[user] == Role::Removed {
            return;
        }
        let path = format!("/api/auctions/{}/members/{}", self.sale.auction, self.ids[user]);
        match role {
            Role::Removed => self.sale.owner.delete(&path).await.expect(204),
            Role::Bidder => self.sale.owner.patch(&path, json!({"role": "BIDDER"})).await.expect(200),
            Role::Clerk => self.sale.owner.patch(&path, json!({"role": "CLERK"})).await.expect(200),
            Role::Admin => self.sale.owner.patch(&path, json!({"role": "ADMIN"})).await.expect(200),
        };
        self.roles[user] = role;
    }

    async fn assign(&mut self, item: usize, user: usize) {
        let seller = self.below(BIDDERS);
        let body = json!({"sellerId": self.ids[seller]});
        let answer = self.bidders[user].patch(&self.path(item, ""), body).await;
        let (role, of_seller) = (self.roles[user], self.roles[seller]);
        let expected = self.model[item].assign(role, seller, of_seller, self.now);
        self.expect(&answer, expected);
    }

    async fn end(&mut self, item: usize, user: usize, verb: &str, result: Option<&'static str>) {
        let body = if result.is_some() { json!({"reason": "broken"}) } else { json!({}) };
        let answer = self.bidders[user].post(&self.path(item, &format!("/{verb}")), body).await;
        let expected = self.model[item].end(user, self.roles[user], result, self.now);
        self.expect(&answer, expected);
    }

    async fn decide(&mut self, item: usize, user: usize) {
        let sequence = self.below(self.model[item].bids.len() + 1);
        let sequence = (sequence > 0).then_some(sequence);
        let body = json!({"sequence": sequence, "reason": "decided"});
        let answer = self.bidders[user].post(&self.path(item, "/outcome"), body).await;
        let expected = self.model[item].decide(self.roles[user], sequence);
        self.expect(&answer, expected);
    }

    /// Time passes, and what has ended is closed, by two servers' reconcilers at once.
    async fn pass(&mut self, seconds: i64) {
        self.sale.app.clock.advance_seconds(seconds);
        self.now += seconds;
        tokio::join!(self.sale.app.reconcile(), self.sale.app.reconcile());
        let now = self.now;
        let ended = self.model.iter_mut().filter(|item| item.outcomes.is_empty() && !item.is_open(now));
        ended.for_each(|item| item.close(None, now));
    }

    async fn check(&self) {
        let outcomes = format!("/api/auctions/{}/outcomes?limit=100", self.sale.auction);
        let outcomes = self.sale.owner.get(&outcomes).await.expect(200);
        let outcomes = outcomes["outcomes"].as_array().unwrap();
        for (at, model) in self.model.iter().enumerate() {
            let item = self.sale.owner.get(&self.path(at, "")).await.expect(200);
            let found: Vec<Value> = self.bids(at).await.iter().map(described).collect();
            let expected: Vec<Value> = (1..)
                .zip(&model.bids)
                .map(|(sequence, bid)| {
                    json!([sequence, bid.amount.to_string(), self.ids[bid.bidder], bid.withdrawn_by])
                })
                .collect();
            assert_eq!(found, expected);
            let standing = model.bids.iter().filter(|bid| bid.withdrawn_by.is_none());
            let amounts: Vec<u64> = standing.map(|bid| bid.amount).collect();
            assert!(amounts.is_sorted_by(|one, next| one < next), "{amounts:?}");
            assert_eq!(item["bidCount"], amounts.len());
            let highest = amounts.last().map(ToString::to_string);
            assert_eq!(item["highestBid"]["normalizedAmount"], json!(highest));
            assert_eq!(item["highestBid"]["bidder"]["id"], json!(model.leader().map(|user| &self.ids[user])));
            if let Some(seller) = model.seller {
                assert_eq!(item["seller"]["id"], json!(self.ids[seller]));
            }
            let ends_at = self.begin.plus_seconds(model.ends_at).to_string();
            assert_eq!(item["endDate"], json!(ends_at));

            let of_item = outcomes.iter().filter(|outcome| outcome["itemId"] == self.items[at]);
            let found: Vec<Value> = of_item
                .map(|outcome| {
                    json!([
                        outcome["number"],
                        outcome["result"],
                        outcome["bid"]["sequence"],
                        outcome["winner"]["id"]
                    ])
                })
                .collect();
            let winner = |user: usize| &self.ids[user];
            let expected: Vec<Value> = (1..)
                .zip(&model.outcomes)
                .map(|(number, outcome)| {
                    json!([number, outcome.result, outcome.sequence, outcome.winner.map(winner)])
                })
                .collect();
            assert_eq!(found, expected);
            assert_eq!(item["status"] == "CLOSED", !model.outcomes.is_empty());
        }
    }

    /// All bids of an item, oldest first.
    async fn bids(&self, item: usize) -> Vec<Value> {
        let mut bids = Vec::new();
        let mut page = self.path(item, "/bids?limit=100");
        loop {
            let list = self.sale.owner.get(&page).await.expect(200);
            bids.extend(list["bids"].as_array().unwrap().iter().cloned());
            match list["nextBefore"].as_i64() {
                Some(before) => page = self.path(item, &format!("/bids?limit=100&before={before}")),
                None => break,
            }
        }
        bids.reverse();
        bids
    }
}

fn described(bid: &Value) -> Value {
    json!([bid["sequence"], bid["normalizedAmount"], bid["bidder"]["id"], bid["withdrawn"]["by"]])
}

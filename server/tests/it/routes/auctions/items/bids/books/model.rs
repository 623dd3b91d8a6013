//! Compares random grants, bids, withdrawals and outcomes over several items and auctions of one book with a
//! simple model. A failure names the seed of its run.

use std::collections::HashMap;

use platform::db::query;
use serde_json::{Value, json};

use super::{BookSale, short_of};
use crate::dice::Dice;
use crate::harness::{Answer, Client, times};
use crate::routes::auctions::{give_role, user_id};

const BIDDERS: usize = 3;
const STEPS: usize = 120;
const STARTING: i64 = 100;

/// An item of the model: its bids by sequence, standing or withdrawn, and the bid for which it is sold once
/// it is closed.
#[derive(Default)]
struct Item {
    path: String,
    bids: Vec<(usize, i64, bool)>,
    outcome: Option<Option<usize>>,
    /// The bidders who were present when it was first sold, if the book shares.
    shared_among: Option<Vec<usize>>,
}

impl Item {
    fn leading(&self) -> Option<(usize, usize, i64)> {
        let standing = self.bids.iter().enumerate().rev().find(|(_, bid)| bid.2);
        standing.map(|(at, (bidder, amount, _))| (at, *bidder, *amount))
    }
}

struct Run {
    opened: BookSale,
    /// Withdraws bids: the owner sells the items.
    manager: Client,
    bidders: Vec<Client>,
    items: Vec<Item>,
    /// The balances of the bidders.
    balances: Vec<i64>,
    /// Who is present, if the book shares what is spent.
    present: Option<[bool; BIDDERS]>,
    /// The bidders in the order in which the last units of a share are given out.
    order: Vec<usize>,
    dice: Dice,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::print_stderr, reason = "a run that fails is found again by its seed")]
async fn nobody_commits_more_than_is_available() {
    for run in 0..times(4, 100) {
        let seed = 0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(run + 1);
        eprintln!("seed {seed:#x}");
        let mut run = Run::begin(seed).await;
        for _ in 0..STEPS {
            run.step().await;
        }
        run.check().await;
    }
}

impl Run {
    async fn begin(seed: u64) -> Self {
        let opened = BookSale::open(&STARTING.to_string()).await;
        let sale = &opened.sale;
        let (other, of_other) = opened.another_auction().await;
        let second = sale.add_item(json!({})).await;
        let paths = [(&sale.auction, &sale.item), (&sale.auction, &second), (&other, &of_other)];
        let items = paths.map(|(auction, item)| format!("/api/auctions/{auction}/items/{item}"));
        let manager = sale.bidder("manager").await;
        sale.give_role(&manager, "ADMIN").await;
        let path = format!("/api/auctions/{other}");
        manager.post(&format!("{path}/join"), json!({})).await.expect(200);
        give_role(&sale.owner, &path, &manager, "ADMIN").await;
        let mut bidders = Vec::new();
        for n in 0..BIDDERS {
            bidders.push(sale.bidder(&format!("bidder{n}")).await);
        }
        let mut ids = Vec::new();
        for (n, bidder) in bidders.iter().enumerate() {
            ids.push((user_id(bidder).await, n));
        }
        // All have joined at one moment.
        ids.sort();
        let mut dice = Dice(seed);
        let shares = dice.below(3) > 0;
        if shares {
            let share = json!({"share": {"automatic": true, "digits": 0, "rest": "SPREAD"}});
            sale.owner.patch(&format!("/api/books/{}", opened.book), share).await.expect(200);
            for bidder in &bidders {
                bidder.post(&format!("{path}/join"), json!({})).await.expect(200);
            }
        }
        Self {
            present: shares.then_some([false; BIDDERS]),
            order: ids.into_iter().map(|(_, n)| n).collect(),
            items: items.map(|path| Item { path, ..Item::default() }).into(),
            balances: vec![STARTING; BIDDERS],
            bidders,
            manager,
            dice,
            opened,
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.dice.below(bound as u64)).unwrap()
    }

    /// What a bidder has available for an item.
    fn available(&self, bidder: usize, item: usize) -> i64 {
        let others =
            self.items.iter().enumerate().filter(|(at, other)| *at != item && other.outcome.is_none());
        let leading = others.filter_map(|(_, other)| other.leading()).filter(|leading| leading.1 == bidder);
        self.balances[bidder] - leading.map(|leading| leading.2).sum::<i64>()
    }

    async fn step(&mut self) {
        let (item, bidder) = (self.below(self.items.len()), self.below(BIDDERS));
        match self.dice.below(100) {
            0..60 => self.bid(item, bidder).await,
            60..75 => self.withdraw(item).await,
            75..85 => self.grant(bidder).await,
            85..87 => self.close(item).await,
            87..90 => self.come_or_go(bidder).await,
            _ => self.decide(item).await,
        }
    }

    async fn bid(&mut self, item: usize, bidder: usize) {
        let highest = self.items[item].leading().map_or(0, |leading| leading.2);
        let amount = highest + 1 + i64::try_from(self.dice.below(25)).unwrap();
        let available = self.available(bidder, item);
        let path = format!("{}/bids", self.items[item].path);
        let answer = self.bidders[bidder].post(&path, json!({"amount": amount})).await;
        if self.items[item].outcome.is_some() {
            answer.expect_problem(409, "ITEM_NOT_OPEN");
        } else if amount <= available {
            answer.expect(201);
            self.items[item].bids.push((bidder, amount, true));
        } else {
            assert_eq!(short_of(&answer), (amount.to_string(), available.to_string()));
        }
    }

    /// The manager withdraws a standing bid, often the one that leads.
    async fn withdraw(&mut self, item: usize) {
        let chosen = self.below(self.items[item].bids.len().max(1));
        let leading = self.items[item].leading().map(|leading| leading.0);
        let at = if self.below(2) == 0 { chosen } else { leading.unwrap_or(chosen) };
        let Item { path, bids, outcome, .. } = &mut self.items[item];
        if outcome.is_some() || bids.get(at).is_none_or(|bid| !bid.2) {
            return;
        }
        let path = format!("{path}/bids/{}/withdraw", at + 1);
        let withdrawn = self.manager.post(&path, json!({"reason": "OTHER"})).await.expect(200);
        bids[at].2 = false;
        let mut expected: Vec<Value> = Vec::new();
        if let Some((_, bidder, amount)) = self.items[item].leading() {
            let left = self.available(bidder, item) - amount;
            if left < 0 {
                let id = user_id(&self.bidders[bidder]).await;
                expected.push(
                    json!({"id": id, "name": format!("bidder{bidder}"), "available": left.to_string()}),
                );
            }
        }
        assert_eq!(withdrawn["overcommitted"], json!(expected));
    }

    /// Gives or takes some.
    async fn grant(&mut self, bidder: usize) {
        let amount = i64::try_from(self.dice.below(61)).unwrap() - 20;
        self.balances[bidder] += amount;
        let holder: auction_house::ids::UserId = user_id(&self.bidders[bidder]).await.parse().unwrap();
        let mut db = self.opened.sale.app.state.context.db.write().await.unwrap();
        for statement in [
            "INSERT INTO book_entries (book_id, sequence, holder_id, amount, balance, kind, created_at)
             SELECT id, last_sequence + 1, $2, $3, $4, 'GRANT', 0 FROM books WHERE id = $1",
            "UPDATE books SET revision = revision + 1, last_sequence = last_sequence + 1
             WHERE id = $1 AND $2 IS NOT NULL AND $3 IS NOT NULL AND $4 IS NOT NULL",
        ] {
            let statement = query(statement).bind(self.opened.book).bind(holder);
            let statement = statement.bind(amount.to_string()).bind(self.balances[bidder].to_string());
            statement.execute(&mut db).await.unwrap();
        }
        db.commit().await.unwrap();
    }

    /// Lets a bidder come or go, in both auctions.
    async fn come_or_go(&mut self, bidder: usize) {
        let Some(present) = &mut self.present else { return };
        present[bidder] = !present[bidder];
        let body = json!({"userIds": [user_id(&self.bidders[bidder]).await], "present": present[bidder]});
        for item in [0, 2] {
            let (auction, _) = self.items[item].path.split_once("/items").unwrap();
            let request = self.opened.sale.owner.request("PUT", &format!("{auction}/present"));
            Answer::of(request.json(&body)).await.expect(200);
        }
    }

    async fn close(&mut self, item: usize) {
        if self.items[item].outcome.is_some() {
            return;
        }
        let path = format!("{}/close", self.items[item].path);
        self.opened.sale.owner.post(&path, json!({})).await.expect(200);
        self.charge(item, self.items[item].leading().map(|leading| leading.0));
    }

    async fn decide(&mut self, item: usize) {
        let Some(had) = self.items[item].outcome else { return };
        let at = self.below(self.items[item].bids.len() + 1);
        let winner = self.items[item].bids.get(at).filter(|bid| bid.2).map(|_| at);
        let path = format!("{}/outcome", self.items[item].path);
        let decision = json!({"sequence": winner.map(|at| at + 1), "reason": "Again"});
        self.opened.sale.owner.post(&path, decision).await.expect(200);
        if let Some(at) = had {
            let (bidder, amount, _) = self.items[item].bids[at];
            self.balances[bidder] += amount;
            self.share(item, amount, -1);
        }
        self.charge(item, winner);
    }

    fn charge(&mut self, item: usize, winner: Option<usize>) {
        self.items[item].outcome = Some(winner);
        if let Some(at) = winner {
            let (bidder, amount, _) = self.items[item].bids[at];
            self.balances[bidder] -= amount;
            let among = |here: [bool; BIDDERS]| (0..BIDDERS).filter(|bidder| here[*bidder]).collect();
            if self.items[item].shared_among.is_none() {
                self.items[item].shared_among = self.present.map(among);
            }
            self.share(item, amount, 1);
        }
    }

    /// Gives or takes back the shares of a price.
    fn share(&mut self, item: usize, price: i64, sign: i64) {
        let among = self.items[item].shared_among.clone().unwrap_or_default();
        let count = i64::try_from(among.len()).unwrap();
        for (place, bidder) in (0..).zip(self.order.iter().filter(|bidder| among.contains(bidder))) {
            self.balances[*bidder] += sign * (price / count + i64::from(place < price % count));
        }
    }

    /// Balances are the sums of the entries, and charges that are not reversed are the outcomes in force.
    async fn check(&self) {
        let (mut sums, mut charged) = (HashMap::<String, i64>::new(), 0);
        for (kind, holder, amount, balance) in self.opened.entries().await {
            let amount: i64 = amount.parse().unwrap();
            let sum = sums.entry(holder.to_string()).or_default();
            *sum += amount;
            assert_eq!(balance, sum.to_string());
            charged += if kind == "GRANT" { 0 } else { amount };
        }
        for (bidder, client) in self.bidders.iter().enumerate() {
            assert_eq!(sums[&user_id(client).await], self.balances[bidder]);
            let open = self.items.iter().filter(|item| item.outcome.is_none());
            let leading = open.filter_map(Item::leading).filter(|leading| leading.1 == bidder);
            let committed: i64 = leading.map(|leading| leading.2).sum();
            let balance = self.balances[bidder];
            let expected = [balance, committed, balance - committed].map(|amount| amount.to_string());
            assert_eq!(self.opened.funds(client).await, expected);
        }
        let is_kept = |item: &&Item| item.shared_among.as_ref().is_none_or(Vec::is_empty);
        let sold = self.items.iter().filter(is_kept).filter_map(|item| Some(item.bids[item.outcome??].1));
        assert_eq!(charged, -sold.sum::<i64>(), "what is not shared is in the pot");
    }
}

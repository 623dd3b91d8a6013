//! `kill -9` while bids are placed and withdrawn, and while items are closed by their seller and by the
//! clock.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use platform::time::{Clock, Moment, SystemClock};
use reqwest::Client;
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::task::JoinSet;

use super::Process;
use super::crash::{AcceptedBid, Answer, Sale, add_item, bid, check, get, ledger, open_sale, outcomes};
use crate::dice::Dice;
use crate::harness::{database, times};

/// Number of answers before a round kills its server.
const ANSWERED: usize = 60;
/// The server dies up to so many milliseconds after that.
const LATER: u64 = 120;
/// How long the outcome of an ended item may take after a restart.
const OUTCOME_TIMEOUT: Duration = Duration::from_secs(20);

/// What the server has answered in all rounds.
#[derive(Default)]
struct Answers {
    bids: Vec<AcceptedBid>,
    /// Withdrawn bids: item, sequence, and the withdrawal as it was described.
    withdrawn: Vec<(usize, u64, Value)>,
    /// Outcomes by item, with the round's answer to the request that closed it.
    outcomes: HashMap<String, Value>,
    closed: usize,
}

/// One round, while its server lives.
struct Round {
    sale: Sale,
    url: String,
    manager: Client,
    /// The item that stays open, the one that is closed, and the one that ends by the clock.
    items: [usize; 3],
    next: Arc<AtomicU64>,
    answers: Mutex<Answers>,
    answered: AtomicUsize,
    /// Every answer notifies.
    progress: Notify,
}

/// Each answered bid, withdrawal and closing is there after `kill -9`, and each closed item has one outcome,
/// which names the bid that leads: nothing is half done, and nothing is done twice.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::print_stderr, reason = "the moments of a run that fails are found again by its seed")]
async fn answered_withdrawals_and_closings_survive_kill_9() {
    let folder = tempfile::tempdir().unwrap();
    let database_url = database::fresh(folder.path()).await;
    let mut server = Process::start(&database_url, folder.path()).await;
    let mut sale = open_sale(&server.url).await;
    let manager = sale.bidders.pop().unwrap();
    make_admin(&server.url, &sale, &manager).await;
    sale.items.truncate(1);
    let (next, mut answers) = (Arc::new(AtomicU64::new(1)), Answers::default());
    for round in 0..times(3, 30) {
        let seed = 0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(round + 1);
        eprintln!("seed {seed:#x}");
        let mut dice = Dice(seed);
        for _ in 0..2 {
            sale.items.push(add_item(&server.url, &sale.owner, &sale.auction).await);
        }
        let items = [0, sale.items.len() - 2, sale.items.len() - 1];
        let running = Arc::new(Round {
            sale,
            url: server.url.clone(),
            manager: manager.clone(),
            items,
            next: Arc::clone(&next),
            answers: Mutex::new(answers),
            answered: AtomicUsize::default(),
            progress: Notify::new(),
        });
        let tasks = Round::begin(&running, &mut dice).await;
        running.until(ANSWERED).await;
        tokio::time::sleep(Duration::from_millis(dice.below(LATER))).await;
        server.kill();
        running.end();
        tasks.join_all().await;
        let Some(ended) = Arc::into_inner(running) else { panic!("the tasks have ended") };
        (sale, answers) = (ended.sale, ended.answers.into_inner().unwrap());
        server = Process::start(&database_url, folder.path()).await;
        answers.check(&server.url, &sale, items).await;
    }
    assert!(!answers.withdrawn.is_empty() && answers.closed > 0, "rounds without withdrawals or closings");
}

async fn make_admin(url: &str, sale: &Sale, member: &Client) {
    let user = get(member, format!("{url}/api/user")).await;
    let id = user["user"]["id"].as_str().unwrap();
    let path = format!("{url}/api/auctions/{}/members/{id}", sale.auction);
    let answer = sale.owner.patch(path).json(&json!({"role": "ADMIN"})).send().await.unwrap();
    assert_eq!(answer.status(), 200);
}

impl Round {
    /// Bidders who bid and take bids back, a manager who withdraws bids, and the owner who closes an item.
    async fn begin(round: &Arc<Self>, dice: &mut Dice) -> JoinSet<()> {
        let end = SystemClock.now().millis() + i64::try_from(200 + dice.below(600)).unwrap();
        let end = json!({"endDate": Moment::from_millis(end).unwrap().to_string()});
        let patch = round.sale.owner.patch(round.item(round.items[2])).json(&end);
        assert_eq!(patch.send().await.unwrap().status(), 200);
        let mut tasks = JoinSet::new();
        for bidder in 0..round.sale.bidders.len() {
            let (round, dice) = (Arc::clone(round), Dice(dice.below(u64::MAX) + 1));
            tasks.spawn(async move { round.bid(bidder, dice).await.unwrap_or_default() });
        }
        let (managed, owned) = (Arc::clone(round), Arc::clone(round));
        let (picks, close_after) = (Dice(dice.below(u64::MAX) + 1), dice.below(ANSWERED as u64 + 10));
        tasks.spawn(async move { managed.manage(picks).await.unwrap_or_default() });
        tasks.spawn(
            async move { owned.close(usize::try_from(close_after).unwrap()).await.unwrap_or_default() },
        );
        tasks
    }

    fn item(&self, item: usize) -> String {
        format!("{}/api/auctions/{}/items/{}", self.url, self.sale.auction, self.sale.items[item])
    }

    fn count(&self) {
        self.answered.fetch_add(1, Ordering::SeqCst);
        self.progress.notify_waiters();
    }

    /// Waits for this number of answers.
    async fn until(&self, count: usize) {
        loop {
            let next = self.progress.notified();
            if self.answered.load(Ordering::SeqCst) >= count {
                return;
            }
            next.await;
        }
    }

    /// Lets nobody wait for answers any more.
    fn end(&self) {
        self.answered.store(usize::MAX / 2, Ordering::SeqCst);
        self.progress.notify_waiters();
    }

    async fn bid(&self, bidder: usize, mut dice: Dice) -> Result<(), reqwest::Error> {
        loop {
            let item = self.items[usize::try_from(dice.below(3)).unwrap()];
            let amount = self.next.fetch_add(1, Ordering::SeqCst);
            let Answer::Accepted(told) = bid(&self.sale, &self.url, bidder, item, amount).await? else {
                continue;
            };
            let sequence = told.sequence();
            self.answers.lock().unwrap().bids.push(told);
            self.count();
            if dice.below(4) == 0 {
                self.withdraw(&self.sale.bidders[bidder], "MISTYPED", item, sequence).await?;
            }
        }
    }

    /// Withdraws one of the newest bids of the round again and again.
    async fn manage(&self, mut dice: Dice) -> Result<(), reqwest::Error> {
        loop {
            let item = self.items[usize::try_from(dice.below(3)).unwrap()];
            let newest = self.manager.get(format!("{}/bids?limit=3", self.item(item))).send().await?;
            let newest: Value = newest.json().await?;
            let picked = &newest["bids"][usize::try_from(dice.below(3)).unwrap()];
            if let Some(sequence) = picked["sequence"].as_u64() {
                self.withdraw(&self.manager, "OTHER", item, sequence).await?;
            }
        }
    }

    async fn withdraw(
        &self,
        who: &Client,
        reason: &str,
        item: usize,
        sequence: u64,
    ) -> Result<(), reqwest::Error> {
        let url = format!("{}/bids/{sequence}/withdraw", self.item(item));
        let answer = who.post(url).json(&json!({"reason": reason})).send().await?;
        let status = answer.status().as_u16();
        let body: Value = answer.json().await?;
        match status {
            200 => {
                let withdrawal = body["withdrawn"].clone();
                assert!(withdrawal.is_object(), "{body}");
                self.answers.lock().unwrap().withdrawn.push((item, sequence, withdrawal));
                self.count();
            }
            // Too late, too often, or the item is closed.
            409 | 503 => {}
            other => panic!("{other}: {body}"),
        }
        Ok(())
    }

    /// Closes an item after a number of answers.
    async fn close(&self, after: usize) -> Result<(), reqwest::Error> {
        self.until(after).await;
        let item = self.items[1];
        let answer =
            self.sale.owner.post(format!("{}/close", self.item(item))).json(&json!({})).send().await?;
        let status = answer.status();
        let closed: Value = answer.json().await?;
        assert_eq!(status, 200, "{closed}");
        let mut answers = self.answers.lock().unwrap();
        answers.outcomes.insert(self.sale.items[item].clone(), closed["outcome"].clone());
        answers.closed += 1;
        drop(answers);
        self.count();
        Ok(())
    }
}

impl Answers {
    /// Compares what was answered with a server that was started again.
    async fn check(&mut self, url: &str, sale: &Sale, items: [usize; 3]) {
        let ended = &sale.items[items[2]];
        let asked = Instant::now();
        while outcomes(url, sale).await.iter().all(|outcome| outcome["itemId"] != ended.as_str()) {
            assert!(asked.elapsed() < OUTCOME_TIMEOUT, "the item that has ended has no outcome");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        check(url, sale, &self.bids).await;
        let outcomes = outcomes(url, sale).await;
        for (at, item) in sale.items.iter().enumerate() {
            let item_url = format!("{url}/api/auctions/{}/items/{item}", sale.auction);
            let ledger = ledger(&sale.owner, &item_url).await;
            for (_, sequence, told) in self.withdrawn.iter().filter(|(of, ..)| *of == at) {
                let kept = &ledger[usize::try_from(*sequence).unwrap() - 1]["withdrawn"];
                assert_eq!(kept, told, "bid {sequence} of item {at}");
            }
            let answer = sale.owner.get(&item_url).send().await.unwrap();
            let version =
                answer.headers()["etag"].to_str().unwrap().trim_matches('"').parse::<usize>().unwrap();
            let document: Value = answer.json().await.unwrap();
            let of_item: Vec<&Value> =
                outcomes.iter().filter(|outcome| outcome["itemId"] == item.as_str()).collect();
            let withdrawals = ledger.iter().filter(|bid| bid["withdrawn"].is_object()).count();
            // The version counts the creation, every bid, every batch with withdrawals, the change of the end
            // and the close.
            let other = version - ledger.len();
            assert!(other > withdrawals.min(1) && other <= 3 + withdrawals, "{version}: {document}");

            let is_closed = document["status"] == "CLOSED";
            assert_eq!(of_item.len(), usize::from(is_closed), "{of_item:?}");
            let Some(outcome) = of_item.first() else {
                assert!(!self.outcomes.contains_key(item), "an answered closing is lost");
                continue;
            };
            let leading = ledger.iter().rfind(|bid| bid["withdrawn"].is_null());
            let leading = leading.map_or(&Value::Null, |bid| &bid["sequence"]);
            assert_eq!(&outcome["bid"]["sequence"], leading, "a bid or a withdrawal came after the close");
            assert_eq!(outcome["number"], 1);
            // In later rounds it stays as it was.
            let told = self.outcomes.entry(item.clone()).or_insert_with(|| Value::clone(outcome));
            assert_eq!(told, *outcome);
        }
    }
}

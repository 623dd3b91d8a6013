//! Several servers on one PostgreSQL database.

use auction_house::locks::LockingWrites;
use std::collections::BTreeSet;
use std::time::Duration;

use platform::db::{query, query_scalar};
use serde_json::{Value, json};

use super::{Sale, codes, points};
use crate::harness::{Break, Client, Events, Line, TestApp, times};

const BIDDERS: usize = 8;

/// Selects the connections that have locks on this test's auctions.
macro_rules! in_use {
    () => {
        "FROM pg_locks l JOIN pg_class c ON c.oid = l.relation JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE c.relname = 'auctions' AND n.nspname = current_schema() AND l.pid <> pg_backend_pid()"
    };
}

/// Two servers with one sale.
struct Pair {
    sale: Sale,
    other: TestApp,
}

impl Pair {
    async fn open() -> Self {
        let app = TestApp::start_on_postgres().await;
        let sale = Sale::open_in(app, json!({}), &[points("PTS", "1")], json!({})).await;
        let other = sale.app.another().await;
        Self { sale, other }
    }

    /// The same user at the other server.
    fn there(&self, person: &Client) -> Client {
        person.at(self.other.address)
    }
}

/// A server validates its cache of the last batch.
#[tokio::test]
async fn a_bid_at_one_server_is_known_to_the_other_at_once() {
    let pair = Pair::open().await;
    let sale = &pair.sale;
    let ada = sale.bidder("ada").await;
    let there = pair.there(&ada);
    for amount in (0..40).step_by(4) {
        sale.bid(&ada, json!({"amount": amount + 1})).await.expect(201);
        sale.bid(&there, json!({"amount": amount + 3})).await.expect(201);
        sale.bid(&ada, json!({"amount": amount + 2})).await.expect_problem(422, "BID_REJECTED");
    }
    let ledger = sale.bids().await;
    let sequences: Vec<i64> = ledger.iter().map(|bid| bid["sequence"].as_i64().unwrap()).collect();
    assert_eq!(sequences, (1..=20).rev().collect::<Vec<_>>());
}

/// The statements of a batch in three situations, which `docs/reference/measurements.md` lists.
#[tokio::test]
async fn after_bids_of_another_server_a_batch_reads_the_items_alone() {
    let app = TestApp::start_on_postgres().await;
    let sale = Sale::open_in(app, json!({}), &[points("PTS", "1")], json!({})).await;
    let line = Line::to(&sale.app.state.installation.settings.database_url).await;
    let other = sale.app.another_with(|settings| settings.database_url = line.database_url.clone()).await;
    let here = sale.bidder("ada").await;
    let there = here.at(other.address);
    let mut amount = 0;
    let mut bid = async |client: &Client| {
        amount += 1;
        let before = line.asked();
        sale.bid(client, json!({"amount": amount})).await.expect(201);
        line.asked() - before
    };
    // Tasks in the background and statements that a connection prepares add to a count at times: the least of
    // a few counts is that of the batch.
    let (mut taking_turns, mut alone, mut overtaken) = (usize::MAX, usize::MAX, usize::MAX);
    for _ in 0..3 {
        for _ in 0..40 {
            bid(&here).await;
            taking_turns = taking_turns.min(bid(&there).await);
        }
        // The other server learns that nobody else bids.
        for _ in 0..40 {
            bid(&there).await;
        }
        alone = alone.min(bid(&there).await);
        bid(&here).await;
        overtaken = overtaken.min(bid(&there).await);
    }
    // BEGIN, the locks, the items, the writes, COMMIT.
    assert_eq!((alone, taking_turns, overtaken), (1, 5, 11));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bids_through_two_servers_form_one_ledger() {
    let pair = Pair::open().await;
    let mut sale = pair.sale;
    let second = sale.add_item(json!({})).await;
    let mut tasks = tokio::task::JoinSet::new();
    for n in 0..BIDDERS {
        let here = sale.bidder(&format!("bidder{n}")).await;
        let bidder = if n % 2 == 0 { here } else { here.at(pair.other.address) };
        let items = format!("/api/auctions/{}/items", sale.auction);
        let paths = [&sale.item, &second].map(|item| format!("{items}/{item}/bids"));
        tasks.spawn(async move {
            let mut accepted = 0;
            for amount in 1..=times(25, 250) {
                for path in &paths {
                    let answer = bidder.post(path, json!({"amount": amount})).await;
                    assert!([201, 422].contains(&answer.status.as_u16()), "{}", answer.text);
                    accepted += usize::from(answer.status == 201);
                }
            }
            accepted
        });
    }
    let accepted: usize = tasks.join_all().await.into_iter().sum();
    let mut kept = 0;
    for item in [sale.item.clone(), second] {
        sale.item = item;
        let mut ledger = whole_ledger(&sale).await;
        ledger.reverse();
        let sequences: Vec<i64> = ledger.iter().map(|bid| bid["sequence"].as_i64().unwrap()).collect();
        assert!(sequences.iter().copied().eq(1..=i64::try_from(ledger.len()).unwrap()), "{sequences:?}");
        let amounts: Vec<i64> = ledger.iter().map(|bid| bid["amount"].as_i64().unwrap()).collect();
        assert!(amounts.is_sorted_by(|lower, higher| lower < higher), "{amounts:?}");
        let shown = sale.owner.get(&sale.item_path()).await.expect(200);
        assert_eq!(shown["bidCount"], ledger.len());
        assert_eq!(shown["highestBid"]["amount"], *amounts.last().unwrap());
        kept += ledger.len();
    }
    assert_eq!(kept, accepted);
}

async fn whole_ledger(sale: &Sale) -> Vec<Value> {
    let (mut bids, mut page) = (Vec::new(), format!("{}?limit=100", sale.bids_path()));
    loop {
        let listed = sale.owner.get(&page).await.expect(200);
        bids.extend(listed["bids"].as_array().unwrap().iter().cloned());
        let Some(before) = listed["nextBefore"].as_i64() else { return bids };
        page = format!("{}?limit=100&before={before}", sale.bids_path());
    }
}

/// One of several concurrent equal bids through both servers is accepted.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_several_equal_bids_is_accepted() {
    let pair = Pair::open().await;
    let mut bidders = Vec::new();
    for n in 0..BIDDERS {
        let bidder = pair.sale.bidder(&format!("bidder{n}")).await;
        bidders.push(if n % 2 == 0 { bidder } else { pair.there(&bidder) });
    }
    for amount in 1..=times(10, 100) {
        let bids = bidders.iter().map(|bidder| pair.sale.bid(bidder, json!({"amount": amount})));
        let answers = futures::future::join_all(bids).await;
        let accepted = answers.iter().filter(|answer| answer.status == 201).count();
        assert_eq!(accepted, 1, "at {amount}");
    }
}

#[tokio::test]
async fn a_rule_created_at_one_server_applies_at_the_other_at_once() {
    let pair = Pair::open().await;
    let here = pair.sale.bidder("ada").await;
    let there = pair.there(&here);
    pair.sale.bid(&there, json!({"amount": 10})).await.expect(201);
    pair.sale.bid(&here, json!({"amount": 11})).await.expect(201);
    let rules = format!("/api/auctions/{}/currency-rules", pair.sale.auction);
    let rule = json!({"type": "MIN_INCREMENT", "params": {"amount": 5}});
    pair.sale.owner.post(&rules, rule).await.expect(201);
    let refused = pair.sale.bid(&there, json!({"amount": 12})).await.expect_problem(422, "BID_REJECTED");
    assert_eq!(codes(&refused), ["MIN_INCREMENT"]);
    pair.sale.owner.post(&format!("/api/auctions/{}/close", pair.sale.auction), json!({})).await.expect(200);
    pair.sale.bid(&there, json!({"amount": 20})).await.expect_problem(409, "ITEM_NOT_OPEN");
}

/// Sooner than the periodic check of a stream.
#[tokio::test]
async fn a_stream_of_one_server_has_the_events_of_the_other() {
    let pair = Pair::open().await;
    let here = pair.sale.bidder("ada").await;
    let there = pair.there(&here);
    let mut events = Events::open(&here, &format!("{}/events", pair.sale.item_path())).await;
    events.item().await;
    let path = format!("/api/auctions/{}/events", pair.sale.auction);
    let mut of_auction = Events::open(&there, &path).await;
    of_auction.item().await;
    for amount in 1..=5 {
        let bidder = if amount % 2 == 0 { &here } else { &there };
        pair.sale.bid(bidder, json!({"amount": amount})).await.expect(201);
        for events in [&mut events, &mut of_auction] {
            let event = tokio::time::timeout(Duration::from_millis(1500), events.bid()).await;
            let (_, bid) = event.expect("in time");
            assert_eq!(bid["sequence"], amount);
        }
    }
}

/// A broken stream resumes at the other server with its last id.
#[tokio::test]
async fn a_stream_resumes_at_the_other_server() {
    let pair = Pair::open().await;
    let here = pair.sale.bidder("ada").await;
    for amount in 1..=3 {
        pair.sale.bid(&here, json!({"amount": amount})).await.expect(201);
    }
    let path = format!("{}/events", pair.sale.item_path());
    let there = pair.there(&here);
    let mut events = Events::of(there.request("GET", &path).header("last-event-id", "1")).await;
    events.item().await;
    for sequence in 2..=3 {
        assert_eq!(events.bid().await.0, sequence);
    }
}

#[tokio::test]
async fn signing_out_at_one_server_ends_the_session_at_the_other() {
    let pair = Pair::open().await;
    let here = pair.sale.bidder("ada").await;
    let there = pair.there(&here);
    there.get("/api/user").await.expect(200);
    here.post("/api/auth/logout", json!({})).await.expect(204);
    // The clock stands still, so that no cache expires.
    let refused = async {
        while there.get("/api/user").await.status != 401 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(2), refused).await.expect("a notification in time");
}

/// After broken connections, as in a restart of the database, bids and streams continue without a restart of
/// the server.
#[tokio::test]
async fn the_server_recovers_from_broken_connections() {
    let pair = Pair::open().await;
    let ada = pair.sale.bidder("ada").await;
    pair.sale.bid(&ada, json!({"amount": 1})).await.expect(201);
    let mut events = Events::open(&ada, &format!("{}/events", pair.sale.item_path())).await;
    events.item().await;
    let held = pair.sale.app.state.context.db.write_in(&[pair.sale.auction.parse().unwrap()]).await.unwrap();
    let bid = tokio::spawn({
        let (there, path) = (pair.there(&ada), pair.sale.bids_path());
        async move { there.post(&path, json!({"amount": 2})).await }
    });
    // Wait until the batch of the other server waits for the auction, then terminate both connections.
    let mut connection = pair.other.state.context.db.read().await.unwrap();
    let sql = concat!("SELECT COUNT(DISTINCT l.pid) ", in_use!());
    while query_scalar(sql).fetch_one::<i64>(&mut connection).await.unwrap() < 2 {
        tokio::task::yield_now().await;
    }
    let terminate = query_scalar(concat!("SELECT pg_terminate_backend(l.pid) ", in_use!()));
    terminate.fetch_all::<bool>(&mut connection).await.unwrap();
    drop(held);
    assert_eq!(bid.await.unwrap().expect(201)["sequence"], 2, "the batch is judged again");
    assert_eq!(pair.sale.bid(&ada, json!({"amount": 3})).await.expect(201)["sequence"], 3);
    for sequence in 2..=3 {
        assert_eq!(events.bid().await.0, sequence);
    }
}

/// Whether or not the commit was done before its connection broke, the bid is placed once.
#[tokio::test]
async fn an_unconfirmed_commit_is_looked_up() {
    // A batch in an auction that is cached is one statement, others are a transaction.
    let whens = [Break::BeforeCommit, Break::AfterCommit];
    for (when, is_known) in whens.into_iter().flat_map(|when| [(when, false), (when, true)]) {
        let app = TestApp::start_on_postgres().await;
        let sale = Sale::open_in(app, json!({}), &[points("PTS", "1")], json!({})).await;
        let line = Line::to(&sale.app.state.installation.settings.database_url).await;
        let other = sale.app.another_with(|settings| settings.database_url = line.database_url.clone()).await;
        let here = sale.bidder("ada").await;
        let ada = here.at(other.address);
        sale.bid(if is_known { &ada } else { &here }, json!({"amount": 1})).await.expect(201);
        let mut events = Events::open(&ada, &format!("{}/events", sale.item_path())).await;
        events.item().await;
        line.break_next(when);
        let placed = sale.bid(&ada, json!({"amount": 2})).await.expect(201);
        assert!(line.is_broken(), "{when:?} {is_known}");
        let next = sale.bid(&ada, json!({"amount": 3})).await.expect(201);
        let ledger = sale.bids().await;
        let ids: Vec<&Value> = ledger.iter().map(|bid| &bid["id"]).collect();
        assert_eq!((ids.len(), ids[0], ids[1]), (3, &next["id"], &placed["id"]), "{when:?} {is_known}");
        for sequence in 2..=3 {
            assert_eq!(events.bid().await.0, sequence, "{when:?} {is_known}");
        }
    }
}

/// A transaction takes locks in another order: the batch is rolled back and evaluated again. PostgreSQL
/// aborts the transaction of a deadlock that first has waited for a second.
#[tokio::test]
async fn a_batch_in_a_deadlock_is_evaluated_again() {
    let pair = Pair::open().await;
    let ada = pair.sale.bidder("ada").await;
    for sequence in 1..10 {
        let mut stranger = pair.other.state.context.db.write().await.unwrap();
        query("SELECT 1 FROM event_heads FOR UPDATE").execute(&mut stranger).await.unwrap();
        let bid = tokio::spawn({
            let (ada, path) = (ada.at(pair.sale.app.address), pair.sale.bids_path());
            async move { ada.post(&path, json!({"amount": sequence})).await }
        });
        // By now the batch has locked the auction and waits for the head of its events.
        let sql = "SELECT COUNT(*) FROM pg_locks
                   WHERE NOT granted AND transactionid = pg_current_xact_id()::xid";
        while query_scalar(sql).fetch_one::<i64>(&mut stranger).await.unwrap() < 1 {
            assert!(!bid.is_finished(), "the bid waits for the lock");
            tokio::task::yield_now().await;
        }
        let taken_back = match query("SELECT 1 FROM auctions FOR UPDATE").execute(&mut stranger).await {
            Ok(_) => {
                stranger.commit().await.unwrap();
                true
            }
            Err(error) => {
                assert!(error.is_conflict(), "{error}");
                drop(stranger);
                false
            }
        };
        assert_eq!(bid.await.unwrap().expect(201)["sequence"], sequence);
        if taken_back {
            return;
        }
    }
    panic!("no batch was rolled back in any round");
}

/// A commit waits for the disk, whatever the default of the database.
#[tokio::test]
async fn commits_wait_for_the_disk() {
    let app = TestApp::start_on_postgres().await;
    let lax = format!("{}%20-csynchronous_commit%3Doff", app.state.installation.settings.database_url);
    let database = platform::db::Database::open(&lax).await.unwrap();
    let sql = "SELECT current_setting('synchronous_commit')";
    let set: String = query_scalar(sql).fetch_one(&mut database.write().await.unwrap()).await.unwrap();
    assert_eq!(set, "on");
    let (mut batch, _) = database.write_bids(&BTreeSet::new(), None).await.unwrap();
    let set: String = query_scalar(sql).fetch_one(&mut batch).await.unwrap();
    assert_eq!(set, "on");
    drop(batch);
    database.close().await;
}

/// A dropped transaction releases its locks.
#[tokio::test]
async fn locks_of_a_dropped_transaction_are_released_at_once() {
    let pair = Pair::open().await;
    let auctions = [pair.sale.auction.parse().unwrap()];
    let db = &pair.sale.app.state.context.db;
    for turns in (0..200).step_by(10) {
        drop(db.write_in(&auctions).await.unwrap());
        // At different times during its beginning.
        let mut begun = Box::pin(db.write_in(&auctions));
        for _ in 0..turns {
            tokio::select! {
                biased;
                _ = &mut begun => break,
                () = tokio::task::yield_now() => {}
            }
        }
        drop(begun);
        let next = pair.other.state.context.db.write_in(&auctions);
        let next = tokio::time::timeout(Duration::from_secs(2), next).await.expect("the lock is free");
        next.unwrap().commit().await.unwrap();
    }
}

/// The pool does not return a broken connection.
#[tokio::test]
async fn a_broken_connection_is_not_reused() {
    let app = TestApp::start_on_postgres().await;
    for _ in 0..3 {
        let mut cut = app.state.context.db.read().await.unwrap();
        let terminate = query_scalar("SELECT pg_terminate_backend(pg_backend_pid())");
        terminate.fetch_one::<bool>(&mut cut).await.unwrap_err();
        drop(cut);
        app.state.context.db.check_writable().await.unwrap();
    }
}

//! Books that share what is spent at once among the members who are present.

mod corrections;

use auction_house::engine::Normalized;
use platform::db::Sql;
use serde_json::{Value, json};

use super::{BookSale, short_of};
use crate::harness::{Answer, Client, TestApp};
use crate::routes::auctions::items::bids::text;
use crate::routes::auctions::{give_role, user_id};

/// An auction whose book shares at once, with Ada, Ben and Cleo, who have 200 each.
pub struct Raid {
    pub opened: BookSale,
    pub people: [Client; 3],
    pub ids: [String; 3],
}

impl Raid {
    /// Everyone is present.
    async fn open(share: Value) -> Self {
        let raid = Self::open_in(TestApp::start().await, share).await;
        raid.set_present(&[0, 1, 2], true).await;
        raid
    }

    /// Nobody is present.
    pub async fn open_in(app: TestApp, share: Value) -> Self {
        let opened = BookSale::open_in(app, "200").await;
        let sale = &opened.sale;
        let people = [sale.bidder("ada").await, sale.bidder("ben").await, sale.bidder("cleo").await];
        let mut ids = Vec::new();
        for person in &people {
            ids.push(user_id(person).await);
        }
        let raid = Self { people, ids: ids.try_into().unwrap(), opened };
        raid.patch(json!({ "share": share })).await;
        raid
    }

    fn owner(&self) -> &Client {
        &self.opened.sale.owner
    }

    fn book(&self) -> String {
        format!("/api/books/{}", self.opened.book)
    }

    async fn patch(&self, terms: Value) -> Value {
        self.owner().patch(&self.book(), terms).await.expect(200)
    }

    pub async fn set_present(&self, people: &[usize], present: bool) {
        let ids: Vec<_> = people.iter().map(|at| &self.ids[*at]).collect();
        let path = format!("/api/auctions/{}/present", self.opened.sale.auction);
        let body = json!({"userIds": ids, "present": present}).to_string();
        let request = self.owner().request("PUT", &path).header("content-type", "application/json");
        Answer::of(request.body(body)).await.expect(200);
    }

    pub async fn bid(&self, person: usize, amount: u64) {
        self.opened.bid_on(&self.opened.sale.item, &self.people[person], amount).await.expect(201);
    }

    /// Sells the item to a person, by hand.
    async fn sell(&self, person: usize, amount: u64) {
        self.bid(person, amount).await;
        self.owner().post(&format!("{}/close", self.opened.sale.item_path()), json!({})).await.expect(200);
    }

    async fn outcome(&self, body: Value) -> Answer {
        self.owner().post(&format!("{}/outcome", self.opened.sale.item_path()), body).await
    }

    /// Sells the closed item to another person, or at another price.
    async fn correct(&self, person: usize, amount: &str) -> Answer {
        let member = json!({"userId": self.ids[person]});
        self.outcome(json!({"for": member, "amount": amount, "reason": "Wrong number"})).await
    }

    /// What the three have.
    pub async fn has(&self) -> [String; 3] {
        let mut has = Vec::new();
        for person in &self.people {
            has.push(self.opened.funds(person).await[0].clone());
        }
        has.try_into().unwrap()
    }

    /// What the three have together.
    async fn total(&self) -> String {
        let add = |sum: Normalized, has: &String| sum.checked_add(has.parse().unwrap()).unwrap();
        self.has().await.iter().fold(Normalized::ZERO, add).to_string()
    }

    /// What is in the pot of the auction, which is absent where it is 0.
    pub async fn pot(&self) -> String {
        let auction =
            self.owner().get(&format!("/api/auctions/{}", self.opened.sale.auction)).await.expect(200);
        auction["pot"].as_str().unwrap_or("0").to_owned()
    }

    /// The runs, oldest first, with their rows.
    async fn runs(&self) -> Vec<Value> {
        let listed = self.owner().get(&format!("{}/runs", self.book())).await.expect(200);
        let mut runs = Vec::new();
        for run in listed["runs"].as_array().unwrap().iter().rev() {
            runs.push(self.owner().get(&format!("{}/runs/{}", self.book(), run["number"])).await.expect(200));
        }
        runs
    }

    /// What each run has given, and whether it was reversed.
    async fn given(&self) -> Vec<String> {
        let line = |run: &Value| {
            let rows = run["rows"].as_array().unwrap().iter();
            let amounts: Vec<_> = rows.map(|row| text(&row["amount"])).collect();
            let reversed = if run["reversed"].is_null() { "" } else { ", reversed" };
            format!("{} kept {}{reversed}", amounts.join(" "), text(&run["kept"]))
        };
        self.runs().await.iter().map(line).collect()
    }

    async fn reverse_by_hand(&self, number: i64) {
        let path = format!("{}/runs/{number}/reverse", self.book());
        self.owner().post(&path, json!({"reason": "Shared otherwise"})).await.expect(200);
    }
}

fn automatic() -> Value {
    json!({"automatic": true})
}

#[tokio::test]
async fn what_is_paid_is_shared_in_the_transaction_of_the_outcome() {
    let raid = Raid::open(automatic()).await;
    raid.sell(0, 100).await;
    assert_eq!(raid.has().await, ["133.33", "233.33", "233.33"]);
    assert_eq!(raid.pot().await, "0.01");
    let runs = raid.runs().await;
    assert_eq!(runs.len(), 1);
    let run = &runs[0];
    assert_eq!((&run["kind"], &run["automatic"], &run["by"]), (&json!("SHARE"), &json!(true), &Value::Null));
    assert_eq!((&run["kept"], &run["reason"]), (&json!("0.01"), &json!("“A vase” was sold")));
    let params = &run["params"];
    assert_eq!((&params["itemId"], &params["rest"]), (&json!(raid.opened.sale.item), &json!("KEEP")));
    assert_eq!(params["present"], json!(raid.ids));
    let receivers: Vec<_> = params["to"].as_array().unwrap().iter().map(|to| text(&to["holder"])).collect();
    assert_eq!(receivers, raid.ids);
    let entries = raid.owner().get(&format!("{}/entries", raid.book())).await.expect(200);
    let last = &entries["entries"][0];
    assert_eq!((&last["kind"], &last["run"], &last["by"]), (&json!("SHARE"), &json!(1), &Value::Null));
    // A run by hand goes on with the numbers, shares what is left, and is not automatic.
    let body = json!({"kind": "SHARE", "reason": "Rest", "params": {"auctionId": raid.opened.sale.auction,
        "to": [raid.ids[0]]}});
    let request = raid.owner().request("POST", &format!("{}/runs", raid.book()));
    let request = request.header("idempotency-key", "k1").header("content-type", "application/json");
    let by_hand = Answer::of(request.body(body.to_string())).await.expect(201);
    assert_eq!((&by_hand["number"], by_hand.get("automatic")), (&json!(2), None));
    assert_eq!(raid.pot().await, "0");
}

#[tokio::test]
async fn spread_shares_all_of_it_and_the_balances_together_stay() {
    let raid = Raid::open(json!({"automatic": true, "rest": "SPREAD"})).await;
    raid.sell(1, 100).await;
    assert_eq!(raid.has().await, ["233.34", "133.33", "233.33"]);
    assert_eq!(raid.total().await, "600");
    assert_eq!(raid.pot().await, "0");
    raid.correct(2, "50").await.expect(200);
    assert_eq!(raid.has().await, ["216.67", "216.67", "166.66"]);
    assert_eq!(raid.total().await, "600");
    assert_eq!(raid.pot().await, "0");
}

#[tokio::test]
async fn a_book_that_does_not_share_at_once_shares_nothing() {
    let raid = Raid::open(json!({"rest": "SPREAD"})).await;
    raid.sell(0, 100).await;
    assert_eq!((raid.has().await[0].clone(), raid.pot().await), ("100".to_owned(), "100".to_owned()));
    // Neither does a correction once it does: nothing was shared.
    raid.patch(json!({"share": automatic()})).await;
    raid.correct(1, "90").await.expect(200);
    assert_eq!(raid.pot().await, "90");
}

#[tokio::test]
async fn caps_act_on_what_is_shared_at_once_and_what_they_take_stays_in_the_pot() {
    let raid = Raid::open(automatic()).await;
    raid.patch(json!({"caps": {"hard": 210}})).await;
    raid.sell(0, 90).await;
    assert_eq!(raid.has().await, ["140", "210", "210"]);
    assert_eq!(raid.given().await, ["30 10 10 kept 40"]);
    assert_eq!(raid.pot().await, "40");
    let row = &raid.runs().await[0]["rows"][1];
    assert_eq!((&row["asked"], &row["amount"]), (&json!("30"), &json!("10")));
    // Nothing is left for two of them, whose rows stay.
    raid.patch(json!({"caps": {"hard": 200}})).await;
    raid.correct(0, "60").await.expect(200);
    assert_eq!(raid.has().await, ["160", "200", "200"]);
    assert_eq!(raid.given().await[1], "20 0 0 kept 40");
}

#[tokio::test]
async fn what_is_shared_at_once_counts_for_the_week() {
    let raid = Raid::open(automatic()).await;
    raid.patch(json!({"caps": {"weekly": 50}})).await;
    let lamp = raid.opened.sale.add_item(json!({"name": "A lamp"})).await;
    raid.opened.bid_on(&lamp, &raid.people[1], 90).await.expect(201);
    raid.bid(0, 90).await;
    // Both items in one transaction.
    let auction = format!("/api/auctions/{}", raid.opened.sale.auction);
    raid.owner().post(&format!("{auction}/close"), json!({})).await.expect(200);
    assert_eq!(raid.given().await, ["30 30 30 kept 0", "20 20 20 kept 30"]);
    assert_eq!(raid.has().await, ["160", "160", "250"]);
    // What is reversed was not given.
    raid.correct(0, "60").await.expect(200);
    assert_eq!(raid.given().await[2], "20 20 20 kept 0");
    raid.correct(0, "150").await.expect(200);
    assert_eq!(raid.given().await[3], "30 30 30 kept 60");
}

/// The balance that a share raises is that of the next bid.
#[tokio::test]
async fn the_clock_shares_and_bids_after_it_see_what_was_shared() {
    let raid = Raid::open(automatic()).await;
    let sale = &raid.opened.sale;
    let end = |seconds: i64| sale.app.state.context.clock.now().plus_seconds(seconds).to_string();
    let (lamp, jug) =
        (sale.add_item(json!({"endDate": end(60)})).await, sale.add_item(json!({"endDate": end(60)})).await);
    raid.opened.bid_on(&lamp, &raid.people[0], 90).await.expect(201);
    raid.opened.bid_on(&jug, &raid.people[1], 60).await.expect(201);
    raid.opened.bid_on(&sale.item, &raid.people[2], 10).await.expect(201);
    sale.app.clock.advance_seconds(61);
    sale.app.reconcile().await;
    sale.app.reconcile().await;
    assert_eq!(raid.has().await, ["160", "190", "250"]);
    assert_eq!(raid.given().await, ["30 30 30 kept 0", "20 20 20 kept 0"]);
    raid.bid(2, 250).await;
    let refused = raid.opened.bid_on(&sale.item, &raid.people[0], 251).await;
    assert_eq!(short_of(&refused), ("251".to_owned(), "160".to_owned()));
}

#[tokio::test]
async fn a_hammer_shares_once_also_if_it_is_repeated() {
    let raid = Raid::open(automatic()).await;
    let body = json!({"result": "SOLD", "for": {"userId": raid.ids[1]}, "amount": 99});
    for _ in 0..2 {
        let path = format!("{}/hammer", raid.opened.sale.item_path());
        let request = raid.owner().request("POST", &path).header("idempotency-key", "h1");
        Answer::of(request.json(&body)).await.expect(200);
    }
    assert_eq!(raid.has().await, ["233", "134", "233"]);
    let passed = raid.opened.sale.add_item(json!({})).await;
    raid.opened.bid_on(&passed, &raid.people[0], 10).await.expect(201);
    let path = format!("/api/auctions/{}/items/{passed}/hammer", raid.opened.sale.auction);
    let request = raid.owner().request("POST", &path).header("idempotency-key", "h2");
    Answer::of(request.json(&json!({"result": "PASSED"}))).await.expect(200);
    assert_eq!(raid.runs().await.len(), 1);
}

/// A change of the auction's end closes items that have ended before it.
#[tokio::test]
async fn items_that_a_new_end_closes_are_shared() {
    let raid = Raid::open(automatic()).await;
    let sale = &raid.opened.sale;
    let end = |seconds| sale.app.state.context.clock.now().plus_seconds(seconds).to_string();
    let item = sale.add_item(json!({"endDate": end(60)})).await;
    raid.opened.bid_on(&item, &raid.people[0], 30).await.expect(201);
    sale.app.clock.advance_seconds(61);
    let path = format!("/api/auctions/{}", sale.auction);
    sale.owner.patch(&path, json!({"endDate": end(600)})).await.expect(200);
    assert_eq!(raid.has().await, ["180", "210", "210"]);
}

#[tokio::test]
async fn a_closed_book_keeps_what_was_charged_and_shared() {
    let raid = Raid::open(automatic()).await;
    raid.sell(0, 90).await;
    let auction = format!("/api/auctions/{}", raid.opened.sale.auction);
    raid.owner().post(&format!("{auction}/close"), json!({})).await.expect(200);
    raid.patch(json!({"status": "CLOSED"})).await;
    raid.correct(1, "60").await.expect_problem(409, "CLOSED");
    assert_eq!(raid.has().await, ["140", "230", "230"]);
}

/// A holder who has left gets nothing; a correction shares among the others.
#[tokio::test]
async fn a_present_member_who_left_the_book_gets_nothing() {
    let raid = Raid::open(automatic()).await;
    raid.sell(0, 90).await;
    let auction = format!("/api/auctions/{}", raid.opened.sale.auction);
    raid.owner().post(&format!("{auction}/close"), json!({})).await.expect(200);
    raid.people[2].delete(&format!("{}/holders/{}", raid.book(), raid.ids[2])).await;
    raid.correct(1, "60").await.expect(200);
    assert_eq!(raid.given().await, ["30 30 30 kept 0, reversed", "30 30 kept 0"]);
    assert_eq!(raid.runs().await[1]["params"]["present"], json!(raid.ids));
}

/// What a correction takes back from the new winner can't pay for the item.
#[tokio::test]
async fn two_auctions_of_one_book_share_among_their_own_members() {
    let raid = Raid::open(automatic()).await;
    let (other, lamp) = raid.opened.another_auction().await;
    let path = format!("/api/auctions/{other}");
    for person in &raid.people[..2] {
        person.post(&format!("{path}/join"), json!({})).await.expect(200);
    }
    give_role(raid.owner(), &path, &raid.people[1], "ADMIN").await;
    let body = json!({"userIds": [raid.ids[1]], "present": true}).to_string();
    let request = raid.owner().request("PUT", &format!("{path}/present"));
    Answer::of(request.header("content-type", "application/json").body(body)).await.expect(200);
    raid.people[0].post(&format!("{path}/items/{lamp}/bids"), json!({"amount": 10})).await.expect(201);
    raid.bid(0, 30).await;
    let (here, there) =
        (format!("{}/close", raid.opened.sale.item_path()), format!("{path}/items/{lamp}/close"));
    let (here, there) =
        tokio::join!(raid.owner().post(&here, json!({})), raid.owner().post(&there, json!({})));
    here.expect(200);
    there.expect(200);
    assert_eq!(raid.has().await, ["170", "220", "210"]);
}

#[tokio::test]
async fn holders_are_told_once_of_what_a_run_gives() {
    let raid = Raid::open(automatic()).await;
    raid.sell(0, 90).await;
    let told = async |person: &Client| {
        let found = person.get("/api/user/notifications").await.expect(200);
        let all = found["notifications"].as_array().unwrap().clone();
        let of_balance = all.into_iter().filter(|one| one["kind"] == "BALANCE");
        of_balance.map(|one| text(&one["text"]).replace('\u{a0}', " ")).collect::<Vec<_>>()
    };
    for person in &raid.people {
        assert_eq!(told(person).await, ["Your balance changed by 30 PTS (30 Points): “A vase” was sold"]);
    }
    // A correction that leaves the balance as it was is no news.
    for person in &raid.people {
        person.post("/api/user/notifications/read", json!({"all": true})).await;
        raid.opened.sale.app.clock.advance_seconds(3601);
    }
    raid.correct(1, "90").await.expect(200);
    for person in &raid.people {
        assert_eq!(told(person).await.len(), 1);
    }
    raid.correct(1, "120").await.expect(200);
    let news = told(&raid.people[2]).await;
    assert_eq!(
        (news.len(), news[0].as_str()),
        (2, "Your balance changed by 10 PTS (10 Points), in 2 entries.")
    );
}

/// Bids wait for a transaction: one that shares among many people closes fewer items.
#[tokio::test]
async fn what_is_shared_among_many_is_written_in_parts() {
    const ITEMS: usize = 30;
    let raid = Raid::open(automatic()).await;
    let sale = &raid.opened.sale;
    macro_rules! users {
        ($new_id:literal) => {
            concat!(
                "INSERT INTO users (id, name, password_hash, device_key, created_at)
                 WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 397)
                 SELECT ",
                $new_id,
                ", 'Number ' || i, 'none', 'none', 0 FROM n"
            )
        };
    }
    sale.write(Sql { sqlite: users!("randomblob(16)"), postgres: users!("gen_random_uuid()") }).await;
    for statement in [
        "INSERT INTO members (auction_id, user_id, role, joined_at, present)
         SELECT a.id, u.id, 'BIDDER', 0, TRUE FROM auctions a, users u WHERE u.password_hash = 'none'",
        "INSERT INTO book_holders (book_id, user_id, role, joined_at)
         SELECT b.id, u.id, 'HOLDER', 0 FROM books b, users u WHERE u.password_hash = 'none'",
        "UPDATE books SET revision = revision + 1",
    ] {
        sale.write(statement).await;
    }
    let end = sale.app.state.context.clock.now().plus_seconds(60).to_string();
    for end in [Value::String(end), Value::Null] {
        for n in 0..ITEMS {
            let item = sale.add_item(json!({ "endDate": end })).await;
            raid.opened.bid_on(&item, &raid.people[n % 3], 4).await.expect(201);
        }
    }
    let before = raid.opened.revision().await;
    sale.app.clock.advance_seconds(61);
    sale.app.reconcile().await;
    let ended = raid.opened.revision().await;
    // 30 times 400 entries, and at most about 5,000 in a transaction.
    assert!(ended - before >= 3, "{} parts", ended - before);
    sale.owner.post(&format!("/api/auctions/{}/close", sale.auction), json!({})).await.expect(200);
    let closed = raid.opened.revision().await;
    assert_eq!(closed - ended, 3, "parts");
    let newest = raid.owner().get(&format!("{}/runs?limit=1", raid.book())).await.expect(200);
    assert_eq!(newest["runs"][0]["number"], json!(2 * ITEMS));
    assert_eq!(raid.pot().await, "0");
}

/// A teller who is no member of a hidden auction learns neither the item nor who was present.
#[tokio::test]
async fn runs_of_a_hidden_auction_tell_a_teller_no_item() {
    let raid = Raid::open(json!({"automatic": true, "buyer": "OUT"})).await;
    let auction = format!("/api/auctions/{}", raid.opened.sale.auction);
    raid.owner().patch(&auction, json!({"bidderVisibility": "ANONYMOUS"})).await.expect(200);
    let teller = raid.opened.sale.app.user("teller").await;
    let token = raid.owner().get(&raid.book()).await.expect(200)["inviteToken"].clone();
    teller.post(&format!("{}/join", raid.book()), json!({ "inviteToken": token })).await.expect(200);
    let holder = format!("{}/holders/{}", raid.book(), user_id(&teller).await);
    raid.owner().patch(&holder, json!({"role": "TELLER"})).await.expect(200);
    raid.sell(0, 90).await;
    raid.correct(1, "60").await.expect(200);
    let owned = raid.owner().get(&format!("{}/runs/1", raid.book())).await.expect(200);
    assert_eq!(owned["params"]["itemId"], json!(raid.opened.sale.item));
    for path in ["runs", "runs/1", "runs/2", "entries", "export?format=json"] {
        let seen = teller.get(&format!("{}/{path}", raid.book())).await;
        assert_eq!(seen.status, 200);
        assert!(!seen.text.contains(&raid.opened.sale.item), "{}", seen.text);
        assert!(!seen.text.contains("A vase") && !seen.text.contains("present"), "{}", seen.text);
        assert!(seen.text.contains("An item was sold"), "{}", seen.text);
    }
}

#[tokio::test]
async fn two_servers_share_each_item_once() {
    let app = TestApp::start_on_postgres().await;
    let raid = Raid::open_in(app, json!({"automatic": true, "rest": "SPREAD"})).await;
    raid.set_present(&[0, 1, 2], true).await;
    let sale = &raid.opened.sale;
    let other = sale.app.another().await;
    let end = sale.app.state.context.clock.now().plus_seconds(60).to_string();
    let mut items = Vec::new();
    for n in 0..10 {
        let item = sale.add_item(json!({"endDate": end})).await;
        raid.opened.bid_on(&item, &raid.people[n % 3], 10).await.expect(201);
        items.push(item);
    }
    sale.app.clock.advance_seconds(61);
    tokio::join!(sale.app.reconcile(), other.reconcile(), sale.app.reconcile());
    sale.app.reconcile().await;
    let runs = raid.runs().await;
    assert_eq!(runs.len(), items.len());
    assert_eq!(raid.pot().await, "0");
    assert_eq!(raid.total().await, "600");
}

/// Sealed bids are charged for each copy, and each price is shared. A corrected copy takes its own share
/// back.
#[tokio::test]
async fn each_copy_of_a_sealed_item_is_shared_by_itself() {
    let raid = Raid::open(json!({"automatic": true, "digits": 0, "rest": "SPREAD"})).await;
    let sale = &raid.opened.sale;
    let item = sale.add_item(json!({"format": "SEALED", "copies": 2, "price": "OWN"})).await;
    for (person, amount) in [(0, 90), (1, 60), (2, 30)] {
        raid.opened.bid_on(&item, &raid.people[person], amount).await.expect(201);
    }
    let path = format!("/api/auctions/{}/items/{item}", sale.auction);
    sale.owner.post(&format!("{path}/close"), json!({})).await.expect(200);
    assert_eq!(raid.has().await, ["160", "190", "250"]);
    assert_eq!((raid.total().await, raid.pot().await), ("600".to_owned(), "0".to_owned()));
    // The second copy goes to nobody: what it was sold for comes back.
    let nobody = json!({"copy": 2, "sequence": null, "reason": "Broken"});
    sale.owner.post(&format!("{path}/outcome"), nobody).await.expect(200);
    assert_eq!(raid.has().await, ["140", "230", "230"]);
    assert_eq!(raid.given().await, ["30 30 30 kept 0", "20 20 20 kept 0, reversed"]);
    assert_eq!(raid.pot().await, "0");
}

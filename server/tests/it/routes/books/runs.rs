//! `/api/books/{book_id}/runs`: shares, decays, grants to many and imports as one commit each.

mod concurrent;
mod list;

use serde_json::{Value, json};

use super::{Class, balances, each, entries, grant, keyed, names};
use crate::harness::{Answer, Client};
use crate::routes::auctions::items::bids::books::BookSale;
use crate::routes::auctions::{NO_ID, user_id, wrong_fields};

/// Asks for a run, with its key.
async fn run(keeper: &Client, book: &str, key: &str, kind: &str, params: Value) -> Answer {
    let body = json!({"kind": kind, "params": params, "reason": "Tuesday"});
    keyed(keeper, &format!("{book}/runs"), key, &body).await
}

async fn preview(keeper: &Client, book: &str, kind: &str, params: Value) -> Answer {
    keeper.post(&format!("{book}/runs?dryRun=true"), json!({"kind": kind, "params": params})).await
}

async fn reverse(keeper: &Client, book: &str, number: i64) -> Answer {
    keeper.post(&format!("{book}/runs/{number}/reverse"), json!({"reason": "Too early"})).await
}

fn amounts(run: &Value) -> Vec<Value> {
    each(run["rows"].as_array().unwrap(), "amount")
}

/// A sale in which Ada has paid 100; its auction, and the ids of Ada, Ben and Cleo, who have 200 each.
async fn spent() -> (BookSale, String, [String; 3]) {
    let opened = BookSale::open("200").await;
    let sale = &opened.sale;
    let people = [sale.bidder("ada").await, sale.bidder("ben").await, sale.bidder("cleo").await];
    let mut ids = Vec::new();
    for person in &people {
        person.post(&format!("/api/auctions/{}/join", sale.auction), json!({})).await;
        ids.push(user_id(person).await);
    }
    opened.bid_on(&sale.item, &people[1], 90).await.expect(201);
    opened.bid_on(&sale.item, &people[0], 100).await.expect(201);
    sale.owner.post(&format!("{}/close", sale.item_path()), json!({})).await.expect(200);
    let book = format!("/api/books/{}", opened.book);
    for person in &people {
        let token = sale.owner.get(&book).await.expect(200)["inviteToken"].clone();
        person.post(&format!("{book}/join"), json!({ "inviteToken": token })).await.expect(200);
    }
    (opened, book, [ids[0].clone(), ids[1].clone(), ids[2].clone()])
}

fn to(ids: &[String]) -> Value {
    ids.iter().map(|id| json!({ "holder": id })).collect()
}

#[tokio::test]
async fn what_was_spent_is_shared_to_the_last_digit_and_a_correction_leaves_the_pot_below_zero() {
    let (opened, book, ids) = spent().await;
    let owner = &opened.sale.owner;
    let auction = &opened.sale.auction;
    let pots = async || {
        let (of_book, of_auction) =
            (owner.get(&book).await, owner.get(&format!("/api/auctions/{auction}")).await);
        (of_book.expect(200)["pot"].clone(), of_auction.expect(200)["pot"].clone())
    };
    assert_eq!(pots().await, (json!("100"), json!("100")));
    let params = json!({"auctionId": auction, "to": to(&ids)});
    let shown = preview(owner, &book, "SHARE", params.clone()).await.expect(200);
    assert_eq!((amounts(&shown), &shown["kept"]), (vec![json!("33.33"); 3], &json!("0.01")));
    assert_eq!(shown["rows"][0]["before"], "100");
    assert_eq!(shown["params"]["rest"], "KEEP");
    let body = json!({"kind": "SHARE", "params": params, "reason": "Tuesday", "expect": shown["hash"]});
    let made = keyed(owner, &format!("{book}/runs"), "k1", &body).await.expect(201);
    assert_eq!((&made["rows"], &made["kept"], &made["number"]), (&shown["rows"], &json!("0.01"), &json!(1)));
    assert_eq!((&made["by"]["name"], &made["reversed"]), (&json!("owner"), &Value::Null));
    let written = entries(owner, &book).await;
    let last = written.last().unwrap();
    assert_eq!(
        (&last["kind"], &last["run"], &last["reason"]),
        (&json!("SHARE"), &json!(1), &json!("Tuesday"))
    );
    assert_eq!(owner.get(&format!("{book}/runs/1")).await.expect(200), made);
    assert_eq!(pots().await, (json!("0.01"), json!("0.01")));
    // A unit less than the last digit is left: nobody gets any of it.
    let nothing = run(owner, &book, "k2", "SHARE", json!({"auctionId": auction, "to": to(&ids)})).await;
    assert_eq!(wrong_fields(&nothing), ["params"]);
    let last = json!({"itemId": opened.sale.item, "digits": 3, "to": to(&ids[..1]), "rest": "SPREAD"});
    let last = run(owner, &book, "k3", "SHARE", last).await.expect(201);
    assert_eq!((amounts(&last), &last["kept"]), (vec![json!("0.01")], &json!("0")));
    // The winner gets the price back: the pot is below zero, and the next share waits.
    let outcome = format!("{}/outcome", opened.sale.item_path());
    owner.post(&outcome, json!({"sequence": null, "reason": "It broke"})).await.expect(200);
    assert_eq!(pots().await, (json!("-100"), json!("-100")));
    let waits = run(owner, &book, "k4", "SHARE", json!({"auctionId": auction, "to": to(&ids)})).await;
    waits.expect_problem(409, "POT_EMPTY");
    preview(owner, &book, "SHARE", json!({"itemId": opened.sale.item, "to": to(&ids)}))
        .await
        .expect_problem(409, "POT_EMPTY");
    // Both shares are taken back, and the pot is empty.
    reverse(owner, &book, 1).await.expect(200);
    reverse(owner, &book, 2).await.expect(200);
    let waits = run(owner, &book, "k5", "SHARE", json!({"auctionId": auction, "to": to(&ids)})).await;
    waits.expect_problem(409, "POT_EMPTY");
    let has = balances(owner, &book).await;
    assert!(has[1..].iter().all(|(_, balance)| balance == "200"), "{has:?}");
}

#[tokio::test]
async fn cuts_weights_and_remainders_are_those_of_the_table() {
    let (opened, book, ids) = spent().await;
    let owner = &opened.sale.owner;
    let spread = json!({"amount": 100, "to": to(&ids), "rest": "SPREAD"});
    let spread = preview(owner, &book, "SHARE", spread).await.expect(200);
    assert_eq!(
        (amounts(&spread), &spread["kept"]),
        (vec![json!("33.34"), json!("33.33"), json!("33.33")], &json!("0"))
    );
    let cut = json!({"auctionId": opened.sale.auction, "digits": 0, "cuts": [{"holder": ids[0], "percent": 6}],
        "to": [{"holder": ids[1], "weight": 3}, {"holder": ids[2]}]});
    let cut = preview(owner, &book, "SHARE", cut).await.expect(200);
    assert_eq!((amounts(&cut), &cut["kept"]), (vec![json!("6"), json!("70"), json!("23")], &json!("1")));
}

#[tokio::test]
async fn balances_decay_once_a_period_until_it_is_reversed() {
    let class = Class::with(json!({"startingBalance": 500})).await;
    let (teller, book) = (&class.teller, &class.book);
    for (key, has) in [("k1", "450"), ("k2", "405"), ("k3", "364.5"), ("k4", "328.05")] {
        let params = json!({"percent": 10, "to": "ALL", "period": key});
        let made = run(teller, book, key, "DECAY", params).await.expect(201);
        assert_eq!(made["rows"].as_array().unwrap().len(), 2, "the owner has nothing");
        assert_eq!(made["rows"][0]["after"], has);
    }
    let params = json!({"percent": 50, "to": "ALL", "period": "k2", "floor": 250, "base": "WHOLE"});
    run(teller, book, "k5", "DECAY", params.clone()).await.expect_problem(409, "PERIOD_TAKEN");
    preview(teller, book, "DECAY", params.clone()).await.expect_problem(409, "PERIOD_TAKEN");
    let reversed = reverse(teller, book, 2).await.expect(200);
    assert_eq!(
        (&reversed["reversed"]["reason"], &reversed["reversed"]["by"]["name"]),
        (&json!("Too early"), &json!("teller"))
    );
    assert_eq!(
        balances(teller, book).await,
        names(&[("owner", "0"), ("teller", "373.05"), ("holder", "373.05")])
    );
    reverse(teller, book, 2).await.expect_problem(409, "ALREADY_REVERSED");
    let made = run(teller, book, "k5", "DECAY", params).await.expect(201);
    assert_eq!(made["rows"][0]["after"], "250");
    // Nobody is above the floor any more.
    let params = json!({"percent": 50, "to": "ALL", "floor": 250});
    assert_eq!(wrong_fields(&run(teller, book, "k6", "DECAY", params).await), ["params"]);
    let listed = class.owner.get(&class.path("runs?limit=2")).await.expect(200);
    assert_eq!(each(listed["runs"].as_array().unwrap(), "number"), [5, 4]);
    assert_eq!(listed["runs"][0].get("rows"), None);
    let next = format!("runs?cursor={}", listed["nextCursor"].as_str().unwrap());
    let listed = class.owner.get(&class.path(&next)).await.expect(200);
    assert_eq!(each(listed["runs"].as_array().unwrap(), "number"), [3, 2, 1]);
}

#[tokio::test]
async fn debts_are_left_or_shrunk() {
    let class = Class::with(json!({})).await;
    let holder = user_id(&class.holder).await;
    grant(&class.owner, &class.book, json!([holder]), json!(-344)).await.expect(201);
    let params = |debts: &str| json!({"percent": 10, "digits": 0, "to": [holder], "debts": debts});
    let left = preview(&class.owner, &class.book, "DECAY", params("LEAVE")).await;
    assert_eq!(wrong_fields(&left), ["params"]);
    let shrunk = preview(&class.owner, &class.book, "DECAY", params("SHRINK")).await.expect(200);
    assert_eq!(shrunk["rows"][0]["after"], "-310");
}

#[tokio::test]
async fn a_run_does_what_its_preview_said_or_nothing() {
    let class = Class::start().await;
    let (owner, book) = (&class.owner, &class.book);
    let params = json!({"percent": 10, "to": "ALL"});
    let shown = preview(owner, book, "DECAY", params.clone()).await.expect(200);
    let holder = user_id(&class.holder).await;
    grant(owner, book, json!([holder]), json!(1)).await.expect(201);
    let body = json!({"kind": "DECAY", "params": params, "reason": "Tuesday", "expect": shown["hash"]});
    keyed(owner, &class.path("runs"), "k1", &body).await.expect_problem(409, "CHANGED");
    assert_eq!(owner.get(&class.path("runs")).await.expect(200)["runs"], json!([]));
    let shown = preview(owner, book, "DECAY", params.clone()).await.expect(200);
    let body = json!({"kind": "DECAY", "params": params, "reason": "Tuesday", "expect": shown["hash"]});
    let path = class.path("runs");
    let both = tokio::join!(keyed(owner, &path, "k2", &body), keyed(owner, &path, "k2", &body));
    assert_eq!(both.0.expect(201), both.1.expect(201));
    let again = keyed(owner, &path, "k2", &body).await;
    assert_eq!(again.header("idempotent-replayed"), "true");
    // The same preview a second time is another one.
    keyed(owner, &class.path("runs"), "k3", &body).await.expect_problem(409, "CHANGED");
    assert_eq!(wrong_fields(&owner.post(&class.path("runs"), body).await), ["Idempotency-Key"]);
    assert_eq!(balances(owner, book).await, names(&[("owner", "0"), ("teller", "270"), ("holder", "270.9")]));
}

#[tokio::test]
async fn a_period_is_the_same_however_it_is_typed() {
    let class = Class::start().await;
    let decay = |period: &str| json!({"percent": 1, "to": "ALL", "period": period});
    run(&class.owner, &class.book, "k1", "DECAY", decay("Été 1")).await.expect(201);
    for period in [" E\u{301}te\u{301} 1\u{a0}", "Été 1"] {
        let again = run(&class.owner, &class.book, "k2", "DECAY", decay(period)).await;
        again.expect_problem(409, "PERIOD_TAKEN");
    }
    for period in ["Été 1\u{200b}", " "] {
        let refused = run(&class.owner, &class.book, "k3", "DECAY", decay(period)).await;
        assert_eq!(wrong_fields(&refused), ["params.period"]);
    }
}

#[tokio::test]
async fn concurrent_reversals_reverse_a_run_once() {
    let class = Class::start().await;
    run(&class.owner, &class.book, "k1", "DECAY", json!({"percent": 10, "to": "ALL"})).await.expect(201);
    let both = tokio::join!(reverse(&class.owner, &class.book, 1), reverse(&class.teller, &class.book, 1));
    let mut statuses = [both.0.status.as_u16(), both.1.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    assert_eq!(
        balances(&class.owner, &class.book).await,
        names(&[("owner", "0"), ("teller", "300"), ("holder", "300")])
    );
}

#[tokio::test]
async fn an_entry_of_a_share_or_a_decay_is_reversed_with_its_run_only() {
    let class = Class::start().await;
    run(&class.owner, &class.book, "k1", "DECAY", json!({"percent": 10, "to": "ALL"})).await.expect(201);
    let reason = json!({"reason": "Mistake"});
    class.owner.post(&class.path("entries/3/reverse"), reason).await.expect_problem(409, "NOT_REVERSIBLE");
    reverse(&class.owner, &class.book, 1).await.expect(200);
    let written = entries(&class.owner, &class.book).await;
    assert_eq!(each(&written[4..], "reverses"), [3, 4]);
    assert_eq!(each(&written[4..], "run"), [1, 1]);
}

#[tokio::test]
async fn a_grant_to_several_holders_is_a_run_and_a_grant_to_one_is_none() {
    let class = Class::start().await;
    let (owner, book) = (&class.owner, &class.book);
    let holder = user_id(&class.holder).await;
    grant(owner, book, json!([holder]), json!("0.1234567")).await.expect(201);
    let written = grant(owner, book, json!("ALL"), json!("0.00001")).await.expect(201);
    assert_eq!(each(written["entries"].as_array().unwrap(), "run"), [1, 1, 1]);
    let made = owner.get(&class.path("runs/1")).await.expect(200);
    assert_eq!((&made["kind"], amounts(&made)), (&json!("GRANT"), vec![json!("0.00001"); 3]));
    assert_eq!(made["params"], json!({"amount": "0.00001", "to": "ALL"}));
    reverse(owner, book, 1).await.expect(200);
    assert_eq!(
        balances(owner, book).await,
        names(&[("owner", "0"), ("teller", "300"), ("holder", "300.1234567")])
    );
    // One grant of it is reversed alone: the others stay.
    grant(owner, book, json!("ALL"), json!(5)).await.expect(201);
    owner.post(&class.path("entries/11/reverse"), json!({"reason": "Mistake"})).await.expect(201);
    reverse(owner, book, 2).await.expect_problem(409, "CHANGED");
}

#[tokio::test]
async fn an_import_is_a_run_and_its_undo_the_reversal_of_it() {
    let class = Class::start().await;
    let (owner, book) = (&class.owner, &class.book);
    let table = "email,amount,reason\nholder@example.org,12.5,Cakes\nteller@example.org,-1,Lost\n";
    let import = async |key: &str| {
        let request =
            owner.request("POST", &class.path("import?again=true")).header("content-type", "text/csv");
        Answer::of(request.header("idempotency-key", key).body(table)).await.expect(201)
    };
    let first = import("k1").await;
    let made = owner.get(&class.path("runs/1")).await.expect(200);
    assert_eq!((&made["kind"], &made["params"]["importId"]), (&json!("IMPORT"), &first["importId"]));
    assert_eq!((amounts(&made), &made["reason"]), (vec![json!("12.5"), json!("-1")], &Value::Null));
    let undo = class.path(&format!("imports/{}/undo", first["importId"].as_str().unwrap()));
    owner.post(&undo, Value::Null).await.expect(200);
    assert_eq!(owner.get(&class.path("runs/1")).await.expect(200)["reversed"]["reason"], "Import undone");
    let second = import("k2").await;
    reverse(owner, book, 2).await.expect(200);
    let undo = class.path(&format!("imports/{}/undo", second["importId"].as_str().unwrap()));
    owner.post(&undo, Value::Null).await.expect_problem(409, "ALREADY_UNDONE");
    assert_eq!(balances(owner, book).await, names(&[("owner", "0"), ("teller", "300"), ("holder", "300")]));
}

#[tokio::test]
async fn every_field_of_a_run_has_its_bounds() {
    let class = Class::start().await;
    let holder = user_id(&class.holder).await;
    let share = |changes: Value| {
        let mut params = json!({"amount": 1, "to": [{"holder": holder}]});
        super::change(&mut params, changes);
        ("SHARE", params)
    };
    let decay = |changes: Value| {
        let mut params = json!({"percent": 1, "to": "ALL"});
        super::change(&mut params, changes);
        ("DECAY", params)
    };
    for ((kind, params), field) in [
        (("GRANT", json!({"amount": 1, "to": "ALL"})), "kind"),
        (("IMPORT", json!({})), "kind"),
        (("SHARE", json!([])), "params"),
        (share(json!({"percent": 1})), "params"),
        (share(json!({"amount": 0})), "params.amount"),
        (share(json!({"amount": null})), "params.amount"),
        (share(json!({"auctionId": NO_ID})), "params.amount"),
        (share(json!({"auctionId": NO_ID, "amount": null})), "params.auctionId"),
        (share(json!({"itemId": "x", "amount": null})), "params.itemId"),
        (share(json!({"to": "PRESENT"})), "params.to"),
        (share(json!({"to": [NO_ID]})), "params.to.0.holder"),
        (share(json!({"to": [holder, holder]})), "params.to.1"),
        (share(json!({"to": [{"holder": holder, "weight": 10_001}]})), "params.to.0.weight"),
        (share(json!({"cuts": [{"holder": holder, "percent": "100.001"}]})), "params.cuts.0.percent"),
        (share(json!({"digits": 7})), "params.digits"),
        (share(json!({"amount": "1000000000000000"})), "params"),
        (decay(json!({"percent": "-20"})), "params.percent"),
        (decay(json!({"percent": "0.0001"})), "params.percent"),
        (decay(json!({"floor": -1})), "params.floor"),
        (decay(json!({"to": []})), "params.to"),
        (decay(json!({"period": ""})), "params.period"),
    ] {
        let answer = run(&class.owner, &class.book, "k1", kind, params.clone()).await;
        assert_eq!(wrong_fields(&answer), [field], "{params}");
    }
    let body = json!({"kind": "DECAY", "params": {"percent": 1, "to": "ALL"}});
    assert_eq!(wrong_fields(&keyed(&class.owner, &class.path("runs"), "k1", &body).await), ["reason"]);
    class.owner.get(&class.path("runs/1")).await.expect_problem(404, "NOT_FOUND");
    reverse(&class.owner, &class.book, 1).await.expect_problem(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_closed_book_takes_no_run_and_no_reversal() {
    let class = Class::start().await;
    let params = json!({"percent": 10, "to": "ALL"});
    run(&class.owner, &class.book, "k1", "DECAY", params.clone()).await.expect(201);
    class.owner.patch(&class.book, json!({"status": "CLOSED"})).await.expect(200);
    run(&class.owner, &class.book, "k2", "DECAY", params.clone()).await.expect_problem(409, "CLOSED");
    preview(&class.owner, &class.book, "DECAY", params).await.expect_problem(409, "CLOSED");
    reverse(&class.owner, &class.book, 1).await.expect_problem(409, "CLOSED");
}

#[tokio::test]
async fn each_holder_gets_one_notification_of_a_run() {
    let class = Class::start().await;
    let holder = user_id(&class.holder).await;
    let params = json!({"amount": 10, "cuts": [{"holder": holder, "percent": 50}], "to": [holder]});
    let made = run(&class.owner, &class.book, "k1", "SHARE", params).await.expect(201);
    assert_eq!(amounts(&made), ["5", "5"]);
    assert_eq!((&made["rows"][1]["before"], &made["rows"][1]["after"]), (&json!("305"), &json!("310")));
    let told = class.holder.get("/api/user/notifications").await.expect(200);
    let told: Vec<&Value> =
        told["notifications"].as_array().unwrap().iter().filter(|one| one["kind"] == "BALANCE").collect();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0]["text"].as_str().unwrap().contains("10"), "{told:?}");
}

#[tokio::test]
async fn those_who_are_present_share_what_was_spent() {
    let (opened, book, ids) = spent().await;
    let (owner, auction) = (&opened.sale.owner, &opened.sale.auction);
    let params = json!({"auctionId": auction, "to": "PRESENT"});
    assert_eq!(wrong_fields(&preview(owner, &book, "SHARE", params.clone()).await), ["params.to"]);
    let stranger = opened.sale.bidder("stranger").await;
    let left = user_id(&stranger).await;
    stranger
        .post(
            &format!("{book}/join"),
            json!({"inviteToken": owner.get(&book).await.expect(200)["inviteToken"]}),
        )
        .await;
    stranger.delete(&format!("{book}/holders/{left}")).await;
    let here = json!({"userIds": ids[1..], "present": true});
    let request = owner.request("PUT", &format!("/api/auctions/{auction}/present"));
    Answer::of(request.header("content-type", "application/json").body(here.to_string())).await.expect(200);
    let made = run(owner, &book, "k1", "SHARE", params).await.expect(201);
    assert_eq!((amounts(&made), &made["kept"]), (vec![json!("50"); 2], &json!("0")));
    let mut named = each(made["params"]["to"].as_array().unwrap(), "holder");
    named.sort_by_key(ToString::to_string);
    let mut expected = vec![json!(ids[1]), json!(ids[2])];
    expected.sort_by_key(ToString::to_string);
    assert_eq!(named, expected);
}

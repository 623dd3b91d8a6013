//! `/api/auctions/{auction_id}/items/imports`: the same table a second time, and the undo of an import.

use auction_house::ids::AuctionId;
use auction_house::imports::{self, ImportPlace};
use platform::paging::Page;
use serde_json::{Value, json};

use super::bids::{Sale, wizards};
use super::images::{add_picture, png, with_parts};
use super::import::{items, post};
use crate::dice::Dice;
use crate::harness::{Answer, Client, TestApp, times};
use crate::routes::auctions::{auction, give_role, join};

async fn undo(client: &Client, path: &str, import: &Value) -> Answer {
    client.post(&format!("{path}/items/imports/{}/undo", import.as_str().unwrap()), Value::Null).await
}

async fn exported(client: &Client, path: &str) -> String {
    client.get(&format!("{path}/items/export?format=csv")).await.text
}

const TABLE: &str = "lot,name,currency,ends\n7,A lamp,EUR,2026-05-02 18:00\nKM-2,A vase,EUR,\n";

#[tokio::test]
async fn the_same_lots_are_imported_again_on_request_only() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    let first = post(&ada, &path, "", "k1", TABLE).await.expect(201);
    let list = ada.get(&format!("{path}/items/imports")).await.expect(200);
    let import = &list["imports"][0];
    let before = json!({"id": first["importId"], "createdAt": import["createdAt"]});
    assert_eq!((&import["id"], &import["created"]), (&first["importId"], &json!(2)));

    let same =
        "Los;Title;Shelf;close time;currency\r\n7;A lamp;B;2026-05-02 18:00;EUR\r\nKM-2;A vase;;;EUR\r\n";
    let refused = post(&ada, &path, "", "k2", same).await;
    assert_eq!(refused.expect_problem(409, "IMPORTED_BEFORE")["details"], before);
    let preview = post(&ada, &path, "?dryRun=true", "k", same).await.expect(200);
    assert_eq!(preview["importedBefore"], before);
    let replay = post(&ada, &path, "", "k1", TABLE).await;
    assert_eq!((replay.expect(201), replay.header("idempotent-replayed")), (first, "true"));
    let again = post(&ada, &path, "?again=true", "k3", TABLE).await.expect(201);
    assert_eq!(again, json!({"created": 0, "changed": 0, "unchanged": 2}), "an import that changes nothing");

    let elsewhere = post(&ada, &path, "?timeZone=Europe/Berlin", "k4", TABLE).await.expect(201);
    assert_eq!(elsewhere["changed"], 1, "its times are others in another zone");
    let named = "name,currency\nAn urn,EUR\n";
    post(&ada, &path, "?timeZone=Europe/Berlin", "k5", named).await.expect(201);
    post(&ada, &path, "", "k6", named).await.expect_problem(409, "IMPORTED_BEFORE");
    let other = auction(&ada, json!({})).await;
    post(&ada, &other, "", "k7", named).await.expect(201);
    let exported = exported(&ada, &path).await;
    for key in ["k8", "k9"] {
        let same = post(&ada, &path, "", key, exported.as_str()).await.expect(201);
        assert_eq!(same["unchanged"], 3, "the way out and back stays free");
    }
}

#[tokio::test]
async fn two_lots_with_one_name_are_a_repeat_and_no_error() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    let table = "name,currency\nA lamp,EUR\nA  lamp,EUR\n";
    post(&ada, &path, "", "k1", table).await.expect(201);
    let items = items(&ada, &path).await;
    let second = format!("{path}/items/{}", items[1]["id"].as_str().unwrap());
    ada.patch(&second, json!({"name": "A lamp"})).await.expect(200);
    post(&ada, &path, "", "k2", table).await.expect_problem(409, "IMPORTED_BEFORE");
}

#[tokio::test]
async fn an_import_its_undo_and_its_repeat_leave_the_export_as_it_was() {
    for seed in 1..=times(3, 40) {
        let mut dice = Dice(seed);
        let app = TestApp::start().await;
        let ada = app.user("ada").await;
        let path = auction(&ada, json!({})).await;
        ada.post(&format!("{path}/currencies"), wizards()).await.expect(201);
        let lots: String = (1..=6).map(|lot| row(&mut dice, lot)).collect();
        post(&ada, &path, "", "first", format!("{HEADER}{lots}")).await.expect(201);
        let before = exported(&ada, &path).await;
        let search = format!("{path}/items?q=thing&limit=100");
        let found = ada.get(&search).await.expect(200)["items"].as_array().unwrap().len();
        let lots: String = (3..=9).map(|lot| row(&mut dice, lot)).collect();
        let table = format!("{HEADER}{lots}");
        let imported = post(&ada, &path, "", "k1", table.as_str()).await.expect(201);
        let after = exported(&ada, &path).await;
        for key in ["k2", "k3"] {
            let last = ada.get(&format!("{path}/items/imports?limit=1")).await.expect(200);
            let undone = undo(&ada, &path, &last["imports"][0]["id"]).await.expect(200);
            assert_eq!(undone["undoneBy"]["name"], "ada");
            assert_eq!(exported(&ada, &path).await, before, "seed {seed}");
            let again = ada.get(&search).await.expect(200)["items"].as_array().unwrap().len();
            assert_eq!(again, found, "seed {seed}");
            post(&ada, &path, "", key, table.as_str()).await.expect(201);
            assert_eq!(exported(&ada, &path).await, after, "seed {seed}");
        }
        undo(&ada, &path, &imported["importId"]).await.expect_problem(409, "ALREADY_UNDONE");
    }
}

const HEADER: &str = "lot,name,description,estimate,minimum,increment,starts,ends,published\n";

/// A row of random cells.
fn row(dice: &mut Dice, lot: usize) -> String {
    let mut pick =
        |cells: &[&str]| cells[usize::try_from(dice.below(cells.len() as u64)).unwrap()].to_owned();
    let name = pick(&["A thing", "A \"\"magic\"\" thing", "Ein Löffel"]);
    [
        lot.to_string(),
        format!("\"{name} {lot}\""),
        pick(&["", "Old", "\"Two\nlines\""]),
        pick(&["", "£40–60"]),
        pick(&["", "3.2.1", "0.5.0"]),
        pick(&["", "0.1.0"]),
        pick(&["", "2026-05-01 18:00"]),
        pick(&["", "2026-05-03T18:00:00Z", "2026-05-04 12:00"]),
        pick(&["", "yes", "no"]),
    ]
    .join(",")
        + "\n"
}

#[tokio::test]
async fn an_import_stays_once_one_of_its_lots_was_changed_bid_on_or_closed() {
    let sale = Sale::legacy(json!({})).await;
    let path = format!("/api/auctions/{}", sale.auction);
    let bidder = sale.bidder("bidder").await;
    let changes = ["edited", "picture", "bid", "closed", "deleted", "scheduled"];
    for change in changes {
        let table = format!("name,published,currency\nOne {change},yes,EUR\nTwo {change},yes,EUR\n");
        let imported = post(&sale.owner, &path, "", change, table).await.expect(201);
        let all = items(&sale.owner, &path).await;
        let named = |name: &str| all.iter().find(|item| item["name"] == format!("{name} {change}")).unwrap();
        let lot = format!("{path}/items/{}", named("One")["id"].as_str().unwrap());
        match change {
            "edited" => drop(sale.owner.patch(&lot, json!({"estimate": "5"})).await.expect(200)),
            "picture" => drop(add_picture(&sale.owner, &lot, &png(4, 3)).await.expect(201)),
            "bid" => drop(bidder.post(&format!("{lot}/bids"), json!({"amount": 7})).await.expect(201)),
            "closed" => drop(sale.owner.post(&format!("{lot}/close"), Value::Null).await.expect(200)),
            "deleted" => drop(sale.owner.delete(&lot).await.expect(204)),
            _ => {
                let schedule = json!({"firstEnd": "2030-01-01T00:00:00Z", "intervalSeconds": 60});
                sale.owner.post(&format!("{path}/schedule"), schedule).await.expect(200);
            }
        }
        let count = items(&sale.owner, &path).await.len();
        undo(&sale.owner, &path, &imported["importId"]).await.expect_problem(409, "CHANGED");
        assert_eq!(items(&sale.owner, &path).await.len(), count, "{change}: all or nothing");
    }
}

#[tokio::test]
async fn a_lot_gets_back_only_what_it_could_be_given_now() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    let one = ada.post(&format!("{path}/currencies"), super::bids::points("ONE", "1")).await.expect(201);
    let two = ada.post(&format!("{path}/currencies"), super::bids::points("TWO", "2")).await.expect(201);
    post(&ada, &path, "", "k1", "lot,name,minimum\n1,A lamp,5\n").await.expect(201);
    let default = format!("{path}/currencies/{}", two["id"].as_str().unwrap());
    ada.patch(&default, json!({"isDefault": true})).await.expect(200);
    let imported = post(&ada, &path, "", "k2", "lot,minimum\n1,9\n").await.expect(201);
    assert_eq!(imported["changed"], 1);
    ada.delete(&format!("{path}/currencies/{}", one["id"].as_str().unwrap())).await.expect(204);
    undo(&ada, &path, &imported["importId"]).await.expect_problem(409, "CHANGED");

    let timed = post(&ada, &path, "", "k3", "lot,ends\n1,2026-06-01 18:00\n").await.expect(201);
    undo(&ada, &path, &timed["importId"]).await.expect(200);
    let lot = items(&ada, &path).await;
    assert_eq!(lot[0]["endDate"], Value::Null);
}

#[tokio::test]
async fn a_creator_sees_and_undoes_the_own_imports_only() {
    let app = TestApp::start().await;
    let (ada, cara) = (app.user("ada").await, app.user("cara").await);
    let path = auction(&ada, json!({"joinMode": "FREE"})).await;
    join(&cara, &path).await;
    give_role(&ada, &path, &cara, "CREATOR").await;
    let table = "name,currency\nA lamp,EUR\n";
    let of_ada = post(&ada, &path, "", "k1", table).await.expect(201);
    let of_cara = post(&cara, &path, "", "k1", table).await.expect(201);
    let list = cara.get(&format!("{path}/items/imports")).await.expect(200);
    assert_eq!(list["imports"].as_array().unwrap().len(), 1);
    assert_eq!(list["imports"][0]["id"], of_cara["importId"]);
    assert_eq!(
        ada.get(&format!("{path}/items/imports")).await.expect(200)["imports"].as_array().unwrap().len(),
        2
    );
    undo(&cara, &path, &of_ada["importId"]).await.expect_problem(404, "NOT_FOUND");
    undo(&cara, &path, &of_cara["importId"]).await.expect(200);
    assert_eq!(items(&ada, &path).await.len(), 1);
    undo(&ada, &path, &of_ada["importId"]).await.expect(200);
    assert_eq!(items(&ada, &path).await.len(), 0);
}

#[tokio::test]
async fn large_imports_are_undone_and_go_with_their_auction() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    let rows: String = (0..450).map(|lot| format!("Lot {lot},EUR\n")).collect();
    let table = format!("name,currency\n{rows}");
    let imported = post(&ada, &path, "", "k1", table.as_str()).await.expect(201);
    undo(&ada, &path, &imported["importId"]).await.expect(200);
    assert_eq!(items(&ada, &path).await.len(), 0);
    post(&ada, &path, "", "k2", table).await.expect(201);
    ada.delete(&path).await.expect(204);
    let mut conn = app.state.context.db.read().await.unwrap();
    let id: AuctionId = path.rsplit('/').next().unwrap().parse().unwrap();
    assert_eq!(imports::store::written_rows(&mut conn, id).await.unwrap(), 0);
    assert_eq!(ImportPlace::all_of(id).imports(&mut conn, Page::after(None)).await.unwrap().entries, []);
}

#[tokio::test]
async fn the_page_asks_before_it_imports_a_table_again_and_undoes_an_import() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    let page = format!("{}/items/import", path.replace("/api", ""));
    let send = async |key: &str, further: &[(&str, &str)]| {
        let fields = [&[("csv", "name,currency\nA lamp,EUR\n"), ("idempotencyKey", key)], further].concat();
        Answer::of(with_parts(ada.request("POST", &format!("{page}/file")), &fields, &[])).await
    };
    let done = send("k1", &[]).await;
    assert_eq!(done.status, 303, "{}", done.text);
    let shown = ada.get(done.header("location")).await.text;
    for words in ["1 lot created", "Undo this import", "Imports so far"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    let asked = send("k2", &[]).await;
    assert_eq!(asked.status, 409);
    for words in ["This table was imported on", "Import it again?"] {
        assert!(asked.text.contains(words), "{words}: {}", asked.text);
    }
    assert_eq!(send("k2", &[("again", "true")]).await.status, 303);
    let list = ada.get(&format!("{path}/items/imports")).await.expect(200);
    let undo = format!("{page}/{}/undo", list["imports"][0]["id"].as_str().unwrap());
    let undone = ada.post_form(&undo, &[]).await;
    assert_eq!(
        (undone.status.as_u16(), undone.header("location")),
        (303, format!("{page}?done=undone").as_str())
    );
    assert_eq!(items(&ada, &path).await.len(), 0);
}

//! `/api/auctions/{auction_id}/export`

use std::time::Duration;

use auction_house::auctions::access::authorize;
use auction_house::export::Export;
use auction_house::ids::UserId;
use platform::http::download::{ExportPart, ExportParts};
use platform::http::format::ExportFormat;
use platform::http::read_limiter::ReadPermit;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::items::bids::{Sale, wizards};
use super::{add_405_members, user_id, wrong_fields};
use crate::harness::{Answer, Client};

fn path(sale: &Sale, format: &str) -> String {
    format!("/api/auctions/{}/export?format={format}", sale.auction)
}

/// Rows of a CSV text, each as a list of its cells.
fn rows(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell, mut is_quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let text = text.strip_prefix('\u{feff}').expect("a byte order mark");
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' if is_quoted && characters.peek() == Some(&'"') => {
                characters.next();
                cell.push('"');
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => row.push(std::mem::take(&mut cell)),
            '\r' if !is_quoted => {}
            '\n' if !is_quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            other => cell.push(other),
        }
    }
    assert!(row.is_empty() && cell.is_empty() && !is_quoted, "the text ends with a row");
    rows
}

/// The cell of a row in the column of this name.
fn cell<'a>(table: &'a [Vec<String>], row: &'a [String], name: &str) -> &'a str {
    let column =
        table[0].iter().position(|column| column == name).unwrap_or_else(|| panic!("no column {name}"));
    &row[column]
}

async fn sale() -> (Sale, Client) {
    let sale =
        Sale::open(json!({}), &[wizards()], json!({"name": "=HYPERLINK(\"http://example.org\"), \"x\""}))
            .await;
    let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
    let counts = |count: i64| json!({"enteredRepresentation": [{"denomination": "SICKLE", "count": count}]});
    sale.bid(&ada, counts(1)).await.expect(201);
    sale.bid(&bob, counts(2)).await.expect(201);
    sale.add_item(json!({"name": "A draft", "isPublished": false})).await;
    sale.owner.post(&format!("/api/auctions/{}/close", sale.auction), json!({})).await.expect(200);
    let decision = json!({"sequence": 1, "reason": "@bob has left."});
    sale.owner.post(&format!("{}/outcome", sale.item_path()), decision).await.expect(200);
    (sale, ada)
}

#[tokio::test]
async fn the_table_has_a_row_for_each_item_outcome_bid_and_member() {
    let (sale, _) = sale().await;
    let export = sale.owner.get(&path(&sale, "csv")).await;
    assert_eq!(export.status, 200);
    assert_eq!(export.header("content-type"), "text/csv; charset=utf-8; header=present");
    let file = format!("attachment; filename=\"auction-{}.csv\"", sale.auction);
    assert_eq!(export.header("content-disposition"), file);
    assert!(
        !export.text.contains("example.org,") && !export.text.contains('@'.to_string().repeat(2).as_str())
    );
    assert!(!export.text.contains("ada@"), "no e-mails");
    let table = rows(&export.text);
    assert_eq!(table[0][0], "kind");
    let kinds: Vec<_> = table[1..].iter().map(|row| row[0].as_str()).collect();
    let expected =
        ["ITEM", "ITEM", "OUTCOME", "OUTCOME", "OUTCOME", "BID", "BID", "MEMBER", "MEMBER", "MEMBER"];
    assert_eq!(kinds, expected);
    assert!(table.iter().all(|row| row.len() == table[0].len()));
    let item = &table[1];
    assert_eq!(cell(&table, item, "item"), "'=HYPERLINK(\"http://example.org\"), \"x\"", "no formula");
    let last = &table[5];
    for (column, value) in [
        ("number", "2"),
        ("result", "SOLD"),
        ("person", "ada"),
        ("sequence", "1"),
        ("currency", "WIZ"),
        ("enteredRepresentation", "1 SICKLE"),
        ("normalizedAmount", "29"),
        ("reason", "'@bob has left."),
        ("by", "owner"),
    ] {
        assert_eq!(cell(&table, last, column), value, "{column}");
    }
    let bid = &table[7];
    assert_eq!((cell(&table, bid, "person"), cell(&table, bid, "sequence")), ("bob", "2"));
    let roles: Vec<_> = table[8..].iter().map(|row| cell(&table, row, "role")).collect();
    assert_eq!(roles.iter().filter(|role| **role == "OWNER").count(), 1);
}

#[tokio::test]
async fn the_json_has_the_documents_of_the_api() {
    let (sale, _) = sale().await;
    let export = sale.owner.get(&path(&sale, "json")).await;
    assert_eq!(export.header("content-type"), "application/json");
    let export = export.expect(200);
    let base = format!("/api/auctions/{}", sale.auction);
    let items = sale.owner.get(&format!("{base}/items")).await.expect(200)["items"].clone();
    assert_eq!(export["items"], items);
    let outcomes = sale.owner.get(&format!("{base}/outcomes")).await.expect(200)["outcomes"].clone();
    assert_eq!(export["outcomes"], outcomes);
    let mut bids = sale.bids().await;
    bids.reverse();
    assert_eq!(export["bids"], Value::Array(bids));
    assert_eq!(export["members"].as_array().unwrap().len(), 3);
    assert_eq!(export.as_object().unwrap().len(), 4);
    let default = sale.owner.get(&format!("{base}/export")).await.expect(200);
    assert_eq!(default, export);
}

#[tokio::test]
async fn a_withdrawn_bid_is_exported_with_its_withdrawal() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 5})).await.expect(201);
    sale.app.clock.advance_seconds(1);
    let why = json!({"reason": "MISTYPED", "note": "A zero too many."});
    let withdrawn = sale.withdraw(&ada, 1, why).await.expect(200)["withdrawn"].clone();
    let export = sale.owner.get(&path(&sale, "json")).await.expect(200);
    assert_eq!(export["bids"][0]["withdrawn"], withdrawn);
    let table = rows(&sale.owner.get(&path(&sale, "csv")).await.text);
    for (column, value) in [
        ("kind", "BID"),
        ("withdrawnAt", "2026-05-01T18:00:01.000Z"),
        ("by", "BIDDER"),
        ("reason", "MISTYPED"),
        ("note", "A zero too many."),
    ] {
        assert_eq!(cell(&table, &table[2], column), value, "{column}");
    }
}

#[tokio::test]
async fn an_empty_auction_has_empty_lists() {
    let sale = Sale::legacy(json!({})).await;
    sale.owner.delete(&sale.item_path()).await.expect(204);
    let export = sale.owner.get(&path(&sale, "json")).await.expect(200);
    for list in ["items", "outcomes", "bids"] {
        assert_eq!(export[list], json!([]));
    }
    assert_eq!(export["members"].as_array().unwrap().len(), 1);
}

/// More of everything than one part of the export has.
#[tokio::test]
async fn a_long_export_is_complete() {
    let mut sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 1})).await.expect(201);
    sale.bid_to_1002().await;
    for _ in 0..120 {
        sale.item = sale.add_item(json!({"currencyCode": "EUR"})).await;
    }
    add_405_members(&sale.app).await;
    sale.owner.post(&format!("/api/auctions/{}/close", sale.auction), json!({})).await.expect(200);
    let export = sale.owner.get(&path(&sale, "json")).await.expect(200);
    for (list, count) in [("items", 121), ("outcomes", 121), ("members", 407)] {
        assert_eq!(export[list].as_array().unwrap().len(), count, "{list}");
    }
    let sequences: Vec<_> = export["bids"].as_array().unwrap().iter().map(|bid| &bid["sequence"]).collect();
    assert!(sequences.iter().copied().eq(&(1..=1002).map(Value::from).collect::<Vec<_>>()));
    let table = rows(&sale.owner.get(&path(&sale, "csv")).await.text);
    assert_eq!(table.len(), 1 + 121 + 121 + 1002 + 407);
}

/// The permits and the compression of reads are not for exports.
#[tokio::test]
async fn a_user_exports_one_thing_at_a_time_without_delaying_others() {
    let sale = Sale::legacy(json!({})).await;
    let other = sale.app.user("other").await;
    let own = super::auction(&other, json!({})).await;
    let state = &sale.app.state;
    let owner = user_id(&sale.owner).await.parse().unwrap();
    let permit = state.context.work.begin_export(owner, ReadPermit::default()).await.unwrap();
    let path = path(&sale, "json");
    let mut second = std::pin::pin!(sale.owner.get(&path));
    let waits = timeout(Duration::from_millis(300), &mut second).await;
    assert!(waits.is_err(), "behind the first one of the same user");
    let mut reads = Vec::new();
    let stranger = || state.reads.acquire(UserId::new(state.context.clock.now()).into());
    while let Ok(read) = timeout(Duration::from_millis(50), stranger()).await {
        reads.push(read.unwrap());
    }
    let all = 2 * std::thread::available_parallelism().unwrap().get();
    assert_eq!(reads.len(), all, "an export that waits leaves the reads their permits");
    drop(reads);
    let request = other.request("GET", &format!("{own}/export")).header("accept-encoding", "br, gzip");
    let exported = Answer::of(request).await;
    assert_eq!(exported.expect(200)["members"].as_array().unwrap().len(), 1);
    assert_eq!(exported.header("content-encoding"), "", "it would be compressed on a connection's thread");
    drop(permit);
    second.await.expect(200);
}

#[tokio::test]
async fn only_managers_export() {
    let (sale, ada) = sale().await;
    ada.get(&path(&sale, "csv")).await.expect_problem(403, "FORBIDDEN");
    ada.get(&path(&sale, "xml")).await.expect_problem(403, "FORBIDDEN");
    assert_eq!(wrong_fields(&sale.owner.get(&path(&sale, "xml")).await), ["format"]);
}

fn text_of(part: ExportPart) -> Vec<u8> {
    match part {
        ExportPart::Text(text) => text,
        ExportPart::Workbook(_) => panic!("a workbook"),
    }
}

/// What is written while an export is read is not in it.
#[tokio::test]
async fn an_export_shows_one_moment() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    sale.bid(&ada, json!({"amount": 1})).await.expect(201);
    let context = &sale.app.state.context;
    let now = context.clock.now();
    let mut db = context.db.snapshot().await.unwrap();
    let (auction, owner) = (sale.auction.parse().unwrap(), user_id(&sale.owner).await.parse().unwrap());
    let seen = authorize(&mut db, auction, owner, now).await.unwrap();
    let mut export = Export::begin(db, seen, ExportFormat::Json, now).await.unwrap();
    let mut text = text_of(export.next().await.unwrap().unwrap());
    sale.bid(&ada, json!({"amount": 2})).await.expect(201);
    sale.bidder("bob").await;
    while let Some(part) = export.next().await.unwrap() {
        text.extend(text_of(part));
    }
    let export: Value = serde_json::from_slice(&text).unwrap();
    assert_eq!(export["items"][0]["bidCount"], 1);
    assert_eq!(export["bids"].as_array().unwrap().len(), 1);
    assert_eq!(export["members"].as_array().unwrap().len(), 2);
}

//! `/api/books/{book_id}/export`

use std::collections::BTreeMap;

use auction_house::books::export::BookExport;
use platform::http::download::{ExportPart, ExportParts};
use platform::http::format::ExportFormat;
use serde_json::{Value, json};

use super::{Class, each, entries, grant};
use crate::routes::auctions::wrong_fields;

#[tokio::test]
async fn the_json_has_every_entry_and_reproduces_every_balance() {
    let class = Class::start().await;
    for amount in 1..=80 {
        grant(&class.owner, &class.book, json!("ALL"), json!(amount)).await.expect(201);
    }
    let export = class.teller.get(&class.path("export?format=json")).await;
    assert_eq!(export.header("content-type"), "application/json");
    let export = export.expect(200);
    let all = export["entries"].as_array().unwrap();
    assert_eq!(each(all, "sequence"), (1..=242).map(Value::from).collect::<Vec<_>>());
    let newest = class.owner.get(&class.path("entries")).await.expect(200);
    assert_eq!(newest["entries"][0], all[241]);
    let mut sums: BTreeMap<&str, i64> = BTreeMap::new();
    for entry in all {
        let amount: i64 = entry["amount"].as_str().unwrap().parse().unwrap();
        *sums.entry(entry["holder"]["name"].as_str().unwrap()).or_default() += amount;
    }
    for (name, balance) in super::balances(&class.owner, &class.book).await {
        assert_eq!(sums[name.as_str()].to_string(), balance);
    }
    assert_eq!(class.owner.get(&class.path("export")).await.expect(200), export);
}

#[tokio::test]
async fn the_table_has_a_column_for_each_member_and_no_formula() {
    let class = Class::start().await;
    class.holder.patch("/api/user", json!({"name": "=HYPERLINK(\"x\")"})).await.expect(200);
    grant(&class.owner, &class.book, json!("ALL"), json!("-2.5")).await.expect(201);
    let reason = json!({"reason": "+1, he said"});
    class.owner.post(&class.path("entries/3/reverse"), reason).await.expect(201);
    let export = class.owner.get(&class.path("export?format=csv")).await;
    assert_eq!(export.header("content-type"), "text/csv; charset=utf-8; header=present");
    let id = class.book.rsplit('/').next().unwrap();
    assert_eq!(export.header("content-disposition"), format!("attachment; filename=\"book-{id}.csv\""));
    let rows: Vec<&str> = export.text.lines().collect();
    let columns = "\u{feff}sequence,holderId,holder,amount,kind,reason,itemId,outcome,reverses,byId,by,createdAt,run,asked";
    assert_eq!((rows.len(), rows[0]), (7, columns));
    assert!(rows[5].contains(",\"'=HYPERLINK(\"\"x\"\")\",-2.5,GRANT,Cakes,"), "{}", rows[5]);
    assert!(rows[6].contains(",2.5,REVERSAL,\"'+1, he said\",,,3,"), "{}", rows[6]);
}

#[tokio::test]
async fn only_keepers_export() {
    let class = Class::start().await;
    class.holder.get(&class.path("export")).await.expect_problem(403, "FORBIDDEN");
    assert_eq!(wrong_fields(&class.teller.get(&class.path("export?format=xml")).await), ["format"]);
}

#[tokio::test]
async fn an_empty_book_is_exported() {
    let class = Class::with(json!({})).await;
    assert_eq!(class.owner.get(&class.path("export")).await.expect(200), json!({"entries": []}));
    assert_eq!(class.owner.get(&class.path("export?format=csv")).await.text.lines().count(), 1);
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
    let class = Class::start().await;
    let book = class.book.rsplit('/').next().unwrap().parse().unwrap();
    for amount in 1..=70 {
        grant(&class.owner, &class.book, json!("ALL"), json!(amount)).await.expect(201);
    }
    let viewer = crate::routes::auctions::user_id(&class.owner).await.parse().unwrap();
    let db = class.app.state.context.db.snapshot().await.unwrap();
    let mut export = BookExport::begin(db, book, viewer, ExportFormat::Json).unwrap();
    let mut text = text_of(export.next().await.unwrap().unwrap());
    grant(&class.owner, &class.book, json!("ALL"), json!(71)).await.expect(201);
    while let Some(part) = export.next().await.unwrap() {
        text.extend(text_of(part));
    }
    let export: Value = serde_json::from_slice(&text).unwrap();
    assert_eq!(export["entries"].as_array().unwrap().len(), 212);
    assert_eq!(entries(&class.holder, &class.book).await.len(), 72);
}

//! What is exported as a workbook, or as CSV of a locale with a decimal comma, is imported again.

use platform::http::csv_body::XLSX;
use platform::sheet::csv_of;
use serde_json::{Value, json};

use crate::harness::{Answer, Client, TestApp};
use crate::routes::auctions::items::bids::{points, wizards};
use crate::routes::auctions::{auction, join, wrong_fields};
use crate::routes::books::book;
use crate::routes::groups::Group;

const CSV: &str = "text/csv; charset=utf-8; header=present";
/// Formats of files that spreadsheets open, with their media types.
const FORMATS: [(&str, &str); 3] =
    [("format=csv", CSV), ("format=csv&dialect=semicolon", CSV), ("format=xlsx", XLSX)];

/// The bytes of an export, with its media type and the name of its file.
async fn file(client: &Client, path: &str) -> (Vec<u8>, [String; 2]) {
    let response = client.request("GET", path).send().await.unwrap();
    assert_eq!(response.status(), 200, "{path}");
    let header = |name: &str| response.headers().get(name).unwrap().to_str().unwrap().to_owned();
    let headers = [header("content-type"), header("content-disposition")];
    (response.bytes().await.unwrap().into(), headers)
}

async fn import(client: &Client, path: &str, key: &str, media_type: &str, table: Vec<u8>) -> Value {
    let request = client.request("POST", path).header("content-type", media_type);
    Answer::of(request.header("idempotency-key", key).body(table)).await.expect(201)
}

/// The first sheet of a workbook as a text.
fn sheet(bytes: &[u8]) -> String {
    csv_of(bytes, None, &|_| true).unwrap()
}

/// Rows with lots that spreadsheets take for other things, and 5,000 in all.
fn lots(minima: [&str; 3]) -> String {
    let special = [
        ("12E3", "'=1+1", minima[0]),
        ("1-2", "'+x", minima[1]),
        ("007", "''=1+1", minima[2]),
        ("KM-2", "Los; \"alt\", _x0041_", ""),
        ("1E5", "-5", minima[0]),
    ];
    let mut rows = "lot,name,description,minimum,ends,published\n".to_owned();
    for (lot, name, minimum) in special {
        let name = name.replace('"', "\"\"");
        rows.push_str(&format!("{lot},\"{name}\",\"Two\nlines\",{minimum},2026-05-03T18:00:00Z,yes\n"));
    }
    for lot in 10..5_005 {
        rows.push_str(&format!("{lot},Lot {lot},,{},,no\n", minima[lot % 3]));
    }
    rows
}

#[tokio::test]
async fn lots_come_back_from_each_kind_of_file_as_they_were() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let exact =
        json!({"code": "PT", "name": "Points", "rateToBase": "1", "inputMode": "SCALAR", "precision": 4});
    for (currency, minima) in
        [(exact, ["12.5", "1000.50", "15.255"]), (wizards(), ["3.10.1", "0.1.0", "1.2.0"])]
    {
        let path = auction(&ada, json!({})).await;
        ada.post(&format!("{path}/currencies"), currency).await.expect(201);
        let table = lots(minima).into_bytes();
        let made = import(&ada, &format!("{path}/items/import"), "k", "text/csv", table).await;
        assert_eq!(made["created"], 5_000);
        for (format, media_type) in FORMATS {
            let (table, headers) = file(&ada, &format!("{path}/items/export?{format}")).await;
            assert_eq!(headers[0], media_type);
            let same = import(&ada, &format!("{path}/items/import"), format, media_type, table).await;
            assert_eq!(same, json!({"created": 0, "changed": 0, "unchanged": 5_000}), "{format}");
        }
    }
}

#[tokio::test]
async fn a_workbook_has_texts_and_numbers_and_the_same_bytes_each_time() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    ada.post(&format!("{path}/currencies"), points("PT", "1")).await.expect(201);
    let table = "lot,name,minimum\n12E3,'=1+1,12\n1-2,+x,\n";
    import(&ada, &format!("{path}/items/import"), "k", "text/csv", table.into()).await;
    let address = format!("{path}/items/export?format=xlsx");
    let (bytes, [media_type, disposition]) = file(&ada, &address).await;
    let id = path.rsplit('/').next().unwrap();
    assert_eq!(media_type, XLSX);
    assert_eq!(disposition, format!("attachment; filename=\"items-{id}.xlsx\""));
    let text = sheet(&bytes);
    assert!(text.contains("\n1-2,+x,") && text.contains("\n12E3,=1+1,,,12,"), "no apostrophe: {text}");
    assert_eq!(file(&ada, &address).await.0, bytes);
    let wrong = ada.get(&format!("{path}/items/export?format=csv&dialect=tab")).await;
    assert_eq!(wrong_fields(&wrong), ["dialect"]);
}

#[tokio::test]
async fn people_and_balances_come_back_from_each_kind_of_file() {
    let group = Group::start().await;
    let keeper = &group.keeper;
    let grants =
        "number,name,amount\n2,=Ada,15.2550\n3,12E3,-4.5\n4,Élodie,12345678901234.5678\n5,1-2,1000\n";
    import(keeper, &format!("{}/import?column=:amount", group.path), "k", "text/csv", grants.into()).await;
    let from = book(keeper, json!({})).await;
    let with_group = |path: &str, query: &str| format!("{path}{query}&groupId={}", group.id);
    let entries = with_group(&from, "/import?reason=Cakes");
    import(keeper, &entries, "k", "text/csv", grants.into()).await;
    for (format, media_type) in FORMATS {
        let (people, headers) = file(keeper, &format!("{}/export?{format}", group.path)).await;
        assert_eq!(headers[0], media_type);
        let same = import(keeper, &format!("{}/import", group.path), format, media_type, people).await;
        assert_eq!(same["people"], json!([]), "{format}");

        let to = book(keeper, json!({})).await;
        let address = with_group(&from, &format!("/balances/export?{format}"));
        let balances = |exported: Value| {
            let rows = exported["balances"].as_array().unwrap().clone();
            rows.into_iter().filter(|row| row["number"] != "1").collect::<Vec<_>>()
        };
        let (table, headers) = file(keeper, &address).await;
        assert_eq!(headers[0], media_type);
        // The keeper has nothing, and an entry of nothing is none.
        let table = match media_type {
            CSV => String::from_utf8(table).unwrap(),
            _ => sheet(&table),
        };
        let rows: Vec<_> = table.lines().filter(|line| !line.contains("keeper")).collect();
        let rows = format!("{}\n", rows.join("\n"));
        import(keeper, &with_group(&to, "/import?"), format, "text/csv", rows.into()).await;
        let exported = |book: &str| with_group(book, "/balances/export?format=json");
        let (before, after) = (keeper.get(&exported(&from)).await, keeper.get(&exported(&to)).await);
        assert_eq!(balances(after.expect(200)), balances(before.expect(200)), "{format}");
    }
}

#[tokio::test]
async fn everything_in_an_auction_and_all_entries_of_a_book_are_workbooks_too() {
    let app = TestApp::start().await;
    let owner = app.user("owner").await;
    owner.patch("/api/user", json!({"name": "=HYPERLINK(\"x\")"})).await.expect(200);
    let book = book(&owner, json!({})).await;
    let entries = "name,amount,reason\n\"'=HYPERLINK(\"\"x\"\")\",-2.5,Cakes\n";
    import(&owner, &format!("{book}/import"), "k", "text/csv", entries.into()).await;
    let (bytes, [media_type, disposition]) = file(&owner, &format!("{book}/export?format=xlsx")).await;
    let id = book.rsplit('/').next().unwrap();
    assert_eq!(
        [media_type, disposition],
        [XLSX.to_owned(), format!("attachment; filename=\"book-{id}.xlsx\"")]
    );
    let text = sheet(&bytes);
    assert!(text.starts_with("sep=,\nsequence,holderId,holder,amount,kind,"), "{text}");
    assert!(text.contains(",\"=HYPERLINK(\"\"x\"\")\",-2.5,GRANT,Cakes"), "{text}");
    let (csv, _) = file(&owner, &format!("{book}/export?format=csv&dialect=semicolon")).await;
    let csv = String::from_utf8(csv).unwrap();
    assert!(csv.contains(";\"'=HYPERLINK(\"\"x\"\")\";-2,5;GRANT;Cakes;"), "{csv}");

    let path = auction(&owner, json!({})).await;
    let item = json!({"name": "A vase", "lotNumber": "12E3", "currencyCode": "EUR"});
    owner.post(&format!("{path}/items"), item).await.expect(201);
    let (bytes, [media_type, _]) = file(&owner, &format!("{path}/export?format=xlsx")).await;
    let text = sheet(&bytes);
    assert_eq!(media_type, XLSX);
    assert!(text.starts_with("sep=,\nkind,itemId,lotNumber,item,"), "{text}");
    assert!(text.contains(",12E3,A vase,DRAFT,") && text.contains("\nMEMBER,"), "{text}");
    assert_eq!(text.lines().count(), 4, "{text}");
}

#[tokio::test]
async fn pages_offer_csv_in_the_dialect_of_the_viewer_s_locale() {
    let app = TestApp::start().await;
    let owner = app.user("owner").await;
    let page = book(&owner, json!({})).await.replace("/api", "");
    for (locale, dialect) in [("de-DE", "&amp;dialect=semicolon"), ("en-GB,de;q=0.5", ""), ("de-CH", "")] {
        let request = owner.request("GET", &page).header("accept-language", locale);
        let html = Answer::of(request).await.text;
        for export in ["balances/export", "export"] {
            let link = format!("/api{page}/{export}?format=csv{dialect}\"");
            assert!(html.contains(&link) || html.contains(&link.replace("&amp;", "&")), "{locale}: {html}");
        }
        assert!(html.contains(&format!("/api{page}/export?format=xlsx\"")), "{html}");
    }
    owner.patch("/api/user", json!({"locale": "fr-FR"})).await.expect(200);
    let html = owner.get(&page).await.text;
    assert!(html.contains("dialect=semicolon"), "the account's locale");
}

#[tokio::test]
async fn the_items_of_a_whole_auction_go_into_another_one() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let from = auction(&ada, json!({"joinMode": "FREE"})).await;
    let table = "lot,name,minimum,currency,ends,published\n12E3,A vase,5,GBP,2026-05-03T18:00:00Z,yes\n7,Lamp,,EUR,,yes\n";
    import(&ada, &format!("{from}/items/import"), "k", "text/csv", table.into()).await;
    let item = ada.get(&format!("{from}/items?q=vase")).await.expect(200)["items"][0]["id"].clone();
    let bob = app.user("bob").await;
    join(&bob, &from).await;
    let bid = bob.request("POST", &format!("{from}/items/{}/bids", item.as_str().unwrap()));
    let bid = bid.header("idempotency-key", "bid").header("content-type", "application/json");
    Answer::of(bid.body(json!({"amount": 12}).to_string())).await.expect(201);
    for (format, media_type) in FORMATS {
        let to = auction(&ada, json!({})).await;
        let (exported, _) = file(&ada, &format!("{from}/export?{format}")).await;
        let path = format!("{to}/items/import");
        let dry = ada.request("POST", &format!("{path}?dryRun=true")).header("content-type", media_type);
        let preview = Answer::of(dry.body(exported.clone())).await.expect(200);
        assert_eq!(preview["errors"], json!([]), "{format}");
        // The bid and the two members.
        assert_eq!(preview["passedOver"], json!([4, 5, 6]), "{format}");
        assert!(!preview["unread"].as_array().unwrap().contains(&json!("kind")), "{preview}");
        let made = import(&ada, &path, "k", media_type, exported).await;
        let counts = ["created", "changed", "unchanged"].map(|name| made[name].clone());
        assert_eq!(counts, [json!(2), json!(0), json!(0)], "{format}");
        let items = ada.get(&format!("{to}/items")).await.expect(200)["items"].clone();
        let of = |at: usize| {
            [&items[at]["lotNumber"], &items[at]["name"], &items[at]["currencyCode"], &items[at]["endDate"]]
                .map(Clone::clone)
        };
        assert_eq!(of(0), [json!("7"), json!("Lamp"), json!("EUR"), Value::Null]);
        assert_eq!(of(1), [json!("12E3"), json!("A vase"), json!("GBP"), json!("2026-05-03T18:00:00.000Z")]);
    }
}

//! Prices and times in the cells of a table, as people and spreadsheets write them.

use serde_json::json;

use super::bids::Sale;
use super::import::{errors, items, post};
use crate::harness::TestApp;
use crate::routes::auctions::auction;

#[tokio::test]
async fn prices_are_read_in_the_words_of_their_currency() {
    let old_money = json!({
        "code": "LSD", "name": "Old money", "rateToBase": "1", "inputMode": "DENOMINATION",
        "denominations": [
            {"code": "PD", "name": "Pound", "plural": "Pounds", "symbol": "£", "factor": 240},
            {"code": "SH", "name": "Shilling", "plural": "Shillings", "symbol": "s", "factor": 12},
            {"code": "PY", "name": "Penny", "plural": "Pence", "symbol": "d", "factor": 1},
        ],
    });
    let sale = Sale::open(json!({}), &[old_money], json!({})).await;
    let path = format!("/api/auctions/{}", sale.auction);
    let table = "name,minimum,increment\nA,£1 2s 6d,1s\nB,5,6 pence\nC,1.2.6,5s\nD,2 pounds 3 py,0.0.1\n";
    post(&sale.owner, &path, "", "k", table).await.expect(201);
    let found = items(&sale.owner, &path).await;
    for (name, minimum, increment) in
        [("A", "270", "12"), ("B", "1200", "6"), ("C", "270", "60"), ("D", "483", "1")]
    {
        let item = found.iter().find(|item| item["name"] == name).unwrap();
        let stored = [&item["minBidNormalized"], &item["minIncrementNormalized"]];
        assert_eq!(stored, [&json!(minimum), &json!(increment)], "{name}");
    }
    let wrong = "name,minimum\nE,5 gold\nF,£1 £2\nG,3.1\n";
    let refused = post(&sale.owner, &path, "", "k2", wrong).await;
    refused.expect_problem(422, "INVALID_BODY");
    let found = errors(&refused);
    let words = "minimum: “5 gold” is no price here: write one such as 5, or 5 Pound 3 Shilling \
                 (`5 gold` in B2).";
    assert_eq!(found[0], ("row 2".to_owned(), words.to_owned()));
    assert_eq!(found.len(), 3);
}

#[tokio::test]
async fn two_pieces_and_a_point_are_refused_with_both_readings() {
    let coins = json!({
        "code": "COIN", "name": "Coins", "rateToBase": "1", "inputMode": "DENOMINATION",
        "denominations": [
            {"code": "GOLD", "name": "Gold", "symbol": "g", "factor": 100},
            {"code": "SILVER", "name": "Silver", "symbol": "s", "factor": 1},
        ],
    });
    let sale = Sale::open(json!({}), &[coins], json!({})).await;
    let path = format!("/api/auctions/{}", sale.auction);
    let refused = post(&sale.owner, &path, "", "k", "lot,name,minimum\n9,Vase,3.1\n").await;
    refused.expect_problem(422, "INVALID_BODY");
    let (row, message) = &errors(&refused)[0];
    assert!(row == "row 2" && message.contains("3 Gold 1 Silver, or 3.1 Gold"), "{message}");
    post(&sale.owner, &path, "", "k2", "lot,name,minimum\n9,Vase,3g 10s\n").await.expect(201);
    let exported = sale.owner.get(&format!("{path}/items/export?format=csv")).await;
    assert!(exported.text.contains("9,Vase,,,3 GOLD 10 SILVER,"), "{}", exported.text);
    let same = post(&sale.owner, &path, "", "k3", exported.text.as_str()).await.expect(201);
    assert_eq!((&same["created"], &same["changed"]), (&json!(0), &json!(0)), "{same}");
}

#[tokio::test]
async fn a_price_of_a_legacy_lot_may_have_its_symbol() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({"currencyCode": "USD"})).await;
    let table =
        "lot,name,minimum,currency\n1,A,$200,\n2,B,\"$1,200.00\",\n3,C,\"12,50 €\",eur\n4,D,1.250,KWD\n";
    post(&ada, &path, "", "k", table).await.expect(201);
    let found = items(&ada, &path).await;
    let prices: Vec<_> = found.iter().map(|item| (&item["startingBid"], &item["currencyCode"])).collect();
    for (price, code) in [("200", "USD"), ("1200", "USD"), ("12.5", "EUR"), ("1.25", "KWD")] {
        assert!(prices.contains(&(&json!(price), &json!(code))), "{price}: {prices:?}");
    }
    post(&ada, &path, "", "k2", "lot,minimum\n3,14 €\n").await.expect(201);
    let refused = post(&ada, &path, "", "k3", "lot,minimum\n3,$14\n2,\"1,200\"\n").await;
    refused.expect_problem(422, "INVALID_BODY");
    let messages: Vec<String> = errors(&refused).into_iter().map(|(_, message)| message).collect();
    let expected = [
        "minimum: write a number, alone or beside its own symbol (`$14` in B2).",
        "minimum: write without a separator for thousands, such as 1000 or 12.5 (`1,200` in B3).",
    ];
    assert_eq!(messages, expected);
}

#[tokio::test]
async fn times_are_read_as_spreadsheets_write_them() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({"endDate": "2026-12-05T22:30:00Z", "currencyCode": "EUR"})).await;
    let table =
        "lot,name,ends\n1,A,11/21/2026 6:00 PM\n2,B,1.12.2026 18:00\n3,C,6:00 PM\n4,D,1/12/2026 18:00\n";
    let refused = post(&ada, &path, "?timeZone=Europe/Berlin", "k", table).await;
    refused.expect_problem(422, "INVALID_BODY");
    let words = "ends: can be 2026-12-01 or 2026-01-12: choose the order of day and month (`dates`), or write \
                 it as 2026-12-01 (`1/12/2026 18:00` in C5).";
    assert_eq!(errors(&refused), [("row 5".to_owned(), words.to_owned())]);
    let zone = "?timeZone=Europe/Berlin&dates=";
    for (order, wrong) in [("YMD", "dates"), ("", "dates"), ("DMY", "row 2")] {
        let refused = post(&ada, &path, &format!("{zone}{order}"), "k", table).await;
        refused.expect_problem(422, "INVALID_BODY");
        let paths: Vec<String> = errors(&refused).into_iter().map(|(path, _)| path).collect();
        assert_eq!(paths, [wrong], "{order}");
    }
    let table = table.replace("11/21", "21/11");
    post(&ada, &path, &format!("{zone}DMY"), "k", table.as_str()).await.expect(201);
    let found = items(&ada, &path).await;
    for (lot, end) in [("1", "2026-11-21"), ("2", "2026-12-01"), ("3", "2026-12-05"), ("4", "2026-12-01")] {
        let item = found.iter().find(|item| item["lotNumber"] == lot).unwrap();
        assert_eq!(item["endDate"], format!("{end}T17:00:00.000Z"), "{lot}");
    }
    let refused = post(&ada, &path, "", "k2", "name,ends\nE,2026-12-01\n").await;
    let (_, message) = &errors(&refused)[0];
    assert!(message.contains("add a time, as in `2026-12-01 18:00`"), "{message}");
}

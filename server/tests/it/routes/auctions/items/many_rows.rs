//! Requests that touch many rows of an auction: what they write, what they cost, and what streams are told.

use std::time::{Duration, Instant};

use installation::config::Switch;
use serde_json::{Value, json};

use super::bids::Sale;
use super::import::post;
use crate::harness::database::number_elsewhere;
use crate::harness::{Answer, Client, Events, TestApp};
use crate::routes::auctions::auction;

/// A table of lots with these names.
fn table(count: usize, name: &str) -> String {
    let rows: String = (1..=count).map(|lot| format!("{lot},{name} {lot},EUR,yes\n")).collect();
    format!("lot,name,currency,published\n{rows}")
}

async fn import(client: &Client, auction: &str, key: &str, table: String) -> Answer {
    let request = client.request("POST", &format!("{auction}/items/import"));
    let request = request.header("content-type", "text/csv").header("idempotency-key", key);
    Answer::of(request.body(table)).await
}

/// What every change of an auction raises, and what every event does.
async fn written(app: &TestApp) -> [i64; 2] {
    let address = &app.state.installation.settings.database_url;
    [
        number_elsewhere(address, "SELECT max(revision) FROM auctions").await,
        number_elsewhere(address, "SELECT max(last_position) FROM event_heads").await,
    ]
}

#[tokio::test]
async fn a_table_that_changes_nothing_writes_nothing_and_its_time_does_not_grow_with_the_items() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    import(&ada, &path, "new", table(5_000, "Lot")).await.expect(201);
    let before = written(&app).await;
    let begun = Instant::now();
    let same = post(&ada, &path, "?again=true", "same", table(5_000, "Lot")).await;
    let took = begun.elapsed();
    assert_eq!(same.expect(201), json!({"created": 0, "changed": 0, "unchanged": 5000}));
    assert_eq!(written(&app).await, before);
    // Half a second on a machine without other load.
    assert!(took < Duration::from_secs(4), "{took:?}");
    let again = import(&ada, &path, "same", table(5_000, "Lot")).await;
    assert_eq!((again.expect(201), again.header("idempotent-replayed")), (same.json(), "true"));
    import(&ada, &path, "same", table(1, "Lot")).await.expect_problem(422, "IDEMPOTENCY_KEY_REUSED");

    let changed = import(&ada, &path, "few", table(4_999, "Lot") + "5000,Another,EUR,yes\n").await;
    let changed = changed.expect(201);
    assert_eq!((&changed["changed"], &changed["unchanged"]), (&json!(1), &json!(4_999)));
    let [revision, position] = written(&app).await;
    assert_eq!([revision, position], [before[0] + 1, before[1] + 1], "one event for one item");
    let found = ada.get(&format!("{path}/items?q=another")).await.expect(200);
    assert_eq!(found["items"][0]["lotNumber"], "5000");
}

#[tokio::test]
async fn a_table_is_imported_while_its_items_take_bids() {
    let sale = Sale::legacy(json!({})).await;
    let ada = sale.bidder("ada").await;
    let path = format!("/api/auctions/{}", sale.auction);
    let bids = async {
        for amount in 1..=60 {
            sale.bid(&ada, json!({ "amount": amount })).await.expect(201);
        }
    };
    let imports = async {
        for name in 0..6 {
            let table = format!("lot,name\n1,Named {name}\n");
            let imported = import(&sale.owner, &path, &format!("names{name}"), table).await;
            assert_eq!(imported.expect(201)["changed"], 1);
        }
    };
    tokio::join!(bids, imports);
    let item = sale.owner.get(&sale.item_path()).await.expect(200);
    assert_eq!((&item["name"], &item["bidCount"]), (&json!("Named 5"), &json!(60)));
}

#[tokio::test]
async fn one_event_tells_that_more_than_200_items_have_changed_and_streams_begin_anew() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    import(&ada, &path, "new", table(201, "Lot")).await.expect(201);
    let [_, position] = written(&app).await;
    assert_eq!(position, 1);
    let changes = [
        ("PATCH", path.clone(), json!({"readableBy": "ANYONE"})),
        ("PATCH", path.clone(), json!({"endDate": "2026-06-01T18:00:00Z"})),
        (
            "POST",
            format!("{path}/schedule"),
            json!({"firstEnd": "2026-05-02T18:00:00Z", "intervalSeconds": 1}),
        ),
    ];
    for (position, (method, changed, body)) in (1..).zip(changes) {
        let mut events = Events::open(&ada, &format!("{path}/events?after={position}")).await;
        let mut of_item = Events::open(&ada, &first_item(&ada, &path).await).await;
        of_item.item().await;
        ada.send(method, &changed, body).await.expect(200);
        // The stream of an auction ends, and its client resumes.
        while let Some(event) = events.next().await {
            assert_eq!(event.kind, "reset", "of the time before: {event:?}");
        }
        let mut resumed = Events::open(&ada, &format!("{path}/events?after={position}")).await;
        let reset = resumed.next().await.unwrap();
        assert_eq!((reset.kind.as_str(), reset.id), ("reset", Some(position + 1)));
        assert_eq!(reset.data["items"].as_array().map(Vec::len), Some(100));
        if method == "POST" {
            // The stream may still tell of the change before.
            while of_item.item().await["endDate"] != "2026-05-02T18:00:00.000Z" {}
        }
    }
}

async fn first_item(client: &Client, path: &str) -> String {
    let items = client.get(&format!("{path}/items?limit=1")).await.expect(200);
    format!("{path}/items/{}/events", items["items"][0]["id"].as_str().unwrap())
}

#[tokio::test]
async fn a_hundred_rows_that_a_request_changes_cost_a_write() {
    let app = TestApp::start_with(|settings| settings.rate_limits = Switch::On).await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    // With its own write and those of its rows: 31 of 600, besides that of the auction.
    import(&ada, &path, "new", table(3_000, "Lot")).await.expect(201);
    let schedule = async |hour: usize| {
        let body = json!({"firstEnd": format!("2026-05-02T{hour:02}:00:00Z"), "intervalSeconds": 1});
        ada.post(&format!("{path}/schedule"), body).await
    };
    for hour in 0..18 {
        schedule(hour).await.expect(200);
    }
    // 568 were left, of which each has cost 31. The last one was paid with what comes.
    schedule(18).await.expect(200);
    schedule(19).await.expect_problem(429, "TOO_MANY_REQUESTS");
    app.clock.advance_seconds(4);
    schedule(19).await.expect(200);
    schedule(20).await.expect_problem(429, "TOO_MANY_REQUESTS");
}

#[tokio::test]
async fn the_items_of_a_deleted_auction_cost_writes_as_well() {
    let app = TestApp::start_with(|settings| settings.rate_limits = Switch::On).await;
    let ada = app.user("ada").await;
    // Of 600 writes each round takes one, 31 for the table, and 31 for the deletion.
    for round in 0..9 {
        let path = auction(&ada, json!({})).await;
        import(&ada, &path, &format!("{round}"), table(3_000, "Lot")).await.expect(201);
        ada.delete(&path).await.expect(204);
    }
    for _ in 0..33 {
        auction(&ada, json!({})).await;
    }
    ada.post("/api/auctions", json!({"name": "Sale"})).await.expect_problem(429, "TOO_MANY_REQUESTS");
}

#[tokio::test]
async fn a_preview_of_wrong_rows_stays_within_an_answer_and_says_that_it_is_cut() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    let wrong: String = (1..=5_000).map(|lot| format!("{lot},,EUR,perhaps\n")).collect();
    let wrong = format!("lot,name,currency,published\n{wrong}");
    let request = ada.request("POST", &format!("{path}/items/import?dryRun=true"));
    let request = request.header("content-type", "text/csv").header("idempotency-key", "dry");
    let preview = Answer::of(request.body(wrong.clone())).await;
    let errors = preview.expect(200)["errors"].as_array().unwrap().clone();
    assert!(preview.text.len() <= 256 * 1024, "{}", preview.text.len());
    assert!(errors.len() > 500);
    let last = errors.last().unwrap();
    let left_out = 5_000 - (errors.len() - 1);
    let words = format!("{left_out} more are wrong: only the first ones are listed");
    assert_eq!(*last, json!({"path": "rows", "message": words}));
    let refused = import(&ada, &path, "wrong", wrong).await;
    refused.expect_problem(422, "INVALID_BODY");
    assert!(refused.text.len() <= 256 * 1024, "{}", refused.text.len());

    let request = ada.request("POST", &format!("{path}/items/import?dryRun=true"));
    let request = request.header("content-type", "text/csv").header("idempotency-key", "dry");
    let right = Answer::of(request.body(table(5_000, "A lot with a name that is rather long"))).await;
    let document: Value = right.expect(200);
    assert!(right.text.len() <= 256 * 1024, "{}", right.text.len());
    let listed = document["rows"].as_array().unwrap().len();
    assert_eq!(document["moreRows"], json!(5_000 - listed));
}

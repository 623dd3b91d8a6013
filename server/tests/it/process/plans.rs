//! How SQLite finds the rows of requests that are frequent: by indexes, so that they cost the same in a
//! database that has grown. The statements are those that the server itself logs.

use std::collections::BTreeSet;
use std::time::Duration;

use reqwest::RequestBuilder;
use rusqlite::Connection;
use serde_json::{Deserializer, Value, json};

use super::crash::{Sale, open_sale};
use super::{Process, command, sqlite};
use crate::harness::plans::{Schema, is_query, is_right, scans};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_frequent_request_reads_a_whole_table() {
    let folder = tempfile::tempdir().unwrap();
    let database_url = sqlite(folder.path());
    let mut command = command(&database_url, folder.path(), "127.0.0.1:0");
    command.env("RUST_LOG", "sqlx::query=debug");
    let mut server = Process::run(command).await;
    let sale = open_sale(&server.url).await;
    request_all(&server.url, &sale).await;
    server.kill();
    let mut statements = BTreeSet::new();
    while let Some(line) = server.said.recv().await {
        statements.extend(statement(&line));
    }
    assert!(statements.len() > 60, "the log has the statements: {statements:?}");
    let file = Connection::open(folder.path().join("farthing.db")).unwrap();
    let schema = Schema::read(&file);
    let mut scanning = Vec::new();
    for sql in &statements {
        let found = scans(&file, &schema, sql).unwrap().into_iter().filter(|scan| !is_right(sql, scan));
        scanning.extend(found.map(|scan| format!("{scan}: {sql}")));
    }
    assert!(scanning.is_empty(), "\n{}\n", scanning.join("\n"));
}

/// What members, a clerk, a screen and a stranger request again and again.
async fn request_all(url: &str, sale: &Sale) {
    let (owner, [bidder, buyer, ..]) = (&sale.owner, &*sale.bidders) else { panic!("two bidders") };
    let auction = format!("{url}/api/auctions/{}", sale.auction);
    let item = |at: usize| format!("{auction}/items/{}", sale.items[at]);
    let buyer_id = ask(buyer.get(format!("{url}/api/user"))).await["user"]["id"].clone();
    for (client, amount) in [(bidder, 1), (buyer, 2), (bidder, 3)] {
        ask(client.post(format!("{}/bids", item(0))).json(&json!({"amount": amount}))).await;
    }
    ask(buyer.post(format!("{}/bids/validate", item(0))).json(&json!({"amount": 9}))).await;
    ask(owner.post(format!("{}/bids", item(0))).json(&json!({"amount": 10, "for": {"userId": buyer_id}})))
        .await;
    ask(owner.put(format!("{auction}/block")).json(&json!({"itemId": sale.items[1]}))).await;
    let sold = json!({"result": "SOLD", "for": {"userId": buyer_id}, "amount": 5});
    ask(owner.post(format!("{}/hammer", item(1))).header("idempotency-key", "1").json(&sold)).await;
    let corrected = json!({"for": {"userId": buyer_id}, "amount": 6, "reason": "6"});
    ask(owner.post(format!("{}/outcome", item(1))).json(&corrected)).await;
    ask(owner.patch(format!("{}/outcome", item(1))).json(&json!({"collected": true}))).await;
    let screen =
        ask(owner.post(format!("{auction}/screen"))).await["screenToken"].as_str().unwrap().to_owned();

    let pages = format!("{url}/auctions/{}", sale.auction);
    for client in [owner, bidder] {
        for path in [
            auction.clone(),
            format!("{auction}/items"),
            format!("{auction}/items?sort=bids"),
            format!("{auction}/items?q=item"),
            format!("{auction}/items?status=OPEN"),
            format!("{auction}/outcomes"),
            format!("{auction}/members"),
            item(0),
            format!("{}/bids", item(0)),
            format!("{url}/api/auctions"),
            format!("{url}/api/user/notifications"),
            format!("{url}/dashboard"),
            format!("{url}/auctions"),
            pages.clone(),
            format!("{pages}/items/{}", sale.items[0]),
            format!("{pages}/results"),
            format!("{url}/screen/{screen}"),
        ] {
            let answer = client.get(&path).send().await.unwrap();
            assert_eq!(answer.status(), 200, "{path}");
            answer.bytes().await.unwrap();
        }
        for path in [
            format!("{}/events", item(0)),
            format!("{auction}/events"),
            format!("{auction}/events?after=1"),
            format!("{url}/api/user/events"),
            format!("{url}/screen/{screen}/events"),
        ] {
            let mut stream = client.get(&path).send().await.unwrap();
            assert_eq!(stream.status(), 200, "{path}");
            // The stream of a user may begin with nothing.
            let _ = tokio::time::timeout(Duration::from_millis(300), stream.chunk()).await;
        }
    }
    assert_eq!(owner.get(format!("{pages}/clerk")).send().await.unwrap().status(), 200);
}

async fn ask(request: RequestBuilder) -> Value {
    let answer = request.send().await.unwrap();
    let (status, text) = (answer.status(), answer.text().await.unwrap());
    assert!(status.is_success(), "{status}: {text}");
    serde_json::from_str(&text).unwrap()
}

/// The statement of a line of the log. A short one is its own summary.
fn statement(line: &str) -> Option<String> {
    let text = |name: &str| {
        let (_, quoted) = line.split_once(&format!("{name}="))?;
        Deserializer::from_str(quoted).into_iter::<String>().next()?.ok()
    };
    let sql = text("db.statement").filter(|sql| !sql.is_empty()).or_else(|| text("summary"))?;
    let sql = sql.split_whitespace().collect::<Vec<_>>().join(" ");
    is_query(&sql).then_some(sql)
}

//! How SQLite finds the rows of requests that are frequent: by indexes, so that they cost the same in a
//! database that has grown. The statements are those that the server itself logs.

use std::collections::BTreeSet;
use std::time::Duration;

use reqwest::RequestBuilder;
use rusqlite::Connection;
use serde_json::{Deserializer, Value, json};

use super::crash::{Sale, open_sale};
use super::{Process, command, sqlite};

/// Tables of one row.
const ONE_ROW: &[&str] = &["database_identity", "database_lease", "release_checks", "system_settings"];

/// Scans that are right: a part of the statement, what it scans, and why.
const SCANS: &[(&str, &str, &str)] = &[
    ("LEFT JOIN members m ON FALSE", "m LEFT-JOIN", "no row is read"),
    (
        "ORDER BY a.id DESC LIMIT $4",
        "a USING INDEX sqlite_autoindex_auctions_1",
        "the newest auctions, until a page is full",
    ),
];

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
        let is_right =
            |scan: &String| SCANS.iter().any(|(part, right, _)| sql.contains(part) && scan == right);
        let found = scans(&file, &schema, sql).into_iter().filter(|scan| !is_right(scan));
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
    ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"].iter().any(|verb| sql.starts_with(verb)).then_some(sql)
}

/// The tables with more than one row, and the statements of the views by their names.
struct Schema {
    tables: BTreeSet<String>,
    views: Vec<(String, String)>,
}

impl Schema {
    fn read(file: &Connection) -> Self {
        let mut parts =
            file.prepare("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL").unwrap();
        let parts = parts.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
        let parts: Vec<(String, String, String)> = parts.map(Result::unwrap).collect();
        let tables =
            parts.iter().filter(|(kind, name, _)| kind == "table" && !ONE_ROW.contains(&name.as_str()));
        let tables = tables.map(|(_, name, _)| name.clone()).collect();
        let views = parts.into_iter().filter(|(kind, ..)| kind == "view").map(|(_, name, sql)| (name, sql));
        Self { tables, views: views.collect() }
    }

    /// Whether a statement calls a table so; others are subqueries.
    fn is_table(&self, sql: &str, name: &str) -> bool {
        let views = self.views.iter().filter(|(view, _)| sql.contains(view.as_str()));
        let text = views.fold(sql.to_owned(), |text, (_, of_view)| text + " " + of_view);
        let words: Vec<&str> =
            text.split([' ', '\n', '(', ')', ',']).filter(|word| !word.is_empty()).collect();
        let is_alias = |at: usize| {
            let table = words.get(at + 1).is_some_and(|word| self.tables.contains(*word));
            let alias = words.get(at + 2).filter(|word| **word != "AS").or(words.get(at + 3));
            table && alias == Some(&name)
        };
        let from = (0..words.len()).filter(|at| ["FROM", "JOIN", "UPDATE"].contains(&words[*at]));
        self.tables.contains(name) || from.into_iter().any(is_alias)
    }
}

/// The tables that a statement reads from beginning to end.
fn scans(file: &Connection, schema: &Schema, sql: &str) -> Vec<String> {
    let mut plan = file.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
    // The values are null: the plan does not depend on them.
    let mut steps = plan.raw_query();
    let mut scans = Vec::new();
    while let Some(step) = steps.next().unwrap() {
        let step: String = step.get(3).unwrap();
        scans.extend(step.strip_prefix("SCAN ").map(str::to_owned));
    }
    scans.retain(|scan| {
        let name = scan.split(' ').next().unwrap_or_default();
        schema.is_table(sql, name) && !scan.contains("VIRTUAL TABLE")
    });
    scans
}

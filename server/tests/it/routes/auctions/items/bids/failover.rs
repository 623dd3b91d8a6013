//! A PostgreSQL server that becomes read-only, goes away or freezes, as during a failover.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use serde_json::json;
use sqlx::{AssertSqlSafe, Connection, PgConnection};

use super::{Sale, points};
use crate::harness::{Client, Line, TestApp};

/// A role whose new sessions can be made read-only.
struct Role {
    name: String,
    connection: PgConnection,
    /// URL of the database for this role.
    database_url: String,
}

impl Role {
    async fn of(database_url: &str) -> Self {
        let (_, schema) = database_url.split_once("search_path%3D").unwrap();
        let name = format!("role_{schema}");
        let connection = PgConnection::connect(database_url).await.unwrap();
        let (before, place) = database_url.split_once('@').unwrap();
        let (scheme, _) = before.split_once("://").unwrap();
        let database_url = format!("{scheme}://{name}@{place}");
        let mut role = Self { name, connection, database_url };
        role.execute(format!("CREATE ROLE {} LOGIN SUPERUSER", role.name)).await;
        role
    }

    async fn execute(&mut self, statement: String) {
        sqlx::query(AssertSqlSafe(statement)).execute(&mut self.connection).await.unwrap();
    }

    /// Processes of the sessions.
    async fn sessions(&mut self) -> BTreeSet<i32> {
        let sql = "SELECT pid FROM pg_stat_activity WHERE usename = $1";
        let found: Vec<i32> =
            sqlx::query_scalar(sql).bind(&self.name).fetch_all(&mut self.connection).await.unwrap();
        found.into_iter().collect()
    }

    /// Makes new sessions read-only or writable, and ends those there are if they have to begin again.
    async fn set_read_only(&mut self, is_read_only: bool, ends_sessions: bool) {
        let set = if is_read_only { "on" } else { "off" };
        self.execute(format!("ALTER ROLE {} SET default_transaction_read_only = {set}", self.name)).await;
        if ends_sessions {
            let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename";
            self.execute(format!("{end} = '{}'", self.name)).await;
        }
    }
}

/// A sale, another server on its database, and a bidder there.
async fn sale_at(database_url: impl FnOnce(&str) -> String, sale: &Sale) -> (TestApp, Client) {
    let url = database_url(&sale.app.state.installation.settings.database_url);
    let other = sale.app.another_with(|settings| settings.database_url = url).await;
    let ada = sale.bidder("ada").await.at(other.address);
    (other, ada)
}

async fn sale() -> Sale {
    let app = TestApp::start_on_postgres().await;
    Sale::open_in(app, json!({}), &[points("PTS", "1")], json!({})).await
}

/// Connections that were opened meanwhile are not kept.
#[tokio::test]
async fn bids_are_accepted_again_once_the_database_accepts_writes() {
    let sale = sale().await;
    let mut role = Role::of(&sale.app.state.installation.settings.database_url).await;
    let (other, ada) = sale_at(|_| role.database_url.clone(), &sale).await;
    sale.bid(&ada, json!({"amount": 1})).await.expect(201);
    let probe = other.anonymous();
    probe.get("/readyz").await.expect(200);
    role.set_read_only(true, true).await;
    for _ in 0..20 {
        let refused = sale.bid(&ada, json!({"amount": 2})).await;
        refused.expect_problem(503, "OVERLOADED");
        assert_ne!(refused.header("retry-after"), "");
        let created = ada.post("/api/auctions", json!({"name": "Another"})).await;
        created.expect_problem(503, "OVERLOADED");
    }
    probe.get("/readyz").await.expect_problem(503, "OVERLOADED");
    assert_eq!(ada.get("/auctions").await.status, 200, "reads continue");
    role.set_read_only(false, false).await;
    let begun = Instant::now();
    // Each connection is checked once a second.
    let mut statuses = [0; 3];
    while statuses != [201, 200, 201] {
        assert!(begun.elapsed() < Duration::from_secs(5), "not everything is accepted again: {statuses:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
        if statuses[0] != 201 {
            statuses[0] = sale.bid(&ada, json!({"amount": 2})).await.status.as_u16();
        }
        statuses[1] = probe.get("/readyz").await.status.as_u16();
        statuses[2] = ada.post("/api/auctions", json!({"name": "Another"})).await.status.as_u16();
    }
}

/// Reads of a database that stays read-only don't connect again each time.
#[tokio::test]
async fn connections_to_a_read_only_database_are_kept_for_a_while() {
    let sale = sale().await;
    let mut role = Role::of(&sale.app.state.installation.settings.database_url).await;
    let (_other, ada) = sale_at(|_| role.database_url.clone(), &sale).await;
    role.set_read_only(true, true).await;
    assert_eq!(ada.get("/auctions").await.status, 200);
    let opened = role.sessions().await;
    // Each connection is checked once a second.
    tokio::time::sleep(Duration::from_millis(1_200)).await;
    assert_eq!(ada.get("/auctions").await.status, 200);
    assert!(opened.is_subset(&role.sessions().await), "some were opened again");
}

#[tokio::test]
async fn while_the_database_is_away_every_answer_says_when_to_try_again() {
    let sale = sale().await;
    let (other, ada) = sale_at(str::to_owned, &sale).await;
    sale.bid(&ada, json!({"amount": 1})).await.expect(201);
    other.state.context.db.close().await;
    for answer in [
        sale.bid(&ada, json!({"amount": 2})).await,
        ada.post("/api/auctions", json!({"name": "Another"})).await,
        ada.get(&sale.item_path()).await,
        ada.get("/api/user/notifications").await,
        ada.get("/readyz").await,
        ada.get("/auctions").await,
    ] {
        assert_eq!(answer.status, 503, "{}", answer.text);
        assert_ne!(answer.header("retry-after"), "", "{}", answer.text);
    }
}

#[tokio::test]
async fn a_server_whose_connection_of_bids_has_frozen_is_not_ready() {
    let sale = sale().await;
    let line = Line::to(&sale.app.state.installation.settings.database_url).await;
    let (other, ada) = sale_at(|_| line.database_url.clone(), &sale).await;
    sale.bid(&ada, json!({"amount": 1})).await.expect(201);
    assert_eq!(ada.get("/readyz").await.status, 200);
    line.freeze_bids();
    ada.get("/readyz").await.expect_problem(503, "OVERLOADED");
    ada.get(&sale.item_path()).await.expect(200);
    drop(other);
}

#[tokio::test]
async fn a_bid_waits_ten_seconds_for_a_frozen_database() {
    let sale = sale().await;
    let line = Line::to(&sale.app.state.installation.settings.database_url).await;
    let (other, ada) = sale_at(|_| line.database_url.clone(), &sale).await;
    sale.bid(&ada, json!({"amount": 1})).await.expect(201);
    line.freeze(true);
    let begun = Instant::now();
    let bid = sale.bid(&ada, json!({"amount": 2})).await;
    bid.expect_problem(503, "OVERLOADED");
    assert_ne!(bid.header("retry-after"), "");
    let waited = begun.elapsed();
    assert!((Duration::from_secs(4)..Duration::from_secs(16)).contains(&waited), "{waited:?}");
    line.freeze(false);
    drop(other);
}

//! `/api/auctions/{auction_id}/items/{item_id}/bids`

pub mod books;
mod draw;
mod end;
mod failover;
mod failure;
mod form;
mod idempotency;
mod instances;
mod join;
mod known;
mod list;
mod model;
mod order;
mod place;
mod refused;
mod sealed;
mod validate;
mod violations;
mod visibility;
mod withdraw;

use platform::db::{Sql, query};
use serde_json::{Value, json};

use crate::harness::{Answer, Client, TestApp};
use crate::routes::auctions::give_role;

/// A FREE auction with one published item.
pub struct Sale {
    pub app: TestApp,
    /// Owns the auction and sells the item.
    pub owner: Client,
    pub auction: String,
    pub item: String,
}

impl Sale {
    /// Creates a sale of an item in euros with the fields of `item`.
    pub async fn legacy(item: Value) -> Self {
        let mut terms = json!({"currencyCode": "EUR"});
        merge(&mut terms, item);
        Self::open(json!({}), &[], terms).await
    }

    /// Creates an auction with `terms` and `currencies`, and an item with the fields of `item`.
    pub async fn open(terms: Value, currencies: &[Value], item: Value) -> Self {
        Self::open_in(TestApp::start().await, terms, currencies, item).await
    }

    pub async fn open_in(app: TestApp, terms: Value, currencies: &[Value], item: Value) -> Self {
        let owner = app.user("owner").await;
        let mut body = json!({"name": "Spring sale", "joinMode": "FREE"});
        merge(&mut body, terms);
        let auction = text(&owner.post("/api/auctions", body).await.expect(201)["id"]);
        for currency in currencies {
            owner.post(&format!("/api/auctions/{auction}/currencies"), currency.clone()).await.expect(201);
        }
        let mut sale = Self { app, owner, auction, item: String::new() };
        sale.item = sale.add_item(item).await;
        sale
    }

    pub async fn add_item(&self, item: Value) -> String {
        let mut body = json!({"name": "A vase", "isPublished": true});
        merge(&mut body, item);
        let path = format!("/api/auctions/{}/items", self.auction);
        text(&self.owner.post(&path, body).await.expect(201)["id"])
    }

    /// Registers a user who joins the auction.
    pub async fn bidder(&self, name: &str) -> Client {
        let bidder = self.app.user(name).await;
        let joined = bidder.post(&format!("/api/auctions/{}/join", self.auction), json!({})).await;
        assert!(joined.status.is_success(), "{}", joined.text);
        bidder
    }

    /// Gives a member a role.
    pub async fn give_role(&self, member: &Client, role: &str) {
        give_role(&self.owner, &format!("/api/auctions/{}", self.auction), member, role).await;
    }

    /// Adds 1001 bids of the same bidder to the item, which has one. The amount of each is its sequence.
    pub async fn bid_to_1002(&self) {
        self.bid_like(1, 1002).await;
    }

    /// Adds bids up to the sequence `last` to the item, the only one of the database with bids: of the bidder
    /// of the bid `like`, each with its sequence as amount. None has an event.
    pub async fn bid_like(&self, like: i64, last: i64) {
        macro_rules! more_bids {
            ($new_id:literal) => {
                concat!(
                    "INSERT INTO bids (auction_id, position, previous, item_id, sequence, id, bidder_id, amount,
                                       normalized_amount, is_anonymous, created_at)
                     WITH RECURSIVE n (s) AS (
                         SELECT last_sequence + 1 FROM item_heads UNION ALL SELECT s + 1 FROM n WHERE s < $2)
                     SELECT b.auction_id, e.last_position + s,
                            CASE WHEN s = h.last_sequence + 1 THEN h.last_position ELSE e.last_position + s - 1 END,
                            b.item_id, s, ",
                    $new_id,
                    ", b.bidder_id, CAST(s AS TEXT), CAST(s AS TEXT), b.is_anonymous, b.created_at
                     FROM bids b JOIN event_heads e ON e.auction_id = b.auction_id, item_heads h, n
                     WHERE b.sequence = $1"
                )
            };
        }
        let more = Sql { sqlite: more_bids!("randomblob(16)"), postgres: more_bids!("gen_random_uuid()") };
        let mut db = self.app.state.context.db.write().await.unwrap();
        query(more).bind(like).bind(last).execute(&mut db).await.unwrap();
        db.commit().await.unwrap();
        for sql in [
            "INSERT INTO bid_marks (item_id, sequence, position)
             SELECT item_id, sequence, position FROM bids WHERE sequence % 8 = 0 AND sequence <= 512
                 OR sequence % 16 = 0 AND sequence <= 1024 OR sequence % 32 = 0",
            "UPDATE item_heads SET last_sequence = bids.sequence, last_position = bids.position,
                                   leading_sequence = bids.sequence, leading_position = bids.position
             FROM bids WHERE bids.position = (SELECT MAX(position) FROM bids)",
            "UPDATE event_heads SET last_position = bids.position
             FROM bids WHERE bids.position = (SELECT MAX(position) FROM bids)
                         AND bids.auction_id = event_heads.auction_id",
        ] {
            self.write(sql).await;
        }
    }

    pub fn item_path(&self) -> String {
        format!("/api/auctions/{}/items/{}", self.auction, self.item)
    }

    pub fn bids_path(&self) -> String {
        format!("{}/bids", self.item_path())
    }

    pub async fn bid(&self, bidder: &Client, body: Value) -> Answer {
        bidder.post(&self.bids_path(), body).await
    }

    /// Executes a statement that no request executes.
    pub async fn write(&self, statement: impl Into<Sql>) {
        self.app.write(statement).await;
    }

    /// All bids as the owner sees them, newest first.
    pub async fn bids(&self) -> Vec<Value> {
        let listed = self.owner.get(&format!("{}?limit=100", self.bids_path())).await.expect(200);
        assert_eq!(listed["nextBefore"], Value::Null);
        listed["bids"].as_array().unwrap().clone()
    }
}

pub fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn merge(into: &mut Value, from: Value) {
    let Value::Object(from) = from else { panic!("an object") };
    into.as_object_mut().unwrap().extend(from);
}

/// Galleons, sickles and knuts.
pub fn wizards() -> Value {
    json!({
        "code": "WIZ", "name": "Wizarding", "rateToBase": "1", "inputMode": "DENOMINATION",
        "denominations": [
            {"code": "GALLEON", "name": "Galleon", "plural": "Galleons", "factor": 493},
            {"code": "SICKLE", "name": "Sickle", "plural": "Sickles", "factor": 29},
            {"code": "KNUT", "name": "Knut", "plural": "Knuts", "factor": 1},
        ],
    })
}

/// A currency entered as one amount, in whole units.
pub fn points(code: &str, rate: &str) -> Value {
    json!({"code": code, "name": code, "rateToBase": rate, "inputMode": "SCALAR"})
}

/// The codes of a refused bid's violations, in order.
pub fn codes(refused: &Value) -> Vec<String> {
    refused["details"]["violations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|violation| text(&violation["code"]))
        .collect()
}

//! `/api/books…`

mod caps;
mod change;
mod consent;
mod entries;
mod export;
mod holders;
mod import;
mod import_standings;
mod imports;
mod model;
mod runs;
mod share;
mod waiting;

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};

use crate::harness::{Answer, Client, TestApp};
use crate::routes::auctions::{auction, change, join, user_id};

/// A book of raffle tickets. `changes` replaces members.
pub fn raffle(changes: Value) -> Value {
    let mut book = json!({"name": "Class 4b", "baseUnit": {"name": "Tickets", "symbol": "T"}});
    change(&mut book, changes);
    book
}

/// Creates a book and returns its path.
pub async fn book(owner: &Client, changes: Value) -> String {
    let made = owner.post("/api/books", raffle(changes)).await.expect(201);
    format!("/api/books/{}", made["id"].as_str().unwrap())
}

/// Lets a user become a holder by the link of the book, and returns their id.
pub async fn add(keeper: &Client, book: &str, user: &Client) -> String {
    let token = keeper.get(book).await.expect(200)["inviteToken"].clone();
    user.post(&format!("{book}/join"), json!({ "inviteToken": token })).await.expect(200);
    user_id(user).await
}

/// An auction of which all of them are members.
async fn meet(owner: &Client, others: &[&Client]) -> String {
    let path = auction(owner, json!({"joinMode": "FREE", "name": "A fair"})).await;
    for other in others {
        join(other, &path).await;
    }
    path
}

/// Posts a body with an idempotency key.
async fn keyed(client: &Client, path: &str, key: &str, body: &Value) -> Answer {
    let request = client.request("POST", path).header("idempotency-key", key);
    Answer::of(request.header("content-type", "application/json").body(body.to_string())).await
}

/// Grants holders an amount, with a key of its own.
async fn grant(keeper: &Client, book: &str, holders: Value, amount: Value) -> Answer {
    static GRANTS: AtomicU64 = AtomicU64::new(0);
    let body = json!({"holders": holders, "amount": amount, "reason": "Cakes"});
    let key = format!("grant-{}", GRANTS.fetch_add(1, Ordering::Relaxed));
    keyed(keeper, &format!("{book}/entries"), &key, &body).await
}

/// The entries that a user sees, oldest first.
async fn entries(client: &Client, book: &str) -> Vec<Value> {
    let found = client.get(&format!("{book}/entries")).await.expect(200);
    assert_eq!(found["nextBefore"], Value::Null);
    found["entries"].as_array().unwrap().iter().rev().cloned().collect()
}

/// A member of each entry.
fn each(entries: &[Value], member: &str) -> Vec<Value> {
    entries.iter().map(|entry| entry[member].clone()).collect()
}

/// The balance of each holder, by name.
async fn balances(client: &Client, book: &str) -> Vec<(String, String)> {
    let found = client.get(&format!("{book}/holders")).await.expect(200);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let holders = found["holders"].as_array().unwrap().iter();
    holders.map(|holder| (text(&holder["user"]["name"]), text(&holder["balance"]))).collect()
}

fn names(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, balance)| ((*name).to_owned(), (*balance).to_owned())).collect()
}

/// An owner, a teller and a holder of a book in which everyone begins with 300.
struct Class {
    app: TestApp,
    owner: Client,
    teller: Client,
    holder: Client,
    book: String,
}

impl Class {
    async fn start() -> Self {
        Self::with(json!({"startingBalance": 300})).await
    }

    async fn with(changes: Value) -> Self {
        let app = TestApp::start().await;
        let owner = app.user("owner").await;
        let (teller, holder) = (app.user("teller").await, app.user("holder").await);
        let book = book(&owner, changes).await;
        let id = add(&owner, &book, &teller).await;
        owner.patch(&format!("{book}/holders/{id}"), json!({"role": "TELLER"})).await.expect(200);
        add(&owner, &book, &holder).await;
        Self { app, owner, teller, holder, book }
    }

    fn path(&self, part: &str) -> String {
        format!("{}/{part}", self.book)
    }
}

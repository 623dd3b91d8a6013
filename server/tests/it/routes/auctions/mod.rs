//! `/api/auctions…`

mod access;
mod calendar;
mod close;
mod copy;
mod create;
mod currencies;
mod currency_rules;
mod currency_set;
mod delete;
mod events;
mod export;
mod forms;
mod hall;
mod idempotency;
mod invite_token;
mod invites;
pub mod items;
mod join;
mod list;
mod members;
mod model;
mod outcomes;
mod past_ends;
mod patch;
mod present;
mod public;
mod schedule;
mod settings;
mod start;
mod transfer;
mod visibility;

use platform::db::Sql;
use serde_json::{Value, json};

use crate::harness::{Answer, Client, TestApp};

/// A valid id that no resource has.
pub const NO_ID: &str = "019de4b2-8d00-72b4-886e-c524888c51db";

/// Creates an auction with `terms`, which need no name, and returns its path.
pub async fn auction(owner: &Client, mut terms: Value) -> String {
    if terms.get("name").is_none() {
        terms["name"] = json!("Spring sale");
    }
    let made = owner.post("/api/auctions", terms).await.expect(201);
    format!("/api/auctions/{}", made["id"].as_str().unwrap())
}

/// Joins a FREE auction.
pub async fn join(client: &Client, auction: &str) {
    client.post(&format!("{auction}/join"), json!({})).await.expect(200);
}

/// The id of the signed-in user.
pub async fn user_id(client: &Client) -> String {
    client.get("/api/user").await.expect(200)["user"]["id"].as_str().unwrap().to_owned()
}

/// Gives a member of the auction a role.
pub async fn give_role(owner: &Client, auction: &str, member: &Client, role: &str) {
    let path = format!("{auction}/members/{}", user_id(member).await);
    owner.patch(&path, json!({ "role": role })).await.expect(200);
}

/// Adds 405 members to every auction, whom no request can act as.
pub async fn add_405_members(app: &TestApp) {
    macro_rules! users {
        ($new_id:literal) => {
            concat!(
                "INSERT INTO users (id, name, created_at, erased_at)
                 WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 405)
                 SELECT ",
                $new_id,
                ", 'deleted user', 0, 0 FROM n"
            )
        };
    }
    app.write(Sql { sqlite: users!("randomblob(16)"), postgres: users!("gen_random_uuid()") }).await;
    app.write(
        "INSERT INTO members (auction_id, user_id, role, joined_at)
         SELECT a.id, u.id, 'BIDDER', 0 FROM auctions a, users u WHERE u.erased_at IS NOT NULL",
    )
    .await;
}

/// Removes a member of the auction.
pub async fn remove(manager: &Client, auction: &str, member: &Client) {
    manager.delete(&format!("{auction}/members/{}", user_id(member).await)).await.expect(204);
}

/// Invites the user with this e-mail and returns the invite.
pub async fn invite(sender: &Client, auction: &str, email: &str, role: &str) -> Value {
    sender.post(&format!("{auction}/invites"), json!({"email": email, "role": role})).await.expect(201)
}

/// Accepts an invite.
pub async fn accept(client: &Client, invite: &Value) -> Answer {
    client.post(&format!("/api/invites/{}", invite["token"].as_str().unwrap()), json!({})).await
}

/// A profile of galleons, sickles and knuts. `changes` replaces members.
pub fn wizards(changes: Value) -> Value {
    let mut profile = json!({
        "code": "GSK", "name": "Galleons, Sickles, Knuts", "rateToBase": 1, "inputMode": "DENOMINATION",
        "denominations": [
            {"code": "GALLEON", "name": "Galleon", "plural": "Galleons", "symbol": "G", "factor": 493},
            {"code": "SICKLE", "name": "Sickle", "plural": "Sickles", "factor": "29"},
            {"code": "KNUT", "name": "Knut", "plural": "Knuts", "factor": 1.000},
        ],
    });
    change(&mut profile, changes);
    profile
}

/// A profile of raffle tickets, each worth 12.5. `changes` replaces members.
pub fn tickets(changes: Value) -> Value {
    let mut profile =
        json!({"code": "TICKET", "name": "Raffle tickets", "rateToBase": "12.50", "inputMode": "SCALAR"});
    change(&mut profile, changes);
    profile
}

pub fn change(body: &mut Value, changes: Value) {
    let changes = changes.as_object().unwrap().clone();
    body.as_object_mut().unwrap().extend(changes);
}

/// The field paths in the errors of a 422.
#[track_caller]
pub fn wrong_fields(answer: &Answer) -> Vec<String> {
    let problem = answer.expect_problem(422, "INVALID_BODY");
    let fields = problem["details"]["fields"].as_array().unwrap();
    fields.iter().map(|field| field["path"].as_str().unwrap().to_owned()).collect()
}

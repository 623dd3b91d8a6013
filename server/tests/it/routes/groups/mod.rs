//! `/api/groups…`, sign-in by number, and what managed users may do.

mod auctions;
mod create;
mod import;
mod imports;
mod keeper_number;
mod leave;
mod model;
mod names;
mod numbers;
mod people;
mod sign_in;
mod upgrade;

use serde_json::{Value, json};

use crate::harness::{Answer, Client, TestApp};

/// A class: a group with a keeper, and its code.
pub struct Group {
    pub app: TestApp,
    pub keeper: Client,
    pub path: String,
    pub id: String,
    pub code: String,
}

impl Group {
    pub async fn start() -> Self {
        Self::start_in(TestApp::start().await).await
    }

    /// A group whose keeper has taken the number 1, so that the first person gets the 2.
    pub async fn start_in(app: TestApp) -> Self {
        let group = Self::of_new_keeper(app).await;
        let keeper = group.people().await[0]["user"]["id"].as_str().unwrap().to_owned();
        let path = format!("{}/people/{keeper}", group.path);
        group.keeper.patch(&path, json!({"number": 1})).await.expect(200);
        group
    }

    /// A group as it is made: its keeper has no number.
    pub async fn of_new_keeper(app: TestApp) -> Self {
        let keeper = app.user("keeper").await;
        let made = keeper.post("/api/groups", json!({"name": "Class 4b"})).await.expect(201);
        let text = |name: &str| made[name].as_str().unwrap().to_owned();
        let (id, code) = (text("id"), text("code"));
        Self { app, keeper, path: format!("/api/groups/{id}"), id, code }
    }

    /// Adds people with these names, and returns them with their PINs.
    pub async fn add(&self, names: &[&str]) -> Vec<Value> {
        let people: Vec<_> = names.iter().map(|name| json!({"name": name})).collect();
        let added = self.add_people(&names.join(" "), json!(people)).await.expect(201);
        added["people"].as_array().unwrap().clone()
    }

    pub async fn add_people(&self, key: &str, people: Value) -> Answer {
        let path = format!("{}/people", self.path);
        let request = self.keeper.request("POST", &path).header("content-type", "application/json");
        let key: String = key.chars().filter(|letter| letter.is_ascii_graphic()).take(64).collect();
        let request = request.header("idempotency-key", key);
        Answer::of(request.body(json!({"people": people}).to_string())).await
    }

    /// A browser in which the person has signed in.
    pub async fn signed_in(&self, person: &Value) -> Client {
        let client = self.app.anonymous();
        self.sign_in(&client, &person["number"], &person["pin"]).await.expect(200);
        client
    }

    pub async fn sign_in(&self, client: &Client, number: &Value, pin: &Value) -> Answer {
        client.post("/api/auth/number", json!({"code": self.code, "number": number, "pin": pin})).await
    }

    pub async fn people(&self) -> Vec<Value> {
        let found = self.keeper.get(&format!("{}/people?limit=100", self.path)).await.expect(200);
        found["people"].as_array().unwrap().clone()
    }

    pub fn person(&self, number: i64) -> String {
        format!("{}/people/{number}", self.path)
    }

    /// An open auction of the keeper with the group.
    pub async fn auction(&self, mut terms: Value) -> String {
        terms["groupId"] = json!(self.id);
        if terms["name"].is_null() {
            terms["name"] = json!("Sale");
        }
        let made = self.keeper.post("/api/auctions", terms).await.expect(201);
        format!("/api/auctions/{}", made["id"].as_str().unwrap())
    }
}

/// The names of the members of an auction with their numbers, sorted by name.
pub async fn members(client: &Client, auction: &str) -> Vec<String> {
    let found = client.get(&format!("{auction}/members")).await.expect(200);
    let mut names: Vec<_> = found["members"]
        .as_array()
        .unwrap()
        .iter()
        .map(|member| {
            format!("{} {}", member["user"]["name"].as_str().unwrap(), member["role"].as_str().unwrap())
        })
        .collect();
    names.sort();
    names
}

/// Publishes an item that takes bids in the currency of the auction.
pub async fn item(owner: &Client, auction: &str, name: &str) -> String {
    let body = json!({"name": name, "currencyCode": "EUR", "isPublished": true});
    let made = owner.post(&format!("{auction}/items"), body).await.expect(201);
    format!("{auction}/items/{}", made["id"].as_str().unwrap())
}

//! `…/bids/{sequence}/withdraw`

mod bidder;
mod instances;
mod manager;
mod result;
mod streams;

use serde_json::{Value, json};

use super::Sale;
use crate::harness::{Answer, Client};
use crate::routes::auctions::give_role;

impl Sale {
    pub async fn withdraw(&self, user: &Client, sequence: i64, body: Value) -> Answer {
        user.post(&format!("{}/{sequence}/withdraw", self.bids_path()), body).await
    }

    /// Registers a user who joins the auction and gets a role.
    pub async fn member(&self, name: &str, role: &str) -> Client {
        let member = self.bidder(name).await;
        give_role(&self.owner, &format!("/api/auctions/{}", self.auction), &member, role).await;
        member
    }

    /// Registers a user who becomes an ADMIN.
    pub async fn admin(&self, name: &str) -> Client {
        self.member(name, "ADMIN").await
    }
}

fn mistyped() -> Value {
    json!({"reason": "MISTYPED"})
}

fn other() -> Value {
    json!({"reason": "OTHER"})
}

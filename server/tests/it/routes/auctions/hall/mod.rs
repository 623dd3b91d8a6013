//! Selling aloud in one room: clerks who bid for others, the block, hammers and corrections.

mod block;
mod correct;
mod for_members;
mod hammer;
mod instances;
mod order;
mod senders;

use serde_json::{Value, json};

use super::items::bids::{Sale, points, text};
use super::user_id;
use crate::harness::{Answer, Client, TestApp};

/// A sale in points of the owner's items, with a clerk and two bidders.
struct Hall {
    sale: Sale,
    clerk: Client,
    ada: Client,
    bob: Client,
}

impl Hall {
    async fn open() -> Self {
        Self::open_in(TestApp::start().await, json!({})).await
    }

    async fn open_in(app: TestApp, terms: Value) -> Self {
        Self::of(Sale::open_in(app, terms, &[points("PTS", "1")], json!({})).await).await
    }

    async fn of(sale: Sale) -> Self {
        let (clerk, ada, bob) =
            (sale.bidder("carl").await, sale.bidder("ada").await, sale.bidder("bob").await);
        sale.give_role(&clerk, "CLERK").await;
        Self { sale, clerk, ada, bob }
    }

    /// The same sale on a server that was restarted.
    async fn restart(self) -> Self {
        let Self { sale, clerk, ada, bob } = self;
        let app = sale.app.restart().await;
        let [owner, clerk, ada, bob] = [sale.owner, clerk, ada, bob].map(|client| client.at(app.address));
        Self { sale: Sale { app, owner, ..sale }, clerk, ada, bob }
    }

    fn auction(&self) -> String {
        format!("/api/auctions/{}", self.sale.auction)
    }

    fn item(&self, item: &str) -> String {
        format!("{}/items/{item}", self.auction())
    }

    /// Hammers the first item.
    async fn hammer(&self, key: &str, body: Value) -> Answer {
        hammer(&self.clerk, &self.sale.item_path(), key, body).await
    }

    async fn correct(&self, client: &Client, body: Value) -> Answer {
        client.post(&format!("{}/outcome", self.sale.item_path()), body).await
    }

    async fn correct_keyed(&self, client: &Client, key: &str, body: Value) -> Answer {
        let path = format!("{}/outcome", self.sale.item_path());
        Answer::of(client.request("POST", &path).header("idempotency-key", key).json(&body)).await
    }
}

async fn hammer(client: &Client, item: &str, key: &str, body: Value) -> Answer {
    let request = client.request("POST", &format!("{item}/hammer")).header("idempotency-key", key);
    Answer::of(request.json(&body)).await
}

/// The member as a clerk names them.
async fn named(member: &Client) -> Value {
    json!({"userId": user_id(member).await})
}

/// Result, sequence of the bid, price and winner of the outcome of an item.
fn outcome(item: &Value) -> Value {
    let outcome = &item["outcome"];
    let bid = &outcome["bid"];
    json!([outcome["result"], bid["sequence"], bid["normalizedAmount"], outcome["winner"]["name"]])
}

//! Mails through an SMTP server: which are sent, to whom, how often, and what their links do.

mod cause;
mod confirmation;
mod connection;
mod invites;
mod kinds;
mod new_browser;
mod outbox;
mod second_factor;
mod upgrade;
mod words;

use installation::config::{Settings, Switch};
use serde_json::{Value, json};

use crate::harness::{Client, SmtpServer, TestApp};
use crate::routes::auctions::items::bids::Sale;

/// The settings of an installation that sends mail through the server at this URL.
fn sends_through(url: &str) -> impl FnOnce(&mut Settings) + use<> {
    let url = url.parse().unwrap();
    move |settings| {
        settings.rate_limits = Switch::Off;
        settings.smtp_url = Some(url);
        settings.mail_from = Some("auctions@example.org".parse().unwrap());
        settings.public_url = Some("http://bids.example.org".parse().unwrap());
    }
}

/// An installation with a sale of an item, on which Ada and Bob bid.
struct Duel {
    smtp: SmtpServer,
    sale: Sale,
    ada: Client,
    bob: Client,
}

impl Duel {
    async fn open() -> Self {
        Self::open_with(json!({}), &[], json!({"currencyCode": "EUR"})).await
    }

    /// The auction has these terms and currencies.
    async fn open_with(terms: Value, currencies: &[Value], item: Value) -> Self {
        let smtp = SmtpServer::start().await;
        let app = TestApp::start_with(sends_through(&smtp.url())).await;
        let sale = Sale::open_in(app, terms, currencies, item).await;
        let (ada, bob) = (sale.bidder("ada").await, sale.bidder("bob").await);
        sale.app.confirm_emails().await;
        Self { smtp, sale, ada, bob }
    }

    async fn bid(&self, bidder: &Client, amount: u32) {
        self.sale.bid(bidder, json!({ "amount": amount })).await.expect(201);
        self.sale.app.tell_leads().await;
    }

    /// Sends what is due after so many seconds. Returns how many mails the server has taken in all.
    async fn after(&self, seconds: i64) -> usize {
        self.sale.app.clock.advance_seconds(seconds);
        self.sale.app.send_mails().await;
        self.smtp.mails().await.len()
    }
}

//! Bids in auctions with a book.

mod charges;
mod commitments;
mod concurrent;
mod joining;
mod live;
mod model;
mod sharing;

use auction_house::ids::{BookId, UserId};
use platform::db::{query, query_scalar};
use serde_json::{Value, json};

use super::{Sale, codes, points, text};
use crate::harness::{Answer, Client, TestApp};
use crate::routes::auctions::user_id;

/// An auction with a book, in points.
pub struct BookSale {
    pub sale: Sale,
    pub book: BookId,
}

impl BookSale {
    pub async fn open(starting: &str) -> Self {
        Self::open_in(TestApp::start().await, starting).await
    }

    pub async fn open_in(app: TestApp, starting: &str) -> Self {
        let sale = Sale::open_in(app, json!({}), &[points("PTS", "1")], json!({})).await;
        let book = open_book(&sale.app, &sale.owner, starting).await;
        let opened = Self { sale, book };
        opened.set_book(&opened.sale.auction).await;
        opened
    }

    async fn set_book(&self, auction: &str) {
        let path = format!("/api/auctions/{auction}");
        let changed = self.sale.owner.patch(&path, json!({"bookId": self.book})).await.expect(200);
        assert_eq!(changed["bookId"], json!(self.book));
        assert_eq!(changed["baseUnit"]["name"], "Point");
    }

    /// Another auction with this book and an item; their ids.
    pub async fn another_auction(&self) -> (String, String) {
        let owner = &self.sale.owner;
        let body = json!({"name": "Autumn sale", "joinMode": "FREE", "bookId": self.book});
        let auction = text(&owner.post("/api/auctions", body).await.expect(201)["id"]);
        let path = format!("/api/auctions/{auction}");
        owner.post(&format!("{path}/currencies"), points("PTS", "1")).await.expect(201);
        let item = json!({"name": "A lamp", "isPublished": true});
        let item = text(&owner.post(&format!("{path}/items"), item).await.expect(201)["id"]);
        (auction, item)
    }

    pub async fn bid_on(&self, item: &str, bidder: &Client, amount: u64) -> Answer {
        let path = format!("/api/auctions/{}/items/{item}/bids", self.sale.auction);
        bidder.post(&path, json!({"amount": amount})).await
    }

    /// What a member has: balance, committed, available.
    pub async fn funds(&self, member: &Client) -> [String; 3] {
        let funds = member.get(&format!("/api/auctions/{}/balance", self.sale.auction)).await.expect(200);
        assert_eq!(funds["bookId"], json!(self.book));
        ["balance", "committed", "available"].map(|name| text(&funds[name]))
    }

    /// The entries: kind, holder, amount and balance, in order.
    pub async fn entries(&self) -> Vec<(String, UserId, String, String)> {
        let rows: Vec<(i64, String, UserId, String, String)> = query(
            "SELECT sequence, kind, holder_id, amount, balance FROM book_entries WHERE book_id = $1
             ORDER BY sequence",
        )
        .bind(self.book)
        .fetch_all(&mut self.sale.app.state.context.db.read().await.unwrap())
        .await
        .unwrap();
        assert!(rows.iter().map(|row| row.0).eq(1..=i64::try_from(rows.len()).unwrap()), "without gaps");
        rows.into_iter().map(|(_, kind, holder, amount, balance)| (kind, holder, amount, balance)).collect()
    }

    /// How often the book was changed.
    pub async fn revision(&self) -> i64 {
        let mut conn = self.sale.app.state.context.db.read().await.unwrap();
        query_scalar("SELECT revision FROM books WHERE id = $1")
            .bind(self.book)
            .fetch_one(&mut conn)
            .await
            .unwrap()
    }

    /// Kinds and amounts of the entries of one holder.
    pub async fn entries_of(&self, holder: &Client) -> Vec<(String, String)> {
        let id = user_id(holder).await;
        let entries = self.entries().await.into_iter();
        entries.filter(|entry| entry.1.to_string() == id).map(|(kind, _, amount, _)| (kind, amount)).collect()
    }
}

/// A book in points, of which the user is OWNER.
async fn open_book(app: &TestApp, owner: &Client, starting: &str) -> BookId {
    let now = app.state.context.clock.now();
    let (id, owner) = (BookId::new(now), user_id(owner).await);
    let mut db = app.state.context.db.write().await.unwrap();
    query(
        "INSERT INTO books (id, name, base_unit_name, base_unit_plural, base_unit_symbol, starting_balance, credit_limit,
                            visibility, link_token, created_at, updated_at)
         VALUES ($1, 'Class 4b', 'Point', 'Points', '', $2, '0', 'PRIVATE', $4, $3, $3)",
    )
    .bind(id)
    .bind(starting)
    .bind(now)
    .bind(id.to_string())
    .execute(&mut db)
    .await
    .unwrap();
    query("INSERT INTO book_holders (book_id, user_id, role, joined_at) VALUES ($1, $2, 'OWNER', $3)")
        .bind(id)
        .bind(owner.parse::<UserId>().unwrap())
        .bind(now)
        .execute(&mut db)
        .await
        .unwrap();
    db.commit().await.unwrap();
    id
}

/// A refusal for want of money, with what was required and what was available.
pub fn short_of(answer: &Answer) -> (String, String) {
    let refused = answer.expect_problem(422, "BID_REJECTED");
    assert_eq!(codes(&refused), ["INSUFFICIENT_BALANCE"], "{refused}");
    let violation: &Value = &refused["details"]["violations"][0];
    (text(&violation["required"]), text(&violation["actual"]))
}

//! The requests of the desk: what is to be kept and sent for what a clerk has typed.

use crate::components::name::isolated;
use crate::islands::hall::typed::{DeskEvaluation, Typed};
use crate::live::json::JsonObject;
use crate::live::wire::{Buyer, HammerRequest};
use crate::model::DeskLot;

/// The reason of a correction at the desk.
const REASON: &str = "Wrongly entered";

/// The body of a sale without a buyer: the bids decide.
const SOLD: &str = r#"{"result":"SOLD"}"#;

/// An end of a lot without a buyer's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OtherEnd {
    SoldToLeader,
    Passed,
}

/// A call that is to be kept and sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewCall {
    pub path: String,
    pub body: String,
    pub item_id: String,
    pub member_id: Option<String>,
    pub amount: Option<String>,
    pub is_correction: bool,
    /// It places a bid, and the lot stays open.
    pub is_bid: bool,
    pub words: String,
}

impl NewCall {
    /// The call as `outbox.js` keeps it: a [`PendingCall`](crate::model::PendingCall), and what is sent.
    pub fn to_json(&self, typed: &Typed, key: &str) -> String {
        let mut json = JsonObject::default();
        json.text("path", &self.path);
        json.text("key", key);
        json.text("body", &self.body);
        json.text("item_id", &self.item_id);
        json.text("lot", &typed.lot);
        json.text("buyer", &typed.buyer);
        json.text("price", &typed.price);
        json.text("currency", &typed.currency);
        json.given("member_id", self.member_id.as_deref());
        json.given("amount", self.amount.as_deref());
        json.boolean("is_correction", self.is_correction);
        json.boolean("is_bid", self.is_bid);
        json.text("words", &self.words);
        json.finish()
    }
}

impl DeskEvaluation<'_> {
    /// The call that sells the lot, or places a bid on one that the clerk does not sell. None while a field
    /// is empty.
    pub fn sale(&self, overrides: bool) -> Option<NewCall> {
        let (lot, member, price) = (self.lot?, self.member?, self.price.as_ref()?);
        let buyer = match member.number {
            Some(number) if self.desk.has_numbers => Buyer::Number(number),
            _ => Buyer::User(member.id.clone()),
        };
        let request = HammerRequest {
            buyer,
            currency_profile_id: price.currency.profile_id.clone(),
            price: price.form.clone(),
            overrides,
        };
        let who = isolated(&member.in_words());
        if let Some(lot) = self.takes_bids() {
            let body = if lot.takes_tickets { request.to_tickets_json() } else { request.to_bid_json() };
            return Some(NewCall {
                path: format!("{}/bids", self.path(lot)),
                body,
                member_id: Some(member.id.clone()),
                amount: price.normalized.map(|amount| amount.to_string()),
                is_bid: true,
                ..self.call(lot, format!("bid of {who}"))
            });
        }
        let to = format!("to {who} for {}", self.price_in_words());
        let (body, done) = if self.is_correction {
            (request.to_correction_json(REASON), format!("corrected, {to}"))
        } else {
            (request.to_json(), to)
        };
        Some(NewCall {
            body,
            member_id: Some(member.id.clone()),
            amount: price.normalized.map(|amount| amount.to_string()),
            ..self.call(lot, done)
        })
    }

    /// What is to be sent for another end of an open lot.
    pub fn other(&self, end: OtherEnd) -> Option<NewCall> {
        let lot = self.lot.filter(|lot| lot.sale.is_none() && !self.is_called)?;
        let (body, done) = match (end, &lot.decides) {
            (OtherEnd::SoldToLeader, Some(decides)) => (SOLD, decides.as_str()),
            (OtherEnd::SoldToLeader, None) => {
                lot.highest.as_ref()?;
                (SOLD, "to the leader")
            }
            (OtherEnd::Passed, _) => (r#"{"result":"PASSED"}"#, "passed"),
        };
        Some(NewCall { body: body.to_owned(), ..self.call(lot, done.to_owned()) })
    }

    fn path(&self, lot: &DeskLot) -> String {
        format!("/api/auctions/{}/items/{}", self.desk.auction_id, lot.item_id)
    }

    fn call(&self, lot: &DeskLot, done: String) -> NewCall {
        let verb = if self.is_correction { "outcome" } else { "hammer" };
        NewCall {
            path: format!("{}/{verb}", self.path(lot)),
            body: String::new(),
            item_id: lot.item_id.clone(),
            member_id: None,
            amount: None,
            is_correction: self.is_correction,
            is_bid: false,
            words: format!("Lot {}, {}: {done}", lot.lot_number, isolated(&lot.name)),
        }
    }
}

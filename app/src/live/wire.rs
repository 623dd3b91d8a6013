//! The API's documents, as far as islands use them. Further members are ignored.

use rules_engine::{BidForm, EnteredCount, Literal, Violation};

use crate::live::json::JsonObject;
use crate::model::{ItemStatus, wire_struct};

wire_struct! {
    /// The parts of an item that can change while its page is open.
    #[derive(Debug)]
    pub struct ItemAnswer {
        pub id: String,
        pub lot_number = "lotNumber": String,
        pub status: ItemStatus,
        pub end_date = "endDate": Option<String>,
        pub min_bid_normalized = "minBidNormalized": Option<String>,
        pub bid_count = "bidCount": u64,
        pub highest_bid = "highestBid": Option<HighestAnswer>,
        pub outcome: Option<OutcomeAnswer>,
        pub images: Vec<ImageAnswer>,
    }
}

wire_struct! {
    #[derive(Debug)]
    pub struct ImageAnswer {
        pub width: u32,
        pub height: u32,
        pub tint: String,
        pub thumbnail: String,
    }
}

wire_struct! {
    /// What became of a closed item.
    #[derive(Debug)]
    pub struct OutcomeAnswer {
        /// Absent if nobody won, or if hidden from this viewer.
        pub winner: Option<Person>,
        /// The bid that the item was sold for.
        pub bid: Option<SoldAnswer>,
    }
}

wire_struct! {
    #[derive(Debug)]
    pub struct SoldAnswer {
        pub normalized_amount = "normalizedAmount": String,
        pub currency_profile_id = "currencyProfileId": Option<String>,
    }
}

wire_struct! {
    #[derive(Debug)]
    pub struct HighestAnswer {
        pub normalized_amount = "normalizedAmount": String,
        pub currency_profile_id = "currencyProfileId": Option<String>,
        /// The leader or winner. Absent if hidden from this viewer.
        pub bidder: Option<Person>,
    }
}

wire_struct! {
    /// A snapshot of the item, sent instead of too many missed events. Bids are newest first.
    #[derive(Debug)]
    pub struct ResetAnswer {
        pub item: ItemAnswer,
        pub bids: Vec<BidAnswer>,
    }
}

wire_struct! {
    #[derive(Debug)]
    pub struct BidAnswer {
        pub item_id = "itemId": String,
        pub sequence: u64,
        pub bidder: Option<Person>,
        /// Keeps its digits.
        pub amount: Option<Literal>,
        pub entered_representation = "enteredRepresentation": Option<Vec<EnteredCount>>,
        pub currency_profile_id = "currencyProfileId": Option<String>,
        pub normalized_amount = "normalizedAmount": String,
        pub created_at = "createdAt": String,
        pub withdrawn: Option<Withdrawal>,
        /// The clerk who entered it. Absent if hidden from this viewer.
        pub placed_by = "placedBy": Option<Person>,
        /// Codes of the rules that the clerk has overridden.
        pub overridden: Option<Vec<String>>,
    }
}

wire_struct! {
    /// The answer to the viewer's own sealed bid, which has no sequence.
    #[derive(Debug)]
    pub struct SealedAnswer {
        pub amount: Option<Literal>,
        pub entered_representation = "enteredRepresentation": Option<Vec<EnteredCount>>,
        pub currency_profile_id = "currencyProfileId": Option<String>,
    }
}

wire_struct! {
    /// By whom and why a bid was withdrawn.
    #[derive(Debug)]
    pub struct Withdrawal {
        pub by: String,
        pub reason: String,
        pub note: Option<String>,
    }
}

wire_struct! {
    #[derive(Debug)]
    pub struct Person {
        /// Absent if this viewer may know the number alone, which is in the name.
        pub id: Option<String>,
        pub name: String,
        /// In the group of the auction.
        pub number: Option<u64>,
    }
}

impl Person {
    /// The name, with the number before it, in the way in which pages of the server write a person.
    pub fn in_words(&self) -> String {
        match (&self.id, self.number) {
            (Some(_), Some(number)) => format!("{} ({number})", self.name),
            _ => self.name.clone(),
        }
    }
}

wire_struct! {
    /// An item that was deleted, or that this viewer may not see any more.
    #[derive(Debug)]
    pub struct GoneAnswer {
        pub item_id = "itemId": String,
    }
}

/// A bid to place.
pub struct NewBidBody {
    pub currency_profile_id: Option<String>,
    pub bid: BidForm,
    pub is_anonymous: Option<bool>,
}

impl NewBidBody {
    /// The request as JSON, without what was not entered.
    pub fn to_json(&self) -> String {
        let mut json = JsonObject::default();
        json.price(self.currency_profile_id.as_deref(), &self.bid);
        if let Some(is_anonymous) = self.is_anonymous {
            json.boolean("isAnonymous", is_anonymous);
        }
        json.finish()
    }
}

/// The member to whom a clerk sells.
pub enum Buyer {
    /// In the group of the auction.
    Number(u64),
    /// By id.
    User(String),
}

/// An item that a clerk sells to a member at a price.
pub struct HammerRequest {
    pub buyer: Buyer,
    pub currency_profile_id: Option<String>,
    pub price: BidForm,
    /// Rules do not count.
    pub overrides: bool,
}

impl HammerRequest {
    pub fn to_json(&self) -> String {
        let mut json = JsonObject::default();
        json.text("result", "SOLD");
        self.write(&mut json);
        if self.overrides {
            json.boolean("override", true);
        }
        json.finish()
    }

    /// The sale as the correction of an earlier one.
    pub fn to_correction_json(&self, reason: &str) -> String {
        let mut json = JsonObject::default();
        self.write(&mut json);
        json.text("reason", reason);
        json.finish()
    }

    /// A bid of the buyer at this price.
    pub fn to_bid_json(&self) -> String {
        let mut json = JsonObject::default();
        self.write(&mut json);
        json.finish()
    }

    /// A bid of the buyer for as many tickets of a draw as the price says.
    pub fn to_tickets_json(&self) -> String {
        let mut json = JsonObject::default();
        self.write_buyer(&mut json);
        let tickets = self.price.amount.as_ref().map(|tickets| tickets.as_str());
        json.json("tickets", tickets.unwrap_or("0"));
        json.finish()
    }

    fn write(&self, json: &mut JsonObject) {
        self.write_buyer(json);
        json.price(self.currency_profile_id.as_deref(), &self.price);
    }

    fn write_buyer(&self, json: &mut JsonObject) {
        let mut member = JsonObject::default();
        match &self.buyer {
            Buyer::Number(number) => member.number("number", *number),
            Buyer::User(id) => member.text("userId", id),
        }
        json.json("for", &member.finish());
    }
}

wire_struct! {
    /// A problem document.
    #[derive(Debug, Default)]
    pub struct Problem {
        pub detail: Option<String>,
        pub details: Option<ProblemDetails>,
    }
}

wire_struct! {
    #[derive(Debug, Default)]
    pub struct ProblemDetails {
        pub violations: Option<Vec<Violation>>,
    }
}

#[cfg(test)]
mod tests {
    use rules_engine::shape::read_json;

    use super::*;

    #[test]
    fn an_amount_keeps_its_digits() {
        let bid = r#"{"itemId": "i", "sequence": 3, "bidder": null, "amount": 0.10000000000000001, "enteredRepresentation": null,
            "currencyProfileId": "p", "normalizedAmount": "0.1", "createdAt": "2026-01-01T00:00:00Z", "more": [{"a": 1}]}"#;
        let bid: BidAnswer = read_json(bid).expect("a bid");
        assert_eq!(bid.amount.as_ref().map(Literal::as_str), Some("0.10000000000000001"));
    }

    #[test]
    fn a_request_says_only_what_was_entered() {
        let bid = BidForm { amount: Some("12.50".into()), entered_representation: None };
        let request = NewBidBody { currency_profile_id: None, bid, is_anonymous: None };
        assert_eq!(request.to_json(), r#"{"amount":"12.50"}"#);
        let count = |denomination: &str, count: &str| EnteredCount {
            denomination: denomination.to_owned(),
            count: count.into(),
        };
        let counts = vec![count("A", "1"), count("B", "2\"")];
        let bid = BidForm { amount: None, entered_representation: Some(counts) };
        let request = NewBidBody { currency_profile_id: Some("p".to_owned()), bid, is_anonymous: Some(true) };
        assert_eq!(
            request.to_json(),
            r#"{"currencyProfileId":"p","enteredRepresentation":[{"denomination":"A","count":"1"},{"denomination":"B","count":"2\""}],"isAnonymous":true}"#
        );
        let nothing = BidForm { amount: None, entered_representation: None };
        let request = NewBidBody { currency_profile_id: None, bid: nothing, is_anonymous: None };
        assert_eq!(request.to_json(), "{}");
    }

    #[test]
    fn a_sale_names_member_price_and_reason() {
        let sale = HammerRequest {
            buyer: Buyer::Number(17),
            currency_profile_id: None,
            price: BidForm { amount: Some("12.50".into()), entered_representation: None },
            overrides: true,
        };
        let json = r#"{"result":"SOLD","for":{"number":17},"amount":"12.50","override":true}"#;
        assert_eq!(sale.to_json(), json);
        let sale = HammerRequest { buyer: Buyer::User("u".to_owned()), overrides: false, ..sale };
        let json = r#"{"for":{"userId":"u"},"amount":"12.50","reason":"17, not 71"}"#;
        assert_eq!(sale.to_correction_json("17, not 71"), json);
    }

    #[test]
    fn a_problem_may_have_no_details() {
        let problem: Problem = read_json(r#"{"detail": "The item is closed."}"#).expect("a problem");
        assert!(problem.details.is_none());
        let problem: Problem = read_json(r#"{"details": {"fields": []}}"#).expect("a problem");
        assert!(problem.details.is_some_and(|details| details.violations.is_none()));
    }

    #[test]
    fn a_violation_of_a_problem_is_that_of_the_engine() {
        let json = r#"{"details": {"violations": [{"code": "MIN_BID", "ruleId": null, "message": "m", "required": "5", "actual": "4",
            "denomination": null}]}}"#;
        let problem: Problem = read_json(json).expect("a problem");
        let violations = problem.details.and_then(|details| details.violations).unwrap_or_default();
        assert_eq!(violations.first().and_then(|violation| violation.required.as_deref()), Some("5"));
    }
}

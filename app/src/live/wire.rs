//! The API's documents, as far as islands use them. Further members are ignored.

use rules_engine::{BidForm, EnteredCount, Literal, Violation};
use serde::{Deserialize, Serialize};

use crate::model::ItemStatus;

/// The parts of an item that can change while its page is open.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ItemAnswer {
    pub id: String,
    pub lot_number: i64,
    pub status: ItemStatus,
    pub end_date: Option<String>,
    pub min_bid_normalized: Option<String>,
    pub bid_count: u64,
    #[serde(default)]
    pub highest_bid: Option<HighestAnswer>,
    #[serde(default)]
    pub outcome: Option<OutcomeAnswer>,
}

/// What became of a closed item.
#[derive(Debug, Deserialize)]
pub struct OutcomeAnswer {
    /// Absent if nobody won, or if hidden from this viewer.
    pub winner: Option<Person>,
    /// The bid that the item was sold for.
    pub bid: Option<SoldAnswer>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SoldAnswer {
    pub normalized_amount: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HighestAnswer {
    pub normalized_amount: String,
    /// The leader or winner. Absent if hidden from this viewer.
    pub bidder: Option<Person>,
}

/// A snapshot of the item, sent instead of too many missed events. Bids are newest first.
#[derive(Debug, Deserialize)]
pub struct ResetAnswer {
    pub item: ItemAnswer,
    pub bids: Vec<BidAnswer>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BidAnswer {
    pub item_id: String,
    pub sequence: u64,
    pub bidder: Option<Person>,
    /// Keeps its digits.
    pub amount: Option<Literal>,
    pub entered_representation: Option<Vec<EnteredCount>>,
    pub currency_profile_id: Option<String>,
    pub normalized_amount: String,
    pub created_at: String,
    #[serde(default)]
    pub withdrawn: Option<Withdrawal>,
}

/// By whom and why a bid was withdrawn.
#[derive(Debug, Deserialize)]
pub struct Withdrawal {
    pub by: String,
    pub reason: String,
    pub note: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct Person {
    pub id: String,
    pub name: String,
}

/// An item that was deleted, or that this viewer may not see any more.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GoneAnswer {
    pub item_id: String,
}

/// A bid to place.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BidRequest {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency_profile_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<Literal>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entered_representation: Option<Vec<EnteredCount>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_anonymous: Option<bool>,
}

impl BidRequest {
    pub fn new(currency_profile_id: Option<String>, bid: BidForm, is_anonymous: Option<bool>) -> Self {
        let BidForm { amount, entered_representation } = bid;
        Self { currency_profile_id, amount, entered_representation, is_anonymous }
    }
}

/// A problem document.
#[derive(Debug, Default, Deserialize)]
pub struct Problem {
    #[serde(default)]
    pub detail: String,
    #[serde(default)]
    pub details: Option<ProblemDetails>,
}

#[derive(Debug, Default, Deserialize)]
pub struct ProblemDetails {
    #[serde(default)]
    pub violations: Vec<Violation>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_keeps_its_digits() {
        let bid = r#"{"itemId": "i", "sequence": 3, "bidder": null, "amount": 0.10000000000000001, "enteredRepresentation": null,
            "currencyProfileId": "p", "normalizedAmount": "0.1", "createdAt": "2026-01-01T00:00:00Z", "more": []}"#;
        let bid: BidAnswer = serde_json::from_str(bid).expect("a bid");
        assert_eq!(bid.amount.as_ref().map(Literal::as_str), Some("0.10000000000000001"));
    }

    #[test]
    fn a_request_says_only_what_was_entered() {
        let bid = BidForm { amount: Some("12.50".into()), entered_representation: None };
        let request = serde_json::to_string(&BidRequest::new(None, bid, None)).expect("text");
        assert_eq!(request, r#"{"amount":"12.50"}"#);
    }

    #[test]
    fn a_problem_may_have_no_details() {
        let problem: Problem =
            serde_json::from_str(r#"{"detail": "The item is closed."}"#).expect("a problem");
        assert!(problem.details.is_none());
        let problem: Problem = serde_json::from_str(r#"{"details": {"fields": []}}"#).expect("a problem");
        assert!(problem.details.is_some_and(|details| details.violations.is_empty()));
    }
}

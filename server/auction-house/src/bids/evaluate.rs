//! Evaluates one bid on one state of its item. Nothing here reads or writes: [`place`](crate::bids::place)
//! evaluates on the state that its batch is about to change, [`validate`](crate::bids::validate) on the last
//! committed one, and both get the same result for the same state.

use rules_engine::money::Normalized;
use rules_engine::{BidContext, BidForm, RuleSet, Violation, ViolationCode};

use crate::bids::entered::EnteredBid;
use crate::codes;
use crate::engine::BidDetails;
use crate::items::bidding::BidItem;
use platform::http::problem::Problem;
use platform::time::Moment;
use platform::verb::Refusal;

/// Every rule that a bid breaks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the bid breaks rules")]
pub struct Rejection {
    /// Absent where the bid could not be normalized.
    pub normalized: Option<Normalized>,
    pub violations: Vec<Violation>,
}

impl From<Violation> for Rejection {
    fn from(violation: Violation) -> Self {
        Self { normalized: None, violations: vec![violation] }
    }
}

impl Refusal for Rejection {
    fn problem(self) -> Problem {
        let Self { normalized, violations } = self;
        let messages: Vec<&str> = violations.iter().map(|violation| violation.message.as_str()).collect();
        let detail = messages.join(" ");
        let normalized_amount = normalized.map(|amount| amount.to_string());
        let details =
            BidDetails { fields: Vec::new(), normalized_amount: Some(normalized_amount), violations };
        Problem::new(codes::BID_REJECTED, detail).with_details(&details)
    }
}

/// A bid that breaks no rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acceptance {
    pub entered: BidForm,
    pub normalized: Normalized,
    /// The item's end in force with this bid.
    pub ends_at: Option<Moment>,
}

/// The verdict on a bid that is authorized, on an open item. `available` is what the bidder can spend on the
/// item; `None` in an auction without a book.
///
/// # Errors
/// Every rule that it breaks.
pub fn evaluate(
    item: &BidItem,
    rules: &RuleSet,
    entered: &EnteredBid,
    available: Option<Normalized>,
    now: Moment,
) -> Result<Acceptance, Rejection> {
    let context = BidContext { highest: item.highest(), available };
    let verdict = rules.evaluate(context, entered.form());
    match (verdict.entered, verdict.normalized) {
        (Some(entered), Some(normalized)) if verdict.violations.is_empty() => {
            Ok(Acceptance { entered: BidForm::from(&entered), normalized, ends_at: item.end_after_bid(now) })
        }
        (_, normalized) => Err(Rejection { normalized, violations: verdict.violations }),
    }
}

/// The verdict on a bid with which a clerk sells an item that is open, and the rules that the clerk overrides
/// (SPEC, section 15). The item is closed with the bid, which moves no end.
///
/// # Errors
/// Every rule that it breaks and that can't be overridden.
pub fn evaluate_overriding(
    item: &BidItem,
    rules: &RuleSet,
    entered: &EnteredBid,
    available: Option<Normalized>,
) -> Result<(Acceptance, Vec<ViolationCode>), Rejection> {
    let (form, normalized) =
        rules.normalize(entered.form()).map_err(|violations| Rejection { normalized: None, violations })?;
    let verdict = rules.evaluate(BidContext { highest: item.highest(), available }, entered.form());
    let (overridden, violations): (Vec<_>, Vec<_>) =
        verdict.violations.into_iter().partition(|violation| violation.code.may_be_overridden());
    if !violations.is_empty() {
        return Err(Rejection { normalized: Some(normalized), violations });
    }
    let mut codes: Vec<ViolationCode> = overridden.into_iter().map(|violation| violation.code).collect();
    codes.dedup();
    Ok((Acceptance { entered: BidForm::from(&form), normalized, ends_at: item.ends_at }, codes))
}

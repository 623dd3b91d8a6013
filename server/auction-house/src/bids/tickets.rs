//! Bids on a draw: a number of tickets, each at the same price (SPEC, section 6b).

use platform::fields::FieldError;
use platform::verb::VerbError;
use rules_engine::money::{Fixed, Literal, Normalized};
use rules_engine::{BidContext, BidForm, EnteredCount};

use crate::bids::entered::EnteredBid;
use crate::bids::evaluate::{Acceptance, Rejection};
use crate::bids::place::{BidError, BidRefusal};
use crate::bids::pricing::PricingRules;
use crate::bids::queue_error::QueueError;
use crate::bids::sealed::SealedBid;
use crate::ids::CurrencyId;
use crate::items::bidding::BidItem;
use crate::items::format::DrawTerms;

/// A bid for tickets that is accepted.
#[derive(Debug)]
pub struct AcceptedTickets {
    pub tickets: i64,
    pub currency_id: CurrencyId,
    /// What the tickets cost together.
    pub accepted: Acceptance,
}

/// How many tickets a user has, of whom these are the standing bids on a draw.
pub fn held<'a>(own: impl IntoIterator<Item = &'a SealedBid>) -> i64 {
    own.into_iter().filter_map(|bid| bid.tickets).fold(0, i64::saturating_add)
}

/// The verdict on a bid for tickets that is authorized, on an open draw. `held` is how many the bidder has
/// already, `available` what the bidder can spend.
///
/// # Errors
/// Invalid members, `NoBook`, `TooManyTickets` or `Rejected`.
pub fn evaluate(
    item: &BidItem,
    terms: &DrawTerms,
    pricing: &PricingRules,
    entered: &EnteredBid,
    held: i64,
    available: Option<Normalized>,
) -> Result<AcceptedTickets, BidError> {
    let tickets = number_of(entered)?;
    if item.book_id.is_none() {
        return Err(BidRefusal::NoBook.into());
    }
    if terms.per_person.is_some_and(|most| held.saturating_add(tickets) > most) {
        return Err(BidRefusal::TooManyTickets.into());
    }
    let currency = pricing.choose(item, Some(&terms.ticket.currency_id.to_string()))?;
    let rules = pricing.compile_for_price(currency, item).map_err(|error| QueueError::not_kept(&error))?;
    let price = times(&terms.ticket.entered, tickets).ok_or_else(too_many)?;
    let verdict = rules.evaluate(BidContext { highest: None, available }, &price);
    match (verdict.entered, verdict.normalized) {
        (Some(entered), Some(normalized)) if verdict.violations.is_empty() => {
            let accepted = Acceptance { entered: BidForm::from(&entered), normalized, ends_at: item.ends_at };
            Ok(AcceptedTickets { tickets, currency_id: terms.ticket.currency_id, accepted })
        }
        (_, normalized) => Err(Rejection { normalized, violations: verdict.violations }.into()),
    }
}

/// The tickets of a bid that says nothing else.
fn number_of(entered: &EnteredBid) -> Result<i64, Vec<FieldError>> {
    let BidForm { amount, entered_representation } = entered.form();
    let given = [
        ("amount", amount.is_some()),
        ("enteredRepresentation", entered_representation.is_some()),
        ("currencyProfileId", entered.currency_profile_id().is_some()),
    ];
    let given = given.into_iter().filter(|(_, is_given)| *is_given);
    let mut errors: Vec<FieldError> =
        given.map(|(name, _)| FieldError::new(name, "must be absent: a draw takes `tickets`")).collect();
    match entered.tickets() {
        Some(tickets) if errors.is_empty() => return Ok(tickets),
        Some(_) => {}
        None => errors.push(FieldError::missing("tickets")),
    }
    Err(errors)
}

/// Refuses tickets where bids have an amount.
///
/// # Errors
/// The member.
pub fn refuse<R>(entered: &EnteredBid) -> Result<(), VerbError<R>> {
    match entered.tickets() {
        None => Ok(()),
        Some(_) => Err(vec![FieldError::new("tickets", "must be absent: the item is no draw")].into()),
    }
}

/// The price of so many tickets, entered as that of one.
fn times(price: &BidForm, tickets: i64) -> Option<BidForm> {
    let times = |number: &Literal| -> Option<Literal> {
        let number = Fixed::<9>::try_from(number).ok()?;
        let product = number.mantissa().checked_mul(tickets.into())?;
        Fixed::<9>::from_mantissa(product).map(Literal::from)
    };
    let count = |entry: &EnteredCount| {
        Some(EnteredCount { denomination: entry.denomination.clone(), count: times(&entry.count)? })
    };
    let counts = price.entered_representation.as_ref();
    Some(BidForm {
        amount: match &price.amount {
            Some(amount) => Some(times(amount)?),
            None => None,
        },
        entered_representation: match counts {
            Some(counts) => Some(counts.iter().map(count).collect::<Option<Vec<_>>>()?),
            None => None,
        },
    })
}

fn too_many() -> Vec<FieldError> {
    vec![FieldError::new("tickets", "must cost no more than an amount can be")]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_tickets_cost_so_many_times_the_pieces_of_one() {
        let counts = |gold: &str, silver: &str| {
            let count = |denomination: &str, count: &str| EnteredCount {
                denomination: denomination.to_owned(),
                count: count.into(),
            };
            BidForm { amount: None, entered_representation: Some(vec![count("g", gold), count("s", silver)]) }
        };
        assert_eq!(times(&counts("1", "2.5"), 3), Some(counts("3", "7.5")));
        let amount = |amount: &str| BidForm { amount: Some(amount.into()), entered_representation: None };
        assert_eq!(times(&amount("0.05"), 40), Some(amount("2")));
    }
}

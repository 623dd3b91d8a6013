//! Correcting what was hammered: a closed item is sold to another member, or at another price, without a bid
//! (SPEC, section 15).

use rules_engine::{BidContext, BidForm};

use crate::access::{Action, NamedMember};
use crate::auctions::access::AuctionView;
use crate::bids::access::find_item;
use crate::bids::entered::EnteredBid;
use crate::bids::evaluate::Rejection;
use crate::bids::pricing::PricingRules;
use crate::books::funds;
use crate::books::runs::automatic;
use crate::books::state::Commitment;
use crate::books::store::charges;
use crate::codes;
use crate::context::Context;
use crate::creations::{Created, Creation};
use crate::engine::field_errors;
use crate::engine_schema::{entered_count, uuid};
use crate::ids::{BookId, ItemId, UserId};
use crate::items::access::{ItemView, view_in_auction};
use crate::items::outcomes::apply::{BookClosed, Written, apply};
use crate::items::outcomes::{CopyNumber, Outcome, OutcomeResult, REASON_CHARS};
use crate::items::store::outcomes as store;
use crate::locks::{LockingWrites, lock_book};
use crate::path::ItemPath;
use platform::body::Body;
use platform::db::{DbError, Transaction};
use platform::fields::FieldError;
use platform::precondition::Precondition;
use platform::refusals;
use platform::shape::{self, Members, Shape};
use platform::time::Moment;
use platform::verb::VerbError;
use rules_engine::money::Normalized;

/// How long after an item was closed a clerk may correct its outcome.
const CLERK_SECONDS: i64 = 10 * 60;

/// To whom the item is sold, for what, and why.
#[derive(Debug, Clone, Default)]
pub struct Correction {
    copy: CopyNumber,
    member: Option<NamedMember>,
    currency_profile_id: Option<String>,
    entered: BidForm,
    reason: String,
}

impl Shape for Correction {
    const NAME: &'static str = "OutcomeCorrection";

    fn members(&mut self, members: &mut Members<'_>) {
        members.object("for", &mut self.member).about("The member to whom the item is sold.");
        members.optional("currencyProfileId", &mut self.currency_profile_id).format(uuid());
        members.optional("amount", &mut self.entered.amount).or_number().about("A decimal, in SCALAR mode.");
        members
            .optional("enteredRepresentation", &mut self.entered.entered_representation)
            .list_of(entered_count)
            .about("In DENOMINATION mode.");
        members.text("reason", REASON_CHARS, &mut self.reason);
        self.copy.member(members);
    }
}

refusals! {
    /// Why an outcome is not corrected.
    pub enum CorrectRefusal {
        NotClosed => codes::NOT_CLOSED, "The item is not closed: it has no outcome yet.";
        Cancelled => codes::CLOSED, "The item was cancelled: its outcome stays.";
        BookClosed => codes::CLOSED, "The auction's book is closed: what it has charged stays.";
        TooLate => codes::TOO_LATE, "A clerk may correct an outcome for 10 minutes: a manager still may.";
        OwnItem => codes::OWN_ITEM, "The member sells this item.";
    }
    wraps { Rejected(Rejection) }
}

impl From<BookClosed> for CorrectRefusal {
    fn from(BookClosed: BookClosed) -> Self {
        Self::BookClosed
    }
}

/// Adds the outcome that is in force from now on: sold to this member at this price. Nothing is added to the
/// ledger of bids.
pub async fn correct_outcome(
    context: &Context,
    path: ItemPath,
    user: UserId,
    body: impl Body,
    if_match: &Precondition,
) -> Result<Created<ItemView>, VerbError<CorrectRefusal>> {
    let now = context.clock.now();
    let ItemPath { auction_id, item_id } = path;
    let mut db = context.db.write_in(&[auction_id]).await?;
    let (auction, seen) = view_in_auction(&mut db, auction_id, item_id, user, now).await?;
    let auction = auction.require(Action::RunHall)?;
    let (object, creation) = Creation::read_call(&mut db, item_id, body, now).await?;
    if creation.replays::<ItemId>().is_some() {
        return Ok(Created::replayed(seen));
    }
    let correction: Correction = shape::parse(object)?;
    creation.check_key()?;
    let named = correction.member.unwrap_or_default();
    let member = named.find(&mut db, auction_id).await??;
    let entered = EnteredBid::new(correction.currency_profile_id, false, correction.entered);
    let entered = entered.map_err(field_errors)?;
    if_match.check(seen.item.version)?;
    if seen.item.terms.format.draw().is_some() {
        let message = "A draw goes to another holder of tickets, or to nobody: give `sequence` instead.";
        return Err(vec![FieldError::explained("for", message)].into());
    }
    let had = correction.copy.of(&seen.item)?.ok_or(CorrectRefusal::NotClosed)?;
    check(&auction, &seen, had, now)?;
    if seen.item.seller.id == member.id {
        return Err(CorrectRefusal::OwnItem.into());
    }
    let item = find_item(&mut db, path).await?.ok_or(VerbError::NotFound)?;
    let pricing = PricingRules::read(&mut db, auction_id).await?;
    let currency = pricing.choose(&item, entered.currency_profile_id())?;
    let rules = pricing.compile_for_price(currency, &item)?;
    let available = match auction.auction.terms.book_id {
        Some(book_id) => Some(available(&mut db, book_id, (path.item_id, had.copy), member.id).await?),
        None => None,
    };
    let verdict = rules.evaluate(BidContext { highest: None, available }, entered.form());
    let (form, normalized) = match (verdict.entered, verdict.normalized) {
        (Some(form), Some(normalized)) => (BidForm::from(&form), normalized),
        (_, normalized) => return Err(Rejection { normalized, violations: verdict.violations }.into()),
    };
    let next = store::NextOutcome::after(had, item_id, &correction.reason, user, now);
    let currency_id = pricing.profile_id(currency);
    let corrected = store::Corrected { winner: &member, currency_id, entered: &form, normalized };
    store::correct(&mut db, next, corrected).await?;
    let written = Written {
        auction: &auction,
        item_id,
        had,
        id: next.id,
        number: next.number,
        winner: Some(Commitment { holder_id: member.id, amount: normalized }),
        sequence: None,
        by: user,
        charges: true,
        creation: &creation,
    };
    apply(context, db, written, now).await
}

fn check(auction: &AuctionView, seen: &ItemView, had: &Outcome, now: Moment) -> Result<(), CorrectRefusal> {
    if had.result == OutcomeResult::Cancelled {
        return Err(CorrectRefusal::Cancelled);
    }
    let in_time = |closed: Moment| now <= closed.plus_seconds(CLERK_SECONDS);
    if !auction.may(Action::DecideOutcomes) && !seen.item.closed_at.is_some_and(in_time) {
        return Err(CorrectRefusal::TooLate);
    }
    Ok(())
}

/// Returns the balance that a member can spend on the item once its charge, and what it has shared at once,
/// are taken back. Locks the book.
async fn available(
    db: &mut Transaction,
    book_id: BookId,
    (item_id, copy): (ItemId, i64),
    member: UserId,
) -> Result<Normalized, DbError> {
    lock_book(db, book_id).await?;
    let charge =
        charges::charge_of(db, book_id, item_id, copy).await?.filter(|charge| charge.holder_id == member);
    let given_back = charge.and_then(|charge| Normalized::ZERO.checked_sub(charge.amount));
    let shared = automatic::given_by_sale(db, book_id, (item_id, copy), member).await?;
    let given_back = given_back.unwrap_or_default().checked_sub(shared);
    Ok(funds::of(db, book_id, member).await?.available_for(given_back))
}

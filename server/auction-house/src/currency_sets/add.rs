//! Adds a currency set to an auction: all of it or nothing.

use rules_engine::bounds::{MAX_POSITION, MAX_RULES};

use super::CurrencySet;
use super::body::read_set;
use crate::access::Action;
use crate::auctions::access::{AuctionView, authorize};
use crate::auctions::{self, Auction};
use crate::base_unit::BaseUnit;
use crate::codes;
use crate::context::Context;
use crate::creations::{Created, Creation};
use crate::currencies::{self, CURRENCIES_MAX};
use crate::events;
use crate::ids::{AuctionId, UserId};
use crate::locks::LockingWrites;
use crate::rules::{self, next_position};
use crate::usage;
use platform::body::Body;
use platform::db::Connection;
use platform::idempotency::KeyedRequest;
use platform::refusals;
use platform::time::Moment;
use platform::verb::VerbError;

refusals! {
    /// Why a currency set is not added.
    pub enum AddSetRefusal {
        Closed => codes::CLOSED, "The auction is closed: it takes no more currencies and rules.";
        LimitReached => codes::LIMIT_REACHED, "An auction has at most 32 currency profiles and 64 rules.";
        /// Bids in ISO currencies can't be compared with bids in profiles.
        HasBids => codes::HAS_BIDS, "Items of this auction have bids in ISO currencies: it keeps to these.";
        CodeTaken => codes::CODE_TAKEN, "The auction has a currency with one of these codes.";
    }
}

/// A set as it would be added.
#[derive(Debug)]
pub struct PreviewedSet {
    /// With the base unit that the auction would have.
    pub set: CurrencySet,
    /// The base unit that the set names and the auction does not take, because it has another one.
    pub unit_not_taken: Option<BaseUnit>,
}

/// Adds the currencies and rules of the set after those of the auction, and returns them with the base unit
/// that the auction has then. An auction with currencies keeps its default.
///
/// The document is read on a thread of low priority, before the transaction.
pub async fn add_currency_set(
    context: &Context,
    auction_id: AuctionId,
    user: UserId,
    body: impl Body + 'static,
) -> Result<Created<CurrencySet>, VerbError<AddSetRefusal>> {
    let now = context.clock.now();
    may_add(&mut context.db.read().await?, auction_id, user, now).await?;
    let _permit = context.work.begin_bulk_write(user).await?;
    let (keyed, set) = read(context, auction_id, body, now).await?;
    let mut db = context.db.write_in(&[auction_id]).await?;
    let seen = may_add(&mut db, auction_id, user, now).await?;
    let creation = Creation::find(&mut db, user, format!("currency-sets/{auction_id}"), keyed, now).await?;
    let had = CurrencySet::of_auction(&mut db, &seen.auction).await?;
    if creation.replays::<AuctionId>().is_some() {
        return Ok(Created::replayed(as_kept(set, had)));
    }
    creation.check_key()?;
    let is_first = had.currencies.is_empty();
    let PreviewedSet { set, .. } = fit(&mut db, &seen, had, set, now).await?;
    for currency in &set.currencies {
        currencies::store::insert(&mut db, currency).await?;
    }
    for rule in &set.rules {
        rules::store::insert(&mut db, rule).await?;
    }
    if set.base_unit != seen.auction.terms.base_unit {
        let Auction { mut terms, version, .. } = seen.auction.clone();
        terms.base_unit.clone_from(&set.base_unit);
        let changed = Auction { terms, version: version + 1, updated_at: now, ..seen.auction };
        auctions::store::update(&mut db, &changed).await?;
    }
    let mut touched = None;
    if is_first {
        // The items lose their ISO 4217 prices.
        touched = Some(events::store::record_all(&mut db, auction_id, now).await?);
    }
    creation.record(&mut db, auction_id, now).await?;
    db.commit().await?;
    touched.iter().for_each(|signal| context.events.publish(signal));
    Ok(Created::new(set))
}

/// Returns what [`add_currency_set`] would add, without writing it, and without a lock that bids wait for.
pub async fn preview_currency_set(
    context: &Context,
    auction_id: AuctionId,
    user: UserId,
    body: impl Body + 'static,
) -> Result<PreviewedSet, VerbError<AddSetRefusal>> {
    let now = context.clock.now();
    may_add(&mut context.db.read().await?, auction_id, user, now).await?;
    let _permit = context.work.begin_bulk_write(user).await?;
    let (keyed, set) = read(context, auction_id, body, now).await?;
    drop(keyed);
    let mut db = context.db.snapshot().await?;
    let seen = may_add(&mut db, auction_id, user, now).await?;
    let had = CurrencySet::of_auction(&mut db, &seen.auction).await?;
    fit(&mut db, &seen, had, set, now).await
}

async fn may_add(
    conn: &mut Connection,
    auction_id: AuctionId,
    user: UserId,
    now: Moment,
) -> Result<AuctionView, VerbError<AddSetRefusal>> {
    Ok(authorize(conn, auction_id, user, now).await?.require(Action::ManageCurrencies)?)
}

/// Reads the document and its key.
async fn read(
    context: &Context,
    auction_id: AuctionId,
    body: impl Body + 'static,
    now: Moment,
) -> Result<(Option<KeyedRequest>, CurrencySet), VerbError<AddSetRefusal>> {
    let read = context.work.compute(move || {
        let keyed = body.keyed();
        let set = read_set(body.read()?, auction_id, now)?;
        Ok((keyed?, set))
    });
    read.await?
}

/// The set as an earlier request has added it.
fn as_kept(mut set: CurrencySet, had: CurrencySet) -> CurrencySet {
    for currency in &mut set.currencies {
        currency.is_default = had.currencies.iter().any(|one| one.is_default && one.code == currency.code);
    }
    set.base_unit = had.base_unit;
    set
}

/// The set as the auction takes it, after the currencies and rules that it had.
async fn fit(
    conn: &mut Connection,
    seen: &AuctionView,
    had: CurrencySet,
    mut set: CurrencySet,
    now: Moment,
) -> Result<PreviewedSet, VerbError<AddSetRefusal>> {
    if seen.auction.is_closed(now) {
        return Err(AddSetRefusal::Closed.into());
    }
    let count = (had.currencies.len() + set.currencies.len(), had.rules.len() + set.rules.len());
    if count.0 > CURRENCIES_MAX || count.1 > MAX_RULES {
        return Err(AddSetRefusal::LimitReached.into());
    }
    let is_first = had.currencies.is_empty();
    if is_first && usage::any_bids(conn, seen.auction.id).await? {
        return Err(AddSetRefusal::HasBids.into());
    }
    let is_taken = |code: &str| had.currencies.iter().any(|currency| currency.code == code);
    if set.currencies.iter().any(|currency| is_taken(&currency.code)) {
        return Err(AddSetRefusal::CodeTaken.into());
    }
    for currency in &mut set.currencies {
        currency.is_default &= is_first;
    }
    for (position, rule) in (next_position(&had.rules)..).zip(&mut set.rules) {
        rule.definition.position = position.min(MAX_POSITION);
    }
    // What counts in a base unit keeps it.
    let is_free = is_first && had.rules.is_empty() && seen.auction.terms.book_id.is_none();
    let named = set.base_unit.take();
    set.base_unit = if is_free { named.clone().or(had.base_unit) } else { had.base_unit };
    let is_meant = |unit: &BaseUnit| set.base_unit.as_ref().is_some_and(|kept| unit.may_mean(kept));
    let unit_not_taken = named.filter(|unit| !is_meant(unit));
    Ok(PreviewedSet { set, unit_not_taken })
}

//! Adds a currency set to an auction: all of it or nothing.

use rules_engine::bounds::{MAX_POSITION, MAX_RULES};

use super::CurrencySet;
use super::body::read_set;
use crate::access::Action;
use crate::auctions::access::authorize;
use crate::codes;
use crate::context::Context;
use crate::creations::{Created, Creation};
use crate::currencies::{self, CURRENCIES_MAX};
use crate::events::{self, Signal};
use crate::ids::{AuctionId, UserId};
use crate::locks::LockingWrites;
use crate::rules::{self, next_position};
use crate::usage;
use platform::body::Body;
use platform::refusals;
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

/// Whether a request writes, or only shows what it would write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Run {
    Preview,
    Write,
}

/// Adds the currencies and rules of the set after those of the auction, and returns them. An auction with
/// currencies keeps its default.
pub async fn add_currency_set(
    context: &Context,
    auction_id: AuctionId,
    user: UserId,
    body: impl Body,
    run: Run,
) -> Result<Created<CurrencySet>, VerbError<AddSetRefusal>> {
    let now = context.clock.now();
    let mut db = context.db.write_in(&[auction_id]).await?;
    let seen = authorize(&mut db, auction_id, user, now).await?.require(Action::ManageCurrencies)?;
    let collection = format!("currency-sets/{auction_id}");
    let (object, creation) = Creation::read(&mut db, user, collection, body, now).await?;
    let mut set = read_set(object, auction_id, now)?;
    let had = CurrencySet::of_auction(&mut db, auction_id).await?;
    if run == Run::Write && creation.replays::<AuctionId>().is_some() {
        for currency in &mut set.currencies {
            currency.is_default =
                had.currencies.iter().any(|one| one.is_default && one.code == currency.code);
        }
        return Ok(Created::replayed(set));
    }
    creation.check_key()?;
    if seen.auction.is_closed(now) {
        return Err(AddSetRefusal::Closed.into());
    }
    let count = (had.currencies.len() + set.currencies.len(), had.rules.len() + set.rules.len());
    if count.0 > CURRENCIES_MAX || count.1 > MAX_RULES {
        return Err(AddSetRefusal::LimitReached.into());
    }
    let is_first = had.currencies.is_empty();
    if is_first && usage::any_bids(&mut db, auction_id).await? {
        return Err(AddSetRefusal::HasBids.into());
    }
    let is_taken = |code: &str| had.currencies.iter().any(|currency| currency.code == code);
    if set.currencies.iter().any(|currency| is_taken(&currency.code)) {
        return Err(AddSetRefusal::CodeTaken.into());
    }
    for currency in &mut set.currencies {
        currency.is_default &= is_first;
        currencies::store::insert(&mut db, currency).await?;
    }
    for (position, rule) in (next_position(&had.rules)..).zip(&mut set.rules) {
        rule.definition.position = position.min(MAX_POSITION);
        rules::store::insert(&mut db, rule).await?;
    }
    // Without a commit nothing is written.
    if run == Run::Preview {
        return Ok(Created::new(set));
    }
    let mut touched = Vec::new();
    if is_first {
        // The items lose their ISO 4217 prices.
        touched = events::store::record_all(&mut db, auction_id, now).await?;
    }
    creation.record(&mut db, auction_id, now).await?;
    db.commit().await?;
    context.events.publish(&Signal::Items(touched));
    Ok(Created::new(set))
}

//! Creates a currency profile. The first one turns a legacy auction into one with profiles.

use super::access::find;
use super::body::CurrencyDraft;
use super::{CURRENCIES_MAX, Currency, store};
use crate::access::Action;
use crate::auctions::access::authorize;
use crate::codes;
use crate::context::Context;
use crate::creations::{Created, Creation};
use crate::events;
use crate::ids::{AuctionId, CurrencyId, UserId};
use crate::locks::LockingWrites;
use crate::usage;
use platform::body::Body;
use platform::refusals;
use platform::verb::VerbError;

refusals! {
    /// Why a currency profile is not created.
    pub enum CreateCurrencyRefusal {
        Closed => codes::CLOSED, "The auction is closed: it takes no more currencies.";
        LimitReached => codes::LIMIT_REACHED, "An auction has at most 32 currency profiles.";
        /// Bids in ISO currencies can't be compared with bids in profiles.
        HasBids => codes::HAS_BIDS, "Items of this auction have bids in ISO currencies: it keeps to these.";
        CodeTaken => codes::CODE_TAKEN;
    }
}

pub async fn create_currency(
    context: &Context,
    auction_id: AuctionId,
    user: UserId,
    body: impl Body,
) -> Result<Created<Currency>, VerbError<CreateCurrencyRefusal>> {
    let now = context.clock.now();
    let id = CurrencyId::new(now);
    let mut db = context.db.write_in(&[auction_id]).await?;
    let seen = authorize(&mut db, auction_id, user, now).await?.require(Action::ManageCurrencies)?;
    let currencies = format!("currencies/{auction_id}");
    let (object, creation) = Creation::read(&mut db, user, currencies, body, now).await?;
    if let Some(earlier) = creation.replays() {
        return Ok(Created::replayed(find(&mut db, auction_id, earlier).await?));
    }
    let CurrencyDraft { mut currency, is_default } =
        CurrencyDraft::read(object, Currency::blank(id, auction_id, now))?;
    creation.check_key()?;
    if seen.auction.is_closed(now) {
        return Err(CreateCurrencyRefusal::Closed.into());
    }
    let others = store::of_auction(&mut db, auction_id).await?;
    if others.len() >= CURRENCIES_MAX {
        return Err(CreateCurrencyRefusal::LimitReached.into());
    }
    if others.is_empty() && usage::any_bids(&mut db, auction_id).await? {
        return Err(CreateCurrencyRefusal::HasBids.into());
    }
    if others.iter().any(|other| other.code == currency.code) {
        return Err(CreateCurrencyRefusal::CodeTaken.into());
    }
    currency.is_default = is_default.unwrap_or(others.is_empty());
    if currency.is_default {
        store::clear_default(&mut db, auction_id, now).await?;
    }
    store::insert(&mut db, &currency).await?;
    let mut touched = None;
    if others.is_empty() {
        // The items lose their ISO 4217 prices.
        touched = Some(events::store::record_all(&mut db, auction_id, now).await?);
    }
    creation.record(&mut db, id, now).await?;
    db.commit().await?;
    touched.iter().for_each(|signal| context.events.publish(signal));
    Ok(Created::new(currency))
}

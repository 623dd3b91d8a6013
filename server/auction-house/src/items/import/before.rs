//! What an item was before an import changed it, as it is kept until the import is undone.

use iso_currency::Currency as IsoCurrency;
use platform::db::{DbError, json};
use platform::time::Moment;
use rules_engine::BidForm;
use rules_engine::money::Normalized;
use serde::{Deserialize, Serialize};

use crate::currencies::Currency;
use crate::ids::{CurrencyId, UserId};
use crate::items::price::normalize;
use crate::items::{EnteredPrice, Item, ItemTerms, LegacyPrice, Price};
use accounts::Person;

/// The parts of an item that an import can change. Amounts are canonical decimals, moments are milliseconds
/// since 1970.
#[derive(Debug, Serialize, Deserialize)]
struct Before {
    seller: UserId,
    name: String,
    /// None if the import has left it.
    description: Option<String>,
    estimate: Option<String>,
    is_published: bool,
    starts_at: Option<i64>,
    own_end: Option<i64>,
    legacy: Option<LegacyBefore>,
    minimum: Option<MinimumBefore>,
    min_increment: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct LegacyBefore {
    currency: String,
    starting_bid: Option<String>,
    min_bid_increment: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct MinimumBefore {
    currency_id: CurrencyId,
    entered: BidForm,
    normalized: String,
}

/// An item as it was, as a text. `item` is what the import makes of it.
pub(super) fn text(had: &Item, item: &Item) -> Result<String, DbError> {
    let amount = |amount: Option<Normalized>| amount.map(|amount| amount.to_string());
    let ItemTerms { name, description, estimate, is_published, starts_at, own_end, price, .. } = &had.terms;
    json(&Before {
        seller: had.seller.id,
        name: name.clone(),
        description: Some(description).filter(|had| **had != item.terms.description).cloned(),
        estimate: estimate.clone(),
        is_published: *is_published,
        starts_at: starts_at.map(Moment::millis),
        own_end: own_end.map(Moment::millis),
        legacy: price.legacy.as_ref().map(|legacy| LegacyBefore {
            currency: legacy.currency.code().to_owned(),
            starting_bid: amount(legacy.starting_bid),
            min_bid_increment: amount(legacy.min_bid_increment),
        }),
        minimum: price.minimum.as_ref().map(|minimum| MinimumBefore {
            currency_id: minimum.currency_id,
            entered: minimum.entered.clone(),
            normalized: minimum.normalized.to_string(),
        }),
        min_increment: amount(price.min_increment),
    })
}

/// The item as it was before the import, from the text. None if its minimum means something else by now, in
/// these currencies.
pub(super) fn restored(
    item: &Item,
    text: &str,
    currencies: &[Currency],
    now: Moment,
) -> Result<Option<Item>, DbError> {
    let corrupt = |error: String| DbError::Corrupt(format!("an import keeps no item: {error}"));
    let before: Before = serde_json::from_str(text).map_err(|error| corrupt(error.to_string()))?;
    let amount = |text: Option<String>| {
        let parsed = text.map(|text| text.parse::<Normalized>()).transpose();
        parsed.map_err(|error| corrupt(error.to_string()))
    };
    let moment = |millis: Option<i64>| match millis.map(Moment::from_millis) {
        Some(None) => Err(corrupt("its time is out of bounds".to_owned())),
        moment => Ok(moment.flatten()),
    };
    let legacy = match before.legacy {
        Some(LegacyBefore { currency, starting_bid, min_bid_increment }) => Some(LegacyPrice {
            currency: IsoCurrency::from_code(&currency).ok_or_else(|| corrupt(currency))?,
            starting_bid: amount(starting_bid)?,
            min_bid_increment: amount(min_bid_increment)?,
        }),
        None => None,
    };
    let minimum = match before.minimum {
        Some(MinimumBefore { currency_id, entered, normalized }) => {
            let normalized = amount(Some(normalized))?.unwrap_or_default();
            let currency = currencies.iter().find(|currency| currency.id == currency_id);
            let same = currency.and_then(|currency| normalize(currency, &entered).ok()) == Some(normalized);
            if !same {
                return Ok(None);
            }
            Some(EnteredPrice { currency_id, entered, normalized })
        }
        None => None,
    };
    let terms = ItemTerms {
        name: before.name,
        description: before.description.unwrap_or_else(|| item.terms.description.clone()),
        estimate: before.estimate,
        is_published: before.is_published,
        starts_at: moment(before.starts_at)?,
        own_end: moment(before.own_end)?,
        price: Price { legacy, minimum, min_increment: amount(before.min_increment)? },
        format: item.terms.format.clone(),
        anti_snipe: item.terms.anti_snipe,
    };
    let seller = Person { id: before.seller, ..item.seller.clone() };
    Ok(Some(Item { terms, seller, updated_at: now, ..item.clone() }))
}

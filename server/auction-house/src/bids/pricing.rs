//! The currencies and rules of one auction as its bids need them: which profile a bid is entered in, and
//! which rules judge it (SPEC, sections 3 to 6).

use std::collections::HashMap;

use rules_engine::{ItemTerms, ProfileDefinition, RuleDefinition, RuleSet, Violation};

use crate::bids::evaluate::Rejection;
use crate::currencies::{self, Currency};
use crate::ids::{AuctionId, CurrencyId};
use crate::items::bidding::BidItem;
use crate::items::price::{legacy_profile, legacy_terms};
use crate::rules;
use platform::db::{Connection, DbError};

/// An auction's currencies and rules. Without currencies the auction is legacy.
#[derive(Debug, Clone, Default)]
pub struct PricingRules {
    currencies: Vec<Currency>,
    rules: Vec<RuleDefinition>,
}

/// The currency that a bid is entered in: one of the auction's, by its index, or the item's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ChosenCurrency {
    Profile(usize),
    Legacy,
}

impl PricingRules {
    pub async fn read(conn: &mut Connection, auction_id: AuctionId) -> Result<Self, DbError> {
        let found = Self::read_all(conn, &[auction_id]).await?;
        Ok(found.into_values().next().unwrap_or_default())
    }

    /// Currencies and rules of several auctions.
    pub async fn read_all(
        conn: &mut Connection,
        auction_ids: &[AuctionId],
    ) -> Result<HashMap<AuctionId, Self>, DbError> {
        let mut found: HashMap<AuctionId, Self> =
            auction_ids.iter().map(|id| (*id, Self::default())).collect();
        for currency in currencies::store::of_auctions(conn, auction_ids).await? {
            found.entry(currency.auction_id).or_default().currencies.push(currency);
        }
        for rule in rules::store::of_auctions(conn, auction_ids).await? {
            found.entry(rule.auction_id).or_default().rules.push(rule.definition);
        }
        Ok(found)
    }

    /// In the order in which they were created.
    pub fn currencies(&self) -> &[Currency] {
        &self.currencies
    }

    /// By position.
    pub fn rules(&self) -> &[RuleDefinition] {
        &self.rules
    }

    /// Whether each item is priced in a currency of its own.
    pub fn is_legacy(&self) -> bool {
        self.currencies.is_empty()
    }

    /// The currency of a bid that names `given`: that one, else the default, else the only one. An auction
    /// with a book needs profiles, whose amounts are in the book's base unit.
    ///
    /// # Errors
    /// `UNKNOWN_CURRENCY_PROFILE`, also for any given in a legacy auction, or `CURRENCY_PROFILE_REQUIRED`.
    pub fn choose(&self, item: &BidItem, given: Option<&str>) -> Result<ChosenCurrency, Rejection> {
        if self.is_legacy() && item.book_id.is_some() {
            return Err(Violation::currency_profile_required().into());
        }
        if let Some(id) = given {
            let found = self.currencies.iter().position(|currency| currency.has_id(id));
            return found
                .map(ChosenCurrency::Profile)
                .ok_or_else(|| Violation::unknown_currency_profile(id).into());
        }
        if self.currencies.len() <= 1 {
            return Ok(if self.currencies.is_empty() {
                ChosenCurrency::Legacy
            } else {
                ChosenCurrency::Profile(0)
            });
        }
        let default = self.currencies.iter().position(|currency| currency.is_default);
        default.map(ChosenCurrency::Profile).ok_or_else(|| Violation::currency_profile_required().into())
    }

    /// The id of a chosen profile; none in a legacy auction.
    pub fn profile_id(&self, currency: ChosenCurrency) -> Option<CurrencyId> {
        match currency {
            ChosenCurrency::Profile(at) => self.currencies.get(at).map(|currency| currency.id),
            ChosenCurrency::Legacy => None,
        }
    }

    /// The rules for bids on this item in a chosen currency.
    ///
    /// # Errors
    /// `Corrupt` where what is stored breaks the bounds that it was stored under.
    pub fn compile(&self, currency: ChosenCurrency, item: &BidItem) -> Result<RuleSet, DbError> {
        let legacy = item.legacy.as_ref().filter(|_| currency == ChosenCurrency::Legacy).map(legacy_terms);
        // Without profiles every rule is for all of them: amounts are in the item's currency.
        compile(&self.profile(currency, item)?, &self.rules, legacy.as_ref().unwrap_or(&item.terms))
    }

    /// The rules for a price on this item that is no bid: those of the input phase and of the balance.
    ///
    /// # Errors
    /// `Corrupt` where what is stored breaks the bounds that it was stored under.
    pub fn compile_for_price(&self, currency: ChosenCurrency, item: &BidItem) -> Result<RuleSet, DbError> {
        compile(&self.profile(currency, item)?, &[], &ItemTerms::default())
    }

    fn profile(&self, currency: ChosenCurrency, item: &BidItem) -> Result<ProfileDefinition, DbError> {
        match currency {
            ChosenCurrency::Profile(at) => {
                let currency = self.currencies.get(at).ok_or_else(|| corrupt("a currency that is gone"))?;
                Ok(currency.definition())
            }
            ChosenCurrency::Legacy => {
                let price =
                    item.legacy.as_ref().ok_or_else(|| corrupt("a legacy item without a currency"))?;
                Ok(legacy_profile(price))
            }
        }
    }
}

fn compile(
    profile: &ProfileDefinition,
    rules: &[RuleDefinition],
    terms: &ItemTerms,
) -> Result<RuleSet, DbError> {
    let compiled = RuleSet::compile(profile, rules, terms);
    compiled.map_err(|errors| corrupt(&format!("a definition out of bounds: {errors:?}")))
}

fn corrupt(what: &str) -> DbError {
    DbError::Corrupt(what.to_owned())
}

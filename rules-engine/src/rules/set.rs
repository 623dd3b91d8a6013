//! The rules of one item, compiled: all bounds checked and all values converted.

use alloc::{string::String, vec::Vec};

use super::{
    condition::Source,
    definition::{RuleDefinition, RuleText},
    dispatch::{AnyCondition, AnyConfiguration},
    equal_not_higher::EqualNotHigher,
    insufficient_balance::InsufficientBalance,
    min_bid::MinBid,
    min_increment::MinIncrement,
    rule,
    violation::ViolationCode,
};
use crate::{
    bounds::{MAX_NORMALIZED, MAX_RULES},
    definition::{DefinitionError, DefinitionErrors},
    money::Normalized,
    profile::{Profile, ProfileDefinition, ProfileText},
    shape::{Value, shape},
};

shape! {
    /// What an item itself requires of its bids, in base units. Null and absent are none.
    #[derive(Default)]
    pub struct ItemTerms as ItemText {
        /// 0 ≤ d ≤ 10^15.
        pub min_bid_normalized = "minBidNormalized": Option<Normalized>,
        /// 0 < d ≤ 10^15.
        pub min_increment_normalized = "minIncrementNormalized": Option<Normalized>,
    }
}

/// The rules that judge one item's bids in one currency. Immutable.
///
/// INVARIANT: the rules have the order in which violations are listed.
#[derive(Clone, Debug)]
pub struct RuleSet {
    pub(crate) profile: Profile,
    pub(crate) rules: Vec<ActiveRule>,
}

/// A condition that applies to the profile, and the rule that it comes from.
#[derive(Clone, Debug)]
pub(crate) struct ActiveRule {
    pub(crate) id: Option<String>,
    position: u32,
    pub(crate) condition: AnyCondition,
}

impl RuleSet {
    /// Compiles what decides a bid: a profile, an auction's rules, and the item's own terms.
    ///
    /// Disabled rules and rules of other profiles are checked and then dropped. Tiers may have the 13 digits
    /// of a normalized amount here (section 7); [`Rule::parse`](super::Rule::parse) applies the bounds of
    /// section 5.
    ///
    /// # Errors
    /// All members out of bounds, with paths such as `profile.rateToBase`, `rules.3.params.amount` and
    /// `item.minBidNormalized`.
    pub fn compile(
        profile: &ProfileDefinition,
        rules: &[RuleDefinition],
        item: &ItemTerms,
    ) -> Result<Self, Vec<DefinitionError>> {
        Self::build(profile.text(), &rules.iter().map(Value::text).collect::<Vec<_>>(), &item.text())
    }

    pub(crate) fn build(
        profile: ProfileText,
        rules: &[RuleText],
        item: &ItemText,
    ) -> Result<Self, Vec<DefinitionError>> {
        let mut errors = DefinitionErrors::default();
        let profile = errors.within("profile", Profile::read(profile));
        let mut active = built_in(item, &mut errors);
        errors.check(rules.len() <= MAX_RULES, "rules", "must be at most 64");
        for (at, definition) in rules.iter().enumerate().take(MAX_RULES) {
            if rules.iter().take(at).any(|earlier| earlier.id == definition.id) {
                errors.add(format_args!("rules.{at}.id"), "must be unique");
            }
            let rule = rule::configuration(definition, Source::Case)
                .and_then(|configuration| activate(definition, configuration, profile.as_ref()));
            if let Some(rule) = errors.within(format_args!("rules.{at}"), rule).flatten() {
                let place = active.partition_point(|listed| listed.order() < rule.order());
                active.insert(place, rule);
            }
        }
        errors.finish()?;
        // INVARIANT: a profile that could not be read has added an error.
        Ok(Self { profile: profile.ok_or_else(Vec::new)?, rules: active })
    }

    /// The profile whose bids the set judges.
    #[must_use]
    pub fn profile(&self) -> &Profile {
        &self.profile
    }
}

impl ActiveRule {
    fn built_in(condition: AnyCondition) -> Self {
        Self { id: None, position: 0, condition }
    }

    /// By code; within one code the item's own rule first, then by position, then by id.
    fn order(&self) -> (ViolationCode, bool, u32, Option<&str>) {
        (self.condition.code(), self.id.is_some(), self.position, self.id.as_deref())
    }
}

/// The built-in rules, in order.
fn built_in(item: &ItemText, errors: &mut DefinitionErrors) -> Vec<ActiveRule> {
    let mut active = Vec::new();
    if let Some(minimum) = item.min_bid_normalized {
        let fits = !minimum.is_negative() && minimum <= MAX_NORMALIZED;
        errors.check_amount(fits, "item.minBidNormalized", "from 0 to ");
        active.push(ActiveRule::built_in(AnyCondition::MinBid(MinBid(minimum.magnitude()))));
    }
    active.push(ActiveRule::built_in(AnyCondition::EqualNotHigher(EqualNotHigher)));
    if let Some(increment) = item.min_increment_normalized {
        let fits = increment > Normalized::ZERO && increment <= MAX_NORMALIZED;
        errors.check_amount(fits, "item.minIncrementNormalized", "above 0 and at most ");
        let increment = MinIncrement::Amount(increment.magnitude());
        active.push(ActiveRule::built_in(AnyCondition::MinIncrement(increment)));
    }
    active.push(ActiveRule::built_in(AnyCondition::InsufficientBalance(InsufficientBalance)));
    active
}

/// The rule compiled for the profile; none if it is disabled or of another profile, or if the profile is
/// invalid.
fn activate(
    rule: &RuleText,
    configuration: AnyConfiguration,
    profile: Option<&Profile>,
) -> Result<Option<ActiveRule>, Vec<DefinitionError>> {
    let own = |profile: &&Profile| rule.currency_profile_id.as_deref().is_none_or(|id| id == profile.id());
    let Some(profile) = profile.filter(own) else {
        return Ok(None);
    };
    let condition = configuration.bind(profile)?;
    let active = || ActiveRule { id: Some(String::from(&*rule.id)), position: rule.position, condition };
    Ok(rule.enabled.then(active))
}

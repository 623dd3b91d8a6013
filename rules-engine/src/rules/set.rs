//! One item's rules, compiled: all bounds proved, everything converted once, nothing left to look up.

use alloc::{string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use super::{
    Condition, RuleDefinition,
    equal_not_higher::EqualNotHigher,
    min_bid::MinBid,
    min_increment::MinIncrement,
    rule::{self, Source},
};
use crate::{
    bid::ViolationCode,
    bounds::{MAX_NORMALIZED, MAX_RULES},
    definition::{DefinitionError, Faults},
    money::Normalized,
    profile::{Profile, ProfileDefinition},
    text::{ProfileText, RuleText},
};

/// What an item itself asks of its bids, in base units. Absent, or null, is nothing.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct ItemTerms {
    /// 0 ≤ d ≤ 10^15.
    pub min_bid_normalized: Option<Normalized>,
    /// 0 < d ≤ 10^15.
    pub min_increment_normalized: Option<Normalized>,
}

/// The rules that judge one item's bids in one currency. Immutable, and free of anything but the answer.
///
/// INVARIANT: the rules stand in the order in which violations are listed.
#[derive(Clone, Debug)]
pub struct RuleSet {
    pub(crate) profile: Profile,
    pub(crate) rules: Vec<ActiveRule>,
}

/// A condition that holds for the profile, and the rule that it comes from.
#[derive(Clone, Debug)]
pub(crate) struct ActiveRule {
    pub(crate) id: Option<String>,
    position: u32,
    pub(crate) condition: Condition,
}

impl RuleSet {
    /// Compiles what decides a bid: a profile, an auction's rules, and the item's own terms.
    ///
    /// Disabled rules and those of other profiles drop out, once they are known to be well formed. Tiers may
    /// have the 13 digits of a normalized amount here (section 7); [`Rule::parse`](super::Rule::parse) holds them to section 5.
    ///
    /// # Errors
    /// All members out of bounds, with paths such as `profile.rateToBase`, `rules.3.params.amount` and
    /// `item.minBidNormalized`.
    pub fn compile(
        profile: &ProfileDefinition,
        rules: &[RuleDefinition],
        item: &ItemTerms,
    ) -> Result<Self, Vec<DefinitionError>> {
        Self::build(profile.into(), rules.iter().map(RuleText::from).collect(), item)
    }

    pub(crate) fn build(
        profile: ProfileText,
        rules: Vec<RuleText>,
        item: &ItemTerms,
    ) -> Result<Self, Vec<DefinitionError>> {
        let mut faults = Faults::default();
        let profile = faults.within("profile", Profile::read(profile));
        let mut active = builtin(item, &mut faults);
        faults.check(rules.len() <= MAX_RULES, "rules", "must be at most 64");
        for (at, definition) in rules.iter().enumerate().take(MAX_RULES) {
            if rules.iter().take(at).any(|earlier| earlier.id == definition.id) {
                faults.add(format_args!("rules.{at}.id"), "must be unique");
            }
            let rule = rule::condition(definition, Source::Case)
                .and_then(|condition| activate(definition, condition, profile.as_ref()));
            if let Some(rule) = faults.within(format_args!("rules.{at}"), rule).flatten() {
                let place = active.partition_point(|listed| listed.order() < rule.order());
                active.insert(place, rule);
            }
        }
        faults.finish()?;
        // INVARIANT: a profile that could not be read has left a fault.
        Ok(Self { profile: profile.ok_or_else(Vec::new)?, rules: active })
    }

    /// The profile whose bids it judges.
    #[must_use]
    pub fn profile(&self) -> &Profile {
        &self.profile
    }
}

impl ActiveRule {
    fn builtin(condition: Condition) -> Self {
        Self { id: None, position: 0, condition }
    }

    /// By code; within one code the item's own first, then by position, then by id.
    fn order(&self) -> (ViolationCode, bool, u32, Option<&str>) {
        (self.condition.code(), self.id.is_some(), self.position, self.id.as_deref())
    }
}

/// What holds without being configured, in order.
fn builtin(item: &ItemTerms, faults: &mut Faults) -> Vec<ActiveRule> {
    let mut active = Vec::new();
    if let Some(minimum) = item.min_bid_normalized {
        let fits = !minimum.is_negative() && minimum <= MAX_NORMALIZED;
        faults.check(fits, "item.minBidNormalized", "must be a decimal from 0 to 1000000000000000");
        active.push(ActiveRule::builtin(Condition::MinBid(MinBid(minimum.magnitude()))));
    }
    active.push(ActiveRule::builtin(Condition::EqualNotHigher(EqualNotHigher)));
    if let Some(increment) = item.min_increment_normalized {
        let fits = increment > Normalized::ZERO && increment <= MAX_NORMALIZED;
        faults.check(
            fits,
            "item.minIncrementNormalized",
            "must be a decimal above 0 and at most 1000000000000000",
        );
        active
            .push(ActiveRule::builtin(Condition::MinIncrement(MinIncrement::Amount(increment.magnitude()))));
    }
    active
}

/// The rule as this profile's bids meet it, if they do. Where the profile itself is at fault that is enough.
fn activate(
    rule: &RuleText,
    condition: Condition,
    profile: Option<&Profile>,
) -> Result<Option<ActiveRule>, Vec<DefinitionError>> {
    let own = |profile: &&Profile| rule.currency_profile_id.as_deref().is_none_or(|id| id == profile.id());
    let Some(profile) = profile.filter(own) else {
        return Ok(None);
    };
    let condition = condition.bind(profile)?;
    let active = || ActiveRule { id: Some(String::from(&*rule.id)), position: rule.position, condition };
    Ok(rule.enabled.then(active))
}

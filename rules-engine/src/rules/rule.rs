//! From a rule as data to a rule that keeps the bounds, and from there to one profile's condition.

use alloc::{format, string::String, vec, vec::Vec};

use super::{
    Condition, RuleDefinition, RuleType, min_component_ratio::MinComponentRatio, min_increment::MinIncrement,
    required_denomination::RequiredDenomination,
};
use crate::{
    bounds::{self, MAX_POSITION},
    definition::{DefinitionError, Faults},
    profile::{InputMode, Profile},
    text::{ParamsText, RuleText, Text},
};

/// Where a definition comes from: it decides how many digits a tier may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// A request, with the bounds of section 5.
    Request,
    /// A case, whose normalized values have all 13 digits (section 7).
    Case,
}

/// A rule whose members keep the bounds of section 5. Whether its denomination exists only a profile can tell.
#[derive(Clone, Debug)]
pub struct Rule {
    profile_id: Option<String>,
    condition: Condition,
}

impl Rule {
    /// Checks every bound that section 5 gives the members and the parameters.
    ///
    /// # Errors
    /// All members out of bounds, with paths such as `params.tiers.2.from`.
    pub fn parse(definition: &RuleDefinition) -> Result<Self, Vec<DefinitionError>> {
        let text = RuleText::from(definition);
        let condition = condition(&text, Source::Request)?;
        Ok(Self { profile_id: text.currency_profile_id.map(Text::into_owned), condition })
    }

    /// Whether bids in `profile` are judged by this rule while it is enabled.
    #[must_use]
    pub fn holds_for(&self, profile: &Profile) -> bool {
        self.profile_id.as_deref().is_none_or(|id| id == profile.id())
    }

    /// The denomination that it is about, if it is about one.
    #[must_use]
    pub fn denomination(&self) -> Option<&str> {
        match &self.condition {
            Condition::MinComponentRatio(rule) => Some(&rule.denomination),
            Condition::RequiredDenomination(rule) => Some(&rule.denomination),
            Condition::MinBid(_) | Condition::EqualNotHigher(_) | Condition::MinIncrement(_) => None,
        }
    }

    /// Checks the rule against the profile that it names: a rule on a denomination wants DENOMINATION mode and
    /// that denomination (section 5).
    ///
    /// # Errors
    /// The member that does not fit the profile.
    pub fn check(&self, profile: &Profile) -> Result<(), Vec<DefinitionError>> {
        self.condition.clone().bind(profile).map(|_| ())
    }
}

/// The condition of a rule whose members keep the bounds of section 5.
pub(super) fn condition(definition: &RuleText, source: Source) -> Result<Condition, Vec<DefinitionError>> {
    let mut faults = Faults::default();
    faults.check(bounds::is_id(&definition.id), "id", "must have 1 to 64 characters");
    match &definition.currency_profile_id {
        Some(id) => faults.check(bounds::is_id(id), "currencyProfileId", "must have 1 to 64 characters"),
        None => faults.check(
            definition.rule_type == RuleType::MinIncrement,
            "currencyProfileId",
            "must name a profile, as the rule is on one of its denominations",
        ),
    }
    faults.check(definition.position <= MAX_POSITION, "position", "must be an integer from 0 to 1000000");
    refuse_foreign(definition, &mut faults);
    let params = &definition.params;
    let condition = match definition.rule_type {
        RuleType::MinIncrement => {
            MinIncrement::parse(params, source, &mut faults).map(Condition::MinIncrement)
        }
        RuleType::MinComponentRatio => {
            MinComponentRatio::parse(params, &mut faults).map(Condition::MinComponentRatio)
        }
        RuleType::RequiredDenomination => {
            RequiredDenomination::parse(params, &mut faults).map(Condition::RequiredDenomination)
        }
    };
    faults.finish()?;
    // INVARIANT: whoever reads no condition has added a fault.
    condition.ok_or_else(Vec::new)
}

impl Condition {
    /// The condition with its denomination's place in the profile.
    pub(super) fn bind(mut self, profile: &Profile) -> Result<Self, Vec<DefinitionError>> {
        match &mut self {
            Self::MinComponentRatio(rule) => (rule.slot, rule.worth) = place(profile, &rule.denomination)?,
            Self::RequiredDenomination(rule) => (rule.slot, _) = place(profile, &rule.denomination)?,
            Self::MinBid(_) | Self::EqualNotHigher(_) | Self::MinIncrement(_) => {}
        }
        Ok(self)
    }
}

/// The slot of a denomination, and what a piece is worth.
fn place(profile: &Profile, code: &str) -> Result<(usize, u128), Vec<DefinitionError>> {
    let fault =
        |path: &str, message: &str| vec![DefinitionError { path: path.into(), message: message.into() }];
    if profile.input_mode() == InputMode::Scalar {
        return Err(fault("currencyProfileId", "must name a profile whose bids are entered by denomination"));
    }
    let found = profile.pieces.iter().enumerate().find(|(_, piece)| piece.code == code);
    let (slot, piece) =
        found.ok_or_else(|| fault("params.denomination", "must be a denomination of the profile"))?;
    Ok((slot, piece.worth))
}

/// A parameter of another type is unknown to this one.
fn refuse_foreign(definition: &RuleText, faults: &mut Faults) {
    let ParamsText { amount, percent, tiers, denomination, min_ratio, min_count } = &definition.params;
    let own = |types: &[RuleType]| types.contains(&definition.rule_type);
    let increment = own(&[RuleType::MinIncrement]);
    let component = own(&[RuleType::MinComponentRatio, RuleType::RequiredDenomination]);
    let members = [
        ("amount", amount.is_some(), increment),
        ("percent", percent.is_some(), increment),
        ("tiers", tiers.is_some(), increment),
        ("denomination", denomination.is_some(), component),
        ("minRatio", min_ratio.is_some(), own(&[RuleType::MinComponentRatio])),
        ("minCount", min_count.is_some(), own(&[RuleType::RequiredDenomination])),
    ];
    for (name, given, allowed) in members {
        if given && !allowed {
            let message = format!("must be absent in {}", definition.rule_type.as_str());
            faults.add(format_args!("params.{name}"), message);
        }
    }
}

/// The denomination of a rule that needs one.
pub(super) fn denomination(params: &ParamsText, faults: &mut Faults) -> Option<String> {
    match &params.denomination {
        Some(code) if bounds::is_code(code) => Some(String::from(&**code)),
        Some(_) => {
            faults.add("params.denomination", "must be 1 to 12 of A–Z 0–9 _ -");
            None
        }
        None => missing("params.denomination", faults),
    }
}

/// Notes that a parameter is missing.
pub(super) fn missing<T>(path: &str, faults: &mut Faults) -> Option<T> {
    faults.add(path, "must be given");
    None
}

//! From a rule as data to a rule that keeps its bounds, and from there to a condition of one profile.

use alloc::{format, string::String, vec::Vec};
use core::fmt::Display;

use super::{
    condition::Source,
    definition::{RuleDefinition, RuleText},
    dispatch::AnyConfiguration,
    parameters::{RuleParams, Tier},
};
use crate::{
    bounds::{self, MAX_POSITION, MAX_TIERS},
    definition::{DefinitionError, DefinitionErrors},
    profile::Profile,
    shape::{Text, Value},
};

/// A rule whose members keep the bounds of section 5. [`check`](Self::check) says whether it fits a profile.
#[derive(Clone, Debug)]
pub struct Rule {
    profile_id: Option<String>,
    configuration: AnyConfiguration,
}

impl Rule {
    /// Checks every bound that section 5 gives the members and the parameters.
    ///
    /// # Errors
    /// All members out of bounds, with paths such as `params.tiers.2.from`.
    pub fn parse(definition: &RuleDefinition) -> Result<Self, Vec<DefinitionError>> {
        let text = definition.text();
        let configuration = configuration(&text, Source::Request)?;
        Ok(Self { profile_id: text.currency_profile_id.map(Text::into_owned), configuration })
    }

    /// Whether the rule judges bids in `profile` while it is enabled.
    #[must_use]
    pub fn holds_for(&self, profile: &Profile) -> bool {
        self.profile_id.as_deref().is_none_or(|id| id == profile.id())
    }

    /// The code of the denomination that the rule is about, if it is about one.
    #[must_use]
    pub fn denomination(&self) -> Option<&str> {
        self.configuration.denomination()
    }

    /// Checks the rule against the profile that it names: a rule on a denomination requires DENOMINATION mode
    /// and that denomination (section 5).
    ///
    /// # Errors
    /// The member that does not fit the profile.
    pub fn check(&self, profile: &Profile) -> Result<(), Vec<DefinitionError>> {
        self.configuration.clone().bind(profile).map(|_| ())
    }
}

/// Checks the members and the parameters of a rule.
pub(super) fn configuration(
    definition: &RuleText,
    source: Source,
) -> Result<AnyConfiguration, Vec<DefinitionError>> {
    let mut errors = DefinitionErrors::default();
    errors.check(bounds::is_id(&definition.id), "id", "must have 1 to 64 characters");
    match &definition.currency_profile_id {
        Some(id) => errors.check(bounds::is_id(id), "currencyProfileId", "must have 1 to 64 characters"),
        None => errors.check(
            !definition.rule_type.needs_profile(),
            "currencyProfileId",
            "must name a profile, as the rule is on one of its denominations",
        ),
    }
    errors.check(definition.position <= MAX_POSITION, "position", "must be an integer from 0 to 1000000");
    refuse_foreign(definition, &mut errors);
    let configuration =
        AnyConfiguration::parse(definition.rule_type, &definition.params, source, &mut errors);
    errors.finish()?;
    // INVARIANT: a rule that reads no configuration has added an error.
    configuration.ok_or_else(Vec::new)
}

/// Adds an error for each parameter, and for each member of a tier, that the type does not take.
fn refuse_foreign(definition: &RuleText, errors: &mut DefinitionErrors) {
    let rule_type = definition.rule_type;
    let mut refuse = |of: &dyn Display, name: &str| {
        if !rule_type.takes(name) {
            let message = format!("must be absent in {}", rule_type.as_str());
            errors.add(format_args!("params.{of}{name}"), message);
        }
    };
    RuleParams::for_each_given(&definition.params, &mut |name| refuse(&"", name));
    // Members of a tier have the names of parameters, except for its start.
    for (at, tier) in definition.params.tiers.iter().flatten().enumerate().take(MAX_TIERS) {
        Tier::for_each_given(tier, &mut |name| {
            if name != "from" {
                refuse(&format_args!("tiers.{at}."), name);
            }
        });
    }
}

//! Static dispatch over the table of rules: enums instead of trait objects, so that a check is inlined and
//! does not allocate.

use alloc::vec::Vec;

use super::{
    condition::{Condition, Configuration, Demand, Explanation, Shortfall, Source},
    context::BidContext,
    definition::RuleType,
    grid::Grid,
    parameters::ParamsText,
    violation::ViolationCode,
};
use crate::{
    definition::{DefinitionError, DefinitionErrors},
    profile::{NormalizedBid, Profile},
};

/// Declares both enums from the table of rules.
macro_rules! dispatch {
    ($(
        $(#[doc = $violated:literal])*
        $file:ident::$name:ident = $code:literal
        $(configured as $configuration:ident takes [$($parameter:literal),*]: $asks:literal)?;
    )*) => {
        /// A condition of any rule.
        #[derive(Clone, Debug)]
        pub(crate) enum AnyCondition {
            $($name(super::$file::$name),)*
        }

        impl AnyCondition {
            pub(crate) fn code(&self) -> ViolationCode {
                match self {
                    $(Self::$name(_) => ViolationCode::$name,)*
                }
            }
        }

        impl Condition for AnyCondition {
            #[inline]
            fn check(&self, context: &BidContext, bid: &NormalizedBid) -> Option<Shortfall> {
                match self {
                    $(Self::$name(condition) => condition.check(context, bid),)*
                }
            }

            fn explain(&self, profile: &Profile, bid: &NormalizedBid, shortfall: Shortfall) -> Explanation {
                match self {
                    $(Self::$name(condition) => condition.explain(profile, bid, shortfall),)*
                }
            }

            fn raise(&self, context: &BidContext, value: u128) -> u128 {
                match self {
                    $(Self::$name(condition) => condition.raise(context, value),)*
                }
            }

            fn lower(&self, context: &BidContext, value: u128) -> u128 {
                match self {
                    $(Self::$name(condition) => condition.lower(context, value),)*
                }
            }

            fn grid(&self, value: u128) -> Grid {
                match self {
                    $(Self::$name(condition) => condition.grid(value),)*
                }
            }

            fn has_grid(&self) -> bool {
                match self {
                    $(Self::$name(condition) => condition.has_grid(),)*
                }
            }

            fn demand(&self) -> Option<Demand> {
                match self {
                    $(Self::$name(condition) => condition.demand(),)*
                }
            }
        }

        /// A configured rule of any type.
        #[derive(Clone, Debug)]
        pub(super) enum AnyConfiguration {
            $($($name(super::$file::$configuration),)?)*
        }

        impl AnyConfiguration {
            pub(super) fn parse(
                rule_type: RuleType,
                params: &ParamsText,
                source: Source,
                errors: &mut DefinitionErrors,
            ) -> Option<Self> {
                match rule_type {
                    $($(RuleType::$name => {
                        super::$file::$configuration::parse(params, source, errors).map(Self::$name)
                    })?)*
                }
            }

            pub(super) fn denomination(&self) -> Option<&str> {
                match self {
                    $($(Self::$name(rule) => super::$file::$configuration::denomination(rule),)?)*
                }
            }

            pub(super) fn bind(self, profile: &Profile) -> Result<AnyCondition, Vec<DefinitionError>> {
                match self {
                    $($(Self::$name(rule) => {
                        super::$file::$configuration::bind(rule, profile).map(AnyCondition::$name)
                    })?)*
                }
            }
        }

        impl RuleType {
            /// Whether a rule of this type must name a profile; others may judge bids in every profile.
            #[must_use]
            pub const fn needs_profile(self) -> bool {
                match self {
                    $($(Self::$name => super::$file::$configuration::NEEDS_PROFILE,)?)*
                }
            }
        }
    };
}

rule_table!(dispatch);

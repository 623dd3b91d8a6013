//! Rules as data: stored, sent to the browser, read from JSON.

use alloc::string::String;

use super::parameters::RuleParams;
use crate::{
    constants::constants,
    shape::{MemberShape, constant_value, shape},
};

/// Declares the types of configured rules from the table of rules.
macro_rules! rule_types {
    ($(
        $(#[doc = $violated:literal])*
        $file:ident::$name:ident = $code:literal
        $(configured as $configuration:ident takes [$($parameter:literal),*]: $asks:literal)?;
    )*) => {
        constants! {
            /// Which configurable rule.
            pub enum RuleType {
                $($(#[doc = $asks] $name = $code,)?)*
            }
        }

        impl RuleType {
            /// The names of the parameters that the type takes.
            const fn parameter_names(self) -> &'static [&'static str] {
                match self {
                    $($(Self::$name => &[$($parameter),*],)?)*
                }
            }
        }
    };
}

rule_table!(rule_types);
constant_value!(RuleType, "unknown rule type");

impl RuleType {
    /// The parameters that the type takes.
    pub fn parameters(self) -> impl Iterator<Item = &'static MemberShape> {
        RuleParams::MEMBERS.iter().filter(move |member| self.takes(member.name))
    }

    /// Whether the type takes a parameter.
    #[must_use]
    pub fn takes(self, parameter: &str) -> bool {
        self.parameter_names().contains(&parameter)
    }
}

shape! {
    /// A rule as data. Not yet checked against its bounds.
    ///
    /// `auctionId`, `createdAt` and `updatedAt` are ignored in JSON; any further member is an error.
    pub struct RuleDefinition as RuleText {
        /// 1–64 characters, unique in the auction.
        pub id = "id": String [length(min = 1, max = 64)],
        /// The profile whose bids the rule judges; null for every profile, with some types only.
        pub currency_profile_id = "currencyProfileId": Option<String>,
        /// Which rule.
        pub rule_type = "type": RuleType,
        /// What the type takes.
        pub params = "params": RuleParams,
        /// Whether the rule is applied.
        pub enabled = "enabled": bool = true,
        /// 0–1 000 000: the order among rules of one type.
        pub position = "position": u32 [range(max = 1_000_000)],
    } ignores {
        auction_id = "auctionId",
        created_at = "createdAt",
        updated_at = "updatedAt",
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn every_parameter_in_the_table_is_a_member() {
        for rule_type in RuleType::ALL {
            let members: Vec<&str> = rule_type.parameters().map(|member| member.name).collect();
            let mut named = rule_type.parameter_names().to_vec();
            named.sort_by_key(|name| RuleParams::MEMBERS.iter().position(|member| member.name == *name));
            assert_eq!(members, named, "{rule_type:?}");
        }
    }

    #[test]
    fn every_parameter_belongs_to_a_rule() {
        for member in RuleParams::MEMBERS {
            assert!(
                RuleType::ALL.into_iter().any(|rule_type| rule_type.takes(member.name)),
                "{}",
                member.name
            );
        }
    }
}

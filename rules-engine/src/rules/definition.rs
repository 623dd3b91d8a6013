//! Rules as data: stored, sent to the browser, read from JSON.

use alloc::{string::String, vec::Vec};
use core::str::FromStr;

use serde::{Deserialize, Serialize, de::IgnoredAny};

use crate::money::Literal;

/// Which configurable rule.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum RuleType {
    /// How far above the highest bid.
    MinIncrement,
    /// How large a share of the bid in one denomination.
    MinComponentRatio,
    /// How many of one denomination.
    RequiredDenomination,
}

impl RuleType {
    /// Every type, in the contract's order.
    pub const ALL: [Self; 3] = [Self::MinIncrement, Self::MinComponentRatio, Self::RequiredDenomination];

    /// The type's name in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::MinIncrement => "MIN_INCREMENT",
            Self::MinComponentRatio => "MIN_COMPONENT_RATIO",
            Self::RequiredDenomination => "REQUIRED_DENOMINATION",
        }
    }
}

impl FromStr for RuleType {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|rule_type| rule_type.as_str() == name).ok_or(())
    }
}

/// From a highest bid of `from` base units on, the increment is `amount`.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tier {
    /// 0 for the first, then strictly rising, ≤ 10^15.
    pub from: Literal,
    /// Base units: 0 < d ≤ 10^15, at most 6 fraction digits.
    pub amount: Literal,
}

/// The parameters of a rule: of these members those that its type takes. Null is absent.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct RuleParams {
    /// `MIN_INCREMENT`: base units, 0 < d ≤ 10^15, at most 6 fraction digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<Literal>,
    /// `MIN_INCREMENT`: hundredths of the highest bid, 0 < d ≤ 100, at most 3 fraction digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub percent: Option<Literal>,
    /// `MIN_INCREMENT`: 1–32 steps of the highest bid.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 32)))]
    pub tiers: Option<Vec<Tier>>,
    /// `MIN_COMPONENT_RATIO`, `REQUIRED_DENOMINATION`: a denomination's code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub denomination: Option<String>,
    /// `MIN_COMPONENT_RATIO`: 0 < d ≤ 1, at most 4 fraction digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_ratio: Option<Literal>,
    /// `REQUIRED_DENOMINATION`: 0 < d ≤ 10^12, at most 4 fraction digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_count: Option<Literal>,
}

/// A rule as data. Not yet known to keep the bounds.
///
/// `auctionId`, `createdAt` and `updatedAt` are passed over in JSON; any further member is an error.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "RuleJson", rename_all = "camelCase")]
pub struct RuleDefinition {
    /// 1–64 characters, unique in the auction.
    pub id: String,
    /// The profile whose bids it judges; none, for every profile, with `MIN_INCREMENT` only.
    pub currency_profile_id: Option<String>,
    /// Which rule.
    #[serde(rename = "type")]
    pub rule_type: RuleType,
    /// What the type takes.
    pub params: RuleParams,
    /// Whether it judges bids at all.
    pub enabled: bool,
    /// 0–1 000 000: the order among rules of one type.
    pub position: u32,
}

/// The members that section 5 gives a rule.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[expect(dead_code, reason = "members that do not bear on a bid are allowed and passed over")]
struct RuleJson {
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 64)))]
    id: String,
    currency_profile_id: Option<String>,
    #[serde(rename = "type")]
    rule_type: RuleType,
    params: RuleParams,
    #[serde(default = "enabled")]
    enabled: bool,
    #[cfg_attr(feature = "schema", schemars(range(max = 1_000_000)))]
    position: u32,
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Anything"))]
    auction_id: IgnoredAny,
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Anything"))]
    created_at: IgnoredAny,
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Anything"))]
    updated_at: IgnoredAny,
}

impl From<RuleJson> for RuleDefinition {
    fn from(json: RuleJson) -> Self {
        Self {
            id: json.id,
            currency_profile_id: json.currency_profile_id,
            rule_type: json.rule_type,
            params: json.params,
            enabled: json.enabled,
            position: json.position,
        }
    }
}

fn enabled() -> bool {
    true
}

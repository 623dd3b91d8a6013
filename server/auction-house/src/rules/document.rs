//! Currency rules as they are answered (contract, section 5).

use rules_engine::{RuleParams, RuleType};
use serde::Serialize;
use utoipa::ToSchema;

use super::CurrencyRule;

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AuctionCurrencyRule)]
pub struct RuleDocument {
    #[schema(format = "uuid")]
    pub id: String,
    #[schema(format = "uuid")]
    pub auction_id: String,
    /// Null: it holds for every profile.
    pub currency_profile_id: Option<String>,
    #[serde(rename = "type")]
    #[schema(value_type = RuleTypeName)]
    pub rule_type: RuleType,
    #[schema(value_type = RuleParamsDocument)]
    pub params: RuleParams,
    pub enabled: bool,
    pub position: u32,
    #[schema(format = DateTime)]
    pub created_at: String,
    #[schema(format = DateTime)]
    pub updated_at: String,
}

/// The engine's names, for the document.
#[derive(ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = RuleType)]
pub enum RuleTypeName {
    MinIncrement,
    MinComponentRatio,
    RequiredDenomination,
}

/// Of these members those that the type takes. Decimals are read as numbers or strings and answered as strings.
#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = RuleParams)]
pub struct RuleParamsDocument {
    /// MIN_INCREMENT: base units.
    pub amount: Option<String>,
    /// MIN_INCREMENT: hundredths of the highest bid.
    pub percent: Option<String>,
    /// MIN_INCREMENT: steps of the highest bid, the first from 0.
    pub tiers: Option<Vec<TierDocument>>,
    /// MIN_COMPONENT_RATIO, REQUIRED_DENOMINATION: a denomination's code.
    pub denomination: Option<String>,
    /// MIN_COMPONENT_RATIO: from 0 to 1.
    pub min_ratio: Option<String>,
    /// REQUIRED_DENOMINATION.
    pub min_count: Option<String>,
}

#[derive(ToSchema)]
#[schema(as = Tier)]
pub struct TierDocument {
    pub from: String,
    pub amount: String,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AuctionCurrencyRules)]
pub struct RulesDocument {
    pub rules: Vec<RuleDocument>,
}

impl From<CurrencyRule> for RuleDocument {
    fn from(rule: CurrencyRule) -> Self {
        let definition = rule.definition;
        Self {
            id: definition.id,
            auction_id: rule.auction_id.to_string(),
            currency_profile_id: definition.currency_profile_id,
            rule_type: definition.rule_type,
            params: definition.params,
            enabled: definition.enabled,
            position: definition.position,
            created_at: rule.created_at.to_string(),
            updated_at: rule.updated_at.to_string(),
        }
    }
}

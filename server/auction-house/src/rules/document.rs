//! Currency rules in responses (SPEC, section 5).

use rules_engine::{RuleParams, RuleType};
use serde::Serialize;
use utoipa::ToSchema;

use super::CurrencyRule;
use crate::engine_schema::{RuleParamsSchema, RuleTypeSchema};
use crate::ids::{AuctionId, RuleId};
use platform::time::Moment;

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AuctionCurrencyRule)]
pub struct RuleDocument {
    #[schema(value_type = String, format = "uuid")]
    pub id: RuleId,
    #[schema(value_type = String, format = "uuid")]
    pub auction_id: AuctionId,
    /// Null: it holds for every profile.
    pub currency_profile_id: Option<String>,
    #[serde(rename = "type")]
    #[schema(value_type = RuleTypeSchema)]
    pub rule_type: RuleType,
    #[schema(value_type = RuleParamsSchema)]
    pub params: RuleParams,
    pub enabled: bool,
    pub position: u32,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Moment,
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
            id: rule.id,
            auction_id: rule.auction_id,
            currency_profile_id: definition.currency_profile_id,
            rule_type: definition.rule_type,
            params: definition.params,
            enabled: definition.enabled,
            position: definition.position,
            created_at: rule.created_at,
            updated_at: rule.updated_at,
        }
    }
}

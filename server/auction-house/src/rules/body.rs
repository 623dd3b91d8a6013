//! What a request says of a currency rule.

use crate::engine::{canonical, field_errors};
use rules_engine::DefinitionError;
use rules_engine::money::Literal;
use rules_engine::{Profile, Rule, RuleDefinition, RuleParams, RuleType, Tier, bounds};
use utoipa::ToSchema;

use super::CurrencyRule;
use super::document::{RuleDocument, RuleParamsDocument, RuleTypeName};
use crate::currencies::Currency;
use platform::fields::{FieldError, Fields, Object};

/// The body as documented: `type` and `params` are required, and `currencyProfileId` of all but MIN_INCREMENT.
#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = NewAuctionCurrencyRule)]
pub struct RuleBody {
    /// Null, with MIN_INCREMENT only: holds for every profile.
    pub currency_profile_id: Option<String>,
    #[serde(rename = "type")]
    pub rule_type: RuleTypeName,
    pub params: RuleParamsDocument,
    #[schema(default = true)]
    pub enabled: Option<bool>,
    /// After the last by default.
    #[schema(minimum = 0, maximum = 1_000_000)]
    pub position: Option<i64>,
}

impl CurrencyRule {
    /// The body that would make it as it is: what a merge patch is laid on.
    pub fn as_body(&self) -> Object {
        let given_by_the_server = ["id", "auctionId", "createdAt", "updatedAt"];
        Object::of(&RuleDocument::from(self.clone()), &given_by_the_server)
    }
}

/// Reads a whole rule that will bear `id`, in an auction with these currencies. `position` is what it has
/// unless it says another.
///
/// INVARIANT: `Rule::parse` accepts what comes out, and the profile and denomination that it names exist.
pub fn read_rule(
    object: Object,
    id: String,
    position: u32,
    currencies: &[Currency],
) -> Result<RuleDefinition, Vec<FieldError>> {
    let mut fields = Fields::of(object);
    let rule_type: Option<RuleType> = fields.required("type");
    let params: Option<RuleParams> = fields.required("params");
    let currency_profile_id: Option<String> = fields.optional("currencyProfileId");
    let enabled = fields.or("enabled", true);
    let position = fields.integer("position", 0..=bounds::MAX_POSITION.into(), position.into());
    let currency = currency_profile_id.as_ref().and_then(|id| named(id, currencies));
    if currency_profile_id.is_some() && currency.is_none() {
        fields.fault("currencyProfileId", "must be a currency profile of this auction");
    }
    let (Some(rule_type), Some(params)) = (rule_type, params) else {
        fields.finish()?;
        return Err(Vec::new());
    };
    let definition = RuleDefinition {
        id,
        currency_profile_id,
        rule_type,
        params: canonical_params(params),
        enabled,
        position: u32::try_from(position).unwrap_or(bounds::MAX_POSITION),
    };
    fields.add(field_errors(check(&definition, currency).err().unwrap_or_default()));
    fields.finish()?;
    Ok(definition)
}

fn named<'a>(id: &str, currencies: &'a [Currency]) -> Option<&'a Currency> {
    currencies.iter().find(|currency| currency.definition.id == id)
}

/// Its own bounds first, then whether the profile has what it names.
fn check(definition: &RuleDefinition, currency: Option<&Currency>) -> Result<(), Vec<DefinitionError>> {
    let rule = Rule::parse(definition)?;
    match currency {
        Some(currency) => rule.check(&Profile::parse(&currency.definition)?),
        None => Ok(()),
    }
}

fn canonical_params(params: RuleParams) -> RuleParams {
    let decimal = |literal: Option<Literal>| literal.as_ref().map(canonical);
    let tier = |tier: Tier| Tier { from: canonical(&tier.from), amount: canonical(&tier.amount) };
    RuleParams {
        amount: decimal(params.amount),
        percent: decimal(params.percent),
        tiers: params.tiers.map(|tiers| tiers.into_iter().map(tier).collect()),
        denomination: params.denomination,
        min_ratio: decimal(params.min_ratio),
        min_count: decimal(params.min_count),
    }
}

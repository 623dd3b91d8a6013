//! What a request says of a currency rule.

use platform::fields::{FieldError, Fields, Object};
use platform::shape::{self, Members, Shape};
use rules_engine::{DefinitionError, Profile, Rule, RuleDefinition, RuleParams, RuleType, bounds};

use super::CurrencyRule;
use crate::currencies::Currency;
use crate::engine::{canonical, field_errors};
use crate::engine_schema::{RuleParamsSchema, RuleTypeSchema};

/// A rule as a request describes it: well formed, but not yet checked by the engine.
#[derive(Debug, Clone)]
pub struct RuleBody {
    pub rule_type: Option<RuleType>,
    pub params: Option<RuleParams>,
    pub currency_profile_id: Option<String>,
    pub enabled: bool,
    pub position: i64,
}

impl Default for RuleBody {
    fn default() -> Self {
        Self { rule_type: None, params: None, currency_profile_id: None, enabled: true, position: 0 }
    }
}

impl Shape for RuleBody {
    const NAME: &'static str = "NewAuctionCurrencyRule";
    const ABOUT: &'static str = "`type` and `params` are required, and `currencyProfileId` of MIN_COMPONENT_RATIO and REQUIRED_DENOMINATION.";

    fn members(&mut self, members: &mut Members<'_>) {
        members.required("type", &mut self.rule_type).of::<RuleTypeSchema>();
        members.required("params", &mut self.params).of::<RuleParamsSchema>();
        members
            .optional("currencyProfileId", &mut self.currency_profile_id)
            .about("Null, for rules that are on no denomination: holds for every profile.");
        members.flag("enabled", &mut self.enabled);
        members
            .integer("position", 0..=bounds::MAX_POSITION.into(), &mut self.position)
            .about("After the last by default.")
            .without_default();
    }
}

/// The rule's body with `patch` applied. `params` are replaced whole: an amount takes the place of tiers.
pub fn patched(rule: &CurrencyRule, patch: Object) -> Object {
    let definition = rule.definition.clone();
    let body = RuleBody {
        rule_type: Some(definition.rule_type),
        params: Some(definition.params).filter(|_| !patch.names("params")),
        currency_profile_id: definition.currency_profile_id,
        enabled: definition.enabled,
        position: definition.position.into(),
    };
    shape::write(&body).patched(patch)
}

/// Reads a whole rule that will have the id `id`, in an auction with these currencies. `position` is its
/// default.
///
/// INVARIANT: `Rule::parse` accepts what comes out, and the profile and denomination that it names exist.
pub fn read_rule(
    object: Object,
    id: String,
    position: u32,
    currencies: &[Currency],
) -> Result<RuleDefinition, Vec<FieldError>> {
    let mut fields = Fields::of(object);
    let mut body = RuleBody { position: position.into(), ..RuleBody::default() };
    shape::read(&mut body, &mut fields);
    let currency = body.currency_profile_id.as_ref().and_then(|id| named(id, currencies));
    if body.currency_profile_id.is_some() && currency.is_none() {
        fields.error("currencyProfileId", "must be a currency profile of this auction");
    }
    let definition = define(&mut fields, body, id, currency);
    fields.finish()?;
    definition.ok_or_else(Vec::new)
}

/// Makes a rule of its body, and reports its errors in `fields`: without any `Rule::parse` accepts it.
/// `currency` is the one that it names. None if a required member is missing, which is reported already.
pub fn define(
    fields: &mut Fields,
    body: RuleBody,
    id: String,
    currency: Option<&Currency>,
) -> Option<RuleDefinition> {
    let RuleBody { rule_type, params, currency_profile_id, enabled, position } = body;
    let (rule_type, mut params) = (rule_type?, params?);
    if let Some(code) = &mut params.denomination {
        code.make_ascii_uppercase();
    }
    params.for_each_decimal(|decimal| *decimal = canonical(decimal));
    let definition = RuleDefinition {
        id,
        currency_profile_id,
        rule_type,
        params,
        enabled,
        position: u32::try_from(position).unwrap_or(bounds::MAX_POSITION),
    };
    fields.add(field_errors(check(&definition, currency).err().unwrap_or_default()));
    Some(definition)
}

fn named<'a>(id: &str, currencies: &'a [Currency]) -> Option<&'a Currency> {
    currencies.iter().find(|currency| currency.has_id(id))
}

/// Checks the rule's own bounds first, then that the profile has what the rule names.
fn check(definition: &RuleDefinition, currency: Option<&Currency>) -> Result<(), Vec<DefinitionError>> {
    let rule = Rule::parse(definition)?;
    match currency {
        Some(currency) => rule.check(&Profile::parse(&currency.definition())?),
        None => Ok(()),
    }
}

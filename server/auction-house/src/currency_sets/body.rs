//! What a request says of a currency set, and what an answer does: the same.

use platform::fields::{FieldError, Fields, Object};
use platform::shape::{self, Members, Shape};
use rules_engine::bounds::MAX_RULES;
use rules_engine::{RuleParams, RuleType};

use super::CurrencySet;
use crate::base_unit::BaseUnit;
use crate::currencies::body::{CurrencyBody, CurrencyDraft};
use crate::currencies::{CURRENCIES_MAX, Currency};
use crate::engine_schema::{RuleParamsSchema, RuleTypeSchema};
use crate::ids::{AuctionId, CurrencyId, RuleId};
use crate::rules::CurrencyRule;
use crate::rules::body::{RuleBody, define};
use platform::time::Moment;

/// A set as requests and answers have it.
#[derive(Debug, Clone, Default)]
pub struct CurrencySetBody {
    base_unit: Option<BaseUnit>,
    currencies: Vec<CurrencyBody>,
    rules: Vec<RuleOfSet>,
}

/// A rule, which names its currency by the code.
#[derive(Debug, Clone)]
struct RuleOfSet {
    rule_type: Option<RuleType>,
    params: Option<RuleParams>,
    currency: Option<String>,
    enabled: bool,
}

impl Default for RuleOfSet {
    fn default() -> Self {
        Self { rule_type: None, params: None, currency: None, enabled: true }
    }
}

impl Shape for CurrencySetBody {
    const NAME: &'static str = "CurrencySet";
    const ABOUT: &'static str =
        "A base unit, currencies and rules without ids, for any auction: at most 32 and 64 of them.";

    fn members(&mut self, members: &mut Members<'_>) {
        members
            .object("baseUnit", &mut self.base_unit)
            .about("The unit of the rates. An auction without currencies, rules and a book takes it.");
        members.list("currencies", &mut self.currencies).about("At most one is the default.");
        members.list("rules", &mut self.rules).about("By position.");
    }
}

impl Shape for RuleOfSet {
    const NAME: &'static str = "RuleOfSet";
    const ABOUT: &'static str = "`type` and `params` are required.";

    fn members(&mut self, members: &mut Members<'_>) {
        members.required("type", &mut self.rule_type).of::<RuleTypeSchema>();
        members.required("params", &mut self.params).of::<RuleParamsSchema>();
        members
            .optional("currency", &mut self.currency)
            .about("The code of a currency of the set. Absent: the rule holds for every currency.");
        members.flag("enabled", &mut self.enabled);
    }
}

/// The set as a document, which [`read_set`] accepts.
pub fn document(set: &CurrencySet) -> Object {
    let rule = |rule: &CurrencyRule| {
        let definition = rule.definition.clone();
        let currency = definition.currency_profile_id.as_ref();
        let named = |id: &String| set.currencies.iter().find(|currency| currency.has_id(id));
        RuleOfSet {
            rule_type: Some(definition.rule_type),
            params: Some(definition.params),
            currency: currency.and_then(named).map(|currency| currency.code.clone()),
            enabled: definition.enabled,
        }
    };
    shape::write(&CurrencySetBody {
        base_unit: set.base_unit.clone(),
        currencies: set.currencies.iter().map(CurrencyBody::of).collect(),
        rules: set.rules.iter().map(rule).collect(),
    })
}

/// Reads a whole set for an auction. Its currencies are in the default state of their members, the first is
/// the default unless another one or none is to be.
pub fn read_set(object: Object, auction_id: AuctionId, now: Moment) -> Result<CurrencySet, Vec<FieldError>> {
    let mut fields = Fields::of(object);
    let base_unit = fields.object("baseUnit", |fields| {
        let mut unit = BaseUnit::default();
        shape::read(&mut unit, fields);
        unit
    });
    let draft = |fields: &mut Fields| {
        CurrencyDraft::read_in(fields, Currency::blank(CurrencyId::new(now), auction_id, now))
    };
    let drafts = fields.list("currencies", draft);
    fields.check(drafts.len() <= CURRENCIES_MAX, "currencies", "must be at most 32");
    let currencies = with_default(&mut fields, drafts);
    for (at, currency) in currencies.iter().enumerate() {
        let is_taken = currencies.iter().take(at).any(|earlier| earlier.code == currency.code);
        fields.check(!is_taken, &format!("currencies.{at}.code"), "must be unique in the set");
    }
    let rule = |fields: &mut Fields| {
        let mut rule = RuleOfSet::default();
        shape::read(&mut rule, fields);
        let RuleOfSet { rule_type, params, currency, enabled } = rule;
        let named = currency.as_ref().and_then(|code| currencies.iter().find(|one| one.code == *code));
        fields.check(
            currency.is_none() || named.is_some(),
            "currency",
            "must be the code of a currency of the set",
        );
        let currency_profile_id = named.map(|currency| currency.id.to_string());
        let body = RuleBody { rule_type, params, currency_profile_id, enabled, position: 0 };
        let id = RuleId::new(now);
        let definition = define(fields, body, id.to_string(), named)?;
        Some(CurrencyRule { id, auction_id, definition, version: 1, created_at: now, updated_at: now })
    };
    let rules = fields.list("rules", rule);
    fields.check(rules.len() <= MAX_RULES, "rules", "must be at most 64");
    fields.finish()?;
    Ok(CurrencySet { base_unit, currencies, rules: rules.into_iter().flatten().collect() })
}

/// The currencies, of which one at most is the default: the one that says so, or else the first, unless it
/// says that it is not.
fn with_default(fields: &mut Fields, drafts: Vec<CurrencyDraft>) -> Vec<Currency> {
    let mut chosen = drafts.iter().position(|draft| draft.is_default == Some(true));
    if let Some(first) = chosen {
        let others = drafts.iter().enumerate().skip(first + 1);
        for (at, _) in others.filter(|(_, draft)| draft.is_default == Some(true)) {
            fields.error(format!("currencies.{at}.isDefault"), "must be true for one currency at most");
        }
    } else if drafts.first().is_some_and(|draft| draft.is_default.is_none()) {
        chosen = Some(0);
    }
    let currency =
        |(at, draft): (usize, CurrencyDraft)| Currency { is_default: chosen == Some(at), ..draft.currency };
    drafts.into_iter().enumerate().map(currency).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SET: &str = r#"{"baseUnit":{"name":"Knut","plural":"Knuts","symbol":"k"},"currencies":[{"code":"GSK","name":"Wizarding","plural":"Wizardings","symbol":"w","isDefault":true,"rateToBase":"1","inputMode":"DENOMINATION","precision":0,"fractionPolicy":"REJECT","denominations":[{"code":"GALLEON","name":"Galleon","plural":"Galleons","symbol":"G","factor":"493","written":false},{"code":"KNUT","name":"Knut","symbol":"k","factor":"1","written":true}]},{"code":"PTS","name":"Points","symbol":"","isDefault":false,"rateToBase":"0.5","inputMode":"SCALAR","precision":2,"fractionPolicy":"HALF_UP","denominations":[]}],"rules":[{"type":"STEP","params":{"ladder":["1","2","5"]},"enabled":false},{"type":"REQUIRED_DENOMINATION","params":{"denomination":"GALLEON","minCount":"1"},"currency":"GSK","enabled":true}]}"#;

    fn read(json: &str) -> Result<CurrencySet, Vec<String>> {
        let now = Moment::from_millis(0).unwrap();
        let set = read_set(serde_json::from_str(json).unwrap(), AuctionId::new(now), now);
        set.map_err(|errors| errors.into_iter().map(|error| error.path).collect())
    }

    #[test]
    fn what_is_written_is_read_again_to_the_last_byte() {
        let set = read(SET).unwrap();
        assert_eq!(set.base_unit.as_ref().map(|unit| unit.name.as_str()), Some("Knut"));
        assert_eq!(serde_json::to_string(&document(&set)).unwrap(), SET);
        assert_eq!(set.rules[1].definition.currency_profile_id, Some(set.currencies[0].id.to_string()));
    }

    #[test]
    fn every_error_is_reported_at_its_place() {
        let wrong = SET
            .replace("493", "0")
            .replace("\"PTS\"", "\"GSK\"")
            .replace("\"currency\":\"GSK\"", "\"currency\":\"EUR\"");
        let errors = read(&wrong).unwrap_err();
        for path in ["currencies.0.denominations.0.factor", "currencies.1.code", "rules.1.currency"] {
            assert!(errors.iter().any(|error| error == path), "{path}: {errors:?}");
        }
        assert_eq!(read(r#"{"rules": [{}]}"#).unwrap_err(), ["rules.0.type", "rules.0.params"]);
        let twice = SET.replace("\"isDefault\":false", "\"isDefault\":true");
        assert_eq!(read(&twice).unwrap_err(), ["currencies.1.isDefault"]);
    }

    #[test]
    fn the_first_is_the_default_unless_it_says_otherwise() {
        let defaults = |json: &str| {
            read(json).unwrap().currencies.iter().map(|currency| currency.is_default).collect::<Vec<_>>()
        };
        let unsaid = SET.replace("\"isDefault\":true,", "").replace("\"isDefault\":false,", "");
        assert_eq!(defaults(&unsaid), [true, false]);
        assert_eq!(defaults(&SET.replace("\"isDefault\":true", "\"isDefault\":false")), [false, false]);
    }
}

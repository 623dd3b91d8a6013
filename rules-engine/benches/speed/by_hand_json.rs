//! The same case from JSON to JSON, written by hand with `serde_json` and `rust_decimal`: it reads the whole
//! case, trusts its bounds, and writes the verdict with the same bytes.

use std::borrow::Cow;

use rust_decimal::{Decimal, RoundingStrategy};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use crate::by_hand::{Auction, Bid, Rule, Violation};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseJson<'a> {
    #[serde(borrow)]
    profile: ProfileJson<'a>,
    rules: Vec<RuleJson<'a>>,
    item: ItemJson,
    #[serde(deserialize_with = "optional")]
    highest: Option<Decimal>,
    bid: BidJson<'a>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct ProfileJson<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    input_mode: InputMode,
    #[serde(deserialize_with = "decimal")]
    rate_to_base: Decimal,
    precision: u32,
    fraction_policy: FractionPolicy,
    denominations: Vec<DenominationJson<'a>>,
}

#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum InputMode {
    Scalar,
    Denomination,
}

#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum FractionPolicy {
    Reject,
    Down,
    Up,
    HalfUp,
    HalfEven,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DenominationJson<'a> {
    #[serde(borrow)]
    code: Cow<'a, str>,
    #[serde(deserialize_with = "decimal")]
    factor: Decimal,
    #[expect(dead_code, reason = "a decision does not need it, and the reader knows it")]
    written: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct RuleJson<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    #[serde(borrow)]
    currency_profile_id: Option<Cow<'a, str>>,
    #[serde(rename = "type")]
    rule_type: RuleType,
    params: ParamsJson<'a>,
    enabled: bool,
    position: u32,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum RuleType {
    MinIncrement,
    MinComponentRatio,
    RequiredDenomination,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct ParamsJson<'a> {
    #[serde(default, deserialize_with = "optional")]
    amount: Option<Decimal>,
    #[serde(borrow, default)]
    denomination: Option<Cow<'a, str>>,
    #[serde(default, deserialize_with = "optional")]
    min_ratio: Option<Decimal>,
    #[serde(default, deserialize_with = "optional")]
    min_count: Option<Decimal>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct ItemJson {
    #[serde(deserialize_with = "optional")]
    min_bid_normalized: Option<Decimal>,
    #[serde(deserialize_with = "optional")]
    min_increment_normalized: Option<Decimal>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct BidJson<'a> {
    #[serde(borrow)]
    entered_representation: Vec<CountJson<'a>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CountJson<'a> {
    #[serde(borrow)]
    denomination: Cow<'a, str>,
    #[serde(deserialize_with = "decimal")]
    count: Decimal,
}

/// Exact: `rust_decimal`'s own parser rounds numbers that are too long.
fn decimal<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Decimal, D::Error> {
    let text = Cow::<str>::deserialize(deserializer)?;
    Decimal::from_str_exact(&text).map_err(D::Error::custom)
}

fn optional<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Decimal>, D::Error> {
    let text = Option::<Cow<str>>::deserialize(deserializer)?;
    text.map(|text| Decimal::from_str_exact(&text).map_err(D::Error::custom)).transpose()
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct VerdictJson<'a> {
    accepted: bool,
    normalized_amount: Canonical,
    amount: Option<Canonical>,
    entered_representation: Option<Vec<EnteredJson<'a>>>,
    violations: Vec<ViolationJson<'a>>,
}

#[derive(Serialize)]
struct EnteredJson<'a> {
    denomination: &'a str,
    count: Canonical,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ViolationJson<'a> {
    code: &'static str,
    rule_id: Option<&'a str>,
    message: String,
    required: Canonical,
    actual: Canonical,
    denomination: Option<&'a str>,
}

struct Canonical(Decimal);

impl Serialize for Canonical {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0.normalize())
    }
}

pub fn evaluate(case: &str) -> String {
    let case: CaseJson = serde_json::from_str(case).expect("a case of the bench");
    let (auction, ids) = case.auction();
    let bid = case.bid();
    let normalized = auction.normalize(&bid.counts);
    let violations: Vec<ViolationJson> =
        auction.evaluate(&bid).into_iter().map(|violation| case.explain(&auction, &ids, violation)).collect();
    let accepted = violations.is_empty();
    let verdict = VerdictJson {
        accepted,
        normalized_amount: Canonical(normalized),
        amount: None,
        entered_representation: accepted.then(|| case.entered(&bid)),
        violations,
    };
    serde_json::to_string(&verdict).expect("JSON")
}

/// The ids of the rules, by type.
struct Ids<'a> {
    increment: Option<&'a str>,
    ratio: Option<&'a str>,
    count: Option<&'a str>,
}

impl CaseJson<'_> {
    fn slot(&self, code: &str) -> usize {
        self.profile.denominations.iter().position(|known| known.code == code).expect("a denomination")
    }

    fn auction(&self) -> (Auction, Ids<'_>) {
        assert!(self.profile.input_mode == InputMode::Denomination);
        assert!(self.item.min_bid_normalized.is_none() && self.item.min_increment_normalized.is_none());
        let own = |rule: &&RuleJson| {
            rule.enabled && rule.currency_profile_id.as_ref().is_none_or(|id| *id == self.profile.id)
        };
        let mut rules: Vec<&RuleJson> = self.rules.iter().filter(own).collect();
        rules.sort_by_key(|rule| (rule.rule_type, rule.position, &rule.id));
        let mut ids = Ids { increment: None, ratio: None, count: None };
        let mut conditions = Vec::with_capacity(rules.len());
        for rule in rules {
            let denomination = || self.slot(rule.params.denomination.as_deref().expect("a denomination"));
            conditions.push(match rule.rule_type {
                RuleType::MinIncrement => {
                    ids.increment = Some(&rule.id);
                    Rule::MinIncrement(rule.params.amount.expect("an amount"))
                }
                RuleType::MinComponentRatio => {
                    ids.ratio = Some(&rule.id);
                    let ratio = rule.params.min_ratio.expect("a ratio");
                    Rule::MinComponentRatio { denomination: denomination(), ratio }
                }
                RuleType::RequiredDenomination => {
                    ids.count = Some(&rule.id);
                    let count = rule.params.min_count.expect("a count");
                    Rule::RequiredDenomination { denomination: denomination(), count }
                }
            });
        }
        let factors = self.profile.denominations.iter().map(|denomination| denomination.factor).collect();
        (Auction { rate: self.profile.rate_to_base, factors, rules: conditions }, ids)
    }

    fn bid(&self) -> Bid {
        let mut counts = vec![Decimal::ZERO; self.profile.denominations.len()];
        for entry in &self.bid.entered_representation {
            let fits = entry.count.normalize().scale() <= self.profile.precision;
            assert!(fits || self.profile.fraction_policy != FractionPolicy::Reject);
            assert!(!entry.count.is_sign_negative());
            counts[self.slot(&entry.denomination)] = entry.count;
        }
        Bid { counts, highest: self.highest }
    }

    fn entered(&self, bid: &Bid) -> Vec<EnteredJson<'_>> {
        let counted =
            self.profile.denominations.iter().zip(&bid.counts).filter(|(_, count)| !count.is_zero());
        let entered = counted.map(|(denomination, count)| EnteredJson {
            denomination: &denomination.code,
            count: Canonical(*count),
        });
        entered.collect()
    }

    fn explain<'a>(&'a self, auction: &Auction, ids: &Ids<'a>, violation: Violation) -> ViolationJson<'a> {
        match violation {
            Violation::EqualNotHigher { highest, normalized } => {
                let missing = highest - normalized;
                let required = highest.normalize();
                let message = if missing.is_zero() {
                    format!("More than {required} is needed: this only equals the highest bid.")
                } else {
                    let missing = missing.normalize();
                    format!("More than {required} is needed: {missing} more only equals the highest bid.")
                };
                ViolationJson {
                    code: "EQUAL_NOT_HIGHER",
                    rule_id: None,
                    message,
                    required: Canonical(required),
                    actual: Canonical(normalized),
                    denomination: None,
                }
            }
            Violation::MinIncrement { required, normalized } => {
                let missing = (required - normalized).normalize();
                let required = required.normalize();
                ViolationJson {
                    code: "MIN_INCREMENT",
                    rule_id: ids.increment,
                    message: format!("At least {required} is needed: {missing} more."),
                    required: Canonical(required),
                    actual: Canonical(normalized),
                    denomination: None,
                }
            }
            Violation::MinComponentRatio { denomination, required, component, normalized } => {
                let now = (component / normalized).round_dp_with_strategy(6, RoundingStrategy::ToZero);
                let gain = auction.factors[denomination] * auction.rate * (Decimal::ONE - required);
                let further = ((required * normalized - component) / gain).ceil().normalize();
                let code = &self.profile.denominations[denomination].code;
                let (least, percent) =
                    ((required * Decimal::ONE_HUNDRED).normalize(), (now * Decimal::ONE_HUNDRED).normalize());
                ViolationJson {
                    code: "MIN_COMPONENT_RATIO",
                    rule_id: ids.ratio,
                    message: format!(
                        "At least {least} % of the bid must be in {code}, now {percent} %: {further} more would do."
                    ),
                    required: Canonical(required),
                    actual: Canonical(now),
                    denomination: Some(code),
                }
            }
            Violation::RequiredDenomination { denomination, required, count } => {
                let code = &self.profile.denominations[denomination].code;
                let further = (required - count).ceil().normalize();
                let required = required.normalize();
                let verb = if required == Decimal::ONE { "is" } else { "are" };
                ViolationJson {
                    code: "REQUIRED_DENOMINATION",
                    rule_id: ids.count,
                    message: format!("At least {required} {code} {verb} needed: {further} more."),
                    required: Canonical(required),
                    actual: Canonical(count),
                    denomination: Some(code),
                }
            }
        }
    }
}

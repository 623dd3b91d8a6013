//! The doors through which the engine is reached from elsewhere: one case of JSON in, one answer out
//! (section 7). They give the same bytes natively and as WebAssembly, and never fail but by saying so.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use serde::{Deserialize, Serialize};

use crate::{
    bid::BidForm,
    bounds::MAX_NORMALIZED,
    definition::DefinitionError,
    money::Normalized,
    profile::ProfileDefinition,
    rules::{ItemTerms, RuleDefinition, RuleSet},
};

/// Judges one case: its verdict, or `{"error": "…"}` where it is none.
///
/// ```
/// let case = r#"{"profile": {"id": "gbp", "inputMode": "SCALAR", "rateToBase": 1, "precision": 2,
///     "fractionPolicy": "REJECT", "denominations": []}, "rules": [],
///     "item": {"minBidNormalized": "10", "minIncrementNormalized": null},
///     "highest": "12.50", "bid": {"amount": 13}}"#;
/// assert_eq!(
///     rules_engine::evaluate(case),
///     r#"{"accepted":true,"normalizedAmount":"13","amount":"13","enteredRepresentation":null,"violations":[]}"#
/// );
/// ```
#[must_use]
pub fn evaluate(case: &str) -> String {
    answer(Case::open(case).and_then(|(case, rules)| {
        let bid = case.bid.ok_or("missing field `bid`")?;
        bid.check().map_err(|faults| words("bid.", faults))?;
        Ok(rules.evaluate(case.highest, &bid))
    }))
}

/// The least bid of one case without `bid`: as `BidForm` in JSON, `null` where there is none, or
/// `{"error": "…"}`. A `bid` that is there all the same has no effect.
#[must_use]
pub fn suggest(case: &str) -> String {
    answer(Case::open(case).map(|(case, rules)| rules.suggest(case.highest)))
}

/// One case, as section 7 gives it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    profile: ProfileDefinition,
    rules: Vec<RuleDefinition>,
    item: ItemTerms,
    highest: Option<Normalized>,
    bid: Option<BidForm>,
}

impl Case {
    fn open(json: &str) -> Result<(Self, RuleSet), String> {
        let case: Self = serde_json::from_str(json).map_err(|error| error.to_string())?;
        let highest = case.highest.unwrap_or_default();
        if highest.is_negative() || highest > MAX_NORMALIZED {
            return Err(format!(
                "highest must be a decimal from 0 to {MAX_NORMALIZED}"
            ));
        }
        let rules = RuleSet::compile(&case.profile, &case.rules, &case.item)
            .map_err(|faults| words("", faults))?;
        Ok((case, rules))
    }
}

/// All faults in one line.
fn words(prefix: &str, faults: Vec<DefinitionError>) -> String {
    let mut line = String::new();
    for fault in faults {
        let separator = if line.is_empty() { "" } else { "; " };
        for part in [separator, prefix, &fault.path, " ", &fault.message] {
            line.push_str(part);
        }
    }
    line
}

#[derive(Serialize)]
struct Refusal {
    error: String,
}

fn answer<T: Serialize>(answer: Result<T, String>) -> String {
    let json = match answer {
        Ok(answer) => serde_json::to_string(&answer),
        Err(error) => serde_json::to_string(&Refusal { error }),
    };
    // Strings and structs always have a JSON form; should one not, that is said like any other error.
    json.unwrap_or_else(|_| r#"{"error":"no answer"}"#.into())
}

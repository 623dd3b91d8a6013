//! The doors through which the engine is reached from elsewhere: one case of JSON in, one answer out
//! (section 7). They give the same bytes natively and as WebAssembly, and never fail but by saying so.
//!
//! They read and write JSON by themselves: what a browser loads is a third of what it were with a general
//! reader, and each number stays the text that it is. That they agree with what `serde` makes of the same types
//! is tested.

mod case;
mod compiled;
mod reader;
mod writer;

use alloc::{format, string::String, vec::Vec};

use self::case::Case;
pub use self::compiled::CompiledCase;
use crate::{
    bid::Verdict, bounds::MAX_NORMALIZED, definition::DefinitionError, money::Normalized, rules::RuleSet,
    text::BidText,
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
    answer(
        open(case).and_then(|Open { rules, highest, bid }| {
            judge(&rules, highest, &bid.ok_or("missing member bid")?)
        }),
    )
}

/// The least bid for one case without `bid`: `{"amount": "…"}` or `{"enteredRepresentation": […]}`, `null` where
/// there is none, or `{"error": "…"}`. A `bid` that is there all the same has no effect.
#[must_use]
pub fn suggest(case: &str) -> String {
    let least = open(case).map(|Open { rules, highest, .. }| rules.suggest(highest));
    least.map_or_else(|error| writer::error(&error), |least| writer::suggestion(least.as_ref()))
}

/// A case, compiled.
struct Open<'a> {
    rules: RuleSet,
    highest: Option<Normalized>,
    bid: Option<BidText<'a>>,
}

/// Reads a case and compiles its rules.
fn open(json: &str) -> Result<Open<'_>, String> {
    let case = Case::read(json)?;
    let highest = check_highest(case.highest)?;
    let rules = RuleSet::build(case.profile, case.rules, &case.item).map_err(|faults| words("", faults))?;
    Ok(Open { rules, highest, bid: case.bid })
}

/// The highest bid, if it keeps its bounds.
fn check_highest(highest: Option<Normalized>) -> Result<Option<Normalized>, String> {
    let fits = |highest: Normalized| !highest.is_negative() && highest <= MAX_NORMALIZED;
    if highest.is_none_or(fits) { Ok(highest) } else { Err(no_highest()) }
}

fn no_highest() -> String {
    format!("highest must be a decimal from 0 to {MAX_NORMALIZED}")
}

/// Judges a bid that is worth it.
fn judge(rules: &RuleSet, highest: Option<Normalized>, bid: &BidText) -> Result<Verdict, String> {
    bid.check().map_err(|faults| words("bid.", faults))?;
    Ok(rules.judge(highest, bid))
}

fn answer(verdict: Result<Verdict, String>) -> String {
    verdict.map_or_else(|error| writer::error(&error), |verdict| writer::verdict(&verdict))
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

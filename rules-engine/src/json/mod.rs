//! The JSON interface of the engine: one case in, one answer out (section 7). It gives the same bytes
//! natively and as WebAssembly, and reports every failure as `{"error": "…"}`.
//!
//! It reads and writes JSON without `serde_json`, which makes the WebAssembly module a third of the size and
//! keeps each number as the text that it is. Tests hold that it agrees with `serde` on the same types.

pub(crate) mod case;
mod compiled;
mod draw;
mod run;
mod settle;
mod writer;

use alloc::{format, string::String, vec::Vec};

pub use self::{compiled::CompiledCase, draw::draw, run::run, settle::settle, writer::push_json_text};
#[cfg(feature = "schema")]
pub(crate) use self::{draw::DrawCase, settle::SettleCase};
use crate::{
    bid::{BidText, Verdict},
    bounds::{MAX_NORMALIZED, MIN_AVAILABLE},
    definition::DefinitionError,
    money::{NORMALIZED_DIGITS, Normalized, decimal_in, grouped},
    rules::{BidContext, RuleSet},
};

/// Judges one case: its verdict, or `{"error": "…"}` if the case is invalid.
///
/// ```
/// let case = r#"{"profile": {"id": "gbp", "inputMode": "SCALAR", "rateToBase": 1, "precision": 2,
///     "fractionPolicy": "REJECT", "denominations": []}, "rules": [],
///     "item": {"minBidNormalized": "10", "minIncrementNormalized": null},
///     "highest": "12.50", "bid": {"amount": 13}}"#;
/// let verdict = rules_engine::evaluate(case);
/// assert!(verdict.starts_with(r#"{"accepted":true,"normalizedAmount":"13","amount":"13","#));
/// ```
#[must_use]
pub fn evaluate(case: &str) -> String {
    answer(compile(case).and_then(|Compiled { rules, context, bid }| {
        judge(&rules, context, &bid.ok_or("missing member bid")?)
    }))
}

/// The least bid for one case without `bid`: `{"amount": "…"}` or `{"enteredRepresentation": […]}`, `null` if
/// there is none, or `{"error": "…"}`. A `bid` in the case has no effect.
#[must_use]
pub fn suggest(case: &str) -> String {
    let least = compile(case).map(|Compiled { rules, context, .. }| rules.suggest(context));
    least.map_or_else(|error| writer::error(&error), |least| writer::suggestion(least.as_ref()))
}

/// A case with its rules compiled.
struct Compiled<'a> {
    rules: RuleSet,
    context: BidContext,
    bid: Option<BidText<'a>>,
}

/// Reads a case and compiles its rules.
fn compile(json: &str) -> Result<Compiled<'_>, String> {
    let case = case::read_case(json)?;
    let context =
        BidContext { highest: HIGHEST.check(case.highest)?, available: AVAILABLE.check(case.available)? };
    let rules =
        RuleSet::build(case.profile, &case.rules, &case.item).map_err(|errors| one_line("", errors))?;
    Ok(Compiled { rules, context, bid: case.bid })
}

/// A normalized amount in a case, from `least` to 10^15.
struct CaseAmount {
    name: &'static str,
    least: Normalized,
}

const HIGHEST: CaseAmount = CaseAmount { name: "highest", least: Normalized::ZERO };
const AVAILABLE: CaseAmount = CaseAmount { name: "available", least: MIN_AVAILABLE };

impl CaseAmount {
    /// Reads a decimal, if there is one.
    fn read(&self, text: Option<&str>) -> Result<Option<Normalized>, String> {
        self.check(text.map(str::parse).transpose().map_err(|_| self.refusal())?)
    }

    fn check(&self, amount: Option<Normalized>) -> Result<Option<Normalized>, String> {
        let fits = |amount| self.least <= amount && amount <= MAX_NORMALIZED;
        if amount.is_none_or(fits) { Ok(amount) } else { Err(self.refusal()) }
    }

    fn refusal(&self) -> String {
        let range = format!("from {} to ", grouped(&String::from(self.least)));
        format!("{} {}", self.name, decimal_in(&range, &String::from(MAX_NORMALIZED), NORMALIZED_DIGITS))
    }
}

/// Checks the bid's size limits, then evaluates it.
fn judge(rules: &RuleSet, context: BidContext, bid: &BidText) -> Result<Verdict, String> {
    bid.check().map_err(|errors| one_line("bid.", errors))?;
    Ok(rules.judge(context, bid))
}

fn answer(verdict: Result<Verdict, String>) -> String {
    verdict.map_or_else(|error| writer::error(&error), |verdict| writer::verdict(&verdict))
}

/// All errors in one line.
fn one_line(prefix: &str, errors: Vec<DefinitionError>) -> String {
    let mut line = String::new();
    for error in errors {
        let separator = if line.is_empty() { "" } else { "; " };
        for part in [separator, prefix, &error.path, " ", &error.message] {
            line.push_str(part);
        }
    }
    line
}

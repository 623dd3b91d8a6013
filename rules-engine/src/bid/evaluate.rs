//! The only code that accepts or refuses a bid.

use alloc::vec::Vec;

use super::{
    form::{BidForm, BidText, Entered},
    normalize, parse,
    verdict::Verdict,
};
use crate::{
    bounds::{MAX_DENOMINATIONS, MAX_UNITS},
    money::{Amount, Normalized},
    profile::NormalizedBid,
    rules::{BidContext, Breach, RuleSet, Violation, ViolationCode, condition::Condition},
    shape::Value,
};

impl RuleSet {
    /// Judges an entered bid in its context (section 6).
    ///
    /// The same bid, definitions and context give the same verdict, byte for byte, on every target. The list
    /// of violations is complete: those of the input phase if the bid can't be normalized, otherwise those of
    /// the rules.
    #[must_use]
    pub fn evaluate(&self, context: BidContext, form: &BidForm) -> Verdict {
        self.judge(context, &form.text())
    }

    pub(crate) fn judge(&self, context: BidContext, bid: &BidText) -> Verdict {
        let bid = match self.input(bid) {
            Ok(bid) => bid,
            Err(violations) => {
                return Verdict { normalized: None, entered: None, violations };
            }
        };
        let mut breaches = Vec::new();
        self.evaluate_into(context, &bid, &mut breaches);
        let violations: Vec<Violation> =
            breaches.iter().filter_map(|breach| self.explain(&bid, breach)).collect();
        Verdict {
            normalized: Some(bid.normalized()),
            entered: violations.is_empty().then(|| Entered::new(&self.profile, bid.counts())),
            violations,
        }
    }

    /// The input phase alone: the entered bid, rounded to the precision, and its value in base units.
    ///
    /// # Errors
    /// Every violation of the input phase, in the order of SPEC, section 6.
    pub fn normalize(&self, form: &BidForm) -> Result<(Entered, Normalized), Vec<Violation>> {
        self.normalize_text(&form.text())
    }

    pub(crate) fn normalize_text(&self, bid: &BidText) -> Result<(Entered, Normalized), Vec<Violation>> {
        let bid = self.input(bid)?;
        Ok((Entered::new(&self.profile, bid.counts()), bid.normalized()))
    }

    /// The input phase, for callers that judge one bid more than once.
    ///
    /// # Errors
    /// Every violation of the input phase, in the order of SPEC, section 6.
    pub fn read(&self, form: &BidForm) -> Result<NormalizedBid, Vec<Violation>> {
        self.input(&form.text())
    }

    pub(crate) fn input(&self, bid: &BidText) -> Result<NormalizedBid, Vec<Violation>> {
        let counts = parse::parse(&self.profile, bid)?;
        normalize::normalize(&self.profile, counts)
    }

    /// The input phase for callers that have numbers instead of text: counts in the profile's order, missing
    /// ones at the end being zero; in SCALAR mode the amount alone.
    ///
    /// None if the numbers are no bid. Nothing is rounded: a digit beyond the precision is refused.
    #[must_use]
    pub fn count(&self, counts: &[Amount]) -> Option<NormalizedBid> {
        let mut entered = [0; MAX_DENOMINATIONS];
        for (amount, count) in counts.iter().zip(&mut entered) {
            *count = self.profile.rounding().exact(*amount).filter(|units| *units <= MAX_UNITS)?;
        }
        let further = counts.get(self.profile.denominations().len()..);
        let bid = NormalizedBid::new(&self.profile, entered).ok()?;
        further.is_none_or(<[_]>::is_empty).then_some(bid)
    }

    /// The rules' phase: appends every violated rule to `breaches`, in the order of SPEC, section 6. An empty
    /// list means accepted.
    ///
    /// It allocates only if `breaches` has no capacity. The bid must be read by a set of the same profile.
    pub fn evaluate_into(&self, context: BidContext, bid: &NormalizedBid, breaches: &mut Vec<Breach>) {
        for (rule, active) in self.rules.iter().enumerate() {
            if let Some(shortfall) = active.condition.check(&context, bid) {
                breaches.push(Breach { rule, shortfall });
            }
        }
    }

    /// The code of a breach that this set found; none for a breach that another set found.
    #[must_use]
    pub fn code(&self, breach: &Breach) -> Option<ViolationCode> {
        self.rules.get(breach.rule).map(|rule| rule.condition.code())
    }

    /// Explains a breach that this set found; none for a breach that another set found.
    #[must_use]
    pub fn explain(&self, bid: &NormalizedBid, breach: &Breach) -> Option<Violation> {
        let rule = self.rules.get(breach.rule)?;
        let explanation = rule.condition.explain(&self.profile, bid, breach.shortfall);
        Some(Violation {
            rule_id: rule.id.clone(),
            required: Some(explanation.required),
            actual: Some(explanation.actual),
            denomination: explanation.denomination,
            ..Violation::new(rule.condition.code(), explanation.message)
        })
    }
}

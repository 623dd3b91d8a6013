//! The only code that says yes or no to a bid.

use alloc::vec::Vec;

use super::{Bid, BidForm, Entered, Verdict, Violation, ViolationCode, normalize, parse};
use crate::{
    bounds::{MAX_DENOMINATIONS, MAX_NORMALIZED},
    money::{Amount, Normalized},
    rules::{Breach, RuleSet},
    text::BidText,
};

impl RuleSet {
    /// Judges a bid as it was entered, over the highest one (section 6).
    ///
    /// The same bid, definitions and highest bid give the same verdict, byte for byte, on every target. The list
    /// of violations is complete: of the input if the bid can't be normalized, of the rules otherwise.
    #[must_use]
    pub fn evaluate(&self, highest: Option<Normalized>, form: &BidForm) -> Verdict {
        self.judge(highest, &form.into())
    }

    pub(crate) fn judge(&self, highest: Option<Normalized>, bid: &BidText) -> Verdict {
        let bid = match self.input(bid) {
            Ok(bid) => bid,
            Err(violations) => {
                return Verdict { normalized: None, entered: None, violations };
            }
        };
        let mut breaches = Vec::new();
        self.evaluate_into(highest, &bid, &mut breaches);
        let violations: Vec<Violation> =
            breaches.iter().filter_map(|breach| self.explain(&bid, breach)).collect();
        Verdict {
            normalized: Some(bid.normalized()),
            entered: violations.is_empty().then(|| bid.entered(&self.profile)),
            violations,
        }
    }

    /// The input phase alone: what was entered, brought to the precision, and its worth in base units.
    ///
    /// # Errors
    /// Every input violation, in the contract's order.
    pub fn normalize(&self, form: &BidForm) -> Result<(Entered, Normalized), Vec<Violation>> {
        let bid = self.read(form)?;
        Ok((bid.entered(&self.profile), bid.normalized()))
    }

    /// The input phase, for those who judge one bid more than once.
    ///
    /// # Errors
    /// As [`normalize`](Self::normalize).
    pub fn read(&self, form: &BidForm) -> Result<Bid, Vec<Violation>> {
        self.input(&form.into())
    }

    pub(crate) fn input(&self, bid: &BidText) -> Result<Bid, Vec<Violation>> {
        let draft = parse::parse(&self.profile, bid)?;
        normalize::normalize(&self.profile, draft)
    }

    /// The input phase for those who have numbers instead of text: counts in the profile's order, what lacks at
    /// the end being none; in SCALAR mode the amount alone.
    ///
    /// None where that is no bid: nothing is rounded here, so that a digit beyond the precision is one too many.
    #[must_use]
    pub fn count(&self, counts: &[Amount]) -> Option<Bid> {
        let further = counts.get(self.profile.pieces.len()..);
        let mut taken = [0; MAX_DENOMINATIONS];
        for (amount, place) in counts.iter().zip(&mut taken) {
            *place = self.profile.grid.take(*amount)?;
        }
        let normalized = normalize::worth(&self.profile, &taken);
        let fits =
            further.is_none_or(<[_]>::is_empty) && (1..=MAX_NORMALIZED.magnitude()).contains(&normalized);
        fits.then_some(Bid { counts: taken, normalized })
    }

    /// The rules' phase: adds what `bid` breaks to `breaches`, in the contract's order; nothing is an acceptance.
    ///
    /// It allocates only where `breaches` has no room. The bid must be read by a set of the same profile.
    pub fn evaluate_into(&self, highest: Option<Normalized>, bid: &Bid, breaches: &mut Vec<Breach>) {
        let highest = highest.map(Normalized::magnitude);
        for (rule, active) in self.rules.iter().enumerate() {
            if let Some(broken) = active.condition.check(highest, bid) {
                breaches.push(Breach { rule, broken });
            }
        }
    }

    /// Which condition a breach is of; nothing for one that another set found.
    #[must_use]
    pub fn code(&self, breach: &Breach) -> Option<ViolationCode> {
        self.rules.get(breach.rule).map(|rule| rule.condition.code())
    }

    /// Says a breach that this set found in words; nothing for one that another set found.
    #[must_use]
    pub fn explain(&self, bid: &Bid, breach: &Breach) -> Option<Violation> {
        let rule = self.rules.get(breach.rule)?;
        let words = rule.condition.explain(&self.profile, bid, breach.broken);
        Some(Violation {
            rule_id: rule.id.clone(),
            required: Some(words.required),
            actual: Some(words.actual),
            denomination: words.denomination,
            ..Violation::new(rule.condition.code(), words.message)
        })
    }
}

//! A case that is compiled once for many bids, such as by a form that judges at each keystroke.

use alloc::{borrow::Cow, string::String, vec::Vec};

use super::{AVAILABLE, HIGHEST, answer, case, compile, judge, writer};
use crate::{
    bid::{BidText, EntryText},
    money::Normalized,
    profile::InputMode,
    rules::{BidContext, Breach, RuleSet, ViolationCode},
};

/// The rules of one case and its context, ready for any number of bids.
///
/// ```
/// let case = r#"{"profile": {"id": "gbp", "inputMode": "SCALAR", "rateToBase": 1, "precision": 2},
///     "rules": [], "item": {"minBidNormalized": "10"}, "highest": "12.50"}"#;
/// let mut compiled = rules_engine::CompiledCase::compile(case)?;
/// assert_eq!(compiled.check("13"), 0);
/// assert_eq!(compiled.normalized().map(String::from).as_deref(), Some("13"));
///
/// let broken = compiled.check("12.50");
/// let mut codes = rules_engine::CompiledCase::codes(broken).map(|code| code.as_str());
/// assert_eq!(codes.next(), Some("EQUAL_NOT_HIGHER"));
/// # Ok::<(), String>(())
/// ```
#[derive(Debug)]
pub struct CompiledCase {
    rules: RuleSet,
    context: BidContext,
    normalized: Option<Normalized>,
    /// Kept, so that a check allocates no list.
    breaches: Vec<Breach>,
}

impl CompiledCase {
    /// Reads a case and compiles its rules. A `bid` in the case has no effect.
    ///
    /// # Errors
    /// The text that [`evaluate`](crate::evaluate) gives as `{"error": "…"}`.
    pub fn compile(case: &str) -> Result<Self, String> {
        let case = compile(case)?;
        Ok(Self { rules: case.rules, context: case.context, normalized: None, breaches: Vec::new() })
    }

    /// Sets the highest bid for the following calls: a decimal, or none.
    ///
    /// # Errors
    /// What it must be; the former highest bid is kept.
    pub fn set_highest(&mut self, highest: Option<&str>) -> Result<(), String> {
        self.context.highest = HIGHEST.read(highest)?;
        Ok(())
    }

    /// Sets what the bidder has available for the following calls: a decimal, or none.
    ///
    /// # Errors
    /// What it must be; the former amount is kept.
    pub fn set_available(&mut self, available: Option<&str>) -> Result<(), String> {
        self.context.available = AVAILABLE.read(available)?;
        Ok(())
    }

    /// Checks the fields of a form: in SCALAR mode the amount, in DENOMINATION mode the counts in the
    /// profile's order, one per line. An empty line is a field that was not filled in; a line after the last
    /// denomination counts as an unknown one.
    ///
    /// Returns 0 if the bid is accepted, otherwise one bit for each code that [`evaluate`](Self::evaluate)
    /// would give; [`codes`](Self::codes) names them.
    pub fn check(&mut self, entered: &str) -> u32 {
        self.normalized = None;
        self.breaches.clear();
        let read = self.rules.input(&self.fields(entered));
        let bid = match read {
            Ok(bid) => bid,
            Err(violations) => {
                return violations.iter().fold(0, |mask, violation| mask | bit(violation.code));
            }
        };
        self.normalized = Some(bid.normalized());
        self.rules.evaluate_into(self.context, &bid, &mut self.breaches);
        let codes = self.breaches.iter().filter_map(|breach| self.rules.code(breach));
        codes.fold(0, |mask, code| mask | bit(code))
    }

    /// The value in base units of the bid that was checked last; none if it could not be normalized.
    #[must_use]
    pub fn normalized(&self) -> Option<Normalized> {
        self.normalized
    }

    /// The codes whose bits are set, in the order of SPEC, section 6. The bit of a code is its position in
    /// [`ViolationCode::ALL`].
    pub fn codes(mask: u32) -> impl Iterator<Item = ViolationCode> {
        ViolationCode::ALL.into_iter().filter(move |code| mask & bit(*code) != 0)
    }

    /// Judges one bid as JSON, with the same bytes as [`evaluate`](crate::evaluate) for the whole case.
    #[must_use]
    pub fn evaluate(&self, bid: &str) -> String {
        answer(case::read_bid(bid).and_then(|bid| judge(&self.rules, self.context, &bid)))
    }

    /// The least bid, with the same bytes as [`suggest`](crate::suggest).
    #[must_use]
    pub fn suggest(&self) -> String {
        writer::suggestion(self.rules.suggest(self.context).as_ref())
    }

    /// Reads the fields of a form as a bid.
    fn fields<'a>(&'a self, entered: &'a str) -> BidText<'a> {
        match self.rules.profile.input_mode() {
            InputMode::Scalar => {
                let amount = Some(entered).filter(|text| !text.is_empty()).map(Cow::Borrowed);
                BidText { amount, entered_representation: None }
            }
            InputMode::Denomination => {
                let codes = self.rules.profile.denominations().iter().map(|denomination| &*denomination.code);
                let counts = entered.split('\n').zip(codes.chain(core::iter::repeat("")));
                let filled = counts.filter(|(count, _)| !count.is_empty());
                let entry = |(count, code)| EntryText {
                    denomination: Cow::Borrowed(code),
                    count: Cow::Borrowed(count),
                };
                BidText { amount: None, entered_representation: Some(filled.map(entry).collect()) }
            }
        }
    }
}

fn bit(code: ViolationCode) -> u32 {
    let place = ViolationCode::ALL.iter().zip(0..).find(|(listed, _)| **listed == code);
    place.map_or(0, |(_, place)| 1_u32.wrapping_shl(place))
}

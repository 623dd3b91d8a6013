//! A case that is compiled once, for whoever judges many bids on it: a form, at each keystroke.

use alloc::{borrow::Cow, string::String, vec::Vec};

use super::{answer, case, check_highest, judge, no_highest, open, writer};
use crate::{
    bid::ViolationCode,
    money::Normalized,
    profile::InputMode,
    rules::{Breach, RuleSet},
    text::{BidText, EntryText},
};

/// The rules of one case and its highest bid, ready for any number of bids.
///
/// ```
/// let case = r#"{"profile": {"id": "gbp", "inputMode": "SCALAR", "rateToBase": 1, "precision": 2},
///     "rules": [], "item": {"minBidNormalized": "10"}, "highest": "12.50"}"#;
/// let mut compiled = rules_engine::CompiledCase::compile(case)?;
/// assert_eq!(compiled.check("13"), 0);
/// assert_eq!(compiled.normalized().map(String::from).as_deref(), Some("13"));
///
/// let broken = compiled.check("12.50");
/// assert_eq!(rules_engine::CompiledCase::codes(broken).map(|code| code.as_str()).collect::<Vec<_>>(), ["EQUAL_NOT_HIGHER"]);
/// # Ok::<(), String>(())
/// ```
#[derive(Debug)]
pub struct CompiledCase {
    rules: RuleSet,
    highest: Option<Normalized>,
    normalized: Option<Normalized>,
    /// Kept, so that a check allocates no list.
    breaches: Vec<Breach>,
}

impl CompiledCase {
    /// Reads a case and compiles its rules. A `bid` that is there has no effect.
    ///
    /// # Errors
    /// What the doors say as `{"error": "…"}`.
    pub fn compile(case: &str) -> Result<Self, String> {
        let case = open(case)?;
        Ok(Self { rules: case.rules, highest: case.highest, normalized: None, breaches: Vec::new() })
    }

    /// From now on bids are judged over this highest one: a decimal, or none.
    ///
    /// # Errors
    /// What it must be. The former one stays then.
    pub fn set_highest(&mut self, highest: Option<&str>) -> Result<(), String> {
        let read = |text: &str| text.parse().map_err(|_| no_highest());
        self.highest = check_highest(highest.map(read).transpose()?)?;
        Ok(())
    }

    /// Checks what stands in a form's fields: in SCALAR mode the amount, in DENOMINATION mode the counts in the
    /// profile's order, one a line. A field without text was not filled in; a line past the last denomination is
    /// of an unknown one.
    ///
    /// The answer is 0 where the bid is accepted, and otherwise has a bit for each code that
    /// [`evaluate`](Self::evaluate) would give, which [`codes`](Self::codes) names.
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
        self.rules.evaluate_into(self.highest, &bid, &mut self.breaches);
        let codes = self.breaches.iter().filter_map(|breach| self.rules.code(breach));
        codes.fold(0, |mask, code| mask | bit(code))
    }

    /// The worth in base units of what was checked last; none where it could not be normalized.
    #[must_use]
    pub fn normalized(&self) -> Option<Normalized> {
        self.normalized
    }

    /// The codes whose bits are set, in the contract's order. The bit of a code is its place in
    /// [`ViolationCode::ALL`].
    pub fn codes(mask: u32) -> impl Iterator<Item = ViolationCode> {
        ViolationCode::ALL.into_iter().filter(move |code| mask & bit(*code) != 0)
    }

    /// Judges one bid as JSON, as the door [`evaluate`](crate::evaluate) does a case with it: the same bytes.
    #[must_use]
    pub fn evaluate(&self, bid: &str) -> String {
        answer(
            case::read_bid(bid).map_err(String::from).and_then(|bid| judge(&self.rules, self.highest, &bid)),
        )
    }

    /// The least bid, as the door [`suggest`](crate::suggest) gives it.
    #[must_use]
    pub fn suggest(&self) -> String {
        writer::suggestion(self.rules.suggest(self.highest).as_ref())
    }

    /// The fields of a form as a bid.
    fn fields<'a>(&'a self, entered: &'a str) -> BidText<'a> {
        match self.rules.profile.input_mode() {
            InputMode::Scalar => {
                let amount = Some(entered).filter(|text| !text.is_empty()).map(Cow::Borrowed);
                BidText { amount, entries: None }
            }
            InputMode::Denomination => {
                let codes = self.rules.profile.pieces.iter().map(|piece| &*piece.code);
                let counts = entered.split('\n').zip(codes.chain(core::iter::repeat("")));
                let filled = counts.filter(|(count, _)| !count.is_empty());
                let entry = |(count, code)| EntryText {
                    denomination: Cow::Borrowed(code),
                    count: Cow::Borrowed(count),
                };
                BidText { amount: None, entries: Some(filled.map(entry).collect()) }
            }
        }
    }
}

fn bit(code: ViolationCode) -> u32 {
    let place = ViolationCode::ALL.iter().zip(0..).find(|(listed, _)| **listed == code);
    place.map_or(0, |(_, place)| 1_u32.wrapping_shl(place))
}

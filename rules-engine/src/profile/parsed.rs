//! From a profile as data to a profile within its bounds.

use alloc::{borrow::ToOwned, string::String, vec, vec::Vec};

use super::definition::{DenominationText, InputMode, ProfileDefinition, ProfileText};
use crate::{
    bounds::{self, MAX_COUNT_PRECISION, MAX_DENOMINATIONS, MAX_DIGITS, MAX_FACTOR, MAX_PRECISION, MAX_RATE},
    definition::{DefinitionError, DefinitionErrors, DefinitionFault},
    money::{COUNT_DIGITS, Factor, Rate, Rounding},
    shape::Value,
};

/// Counts in the profile's order, in units of 10^-4. In SCALAR mode the first is the amount, in units of
/// 10^-precision if the precision is above 4.
///
/// INVARIANT: each is at most 10^16 units.
pub(crate) type Counts = [u64; MAX_DENOMINATIONS];

const _: () = assert!(COUNT_DIGITS == 4, "counts are kept in units of 10^-4");

/// A profile within all bounds of section 4, ready to normalize bids.
#[derive(Clone, Debug)]
pub struct Profile {
    id: String,
    input_mode: InputMode,
    precision: u8,
    rounding: Rounding,
    /// In their order; in SCALAR mode the currency's own unit alone.
    denominations: Vec<Denomination>,
}

/// What a count multiplies.
#[derive(Clone, Debug)]
pub(crate) struct Denomination {
    pub(crate) code: String,
    /// The value of one unit of its counts, in units of 10^-13: factor × rate × 10^-4, or rate ×
    /// 10^-precision if the precision is above 4.
    pub(crate) value: u128,
    /// Suggestions use it without being told by a rule.
    pub(crate) written: bool,
}

/// A denomination of a profile that a rule is about.
#[derive(Clone, Debug)]
pub(crate) struct BoundDenomination {
    pub(crate) code: String,
    /// The position in the profile.
    pub(crate) index: usize,
    /// The value of 10^-4 of one, in units of 10^-13.
    pub(crate) value: u128,
}

impl Profile {
    /// Checks every bound of section 4 and converts each factor once.
    ///
    /// # Errors
    /// All members out of bounds, in the order of the definition.
    pub fn parse(definition: &ProfileDefinition) -> Result<Self, Vec<DefinitionError>> {
        Self::read(definition.text())
    }

    pub(crate) fn read(definition: ProfileText) -> Result<Self, Vec<DefinitionError>> {
        let mut errors = DefinitionErrors::default();
        errors.check(bounds::is_id(&definition.id), "id", "must have 1 to 64 characters");
        let rate = errors.read("rateToBase", bounds::positive(&definition.rate_to_base, MAX_RATE));
        let precision = u32::from(definition.precision);
        let pieces = match definition.input_mode {
            InputMode::Scalar => {
                let none = definition.denominations.is_empty();
                errors.check(none, "denominations", "must be empty where bids are entered as one amount");
                check_precision(precision, rate, &mut errors);
                vec![Piece { code: String::new(), factor: Factor::whole(1), written: true }]
            }
            InputMode::Denomination => {
                errors.check(precision <= MAX_COUNT_PRECISION, "precision", "must be an integer from 0 to 4");
                pieces(definition.denominations, &mut errors)
            }
        };
        errors.finish()?;
        let rate = rate.unwrap_or(Rate::ZERO).magnitude();
        let rounding = Rounding::new(precision, definition.fraction_policy);
        // INVARIANT: exact, since the rate has the fewer digits the more the precision has.
        let finer = 10_u128.saturating_pow(rounding.digits().saturating_sub(COUNT_DIGITS));
        let denomination = |Piece { code, factor, written }: Piece| {
            let value = factor.magnitude().saturating_mul(rate).checked_div(finer).unwrap_or(0);
            Denomination { code, value, written }
        };
        Ok(Self {
            id: definition.id.into_owned(),
            input_mode: definition.input_mode,
            precision: definition.precision,
            rounding,
            denominations: pieces.into_iter().map(denomination).collect(),
        })
    }

    /// The profile's id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// How bids are entered.
    #[must_use]
    pub fn input_mode(&self) -> InputMode {
        self.input_mode
    }

    /// Fraction digits that an entered number keeps.
    #[must_use]
    pub fn precision(&self) -> u8 {
        self.precision
    }

    /// How entered numbers are rounded.
    pub(crate) fn rounding(&self) -> &Rounding {
        &self.rounding
    }

    /// The denominations in their order; in SCALAR mode the currency's own unit alone.
    pub(crate) fn denominations(&self) -> &[Denomination] {
        &self.denominations
    }

    /// The position of the denomination with this code.
    pub(crate) fn index_of(&self, code: &str) -> Option<usize> {
        match self.input_mode {
            InputMode::Scalar => None,
            InputMode::Denomination => {
                self.denominations.iter().position(|denomination| denomination.code == code)
            }
        }
    }

    /// Binds a rule on a denomination to the profile, which must be in DENOMINATION mode and have that
    /// denomination (section 5).
    ///
    /// # Errors
    /// The member of the rule that does not fit the profile.
    pub(crate) fn bind(&self, code: String) -> Result<BoundDenomination, Vec<DefinitionError>> {
        let error = |path: &str, message: &str| {
            vec![DefinitionError {
                path: path.to_owned(),
                message: message.to_owned(),
                fault: DefinitionFault::Invalid,
            }]
        };
        if self.input_mode == InputMode::Scalar {
            return Err(error(
                "currencyProfileId",
                "must name a profile whose bids are entered by denomination",
            ));
        }
        let mut all = self.denominations.iter().enumerate();
        let found = all.find(|(_, denomination)| denomination.code == code);
        let (index, denomination) =
            found.ok_or_else(|| error("params.denomination", "must be a denomination of the profile"))?;
        let value = denomination.value;
        Ok(BoundDenomination { code, index, value })
    }

    /// The value of counts in the profile's order, in units of 10^-13: (Σ count × factor) × rate, exactly.
    pub(crate) fn value(&self, counts: &Counts) -> u128 {
        let mut value = 0_u128;
        for (denomination, count) in self.denominations.iter().zip(counts) {
            // INVARIANT: within the bounds nothing overflows 128 bits, as bounds.rs proves.
            value = value.wrapping_add(denomination.value.wrapping_mul((*count).into()));
        }
        value
    }
}

/// Checks the precision of an amount, alone and together with the digits of the rate.
fn check_precision(precision: u32, rate: Option<Rate>, errors: &mut DefinitionErrors) {
    errors.check(precision <= MAX_PRECISION, "precision", "must be an integer from 0 to 8");
    let digits = rate.map_or(0, Rate::fraction_digits).saturating_add(precision);
    let message = "must be at most 13 together with the fraction digits of rateToBase";
    errors.check(digits <= MAX_DIGITS || precision > MAX_PRECISION, "precision", message);
}

/// A denomination within its bounds.
struct Piece {
    code: String,
    factor: Factor,
    written: bool,
}

fn pieces(denominations: Vec<DenominationText>, errors: &mut DefinitionErrors) -> Vec<Piece> {
    let few = (1..=MAX_DENOMINATIONS).contains(&denominations.len());
    errors.check(few, "denominations", "must be 1 to 16");
    let any_written = denominations.is_empty() || denominations.iter().any(|piece| piece.written);
    errors.check(any_written, "denominations", "must have at least one that is written");
    let mut read: Vec<Piece> = Vec::new();
    for (at, DenominationText { code, factor, written }) in
        denominations.into_iter().enumerate().take(MAX_DENOMINATIONS)
    {
        if !bounds::is_code(&code) {
            errors.add(format_args!("denominations.{at}.code"), "must be 1 to 12 of A–Z 0–9 _ -");
        } else if read.iter().any(|earlier| earlier.code == code) {
            errors.duplicate(format_args!("denominations.{at}.code"), "must be unique in the profile");
        }
        let factor = bounds::positive(&factor, MAX_FACTOR);
        let factor = errors.read(format_args!("denominations.{at}.factor"), factor);
        read.push(Piece { code: code.into_owned(), factor: factor.unwrap_or(Factor::ZERO), written });
    }
    read
}

//! From a profile as data to a profile within its bounds.

use alloc::{borrow::ToOwned, string::String, vec, vec::Vec};

use super::definition::{DenominationText, InputMode, ProfileDefinition, ProfileText};
use crate::{
    bounds::{self, MAX_DENOMINATIONS, MAX_FACTOR, MAX_PRECISION, MAX_RATE},
    definition::{DefinitionError, DefinitionErrors, DefinitionFault},
    money::{AMOUNT_DIGITS, Factor, Rate, Rounding},
    shape::Value,
};

/// Counts in the profile's order, in units of 10^-4. In SCALAR mode the first is the amount.
///
/// INVARIANT: each is at most 10^12, that is 10^16 units.
pub(crate) type Counts = [u64; MAX_DENOMINATIONS];

const _: () = assert!(AMOUNT_DIGITS == 4, "counts are kept in units of 10^-4");

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
    /// Factor × rate in units of 10^-9, so that the product with a count in units of 10^-4 is a normalized
    /// amount.
    pub(crate) value: u128,
}

/// A denomination of a profile that a rule is about.
#[derive(Clone, Debug)]
pub(crate) struct BoundDenomination {
    pub(crate) code: String,
    /// The position in the profile.
    pub(crate) index: usize,
    /// Factor × rate in units of 10^-9.
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
        errors.check(precision <= MAX_PRECISION, "precision", "must be an integer from 0 to 4");
        let factors = match definition.input_mode {
            InputMode::Scalar => {
                let none = definition.denominations.is_empty();
                errors.check(none, "denominations", "must be empty where bids are entered as one amount");
                vec![(String::new(), Factor::whole(1))]
            }
            InputMode::Denomination => factors(definition.denominations, &mut errors),
        };
        errors.finish()?;
        let rate = rate.unwrap_or(Rate::ZERO).magnitude();
        let denomination = |(code, factor): (String, Factor)| Denomination {
            code,
            value: factor.magnitude().saturating_mul(rate),
        };
        Ok(Self {
            id: definition.id.into_owned(),
            input_mode: definition.input_mode,
            precision: definition.precision,
            rounding: Rounding::new(precision, definition.fraction_policy),
            denominations: factors.into_iter().map(denomination).collect(),
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

fn factors(denominations: Vec<DenominationText>, errors: &mut DefinitionErrors) -> Vec<(String, Factor)> {
    let few = (1..=MAX_DENOMINATIONS).contains(&denominations.len());
    errors.check(few, "denominations", "must be 1 to 16");
    let mut read: Vec<(String, Factor)> = Vec::new();
    for (at, DenominationText { code, factor }) in
        denominations.into_iter().enumerate().take(MAX_DENOMINATIONS)
    {
        if !bounds::is_code(&code) {
            errors.add(format_args!("denominations.{at}.code"), "must be 1 to 12 of A–Z 0–9 _ -");
        } else if read.iter().any(|(earlier, _)| *earlier == code) {
            errors.duplicate(format_args!("denominations.{at}.code"), "must be unique in the profile");
        }
        let factor = bounds::positive(&factor, MAX_FACTOR);
        let factor = errors.read(format_args!("denominations.{at}.factor"), factor);
        read.push((code.into_owned(), factor.unwrap_or(Factor::ZERO)));
    }
    read
}

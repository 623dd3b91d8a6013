//! What can be wrong with one entered number.

use alloc::{
    borrow::ToOwned,
    format,
    string::{String, ToString},
};

use crate::{
    bounds,
    money::{NumberError, Written, at_most, canonical, truncate},
    profile::Profile,
    rules::{Violation, ViolationCode},
};

/// The first check that an entry, or the amount, fails.
#[derive(Clone, Copy, Debug)]
pub(super) enum InputError {
    NoNumber(NumberError),
    Negative(Written),
    UnknownDenomination,
    DuplicateDenomination,
    Fraction(Written),
    /// After rounding, in the profile's units.
    TooLarge(u128),
}

impl InputError {
    fn code(self) -> ViolationCode {
        match self {
            Self::NoNumber(_) => ViolationCode::InvalidNumber,
            Self::Negative(_) => ViolationCode::Negative,
            Self::UnknownDenomination => ViolationCode::UnknownDenomination,
            Self::DuplicateDenomination => ViolationCode::DuplicateDenomination,
            Self::Fraction(_) => ViolationCode::FractionNotAllowed,
            Self::TooLarge(_) => ViolationCode::AmountOutOfRange,
        }
    }

    /// The violation for the entry with this code, or for the amount. `entered` is the number as it was
    /// entered.
    pub(super) fn explain(self, profile: &Profile, entered: &str, code: Option<&str>) -> Violation {
        let precision = profile.precision();
        let (says, required, actual) = match self {
            Self::NoNumber(error) => (no_number(error).to_owned(), None, Some(truncate(entered))),
            Self::Negative(number) => {
                ("must not be below 0.".to_owned(), Some("0".to_owned()), Some(number.print()))
            }
            Self::UnknownDenomination => ("is not in this currency: leave it out.".to_owned(), None, None),
            Self::DuplicateDenomination => {
                ("is entered more than once: add it up in one entry.".to_owned(), None, None)
            }
            Self::Fraction(number) => {
                (fraction(precision), Some(precision.to_string()), Some(number.print()))
            }
            Self::TooLarge(rounded) => {
                let digits = profile.rounding().digits();
                let most = String::from(bounds::max_amount(digits));
                let says = format!("must be {}.", at_most(&most));
                (says, Some(most), Some(canonical(false, rounded, digits)))
            }
        };
        let denomination = code.map(truncate);
        let subject = match denomination.as_deref() {
            None => "The amount",
            Some("") => "An entry without a denomination",
            Some(code) => code,
        };
        let violation = Violation::new(self.code(), format!("{subject} {says}"));
        Violation { required, actual, denomination, ..violation }
    }
}

fn no_number(error: NumberError) -> &'static str {
    match error {
        NumberError::NotADecimal => "must be a number in digits, such as 12 or 12.5.",
        NumberError::TooManyDigits => "must be written with at most 9 digits after the point.",
        NumberError::OutOfRange => "must be written with at most 18 digits before the point.",
    }
}

fn fraction(precision: u8) -> String {
    match precision {
        0 => "must be a whole number.".to_owned(),
        1 => "must have at most 1 digit after the point.".to_owned(),
        more => format!("must have at most {more} digits after the point."),
    }
}

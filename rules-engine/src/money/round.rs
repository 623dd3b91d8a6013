use super::{AMOUNT_DIGITS, Amount, COUNT_DIGITS, NORMALIZED_DIGITS, Written};
use crate::constants::constants;

constants! {
    /// What happens to the digits of an entered number beyond the profile's precision (section 4).
    ///
    /// Entered numbers are never negative here, so that down is towards zero and up is away from it.
    pub enum FractionPolicy {
        /// Further digits refuse the bid, unless they are zeros.
        Reject = "REJECT",
        /// They are dropped.
        Down = "DOWN",
        /// Any of them raises the last kept digit.
        Up = "UP",
        /// To the nearest; the middle goes up.
        HalfUp = "HALF_UP",
        /// To the nearest; the middle goes to the even neighbour.
        HalfEven = "HALF_EVEN",
    }
}

/// The number has digits that [`FractionPolicy::Reject`] does not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FractionNotAllowed;

/// How a profile rounds entered numbers: to multiples of one step, 10^-precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rounding {
    policy: FractionPolicy,
    /// The step in units of 10^-13, as in the fraction of [`Written`]: 10^(13 - precision).
    fine: u64,
    /// Fraction digits of the unit in which amounts and counts are kept.
    digits: u32,
    /// One in that unit: 10^digits.
    one: u64,
    /// Size of that unit in units of an [`Amount`]: 10^(8 - digits).
    unit: u64,
    /// The step in that unit: 10^(digits - precision).
    step: u64,
    /// The step in units of an [`Amount`]: 10^(8 - precision).
    amount_step: u64,
}

impl Rounding {
    /// INVARIANT: `precision` is at most 8, so that the step is even in units of 10^-13.
    pub(crate) fn new(precision: u32, policy: FractionPolicy) -> Self {
        let digits = precision.max(COUNT_DIGITS);
        let power = |digits: u32| 10_u64.saturating_pow(digits);
        Self {
            policy,
            fine: power(NORMALIZED_DIGITS.saturating_sub(precision)),
            digits,
            one: power(digits),
            unit: power(AMOUNT_DIGITS.saturating_sub(digits)),
            step: power(digits.saturating_sub(precision)),
            amount_step: power(AMOUNT_DIGITS.saturating_sub(precision)),
        }
    }

    /// Fraction digits of the unit in which amounts and counts are kept: 4, or the precision if it is more.
    pub(crate) fn digits(&self) -> u32 {
        self.digits
    }

    /// The step in units of 10^-digits.
    pub(crate) fn step(&self) -> u64 {
        self.step
    }

    /// The amount in units of 10^-digits; none if it is negative or would be rounded.
    pub(crate) fn exact(&self, amount: Amount) -> Option<u64> {
        let fine = u128::try_from(amount.mantissa()).ok()?;
        let (step, unit) = (self.amount_step, self.unit);
        // Most amounts fit 64 bits, which processors divide several times as fast.
        let units = match u64::try_from(fine) {
            Ok(fine) => fine.is_multiple_of(step).then(|| fine.checked_div(unit)),
            Err(_) => {
                fine.is_multiple_of(step.into()).then(|| fine.checked_div(unit.into())?.try_into().ok())
            }
        };
        units?
    }

    /// The amount of so many units of 10^-digits.
    pub(crate) fn amount(&self, units: u64) -> Amount {
        let fine = i128::from(units).saturating_mul(self.unit.into());
        Amount::from_mantissa(fine).unwrap_or_default()
    }

    /// Rounds the magnitude of an entered number, in units of 10^-digits.
    pub(crate) fn round(&self, entered: Written) -> Result<u128, FractionNotAllowed> {
        let kept = entered.fraction.checked_div(self.fine).unwrap_or(0);
        let rest = entered.fraction.checked_rem(self.fine).unwrap_or(0);
        let half = self.fine.wrapping_div(2);
        // Whether the number of steps is odd. One unit has 10^precision steps: an even number, or a single
        // one.
        let odd = if self.fine == WHOLE { entered.integer } else { kept } & 1 == 1;
        let up = match self.policy {
            FractionPolicy::Reject if rest != 0 => return Err(FractionNotAllowed),
            FractionPolicy::Reject | FractionPolicy::Down => false,
            FractionPolicy::Up => rest != 0,
            FractionPolicy::HalfUp => rest >= half,
            FractionPolicy::HalfEven => rest > half || (rest == half && odd),
        };
        let steps = kept.saturating_add(u64::from(up));
        let fraction = steps.saturating_mul(self.step);
        let whole = u128::from(entered.integer).saturating_mul(self.one.into());
        Ok(whole.saturating_add(u128::from(fraction)))
    }
}

const WHOLE: u64 = 10_u64.pow(NORMALIZED_DIGITS);

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::*;
    use crate::money::{canonical, written::FRACTION_DIGITS};

    fn round(text: &str, precision: u32, policy: FractionPolicy) -> Option<String> {
        let written = Written::parse(text, FRACTION_DIGITS).ok()?;
        let rounding = Rounding::new(precision, policy);
        Some(canonical(false, rounding.round(written).ok()?, rounding.digits()))
    }

    #[test]
    fn each_policy_around_the_middle() {
        use FractionPolicy::{Down, HalfEven, HalfUp, Reject, Up};
        let table = [
            // entered, precision, REJECT, DOWN, UP, HALF_UP, HALF_EVEN
            ("2", 0, Some("2"), "2", "2", "2", "2"),
            ("2.000", 0, Some("2"), "2", "2", "2", "2"),
            ("2.000000001", 0, None, "2", "3", "2", "2"),
            ("2.499999999", 0, None, "2", "3", "2", "2"),
            ("2.5", 0, None, "2", "3", "3", "2"),
            ("2.500000001", 0, None, "2", "3", "3", "3"),
            ("3.5", 0, None, "3", "4", "4", "4"),
            ("0.5", 0, None, "0", "1", "1", "0"),
            ("0.15", 1, None, "0.1", "0.2", "0.2", "0.2"),
            ("0.25", 1, None, "0.2", "0.3", "0.3", "0.2"),
            ("1.05", 1, None, "1", "1.1", "1.1", "1"),
            ("0.95", 1, None, "0.9", "1", "1", "1"),
            ("9.995", 2, None, "9.99", "10", "10", "10"),
            ("0.12345", 4, None, "0.1234", "0.1235", "0.1235", "0.1234"),
            ("0.1234", 4, Some("0.1234"), "0.1234", "0.1234", "0.1234", "0.1234"),
            ("0.99995", 4, None, "0.9999", "1", "1", "1"),
            ("0.123456785", 8, None, "0.12345678", "0.12345679", "0.12345679", "0.12345678"),
            ("999999999999999999.9", 0, None, "999999999999999999", E18, E18, E18),
        ];
        for (text, precision, reject, down, up, half_up, half_even) in table {
            let expected = [
                (Reject, reject),
                (Down, Some(down)),
                (Up, Some(up)),
                (HalfUp, Some(half_up)),
                (HalfEven, Some(half_even)),
            ];
            for (policy, expected) in expected {
                assert_eq!(round(text, precision, policy).as_deref(), expected, "{text} {policy:?}");
            }
        }
    }

    const E18: &str = "1000000000000000000";

    #[test]
    fn names_read_back() {
        for policy in FractionPolicy::ALL {
            assert_eq!(policy.as_str().parse(), Ok(policy));
        }
        assert_eq!("up".parse::<FractionPolicy>(), Err(()));
    }
}

//! Runs of a book (section 12): shares of a pot, decay, and grants, with the caps of the book.
//!
//! A run is computed in integers of 10^-13. Every amount is rounded down towards zero to the digits of the
//! run, so that nothing is minted: what is not given stays in the pot.

mod caps;
mod decay;
mod fingerprint;
mod grant;
mod params;
mod share;

use alloc::{collections::BTreeMap, string::String, vec::Vec};

pub(crate) use self::params::ParamsError;
pub use self::{
    caps::{Caps, WeekDay},
    decay::{Base, Debts, Decay, Everyone},
    grant::Grant,
    params::{Cut, Receiver},
    share::{Rest, Share, ShareSource},
};
use crate::{
    bounds::{MAX_NORMALIZED, MIN_AVAILABLE},
    constants::constants,
    definition::DefinitionError,
    money::{NORMALIZED_DIGITS, Normalized},
};

/// Holders of a run, at most.
pub const MAX_HOLDERS: usize = 10_000;
/// Cuts of a share, at most.
pub const MAX_CUTS: usize = 100;
/// Fraction digits to which a run rounds, at most.
pub const MAX_RUN_DIGITS: u32 = 6;
/// Fraction digits to which a run rounds unless it says otherwise.
pub const RUN_DIGITS: u32 = 2;
/// The weight of a receiver, at most.
pub const MAX_WEIGHT: u32 = 10_000;

// A share: the pot, in units of 10^-13, times a weight, and the sum of all weights in units of a whole.
const _: () = assert!(MAX_NORMALIZED.magnitude().checked_mul(100_000).is_some());
const _: () = assert!(10_u128.pow(NORMALIZED_DIGITS).checked_mul(100_000_000).is_some());

constants! {
    /// The kind of a run.
    pub enum RunKind {
        /// A pot, or an amount, among holders.
        Share = "SHARE",
        /// A percentage of what holders have is taken.
        Decay = "DECAY",
        /// The same amount to each of some holders.
        Grant = "GRANT",
    }
}

/// What is asked of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunParams {
    /// A share.
    Share(Share),
    /// A decay.
    Decay(Decay),
    /// A grant.
    Grant(Grant),
}

/// A holder at the moment of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holding {
    /// The id by which parameters name the holder.
    pub id: String,
    /// What the holder has.
    pub balance: Normalized,
    /// What caps count as given to the holder this week.
    pub given: Normalized,
}

/// What a run does to one holder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunRow {
    /// The place of the holder among the holdings.
    pub holder: usize,
    /// The amount before caps.
    pub asked: Normalized,
    /// The amount of the entry; without an entry it is 0.
    pub amount: Normalized,
    /// The balance before.
    pub before: Normalized,
    /// The balance after.
    pub after: Normalized,
}

/// What a run does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunResult {
    /// In the order in which the parameters name the holders.
    pub rows: Vec<RunRow>,
    /// What a share leaves in its pot.
    pub kept: Normalized,
}

/// Why a run is not computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunError {
    /// There is nothing to share.
    PotEmpty,
    /// The parameters do not fit the holders.
    Params(Vec<DefinitionError>),
    /// The balance of the holder at this place would be beyond 10^15.
    OutOfBounds(usize),
}

/// Computes a run. `pot` is what a share of an auction or of a lot has to share; at most 10^15 of it are
/// shared at once.
///
/// # Errors
/// [`RunError`]
pub fn compute(
    params: &RunParams,
    caps: Option<&Caps>,
    holders: &[Holding],
    pot: Option<Normalized>,
) -> Result<RunResult, RunError> {
    let places = Places::of(holders);
    let mut ledger = Ledger {
        now: holders.iter().map(|holder| (holder.balance, holder.given)).collect(),
        caps,
        rows: Vec::new(),
    };
    let kept = match params {
        RunParams::Share(share) => share.compute(&places, &mut ledger, pot)?,
        RunParams::Decay(decay) => decay.compute(&places, &mut ledger)?,
        RunParams::Grant(grant) => grant.compute(&places, &mut ledger)?,
    };
    Ok(RunResult { rows: ledger.rows, kept })
}

/// The places of holders by their ids.
struct Places<'a>(BTreeMap<&'a str, usize>);

impl<'a> Places<'a> {
    fn of(holders: &'a [Holding]) -> Self {
        Self(holders.iter().enumerate().map(|(place, holder)| (holder.id.as_str(), place)).collect())
    }

    /// The place of each id; all ids without a holder are errors at `path`.
    fn find<'b>(
        &self,
        ids: impl Iterator<Item = &'b str>,
        path: fn(usize) -> String,
    ) -> Result<Vec<usize>, RunError> {
        let mut errors = crate::definition::DefinitionErrors::default();
        let mut places = Vec::new();
        for (at, id) in ids.enumerate() {
            match self.0.get(id) {
                Some(place) => places.push(*place),
                None => errors.add(path(at), "must be a holder"),
            }
        }
        errors.finish().map_err(RunError::Params)?;
        Ok(places)
    }
}

/// The rows of a run so far.
struct Ledger<'a> {
    caps: Option<&'a Caps>,
    /// The balance of each holder, and what was given this week, after these rows.
    now: Vec<(Normalized, Normalized)>,
    rows: Vec<RunRow>,
}

impl Ledger<'_> {
    /// What a holder has after the rows so far.
    fn now(&self, holder: usize) -> (Normalized, Normalized) {
        self.now.get(holder).copied().unwrap_or_default()
    }

    /// Gives what the caps leave of an amount, rounded to `digits`, and returns it.
    fn credit(&mut self, holder: usize, asked: Normalized, digits: u32) -> Result<Normalized, RunError> {
        let (balance, given) = self.now(holder);
        let amount = match self.caps {
            Some(caps) => rounded(caps.admit(asked, balance, given), digits),
            None => asked,
        };
        // INVARIANT: both are within 10^15.
        let given = given.checked_add(amount).unwrap_or(MAX_NORMALIZED);
        self.add(holder, asked, amount, given)?;
        Ok(amount)
    }

    /// Takes or forgives an amount: caps do not act on it.
    fn change(&mut self, holder: usize, amount: Normalized) -> Result<(), RunError> {
        let (_, given) = self.now(holder);
        self.add(holder, amount, amount, given)
    }

    fn add(
        &mut self,
        holder: usize,
        asked: Normalized,
        amount: Normalized,
        given: Normalized,
    ) -> Result<(), RunError> {
        let (before, _) = self.now(holder);
        let within = |after: &Normalized| MIN_AVAILABLE <= *after && *after <= MAX_NORMALIZED;
        let after = before.checked_add(amount).filter(within).ok_or(RunError::OutOfBounds(holder))?;
        if let Some(now) = self.now.get_mut(holder) {
            *now = (after, given);
        }
        self.rows.push(RunRow { holder, asked, amount, before, after });
        Ok(())
    }
}

/// The smallest amount with so many fraction digits, in units of 10^-13.
fn unit(digits: u32) -> i128 {
    10_i128.checked_pow(NORMALIZED_DIGITS.saturating_sub(digits)).unwrap_or(1)
}

/// The amount, rounded down towards zero.
fn rounded(amount: Normalized, digits: u32) -> Normalized {
    of_units(towards_zero(amount.mantissa(), unit(digits)))
}

/// The greatest multiple of `unit` that is no further from zero.
fn towards_zero(mantissa: i128, unit: i128) -> i128 {
    mantissa.saturating_sub(mantissa.checked_rem(unit).unwrap_or(0))
}

/// The quotient, rounded down towards zero.
fn divided(number: i128, by: i128) -> i128 {
    number.checked_div(by).unwrap_or(0)
}

/// An amount of so many units of 10^-13, which is within the bounds.
fn of_units(mantissa: i128) -> Normalized {
    Normalized::from_mantissa(mantissa).unwrap_or_default()
}

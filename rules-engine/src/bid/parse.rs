//! From an entered bid to exact counts of known denominations, or to every violation of the input phase.

use alloc::{vec, vec::Vec};
use core::mem;

use super::{
    form::{BidText, EntryText},
    input_error::InputError,
};
use crate::{
    bounds::{MAX_DENOMINATIONS, MAX_UNITS},
    money::Written,
    profile::{Counts, InputMode, Profile},
    rules::Violation,
};

/// Reads a bid in the form that `profile` requires (section 6, the input phase up to the bid's value).
///
/// Violations come in the order of SPEC, section 6. A violation of the bid as a whole comes alone; otherwise
/// each entry gives the first check that it fails.
pub(super) fn parse(profile: &Profile, bid: &BidText) -> Result<Counts, Vec<Violation>> {
    match (profile.input_mode(), &bid.amount, &bid.entered_representation) {
        (InputMode::Scalar, Some(amount), None) => scalar(profile, amount),
        (InputMode::Scalar, None, None) => Err(vec![Violation::amount_required()]),
        (InputMode::Denomination, None, Some(entries)) if !entries.is_empty() => {
            denominations(profile, entries)
        }
        (InputMode::Denomination, None, _) => Err(vec![Violation::representation_required()]),
        (mode, _, _) => Err(vec![Violation::input_mode_mismatch(mode)]),
    }
}

fn scalar(profile: &Profile, amount: &str) -> Result<Counts, Vec<Violation>> {
    let rounded = written(amount).and_then(|written| round(profile, written));
    let count = rounded.map_err(|error| vec![error.explain(profile, amount, None)])?;
    let mut counts = [0; MAX_DENOMINATIONS];
    counts.iter_mut().take(1).for_each(|place| *place = count);
    Ok(counts)
}

fn denominations(profile: &Profile, entries: &[EntryText]) -> Result<Counts, Vec<Violation>> {
    let mut counts = [0; MAX_DENOMINATIONS];
    let mut seen = [false; MAX_DENOMINATIONS];
    let mut violations: Vec<Violation> = Vec::new();
    for entry in entries {
        let index = profile.index_of(&entry.denomination);
        let place = index.and_then(|index| Some((counts.get_mut(index)?, seen.get_mut(index)?)));
        if let Err(error) = enter(profile, entry, place) {
            let violation = error.explain(profile, &entry.count, Some(&entry.denomination));
            // By code, and within one code as entered.
            let at = violations.partition_point(|listed| listed.code <= violation.code);
            violations.insert(at, violation);
        }
    }
    if violations.is_empty() { Ok(counts) } else { Err(violations) }
}

/// Enters one count. `place` is the denomination's count, and whether an earlier entry had it; none if the
/// profile does not have the denomination.
fn enter(
    profile: &Profile,
    entry: &EntryText,
    place: Option<(&mut u64, &mut bool)>,
) -> Result<(), InputError> {
    // An invalid entry counts as an earlier one, too.
    let place = place.map(|(count, seen)| (count, mem::replace(seen, true)));
    let written = written(&entry.count)?;
    match place {
        None => Err(InputError::UnknownDenomination),
        Some((_, true)) => Err(InputError::DuplicateDenomination),
        Some((count, false)) => {
            *count = round(profile, written)?;
            Ok(())
        }
    }
}

/// Reads a decimal that is not below zero.
fn written(text: &str) -> Result<Written, InputError> {
    let written = Written::read(text).map_err(InputError::NoNumber)?;
    if written.is_negative() { Err(InputError::Negative(written)) } else { Ok(written) }
}

/// Rounds a number to the profile's precision, in the profile's units.
fn round(profile: &Profile, written: Written) -> Result<u64, InputError> {
    let rounded = profile.rounding().round(written).map_err(|_| InputError::Fraction(written))?;
    match u64::try_from(rounded) {
        Ok(units) if units <= MAX_UNITS => Ok(units),
        _ => Err(InputError::TooLarge(rounded)),
    }
}

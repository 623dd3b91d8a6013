//! From what was entered to exact counts, with nothing unknown left; or every input violation at once.

use alloc::{vec, vec::Vec};
use core::mem;

use super::{Counts, Violation, flaw::Flaw};
use crate::{
    bounds::{MAX_AMOUNT, MAX_DENOMINATIONS},
    money::Written,
    profile::{InputMode, Profile},
    text::{BidText, EntryText},
};

/// A bid whose numbers are decimals of the profile's precision, of denominations that it has.
#[derive(Clone, Debug)]
pub(crate) struct BidDraft {
    pub(crate) counts: Counts,
}

/// Reads a bid as `profile` wants it (section 6, the input phase up to the bid's worth).
///
/// Violations come in the contract's order: the first two codes stand alone; of the others each entry gives
/// the first that it breaks.
pub(crate) fn parse(profile: &Profile, bid: &BidText) -> Result<BidDraft, Vec<Violation>> {
    match (profile.input_mode(), &bid.amount, &bid.entries) {
        (InputMode::Scalar, Some(amount), None) => scalar(profile, amount),
        (InputMode::Scalar, None, None) => Err(vec![Violation::amount_required()]),
        (InputMode::Denomination, None, Some(entries)) if !entries.is_empty() => {
            denominations(profile, entries)
        }
        (InputMode::Denomination, None, _) => Err(vec![Violation::representation_required()]),
        (mode, _, _) => Err(vec![Violation::input_mode_mismatch(mode)]),
    }
}

fn scalar(profile: &Profile, amount: &str) -> Result<BidDraft, Vec<Violation>> {
    let brought = written(amount).and_then(|written| bring(profile, written));
    let count = brought.map_err(|flaw| vec![flaw.explain(profile, amount, None)])?;
    let mut counts = [0; MAX_DENOMINATIONS];
    counts.iter_mut().take(1).for_each(|place| *place = count);
    Ok(BidDraft { counts })
}

fn denominations(profile: &Profile, entries: &[EntryText]) -> Result<BidDraft, Vec<Violation>> {
    let mut counts = [0; MAX_DENOMINATIONS];
    let mut seen = [false; MAX_DENOMINATIONS];
    let mut violations: Vec<Violation> = Vec::new();
    for entry in entries {
        let slot = profile.slot(&entry.denomination);
        let place = slot.and_then(|slot| Some((counts.get_mut(slot)?, seen.get_mut(slot)?)));
        if let Err(flaw) = enter(profile, entry, place) {
            let violation = flaw.explain(profile, &entry.count, Some(&entry.denomination));
            // By code, and within one code as entered.
            let at = violations.partition_point(|listed| listed.code <= violation.code);
            violations.insert(at, violation);
        }
    }
    if violations.is_empty() { Ok(BidDraft { counts }) } else { Err(violations) }
}

/// Enters one count at its place, if the profile has one for it; or says the first check that it breaks.
fn enter(profile: &Profile, entry: &EntryText, place: Option<(&mut u64, &mut bool)>) -> Result<(), Flaw> {
    // An entry counts as an earlier one whatever is wrong with it.
    let place = place.map(|(count, seen)| (count, mem::replace(seen, true)));
    let written = written(&entry.count)?;
    match place {
        None => Err(Flaw::UnknownDenomination),
        Some((_, true)) => Err(Flaw::DuplicateDenomination),
        Some((count, false)) => {
            *count = bring(profile, written)?;
            Ok(())
        }
    }
}

/// A decimal that is not below zero.
fn written(text: &str) -> Result<Written, Flaw> {
    let written = Written::read(text).map_err(Flaw::NoNumber)?;
    if written.is_negative() { Err(Flaw::Negative(written)) } else { Ok(written) }
}

/// Brings a number to the profile's precision, in units of 10^-4.
fn bring(profile: &Profile, written: Written) -> Result<u64, Flaw> {
    let brought = profile.grid.bring(written).map_err(|_| Flaw::Fraction(written))?;
    if brought > MAX_AMOUNT.magnitude() {
        return Err(Flaw::TooLarge(brought));
    }
    // INVARIANT: the bound just checked fits 64 bits.
    Ok(u64::try_from(brought).unwrap_or(u64::MAX))
}

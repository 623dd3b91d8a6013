//! Tiers: an amount that depends on how high a bid is.

use alloc::vec::Vec;

use super::{condition::Source, parameters::TierText};
use crate::{
    bounds::{self, MAX_NORMALIZED, MAX_TIERS},
    definition::{DefinitionErrors, Unreadable},
    money::{Fixed, Normalized},
};

/// One tier, in units of 10^-13.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ParsedTier {
    pub(super) from: u128,
    pub(super) amount: u128,
}

/// Tiers of which the first starts at 0, and each starts above the one before.
#[derive(Clone, Debug)]
pub(crate) struct Tiers(Vec<ParsedTier>);

impl Tiers {
    /// One tier for every value.
    pub(super) fn only(amount: u128) -> Self {
        Self(alloc::vec![ParsedTier { from: 0, amount }])
    }

    /// Reads 1–32 tiers. `amount` reads the member with this name of a tier; none if it is absent.
    pub(super) fn parse(
        tiers: &[TierText],
        source: Source,
        errors: &mut DefinitionErrors,
        name: &str,
        amount: &dyn Fn(&TierText) -> Option<Result<u128, Unreadable>>,
    ) -> Option<Self> {
        if !(1..=MAX_TIERS).contains(&tiers.len()) {
            errors.add("params.tiers", "must be 1 to 32");
            return None;
        }
        let mut parsed: Vec<ParsedTier> = Vec::new();
        for (at, tier) in tiers.iter().enumerate() {
            let from = errors.read(format_args!("params.tiers.{at}.from"), parse_from(&tier.from, source));
            let amount = amount(tier).unwrap_or_else(|| Err(Unreadable::missing()));
            let amount = errors.read(format_args!("params.tiers.{at}.{name}"), amount);
            let (Some(from), Some(amount)) = (from, amount) else {
                continue;
            };
            match parsed.last() {
                None if at == 0 && from != 0 => errors.add("params.tiers.0.from", "must be 0"),
                Some(before) if from <= before.from => {
                    errors
                        .add(format_args!("params.tiers.{at}.from"), "must be above that of the tier before");
                }
                _ => {}
            }
            parsed.push(ParsedTier { from, amount });
        }
        Some(Self(parsed))
    }

    /// The amount of the last tier that starts at or below `value`, and where the next one starts.
    pub(super) fn at(&self, value: u128) -> (u128, Option<u128>) {
        let mut next = None;
        for tier in self.0.iter().rev() {
            if tier.from <= value {
                return (tier.amount, next);
            }
            next = Some(tier.from);
        }
        // INVARIANT: the first tier starts at 0.
        (0, next)
    }
}

/// Reads the start of a tier, with as many digits as its source may write.
fn parse_from(text: &str, source: Source) -> Result<u128, Unreadable> {
    let from = match source {
        Source::Request => bounds::within(text, MAX_FROM).map(Fixed::widen),
        Source::Case => bounds::within(text, MAX_NORMALIZED),
    };
    from.map(Normalized::magnitude)
}

/// 10^15, with the fraction digits that a request may write.
const MAX_FROM: Fixed<9> = bounds::thousandfold(bounds::thousandfold(Fixed::whole(1_000_000_000)));

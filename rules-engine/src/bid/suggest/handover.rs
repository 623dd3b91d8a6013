//! A bid that a person can hand over: few pieces, close to the least value.
//!
//! Where denominations do not divide one another, or rules demand some of them, the least value may take
//! hundreds of the smallest piece. Among the acceptable amounts within 1 % of the least, or within one of the
//! smallest piece, this takes the fewest pieces.

use alloc::vec::Vec;

use super::{
    Amounts,
    demands::{self, UnitDemand},
    fill::{Steps, Unit},
    search::{Aim, Found, Search},
    shares,
    table::Table,
};

/// Branches of the search for the least value, at most.
const VISITS_FOR_VALUE: u32 = 4_000;
/// Branches of the search for the fewest pieces, at most, if a table decides afterwards.
const VISITS_BEFORE_TABLE: u32 = 8_000;
/// The same without a table.
const VISITS_FOR_COUNT: u32 = 40_000;
/// Amounts that are looked up in a table, at most: about as many as a table has.
const AMOUNTS: usize = 200_000;
/// Units up to which the fewest pieces are found in any case, if the amount is small.
const FEW: usize = 6;

/// The units and the amounts of a bid.
pub(super) struct Pieces<'a> {
    pub(super) amounts: &'a Amounts<'a>,
    /// The units of pieces that are written, and of others that rules demand. Their values fall.
    pub(super) units: &'a [Unit],
    /// The value of one whole smallest written piece.
    pub(super) smallest: u128,
}

impl Pieces<'_> {
    /// Steps with an acceptable value of at least `least`; none if none were found.
    pub(super) fn find(&self, least: u128) -> Option<Steps> {
        let demands = demands::all(self.amounts.rules, self.units);
        if demands.iter().any(|demand| demand.ratio > 0) {
            return self.with_shares(&demands, least);
        }
        let start = demanded(&demands, 0)?;
        let room: Vec<Unit> = room(&demands, &start.steps).filter(|unit| unit.written).collect();
        let mut search = Search { amounts: self.amounts, units: &room, visits: VISITS_FOR_VALUE };
        match self.least(&mut search, start, least) {
            Ok(None) => None,
            Ok(Some(found)) => {
                let range = (found.value, self.highest(found.value));
                let small = room.len() <= FEW && range.1 <= Table::largest(&room);
                search.visits = if small { VISITS_BEFORE_TABLE } else { VISITS_FOR_COUNT };
                let best = search.run(start, range, Aim::Count, Some(found))?;
                let exact =
                    if search.visits > 0 { None } else { self.by_table(&demands, &room, found.value) };
                Some(exact.unwrap_or(best.steps))
            }
            Err(TooMany) => {
                let exact = self.by_table(&demands, &room, least);
                exact.or_else(|| shares::find(self.amounts, self.units, &demands, least))
            }
        }
    }

    /// The greatest amount that is close enough to the least one.
    fn highest(&self, least: u128) -> u128 {
        let slack = least.wrapping_div(100).max(self.smallest);
        least.saturating_add(slack).min(self.amounts.most)
    }

    /// Steps with the least acceptable value.
    fn least(&self, search: &mut Search<'_>, start: Found, least: u128) -> Result<Option<Found>, TooMany> {
        let Some(smallest) = search.units.last() else { return Ok(None) };
        let mut low = self.amounts.next(least.max(start.value));
        while let Some(from) = low {
            let high = from.saturating_add(smallest.value).min(self.amounts.most);
            let found = search.run(start, (from, high), Aim::Value, None);
            // The least one, or the first that comes close: one step above is close enough.
            if found.is_some_and(|found| search.visits > 0 || found.value == from) {
                return Ok(found);
            }
            if search.visits == 0 {
                return Err(TooMany);
            }
            low = self.amounts.next(high.saturating_add(1));
        }
        Ok(None)
    }

    /// Steps that hold a share of their own value, which the rules demand.
    fn with_shares(&self, demands: &[UnitDemand], least: u128) -> Option<Steps> {
        let room: Vec<Unit> = self.units.iter().copied().filter(|unit| unit.written).collect();
        let ratios = demands.iter().map(|demand| demand.ratio).fold(0, u128::saturating_add);
        let exact = if ratios < demands::WHOLE { self.by_table(demands, &room, least) } else { None };
        exact.or_else(|| shares::find(self.amounts, self.units, demands, least))
    }

    /// The fewest steps by a table; none if the amounts are too large for one, or too far from the least.
    fn by_table(&self, demands: &[UnitDemand], room: &[Unit], least: u128) -> Option<Steps> {
        if room.len() > FEW {
            return None;
        }
        // Mostly the least amount is close; rules on shares may move it far away.
        let close = self.highest(self.highest(least));
        let largest = Table::largest(room);
        let ends = [close, close.saturating_mul(2), largest];
        ends.into_iter().filter(|end| *end <= largest).find_map(|end| {
            let table = Table::new(room, end)?;
            self.best_of(&table, demands, least, (end, end == largest))
        })
    }

    /// The fewest steps for an amount of the table, close to the least one. The table ends at `end`, and is
    /// the last one or may be followed by a larger.
    fn best_of(
        &self,
        table: &Table<'_>,
        demands: &[UnitDemand],
        least: u128,
        (end, is_last): (u128, bool),
    ) -> Option<Steps> {
        let mut best: Option<(u128, u128, Steps)> = None;
        let mut from = least;
        let mut end = end;
        for _ in 0..AMOUNTS {
            let amount = self.amounts.next(from).unwrap_or(u128::MAX);
            if amount > end {
                break;
            }
            let found = demanded(demands, amount)?;
            let Some(rest) = amount.checked_sub(found.value) else {
                // A larger bid has to hold no less than that.
                from = found.value;
                continue;
            };
            if let Some(count) = table.fewest(rest) {
                let count = count.saturating_add(found.count);
                if best.is_none() {
                    let highest = self.highest(amount);
                    if highest > end && !is_last {
                        return None;
                    }
                    end = end.min(highest);
                }
                if best.is_none_or(|(fewest, ..)| count < fewest) {
                    best = Some((count, rest, found.steps));
                }
            }
            from = amount.saturating_add(1);
        }
        let (_, rest, demanded) = best?;
        let mut steps = table.steps(rest)?;
        for (place, more) in steps.iter_mut().zip(demanded) {
            *place = place.saturating_add(more);
        }
        Some(steps)
    }
}

/// The search came to its limit.
struct TooMany;

/// What the rules demand of a bid with this value.
pub(super) fn demanded(demands: &[UnitDemand], value: u128) -> Option<Found> {
    let mut found = Found { value: 0, count: 0, steps: Steps::default() };
    for demand in demands {
        let taken = demand.steps.max(demand.share(value)?);
        *found.steps.get_mut(demand.unit.index)? = taken;
        found.count = found.count.saturating_add(taken);
        found.value = found.value.saturating_add(taken.saturating_mul(demand.unit.value));
    }
    Some(found)
}

/// The units with what is left of their limits.
fn room(demands: &[UnitDemand], taken: &Steps) -> impl Iterator<Item = Unit> {
    demands.iter().map(|demand| {
        let taken = taken.get(demand.unit.index).copied().unwrap_or(0);
        Unit { limit: demand.unit.limit.saturating_sub(taken), ..demand.unit }
    })
}

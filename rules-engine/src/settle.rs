//! Winners of sealed bids, and what they pay (section 7).
//!
//! Bids are ranked by value. Where several with equal values would get the last copies, and there are too few
//! for all of them, the tie rule decides. A price in base units becomes a bid in the winner's own currency:
//! the least that is worth no less, is at most the own bid and breaks no rule. Nobody pays more than the bid.

use alloc::vec::Vec;
use core::{cmp::Reverse, ptr};

use crate::{
    bid::BidForm,
    constants::constants,
    draw::{Again, Drawing, Tickets, draw},
    money::Normalized,
    rules::RuleSet,
};

/// Bids of a case, at most.
pub const MAX_BIDS: usize = 10_000;

constants! {
    /// The format of an item whose bids have winners and prices.
    pub enum SettledFormat {
        /// One standing bid a member, which nobody else sees before the end.
        Sealed = "SEALED",
    }
}

constants! {
    /// What winners pay.
    pub enum PriceRule {
        /// The own bid.
        Own = "OWN",
        /// The best losing bid and the item's `plus`, at least the minimum, at most the own bid.
        Next = "NEXT",
        /// The least bid that wins.
        Lowest = "LOWEST",
    }
}

constants! {
    /// Which of equal bids win if there are too few copies for all of them.
    pub enum TieRule {
        /// The first ones.
        Earliest = "EARLIEST",
        /// The ones that a draw gives.
        Roll = "ROLL",
        /// None of them.
        Nobody = "NOBODY",
    }
}

/// A tie rule with what it needs.
#[derive(Clone, Copy, Debug)]
pub enum Tie<'a> {
    /// The first ones win.
    Earliest,
    /// Each has a ticket, in the order of their receipt. Draw 1 is for the first copy that is left.
    Roll(Drawing<'a>),
    /// None of them wins.
    Nobody,
}

/// Terms of an item's sealed bids.
#[derive(Clone, Copy, Debug)]
pub struct SealedTerms<'a> {
    /// How many bids win, at most.
    pub copies: u32,
    /// What winners pay.
    pub price: PriceRule,
    /// How far above the best losing bid a price is, in [`PriceRule::Next`].
    pub plus: Normalized,
    /// What decides between equal bids.
    pub tie: Tie<'a>,
    /// The least price, in [`PriceRule::Next`].
    pub minimum: Option<Normalized>,
}

/// A standing bid on a sealed item.
#[derive(Clone, Copy, Debug)]
pub struct SealedBid<'a> {
    /// The order in which bids were received.
    pub receipt: u64,
    /// Its value in base units.
    pub normalized: Normalized,
    /// The bid as it was entered.
    pub entered: &'a BidForm,
    /// The rules of its currency.
    pub rules: &'a RuleSet,
}

/// A bid that wins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Win {
    /// The place of the bid among all bids.
    pub bid: usize,
    /// What it wins, from 1, in the order of rank.
    pub copy: u32,
    /// What it pays, in base units.
    pub price: Normalized,
    /// What it pays, as a bid in its own currency.
    pub entered: BidForm,
}

/// Decides which bids win, and what they pay. The winners stand in the order of their copies.
#[must_use]
pub fn settle(terms: &SealedTerms<'_>, bids: &[SealedBid<'_>]) -> Vec<Win> {
    let mut ranked: Vec<usize> = (0..bids.len()).collect();
    let value = |place: usize| bids.get(place).map(|bid| bid.normalized);
    ranked.sort_unstable_by_key(|place| {
        (Reverse(value(*place)), bids.get(*place).map(|bid| bid.receipt), *place)
    });
    let winners = winners(terms, bids, &ranked);
    // Those who tie have equal values: whichever of them wins, the next in rank is worth what the best that
    // loses is.
    let losing = ranked.get(winners.len()).and_then(|place| value(*place));
    let floor = match terms.price {
        PriceRule::Own => None,
        PriceRule::Next => {
            let above = losing.map(|losing| losing.checked_add(terms.plus).unwrap_or(losing));
            Some(above.max(terms.minimum).unwrap_or_default())
        }
        PriceRule::Lowest => winners.last().and_then(|place| value(*place)),
    };
    let mut prices =
        Prices { floor, most: winners.first().and_then(|place| value(*place)), found: Vec::new() };
    let priced = winners.into_iter().zip(1..).filter_map(|(place, copy)| {
        let (entered, price) = prices.of(bids.get(place)?);
        Some(Win { bid: place, copy, price, entered })
    });
    priced.collect()
}

/// The places of the bids that win, by rank.
fn winners(terms: &SealedTerms<'_>, bids: &[SealedBid<'_>], ranked: &[usize]) -> Vec<usize> {
    let copies = usize::try_from(terms.copies).unwrap_or(usize::MAX);
    let value = |rank: usize| ranked.get(rank).and_then(|place| bids.get(*place)).map(|bid| bid.normalized);
    let boundary = copies.checked_sub(1).and_then(value);
    let first = || ranked.iter().copied().take(copies).collect();
    if boundary.is_none() || boundary != value(copies) {
        return first();
    }
    let is_tied = |place: &&usize| bids.get(**place).map(|bid| bid.normalized) == boundary;
    let mut above: Vec<usize> = ranked.iter().take_while(|place| !is_tied(place)).copied().collect();
    match terms.tie {
        Tie::Earliest => first(),
        Tie::Nobody => above,
        Tie::Roll(drawing) => {
            let tied: Vec<usize> = ranked.iter().filter(is_tied).copied().collect();
            let tickets: Vec<Tickets<'_>> = tied.iter().map(|_| Tickets { holder: "", count: 1 }).collect();
            let left = terms.copies.saturating_sub(u32::try_from(above.len()).unwrap_or(u32::MAX));
            let drawn = draw(drawing, left, Again::Ticket, &tickets);
            above.extend(drawn.iter().filter_map(|drawn| tied.get(drawn.row)));
            above
        }
    }
}

/// Prices of one item. Winners with bids in one currency pay the same, unless their bids are below that.
struct Prices<'a> {
    /// The least price; none if everyone pays the own bid.
    floor: Option<Normalized>,
    /// The greatest bid.
    most: Option<Normalized>,
    /// The least bid from `floor` on by currency, if there is one.
    found: Vec<(&'a RuleSet, Option<(BidForm, Normalized)>)>,
}

impl<'a> Prices<'a> {
    fn of(&mut self, bid: &SealedBid<'a>) -> (BidForm, Normalized) {
        let less =
            self.floor.filter(|floor| *floor < bid.normalized).and_then(|floor| self.least(bid, floor));
        match less {
            Some((form, value)) if *value < bid.normalized => (form.clone(), *value),
            _ => (bid.entered.clone(), bid.normalized),
        }
    }

    fn least(&mut self, bid: &SealedBid<'a>, floor: Normalized) -> Option<&(BidForm, Normalized)> {
        let known = self.found.iter().position(|(rules, _)| ptr::eq(*rules, bid.rules));
        let place = known.unwrap_or_else(|| {
            let most = self.most.unwrap_or(bid.normalized);
            self.found.push((bid.rules, bid.rules.least_from(floor, most)));
            self.found.len().saturating_sub(1)
        });
        self.found.get(place)?.1.as_ref()
    }
}

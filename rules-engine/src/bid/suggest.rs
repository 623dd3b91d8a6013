//! The way back: from the rules to the least bid that they accept.

use alloc::vec::Vec;

use super::{Bid, BidForm, Counts};
use crate::{
    bounds::{MAX_AMOUNT, MAX_DENOMINATIONS, MAX_NORMALIZED},
    money::Normalized,
    rules::{Condition, RuleSet},
};

mod fill;
mod shares;

use fill::{Coin, Steps, value};

impl RuleSet {
    /// A bid that is accepted over `highest`; none where none exists, or, with denominations that don't divide
    /// one another or rules on them, where none was found (section 7).
    ///
    /// In SCALAR mode it is the smallest acceptable amount of at most `precision` digits. In DENOMINATION mode
    /// where each factor divides the next larger and no rule on a denomination applies, it is the smallest
    /// value in the fewest pieces, of equal factors the first. Never one that [`evaluate`](Self::evaluate)
    /// refuses.
    #[must_use]
    pub fn suggest(&self, highest: Option<Normalized>) -> Option<BidForm> {
        let over = highest.map(Normalized::magnitude);
        // A bid is worth more than nothing, whatever the rules say.
        let least = self.rules.iter().map(|rule| rule.condition.least(over)).max().unwrap_or(0).max(1);
        if least > MAX_NORMALIZED.magnitude() {
            return None;
        }
        let coins = self.coins();
        let steps = if self.rules.iter().any(|rule| rule.condition.is_on_denomination()) {
            shares::find(self, &coins, least)?
        } else {
            fill::find(&coins, least)?
        };
        let bid = Bid { counts: self.counts(&steps), normalized: value(&coins, &steps) };
        let form = BidForm::from(&bid.entered(&self.profile));
        // The one authority on what is accepted has the last word here, too.
        self.evaluate(highest, &form).accepted().then_some(form)
    }

    /// What a bid is made of, the most valuable first; of equal ones the first in the profile.
    fn coins(&self) -> Vec<Coin> {
        let step = u128::from(self.profile.grid.step());
        let limit = MAX_AMOUNT.magnitude().checked_div(step).unwrap_or(0);
        let mut coins: Vec<Coin> = Vec::new();
        for (slot, piece) in self.profile.pieces.iter().enumerate() {
            let coin = Coin { slot, worth: piece.worth.saturating_mul(step), limit };
            let place = coins.partition_point(|listed| listed.worth >= coin.worth);
            coins.insert(place, coin);
        }
        coins
    }

    /// Steps of the precision as counts.
    fn counts(&self, steps: &Steps) -> Counts {
        let step = u128::from(self.profile.grid.step());
        let count = |slot: usize| steps.get(slot).map_or(0, |steps| steps.saturating_mul(step));
        let mut counts = [0; MAX_DENOMINATIONS];
        for (slot, place) in counts.iter_mut().enumerate() {
            *place = u64::try_from(count(slot)).unwrap_or(u64::MAX);
        }
        counts
    }
}

impl Condition {
    /// Whether it looks at the counts, and not at the bid's worth alone.
    fn is_on_denomination(&self) -> bool {
        matches!(self, Self::MinComponentRatio(_) | Self::RequiredDenomination(_))
    }
}

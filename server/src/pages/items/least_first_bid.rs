//! The price from which an item without a bid is sold.

use auction_house::bids::pricing::PricingRules;
use auction_house::engine::{BidContext, Normalized, RuleSet};
use auction_house::items::access::ItemView;

use super::facts::bid_currencies;

/// Value of the least first bid that is accepted in any currency, of an item with a minimum: steps may ask
/// for more than that. The minimum, if no bid is accepted; none without one.
pub fn least_first_bid(seen: &ItemView, pricing: &PricingRules) -> Option<Normalized> {
    let terms = seen.effective_terms();
    let minimum = terms.min_bid_normalized?;
    let worth = bid_currencies(seen, pricing).into_iter().filter_map(|choice| {
        let rules = RuleSet::compile(&choice.currency.definition(), pricing.rules(), &terms).ok()?;
        rules.normalize(&rules.suggest(BidContext::default())?).ok().map(|(_, worth)| worth)
    });
    Some(worth.min().unwrap_or(minimum))
}

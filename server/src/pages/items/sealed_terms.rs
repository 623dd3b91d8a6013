//! The terms of sealed bids, as the page of their item says them.

use app::components::money::amount_in;
use app::model::BaseUnit;
use auction_house::engine::Normalized;
use auction_house::items::format::{PriceKind, SealedTerms, Tie};

/// The rules for winners of sealed bids and their prices, in words.
pub fn in_words(terms: SealedTerms, unit: &BaseUnit, is_closed: bool) -> String {
    let copies = match terms.copies {
        1 => String::new(),
        copies => format!("{copies} are sold, to {copies} bids. "),
    };
    let plus = amount_in(&terms.plus.to_string(), unit);
    let price = match terms.price {
        PriceKind::Own => "A winner pays the own bid.".to_owned(),
        PriceKind::Next if terms.plus == Normalized::ZERO => {
            "A winner pays the best losing bid, and never more than the own one.".to_owned()
        }
        PriceKind::Next => {
            format!("A winner pays {plus} more than the best losing bid, and never more than the own one.")
        }
        PriceKind::Lowest => "Every winner pays the least bid that wins.".to_owned(),
    };
    let tie = match terms.tie {
        Tie::Earliest => "Of equal bids the first wins.",
        Tie::Roll => "Between equal bids a draw decides.",
        Tie::Nobody => "Equal bids that are too many win nothing.",
    };
    let change = if is_closed { "" } else { " You can change your bid, or take it back, until the end." };
    format!("{copies}{price} {tie}{change}")
}

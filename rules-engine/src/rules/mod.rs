//! What decides a bid: typed rules, each in a file of its own (section 5).
//!
//! | in this order | applies | file |
//! |---|---|---|
//! | `MIN_BID` | if the item has a minimum | [`min_bid`] |
//! | `EQUAL_NOT_HIGHER` | always | [`equal_not_higher`] |
//! | `MIN_INCREMENT` | if the item has an increment, then as configured | [`min_increment`] |
//! | `STEP` | as configured | [`step`] |
//! | `MAX_INCREMENT` | as configured | [`max_increment`] |
//! | `MAX_BID` | as configured | [`max_bid`] |
//! | `MIN_COMPONENT_RATIO` | as configured | [`min_component_ratio`] |
//! | `REQUIRED_DENOMINATION` | as configured | [`required_denomination`] |
//! | `INSUFFICIENT_BALANCE` | if the auction has a book | [`insufficient_balance`] |
//!
//! Within one code the item's own rule comes first, then the configured ones by position, then by id. So a
//! verdict does not depend on the order in which rules were given.
//!
//! A rule is one file and one entry in the table `rule_table!` in this file. The file implements `Condition`,
//! and `Configuration` if auctions configure the rule. The codes, the types, reading, binding, evaluation,
//! the schemas and the TypeScript types follow from the table.

/// The table of rules, in the order in which violations are listed. Calls the macro `$receive` with all
/// entries:
///
/// ```text
/// /// What a violation says of the bid, in a phrase.
/// file::Condition = "CODE" configured as Configuration takes ["parameter", …]:
///     "What the rule asks for, in a phrase.";
/// ```
///
/// A built-in rule, which auctions do not configure, ends after its code.
macro_rules! rule_table {
    ($receive:ident) => {
        $receive! {
            /// Below the item's minimum.
            min_bid::MinBid = "MIN_BID";

            /// Not above the highest bid.
            equal_not_higher::EqualNotHigher = "EQUAL_NOT_HIGHER";

            /// Too little above the highest bid.
            min_increment::MinIncrement = "MIN_INCREMENT"
                configured as MinIncrement takes ["amount", "percent", "tiers"]:
                "How far above the highest bid.";

            /// Not a whole number of steps.
            step::Step = "STEP"
                configured as Step takes ["step", "ladder", "tiers"]:
                "Which amounts may be bid: whole numbers of a step, or the values of a ladder.";

            /// Too far above the highest bid.
            max_increment::MaxIncrement = "MAX_INCREMENT"
                configured as MaxIncrement takes ["amount", "percent"]:
                "How far above the highest bid, at most.";

            /// Above the largest bid.
            max_bid::MaxBid = "MAX_BID"
                configured as MaxBid takes ["amount"]:
                "The largest bid.";

            /// Too small a share in one denomination.
            min_component_ratio::MinComponentRatio = "MIN_COMPONENT_RATIO"
                configured as ConfiguredRatio takes ["denomination", "minRatio"]:
                "How large a share of the bid in one denomination.";

            /// Too few of one denomination.
            required_denomination::RequiredDenomination = "REQUIRED_DENOMINATION"
                configured as ConfiguredCount takes ["denomination", "minCount"]:
                "How many of one denomination.";

            /// More than the bidder has left.
            insufficient_balance::InsufficientBalance = "INSUFFICIENT_BALANCE";
        }
    };
}

pub mod equal_not_higher;
pub mod insufficient_balance;
pub mod max_bid;
pub mod max_increment;
pub mod min_bid;
pub mod min_component_ratio;
pub mod min_increment;
pub mod required_denomination;
pub mod step;

pub(crate) mod condition;
mod context;
mod definition;
mod dispatch;
pub(crate) mod grid;
mod ladder;
mod parameters;
mod rule;
mod set;
mod tiers;
mod violation;

pub use condition::Breach;
pub use context::BidContext;
pub use definition::{RuleDefinition, RuleType};
pub use parameters::{RuleParams, Tier};
pub use rule::Rule;
pub use set::{ItemTerms, RuleSet};
pub use violation::{Violation, ViolationCode};

//! Exact bids in any currency, judged by typed rules.
//!
//! One crate decides every bid of Farthing: in the bidder's browser as WebAssembly, for instant advice, and in
//! the server as the authority. Same input, same bytes out, on every target.
//!
//! ```
//! use rules_engine::{BidForm, FractionPolicy, InputMode, ItemTerms, Normalized, ProfileDefinition, RuleSet};
//!
//! let pounds = ProfileDefinition {
//!     id: "gbp".into(),
//!     input_mode: InputMode::Scalar,
//!     rate_to_base: "1.25".into(),
//!     precision: 2,
//!     fraction_policy: FractionPolicy::HalfUp,
//!     denominations: vec![],
//! };
//! let item = ItemTerms { min_increment_normalized: Some("5".parse()?), ..ItemTerms::default() };
//! let rules = RuleSet::compile(&pounds, &[], &item).expect("within the bounds");
//!
//! // 403.2 pounds are 504 in base units: 1 short of 500 + 5.
//! let bid = BidForm { amount: Some("403.20".into()), ..BidForm::default() };
//! let verdict = rules.evaluate(Some("500".parse()?), &bid);
//! assert_eq!(verdict.normalized, Some("504".parse()?));
//! assert_eq!(verdict.violations[0].message, "At least 505 is needed: 1 more.");
//!
//! // The least bid that is accepted instead.
//! let least = BidForm { amount: Some("404".into()), ..BidForm::default() };
//! assert_eq!(rules.suggest(Some("500".parse()?)), Some(least));
//! # Ok::<(), rules_engine::NumberError>(())
//! ```
//!
//! # The crate at a glance
//!
//! | module | what it holds |
//! |---|---|
//! | [`money`] | exact decimals: literals, fixed scales, rounding, canonical printing |
//! | [`bounds`] | every bound of the contract, and the proof that within them all is exact |
//! | `profile` | [`ProfileDefinition`] → [`Profile`]: how a currency is entered and converted |
//! | [`rules`] | [`RuleDefinition`] → [`Rule`] → [`RuleSet`]: one file a rule, one table of them all |
//! | [`bid`] | [`BidForm`] → parse → normalize → evaluate → [`Verdict`]; and back, with `suggest` |
//! | `door` | JSON in, JSON out: [`evaluate`], [`suggest`], and [`CompiledCase`] for many bids |
//!
//! # What holds
//!
//! * There is no clock, no randomness, no I/O and no float, and no input makes it panic.
//! * A definition out of bounds is an error with a path, all at once; a compiled [`RuleSet`] can't overflow.
//! * A bid breaks rules or is accepted: there is no third way, so that nothing passes by an error.
//!
//! “Section” in these pages means one of the project's contract.

#![no_std]
#![deny(missing_docs)]
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::float_arithmetic,
        clippy::as_conversions,
        clippy::arithmetic_side_effects
    )
)]

extern crate alloc;

pub mod bid;
pub mod bounds;
mod definition;
mod door;
pub mod money;
mod profile;
pub mod rules;
#[cfg(feature = "schema")]
pub mod schema;
mod text;

pub use bid::{Bid, BidForm, Entered, EnteredCount, Verdict, Violation, ViolationCode};
pub use definition::DefinitionError;
pub use door::{CompiledCase, evaluate, suggest};
pub use money::{Amount, Factor, Fixed, FractionPolicy, Literal, Normalized, NumberError, Rate, Ratio};
pub use profile::{DenominationDefinition, InputMode, Profile, ProfileDefinition};
pub use rules::{Breach, ItemTerms, Rule, RuleDefinition, RuleParams, RuleSet, RuleType, Tier};

//! Exact bids in any currency, judged by typed rules.
//!
//! One crate decides every bid of Farthing: in the bidder's browser as WebAssembly, for instant advice, and
//! in the server as the authority. The same input gives the same bytes on every target.
//!
//! ```
//! use rules_engine::{BidContext, BidForm, FractionPolicy, InputMode, ItemTerms, ProfileDefinition, RuleSet};
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
//! let over = BidContext::over(Some("500".parse()?));
//! let verdict = rules.evaluate(over, &bid);
//! assert_eq!(verdict.normalized, Some("504".parse()?));
//! assert_eq!(verdict.violations[0].message, "At least 505 is needed: 1 more.");
//!
//! // The least bid that is accepted instead.
//! let least = BidForm { amount: Some("404".into()), ..BidForm::default() };
//! assert_eq!(rules.suggest(over), Some(least));
//! # Ok::<(), rules_engine::NumberError>(())
//! ```
//!
//! # The crate at a glance
//!
//! | module | what it holds |
//! |---|---|
//! | [`money`] | exact decimals: literals, fixed scales, rounding, canonical printing |
//! | [`bounds`] | every bound, and the proof that all results within them are exact |
//! | [`shape`] | one declaration for each JSON document: owned and borrowed types, reader, schema |
//! | `profile` | [`ProfileDefinition`] → [`Profile`]: how a currency is entered and converted |
//! | [`rules`] | [`RuleDefinition`] → [`Rule`] → [`RuleSet`]: one file per rule, and one table of all rules |
//! | [`bid`] | [`BidForm`] → parse → normalize → evaluate → [`Verdict`]; from the rules to the least bid |
//! | [`words`] | amounts as people say them, in pieces and in base units |
//! | [`typed`] | numbers, bids and amounts as people type them |
//! | [`pot`] | runs of a book: shares of a pot, decay, grants and caps |
//! | [`draw`](mod@draw) | draws of tickets by a seed |
//! | [`settle`](mod@settle) | winners of sealed bids, and their prices |
//! | [`lot_number`] | numbers of the lots of a catalogue, and their natural order |
//! | `json` | JSON in, JSON out: [`evaluate`] and further functions, and [`CompiledCase`] for many bids |
//!
//! A module imports modules above it only.
//!
//! # Guarantees
//!
//! * There is no clock, no randomness, no I/O and no float, and no input makes it panic.
//! * All members of a definition that are out of bounds are reported at once, each with its path; a compiled
//!   [`RuleSet`] can't overflow.
//! * A bid is accepted or violates rules: there is no third result, so no error lets a bid pass.
//!
//! “Section” refers to a section of the specification, `docs/SPEC.md`.

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
        clippy::arithmetic_side_effects,
        clippy::string_slice,
        clippy::unreachable,
        clippy::todo
    )
)]

extern crate alloc;

pub mod bid;
pub mod bounds;
mod constants;
mod definition;
pub mod draw;
mod json;
pub mod lot_number;
pub mod money;
pub mod pot;
mod profile;
pub mod rules;
#[cfg(feature = "schema")]
pub mod schema;
pub mod settle;
pub mod shape;
pub mod typed;
pub mod words;

pub use bid::{BidForm, Entered, EnteredCount, Verdict};
pub use definition::{DefinitionError, DefinitionFault};
pub use json::{CompiledCase, draw, evaluate, push_json_text, run, settle, suggest};
pub use lot_number::LotNumber;
pub use money::{Amount, Factor, Fixed, FractionPolicy, Literal, Normalized, NumberError, Rate, Ratio};
pub use profile::{DenominationDefinition, InputMode, NormalizedBid, Profile, ProfileDefinition};
pub use rules::{
    BidContext, Breach, ItemTerms, Rule, RuleDefinition, RuleParams, RuleSet, RuleType, Tier, Violation,
    ViolationCode,
};

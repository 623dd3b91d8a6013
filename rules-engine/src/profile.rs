//! Currency profiles: how one currency of an auction is entered, rounded and converted (section 4).

use alloc::{string::String, vec, vec::Vec};
use core::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, de::IgnoredAny};

use crate::{
    bounds::{self, MAX_DENOMINATIONS, MAX_FACTOR, MAX_PRECISION, MAX_RATE},
    definition::{DefinitionError, Faults},
    money::{Factor, FractionPolicy, Grid, Literal, Rate},
    text::{DenominationText, ProfileText},
};

/// How a bid is entered.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum InputMode {
    /// One amount.
    Scalar,
    /// A count of each denomination.
    Denomination,
}

impl InputMode {
    /// Both modes, in the contract's order.
    pub const ALL: [Self; 2] = [Self::Scalar, Self::Denomination];

    /// The mode's name in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Scalar => "SCALAR",
            Self::Denomination => "DENOMINATION",
        }
    }
}

impl FromStr for InputMode {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|mode| mode.as_str() == name).ok_or(())
    }
}

/// A denomination as data. Its `name` and `symbol`, if JSON has them, are passed over.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "DenominationJson")]
pub struct DenominationDefinition {
    /// 1–12 of `A–Z 0–9 _ -`, unique in the profile.
    pub code: String,
    /// Units of the currency that one piece is worth: 0 < f ≤ 1 000 000, at most 3 fraction digits.
    pub factor: Literal,
}

/// A profile as data: stored, sent to the browser, read from JSON. Not yet known to keep the bounds.
///
/// The further members of section 4 (`auctionId`, `code`, `name`, …) are passed over in JSON; any other is
/// an error. `precision`, `fractionPolicy` and `denominations` may be absent, as in the contract.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "ProfileJson", rename_all = "camelCase")]
pub struct ProfileDefinition {
    /// 1–64 characters.
    pub id: String,
    /// How bids are entered.
    pub input_mode: InputMode,
    /// Base units for one unit of the currency: 0 < r ≤ 1 000 000, at most 6 fraction digits.
    pub rate_to_base: Literal,
    /// Fraction digits that an entered amount or count may keep: 0–4.
    pub precision: u8,
    /// What happens to further digits.
    pub fraction_policy: FractionPolicy,
    /// 1–16 in DENOMINATION mode, none in SCALAR mode.
    pub denominations: Vec<DenominationDefinition>,
}

/// A profile within all bounds of section 4, ready to normalize bids.
#[derive(Clone, Debug)]
pub struct Profile {
    id: String,
    input_mode: InputMode,
    precision: u8,
    pub(crate) grid: Grid,
    /// What is counted: the denominations in their order, or in SCALAR mode the currency's own unit alone.
    pub(crate) pieces: Vec<Piece>,
}

/// What one count multiplies.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub(crate) code: String,
    /// Factor × rate in units of 10^-9, so that times a count in units of 10^-4 it is a normalized amount.
    pub(crate) worth: u128,
}

impl Profile {
    /// Checks every bound of section 4 and converts each factor once.
    ///
    /// # Errors
    /// All members out of bounds, in the order of the definition.
    pub fn parse(definition: &ProfileDefinition) -> Result<Self, Vec<DefinitionError>> {
        Self::read(definition.into())
    }

    pub(crate) fn read(definition: ProfileText) -> Result<Self, Vec<DefinitionError>> {
        let mut faults = Faults::default();
        faults.check(bounds::is_id(&definition.id), "id", "must have 1 to 64 characters");
        let rate = faults.read("rateToBase", bounds::positive(&definition.rate_to_base, MAX_RATE));
        let precision = u32::from(definition.precision);
        faults.check(precision <= MAX_PRECISION, "precision", "must be an integer from 0 to 4");
        let factors = match definition.input_mode {
            InputMode::Scalar => {
                let none = definition.denominations.is_empty();
                faults.check(none, "denominations", "must be empty where bids are entered as one amount");
                vec![(String::new(), Factor::whole(1))]
            }
            InputMode::Denomination => factors(definition.denominations, &mut faults),
        };
        faults.finish()?;
        let rate = rate.unwrap_or(Rate::ZERO).magnitude();
        let piece =
            |(code, factor): (String, Factor)| Piece { code, worth: factor.magnitude().saturating_mul(rate) };
        Ok(Self {
            id: definition.id.into_owned(),
            input_mode: definition.input_mode,
            precision: definition.precision,
            grid: Grid::new(precision, definition.fraction_policy),
            pieces: factors.into_iter().map(piece).collect(),
        })
    }

    /// The profile's id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// How bids are entered.
    #[must_use]
    pub fn input_mode(&self) -> InputMode {
        self.input_mode
    }

    /// Fraction digits that an entered number keeps.
    #[must_use]
    pub fn precision(&self) -> u8 {
        self.precision
    }

    /// Where the denomination with this code stands in the profile's order.
    pub(crate) fn slot(&self, code: &str) -> Option<usize> {
        match self.input_mode {
            InputMode::Scalar => None,
            InputMode::Denomination => self.pieces.iter().position(|piece| piece.code == code),
        }
    }
}

fn factors(denominations: Vec<DenominationText>, faults: &mut Faults) -> Vec<(String, Factor)> {
    let few = (1..=MAX_DENOMINATIONS).contains(&denominations.len());
    faults.check(few, "denominations", "must be 1 to 16");
    let mut read: Vec<(String, Factor)> = Vec::new();
    for (at, DenominationText { code, factor }) in
        denominations.into_iter().enumerate().take(MAX_DENOMINATIONS)
    {
        if !bounds::is_code(&code) {
            faults.add(format_args!("denominations.{at}.code"), "must be 1 to 12 of A–Z 0–9 _ -");
        } else if read.iter().any(|(earlier, _)| *earlier == code) {
            faults.add(format_args!("denominations.{at}.code"), "must be unique in the profile");
        }
        let factor = bounds::positive(&factor, MAX_FACTOR);
        let factor = faults.read(format_args!("denominations.{at}.factor"), factor);
        read.push((code.into_owned(), factor.unwrap_or(Factor::ZERO)));
    }
    read
}

/// The members that section 4 gives a denomination.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "members that do not bear on a bid are allowed and passed over")]
struct DenominationJson {
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 12)))]
    code: String,
    factor: Literal,
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Anything"))]
    name: IgnoredAny,
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Anything"))]
    symbol: IgnoredAny,
}

impl From<DenominationJson> for DenominationDefinition {
    fn from(json: DenominationJson) -> Self {
        Self { code: json.code, factor: json.factor }
    }
}

/// The members that section 4 gives a profile.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[expect(dead_code, reason = "members that do not bear on a bid are allowed and passed over")]
struct ProfileJson {
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 64)))]
    id: String,
    input_mode: InputMode,
    rate_to_base: Literal,
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(range(max = 4)))]
    precision: u8,
    #[serde(default = "reject")]
    fraction_policy: FractionPolicy,
    #[serde(default, deserialize_with = "none_is_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<DenominationDefinition>>", length(max = 16)))]
    denominations: Vec<DenominationDefinition>,
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Anything"))]
    auction_id: IgnoredAny,
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Anything"))]
    code: IgnoredAny,
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Anything"))]
    name: IgnoredAny,
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Anything"))]
    symbol: IgnoredAny,
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Anything"))]
    is_default: IgnoredAny,
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Anything"))]
    created_at: IgnoredAny,
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Anything"))]
    updated_at: IgnoredAny,
}

impl From<ProfileJson> for ProfileDefinition {
    fn from(json: ProfileJson) -> Self {
        Self {
            id: json.id,
            input_mode: json.input_mode,
            rate_to_base: json.rate_to_base,
            precision: json.precision,
            fraction_policy: json.fraction_policy,
            denominations: json.denominations,
        }
    }
}

fn reject() -> FractionPolicy {
    FractionPolicy::Reject
}

/// Null is absent (section 1), and absent denominations are none.
fn none_is_empty<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<DenominationDefinition>, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

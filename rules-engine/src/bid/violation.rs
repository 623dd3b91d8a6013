//! Broken rules, in the contract's order, numbers and words (section 6).

use alloc::{borrow::ToOwned, format, string::String};

use serde::{Deserialize, Serialize};

use crate::{bounds::MAX_NORMALIZED, money::cut, profile::InputMode};

/// Which condition a bid breaks. The order is that of the contract's table, and of every list.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ViolationCode {
    /// Several profiles, none default, none given. Raised by the server.
    CurrencyProfileRequired,
    /// No such profile in this auction. Raised by the server.
    UnknownCurrencyProfile,
    /// An amount where counts are wanted, counts where an amount is wanted, or both.
    InputModeMismatch,
    /// No amount.
    AmountRequired,
    /// No counts.
    RepresentationRequired,
    /// Not a decimal.
    InvalidNumber,
    /// Below zero.
    Negative,
    /// A denomination that the profile does not have.
    UnknownDenomination,
    /// A denomination that an earlier entry has.
    DuplicateDenomination,
    /// More digits than the precision, where they are not rounded.
    FractionNotAllowed,
    /// An entered number above 10^12, or a bid worth more than 10^15.
    AmountOutOfRange,
    /// A bid worth nothing.
    NotPositive,
    /// Below the item's minimum.
    MinBid,
    /// Not above the highest bid.
    EqualNotHigher,
    /// Too little above the highest bid.
    MinIncrement,
    /// Too small a share in one denomination.
    MinComponentRatio,
    /// Too few of one denomination.
    RequiredDenomination,
}

impl ViolationCode {
    /// Every code, in the contract's order.
    pub const ALL: [Self; 17] = [
        Self::CurrencyProfileRequired,
        Self::UnknownCurrencyProfile,
        Self::InputModeMismatch,
        Self::AmountRequired,
        Self::RepresentationRequired,
        Self::InvalidNumber,
        Self::Negative,
        Self::UnknownDenomination,
        Self::DuplicateDenomination,
        Self::FractionNotAllowed,
        Self::AmountOutOfRange,
        Self::NotPositive,
        Self::MinBid,
        Self::EqualNotHigher,
        Self::MinIncrement,
        Self::MinComponentRatio,
        Self::RequiredDenomination,
    ];

    /// The code in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::CurrencyProfileRequired => "CURRENCY_PROFILE_REQUIRED",
            Self::UnknownCurrencyProfile => "UNKNOWN_CURRENCY_PROFILE",
            Self::InputModeMismatch => "INPUT_MODE_MISMATCH",
            Self::AmountRequired => "AMOUNT_REQUIRED",
            Self::RepresentationRequired => "REPRESENTATION_REQUIRED",
            Self::InvalidNumber => "INVALID_NUMBER",
            Self::Negative => "NEGATIVE",
            Self::UnknownDenomination => "UNKNOWN_DENOMINATION",
            Self::DuplicateDenomination => "DUPLICATE_DENOMINATION",
            Self::FractionNotAllowed => "FRACTION_NOT_ALLOWED",
            Self::AmountOutOfRange => "AMOUNT_OUT_OF_RANGE",
            Self::NotPositive => "NOT_POSITIVE",
            Self::MinBid => "MIN_BID",
            Self::EqualNotHigher => "EQUAL_NOT_HIGHER",
            Self::MinIncrement => "MIN_INCREMENT",
            Self::MinComponentRatio => "MIN_COMPONENT_RATIO",
            Self::RequiredDenomination => "REQUIRED_DENOMINATION",
        }
    }
}

/// One broken rule: what was required, what was given, and in words what to do.
///
/// In JSON its members stand in this order, null where empty.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Violation {
    /// Which condition.
    pub code: ViolationCode,
    /// The configured rule; none for input, and for what holds without being configured.
    pub rule_id: Option<String>,
    /// One English sentence that says what to do.
    pub message: String,
    /// What the condition asks for, as the contract's table says.
    pub required: Option<String>,
    /// What the bid has, at most 64 characters.
    pub actual: Option<String>,
    /// The denomination that it is about.
    pub denomination: Option<String>,
}

impl Violation {
    /// The server's: the auction has several profiles, and none is the default.
    #[must_use]
    pub fn currency_profile_required() -> Self {
        Self::new(ViolationCode::CurrencyProfileRequired, "Choose the currency of the bid.")
    }

    /// The server's: the auction has no profile with this id.
    #[must_use]
    pub fn unknown_currency_profile(id: &str) -> Self {
        let violation =
            Self::new(ViolationCode::UnknownCurrencyProfile, "This auction does not have that currency.");
        Self { actual: Some(cut(id)), ..violation }
    }

    /// The profile wants the bid in the other form.
    #[must_use]
    pub fn input_mode_mismatch(mode: InputMode) -> Self {
        let message = match mode {
            InputMode::Scalar => "Enter one amount, and no counts.",
            InputMode::Denomination => "Enter a count of each denomination, and no amount.",
        };
        Self {
            required: Some(mode.as_str().to_owned()),
            ..Self::new(ViolationCode::InputModeMismatch, message)
        }
    }

    pub(crate) fn new(code: ViolationCode, message: impl Into<String>) -> Self {
        Self {
            code,
            rule_id: None,
            message: message.into(),
            required: None,
            actual: None,
            denomination: None,
        }
    }

    pub(super) fn amount_required() -> Self {
        Self::new(ViolationCode::AmountRequired, "Enter an amount.")
    }

    pub(super) fn representation_required() -> Self {
        Self::new(
            ViolationCode::RepresentationRequired,
            "Enter how many you bid of at least one denomination.",
        )
    }

    pub(super) fn normalized_out_of_range() -> Self {
        let message = format!("The bid must be worth at most {MAX_NORMALIZED}.");
        Self { required: Some(MAX_NORMALIZED.into()), ..Self::new(ViolationCode::AmountOutOfRange, message) }
    }

    pub(super) fn not_positive() -> Self {
        Self::new(ViolationCode::NotPositive, "The bid must be worth more than 0.")
    }
}

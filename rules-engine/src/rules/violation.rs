//! Violations in the order of SPEC, section 6, in numbers and words.

use alloc::{borrow::ToOwned, format, string::String};

use serde::{Deserialize, Serialize};

use crate::{
    bounds::MAX_NORMALIZED,
    constants::constants,
    money::{at_most, truncate},
    profile::InputMode,
    shape::{JsonReader, Read, ReadJson},
};

/// Declares the codes: those of the input phase, then those of the table of rules.
macro_rules! violation_codes {
    ($(
        $(#[doc = $violated:literal])*
        $file:ident::$name:ident = $code:literal
        $(configured as $configuration:ident takes [$($parameter:literal),*]: $asks:literal)?;
    )*) => {
        constants! {
            /// Which condition a bid violates. The order is that of the table in SPEC, section 6, and of
            /// every list.
            #[derive(PartialOrd, Ord)]
            pub enum ViolationCode {
                /// Several profiles, none default, none given. Raised by the server.
                CurrencyProfileRequired = "CURRENCY_PROFILE_REQUIRED",
                /// No such profile in this auction. Raised by the server.
                UnknownCurrencyProfile = "UNKNOWN_CURRENCY_PROFILE",
                /// An amount instead of counts, counts instead of an amount, or both.
                InputModeMismatch = "INPUT_MODE_MISMATCH",
                /// No amount.
                AmountRequired = "AMOUNT_REQUIRED",
                /// No counts.
                RepresentationRequired = "REPRESENTATION_REQUIRED",
                /// Not a decimal.
                InvalidNumber = "INVALID_NUMBER",
                /// Below zero.
                Negative = "NEGATIVE",
                /// A denomination that the profile does not have.
                UnknownDenomination = "UNKNOWN_DENOMINATION",
                /// A denomination that an earlier entry has.
                DuplicateDenomination = "DUPLICATE_DENOMINATION",
                /// More digits than the precision, if they are not rounded.
                FractionNotAllowed = "FRACTION_NOT_ALLOWED",
                /// An entered number above 10^12, or a bid worth more than 10^15.
                AmountOutOfRange = "AMOUNT_OUT_OF_RANGE",
                /// A bid worth nothing.
                NotPositive = "NOT_POSITIVE",
                $($(#[doc = $violated])* $name = $code,)*
            }
        }
    };
}

rule_table!(violation_codes);

impl ViolationCode {
    /// Whether a clerk may sell against it (SPEC, section 15): the input phase, the highest bid and the
    /// balance always count.
    pub fn may_be_overridden(self) -> bool {
        matches!(
            self,
            Self::MinBid
                | Self::MinIncrement
                | Self::Step
                | Self::MaxIncrement
                | Self::MaxBid
                | Self::MinComponentRatio
                | Self::RequiredDenomination
        )
    }
}

/// One violated rule: what was required, what was given, and a sentence that says what to do.
///
/// In JSON the members have this order, and are null if they are empty.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Violation {
    /// Which condition was violated.
    pub code: ViolationCode,
    /// The configured rule; none for the input phase and for built-in rules.
    pub rule_id: Option<String>,
    /// One English sentence that says what to do.
    pub message: String,
    /// What the condition requires, as in the table of SPEC, section 6.
    pub required: Option<String>,
    /// What the bid has, at most 64 characters.
    pub actual: Option<String>,
    /// The denomination that the violation is about.
    pub denomination: Option<String>,
}

impl Violation {
    /// Raised by the server: the auction has several profiles, and none is the default.
    #[must_use]
    pub fn currency_profile_required() -> Self {
        Self::new(ViolationCode::CurrencyProfileRequired, "Choose the currency of the bid.")
    }

    /// Raised by the server: the auction has no profile with this id.
    #[must_use]
    pub fn unknown_currency_profile(id: &str) -> Self {
        let violation =
            Self::new(ViolationCode::UnknownCurrencyProfile, "This auction does not have that currency.");
        Self { actual: Some(truncate(id)), ..violation }
    }

    /// The profile requires the bid in the other form.
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

    pub(crate) fn amount_required() -> Self {
        Self::new(ViolationCode::AmountRequired, "Enter an amount.")
    }

    pub(crate) fn representation_required() -> Self {
        Self::new(
            ViolationCode::RepresentationRequired,
            "Enter how many you bid of at least one denomination.",
        )
    }

    pub(crate) fn normalized_out_of_range() -> Self {
        let most = String::from(MAX_NORMALIZED);
        let message = format!("The bid must be worth {}.", at_most(&most));
        Self { required: Some(most), ..Self::new(ViolationCode::AmountOutOfRange, message) }
    }

    pub(crate) fn not_positive() -> Self {
        Self::new(ViolationCode::NotPositive, "The bid must be worth more than 0.")
    }
}

/// Further members are ignored.
impl ReadJson for Violation {
    fn read_json(reader: &mut JsonReader<'_>) -> Read<Self> {
        const TEXTS: [&str; 6] = ["code", "ruleId", "message", "required", "actual", "denomination"];
        let mut code = None;
        let mut texts: [Option<String>; 6] = [const { None }; 6];
        reader.open_object(&TEXTS, &mut |reader, place| {
            if place == 0 {
                code = Some(reader.constant("unknown code")?);
            } else if let Some(text) = texts.get_mut(place) {
                *text = ReadJson::read_json(reader)?;
            }
            Ok(())
        })?;
        let [_, rule_id, message, required, actual, denomination] = texts;
        Ok(Self {
            code: reader.required(code, "code")?,
            rule_id,
            message: reader.required(message, "message")?,
            required,
            actual,
            denomination,
        })
    }
}

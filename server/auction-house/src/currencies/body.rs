//! What a request says of a currency profile.

use platform::fields::{FieldError, Fields, Object};
use platform::shape::{self, Members, Shape};
use rules_engine::money::{FractionPolicy, Literal};
use rules_engine::{InputMode, Profile, bounds};

use super::Currency;
use crate::denomination::{CODE_PATTERN, Denomination, NAME_CHARS, PLURAL, SYMBOL_CHARS};
use crate::engine::{canonical, field_errors};
use crate::engine_schema::{FractionPolicySchema, InputModeSchema};

/// A profile as a request describes it: well formed, but not yet checked by the engine.
#[derive(Debug, Clone)]
pub struct CurrencyBody {
    code: Option<String>,
    name: String,
    plural: Option<String>,
    symbol: String,
    is_default: Option<bool>,
    rate_to_base: Option<Literal>,
    input_mode: Option<InputMode>,
    precision: i64,
    fraction_policy: FractionPolicy,
    denominations: Vec<Denomination>,
}

impl Default for CurrencyBody {
    fn default() -> Self {
        Self {
            code: None,
            name: String::new(),
            plural: None,
            symbol: String::new(),
            is_default: None,
            rate_to_base: None,
            input_mode: None,
            precision: 0,
            fraction_policy: FractionPolicy::Reject,
            denominations: Vec::new(),
        }
    }
}

impl Shape for CurrencyBody {
    const NAME: &'static str = "NewAuctionCurrencyProfile";
    const ABOUT: &'static str = "`code`, `name`, `rateToBase` and `inputMode` are required.";

    fn members(&mut self, members: &mut Members<'_>) {
        members.required("code", &mut self.code).pattern(CODE_PATTERN).example("GSK");
        members.line("name", NAME_CHARS, &mut self.name);
        members.optional_line("plural", NAME_CHARS, &mut self.plural).about(PLURAL);
        members.line("symbol", SYMBOL_CHARS, &mut self.symbol);
        members
            .optional_flag("isDefault", &mut self.is_default)
            .about("The first profile is the default unless it says false.");
        members.required("rateToBase", &mut self.rate_to_base).or_number().example("1.25").about(
            "A decimal, as a number or a string: base units for one unit; 0 < r ≤ 1 000 000, at most 6 fraction \
             digits.",
        );
        members.required("inputMode", &mut self.input_mode).of::<InputModeSchema>();
        members
            .integer("precision", 0..=bounds::MAX_PRECISION.into(), &mut self.precision)
            .about("At most 4 in DENOMINATION mode; with the fraction digits of `rateToBase` at most 13.");
        members.value("fractionPolicy", &mut self.fraction_policy).of::<FractionPolicySchema>();
        members
            .list("denominations", &mut self.denominations)
            .about("1–16 in DENOMINATION mode; otherwise absent or empty.");
    }
}

impl CurrencyBody {
    /// The profile as it is.
    pub fn of(currency: &Currency) -> Self {
        Self {
            code: Some(currency.code.clone()),
            name: currency.name.clone(),
            plural: currency.plural.clone(),
            symbol: currency.symbol.clone(),
            is_default: Some(currency.is_default),
            rate_to_base: Some(currency.rate_to_base.as_str().into()),
            input_mode: Some(currency.input_mode),
            precision: currency.precision.into(),
            fraction_policy: currency.fraction_policy,
            denominations: currency.denominations.clone(),
        }
    }

    /// Gives a profile these members. The error of a missing one is recorded already: a placeholder stands
    /// for it.
    fn fill(self, had: Currency) -> Currency {
        let guessed = if self.denominations.is_empty() { InputMode::Scalar } else { InputMode::Denomination };
        Currency {
            code: self.code.unwrap_or_default(),
            name: self.name,
            plural: self.plural,
            symbol: self.symbol,
            rate_to_base: canonical(&self.rate_to_base.unwrap_or_default()).to_string(),
            input_mode: self.input_mode.unwrap_or(guessed),
            precision: u8::try_from(self.precision).unwrap_or(0),
            fraction_policy: self.fraction_policy,
            denominations: self.denominations,
            ..had
        }
    }
}

/// The profile's body with `patch` applied.
pub fn patched(currency: &Currency, patch: Object) -> Object {
    let mut body = CurrencyBody::of(currency);
    // SCALAR removes the denominations, unless the patch itself names some, which are refused then.
    if patch.get("inputMode") == Some(InputMode::Scalar) {
        body.denominations.clear();
    }
    shape::write(&body).patched(patch)
}

/// A profile that keeps every bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CurrencyDraft {
    pub currency: Currency,
    /// Absent: the first profile of an auction is its default, a later one is not.
    pub is_default: Option<bool>,
}

impl CurrencyDraft {
    /// Reads a whole profile. Id, version and times are those of `had`.
    pub fn read(object: Object, had: Currency) -> Result<Self, Vec<FieldError>> {
        let mut fields = Fields::of(object);
        let draft = Self::read_in(&mut fields, had);
        fields.finish()?;
        Ok(draft)
    }

    /// Reads a whole profile, and reports its errors in `fields`: without any the profile keeps every bound.
    pub fn read_in(fields: &mut Fields, had: Currency) -> Self {
        let mut body = CurrencyBody::default();
        shape::read(&mut body, fields);
        let pieces = body.denominations.iter_mut().map(|piece| &mut piece.code);
        pieces.chain(&mut body.code).for_each(|code| code.make_ascii_uppercase());
        let is_code = body.code.as_deref().is_none_or(bounds::is_code);
        fields.check(is_code, "code", "must be 1 to 12 of A–Z 0–9 _ -");
        let is_default = body.is_default;
        let currency = body.fill(had);
        fields.add(field_errors(Profile::parse(&currency.definition()).err().unwrap_or_default()));
        Self { currency, is_default }
    }
}

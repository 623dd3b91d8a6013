//! What a request says of a currency profile.

use crate::engine::{canonical, field_errors};
use rules_engine::money::{FractionPolicy, Literal};
use rules_engine::{DenominationDefinition, InputMode, Profile, ProfileDefinition, bounds};
use utoipa::ToSchema;

use super::document::{CurrencyDocument, FractionPolicyName, InputModeName};
use super::{Currency, DenominationNames};
use platform::fields::{FieldError, Fields, Object};

/// The body as documented: `code`, `name`, `rateToBase` and `inputMode` are required.
#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = NewAuctionCurrencyProfile)]
pub struct CurrencyBody {
    #[schema(pattern = "^[A-Z0-9_-]{1,12}$", example = "GSK")]
    pub code: String,
    #[schema(min_length = 1, max_length = 60)]
    pub name: String,
    #[schema(max_length = 8, default = "")]
    pub symbol: Option<String>,
    /// A decimal, as a number or a string: base units for one unit; 0 < r ≤ 1 000 000, at most 6 fraction digits.
    #[schema(example = "1.25")]
    pub rate_to_base: String,
    pub input_mode: InputModeName,
    #[schema(minimum = 0, maximum = 4, default = 0)]
    pub precision: Option<i64>,
    #[schema(default = "REJECT")]
    pub fraction_policy: Option<FractionPolicyName>,
    /// 1–16 in DENOMINATION mode; otherwise absent or empty.
    pub denominations: Option<Vec<DenominationBody>>,
    /// The first profile is the default unless it says false.
    pub is_default: Option<bool>,
}

#[derive(ToSchema)]
#[schema(as = NewDenomination)]
pub struct DenominationBody {
    #[schema(pattern = "^[A-Z0-9_-]{1,12}$", example = "GALLEON")]
    pub code: String,
    #[schema(min_length = 1, max_length = 60)]
    pub name: String,
    #[schema(max_length = 8, default = "")]
    pub symbol: Option<String>,
    /// A decimal: units of the currency for one piece; 0 < f ≤ 1 000 000, at most 3 fraction digits.
    #[schema(example = "493")]
    pub factor: String,
}

/// A profile that keeps every bound, and is not yet anywhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CurrencyDraft {
    pub code: String,
    pub name: String,
    pub symbol: String,
    /// Absent: the first profile of an auction is its default, a later one is not.
    pub is_default: Option<bool>,
    /// INVARIANT: `Profile::parse` accepts it.
    pub definition: ProfileDefinition,
    pub names: Vec<DenominationNames>,
}

impl Currency {
    /// The body that would make it as it is: what a merge patch is laid on.
    pub fn as_body(&self) -> Object {
        let given_by_the_server = ["id", "auctionId", "createdAt", "updatedAt"];
        Object::of(&CurrencyDocument::from(self.clone()), &given_by_the_server)
    }
}

impl CurrencyDraft {
    /// Reads a whole profile that will bear `id`.
    pub fn read(object: Object, id: String) -> Result<Self, Vec<FieldError>> {
        let mut fields = Fields::of(object);
        let code: Option<String> = fields.required("code");
        let is_code = code.as_deref().is_none_or(bounds::is_code);
        fields.check(is_code, "code", "must be 1 to 12 of A–Z 0–9 _ -");
        let name = fields.text("name", 1..=60);
        let symbol = fields.text("symbol", 0..=8);
        let is_default = fields.optional("isDefault");
        let (definition, names) = read_definition(&mut fields, id);
        fields.add(field_errors(Profile::parse(&definition).err().unwrap_or_default()));
        fields.finish()?;
        Ok(Self { code: code.unwrap_or_default(), name, symbol, is_default, definition, names })
    }
}

/// Reads what the engine will judge by. Where a member is missing, something stands in for it: the fault is
/// noted already.
fn read_definition(fields: &mut Fields, id: String) -> (ProfileDefinition, Vec<DenominationNames>) {
    let rate: Option<Literal> = fields.required("rateToBase");
    let input_mode: Option<InputMode> = fields.required("inputMode");
    let precision = fields.integer("precision", 0..=bounds::MAX_PRECISION.into(), 0);
    let fraction_policy = fields.or("fractionPolicy", FractionPolicy::Reject);
    let denominations = fields.list("denominations", |entry| {
        let code: String = entry.required("code").unwrap_or_default();
        let names =
            DenominationNames { name: entry.text("name", 1..=60), symbol: entry.text("symbol", 0..=8) };
        let factor: Literal = entry.required("factor").unwrap_or_default();
        (DenominationDefinition { code, factor: canonical(&factor) }, names)
    });
    let (denominations, names): (Vec<_>, Vec<_>) = denominations.into_iter().unzip();
    let guessed = if denominations.is_empty() { InputMode::Scalar } else { InputMode::Denomination };
    let definition = ProfileDefinition {
        id,
        input_mode: input_mode.unwrap_or(guessed),
        rate_to_base: canonical(&rate.unwrap_or_default()),
        precision: u8::try_from(precision).unwrap_or(0),
        fraction_policy,
        denominations,
    };
    (definition, names)
}

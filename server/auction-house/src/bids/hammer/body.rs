//! What a request says of a hammer.

use rules_engine::money::Literal;
use rules_engine::{BidForm, EnteredCount};
use serde::Deserialize;
use utoipa::ToSchema;

use super::HammerAction;
use crate::access::NamedMember;
use crate::bids::entered::EnteredBid;
use crate::engine::field_errors;
use crate::engine_schema::{entered_amount, entered_counts};
use platform::fields::FieldError;
use platform::http::problem::Problem;
use platform::shape::New;
use platform::text_enum;

text_enum! {
    /// What becomes of a hammered item.
    pub enum HammerResult {
        Sold = "SOLD",
        Passed = "PASSED",
    }
}

/// The body of a hammer.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = NewHammer)]
pub struct HammerBody {
    result: HammerResult,
    /// The member to whom it is sold; without one it is sold to the leader. SOLD only, as all others.
    #[serde(rename = "for")]
    #[schema(value_type = Option<HammerFor>)]
    named: Option<NamedMember>,
    /// In SCALAR mode: a JSON number or a decimal string, read from its digits.
    #[schema(schema_with = entered_amount, required = false)]
    amount: Option<Literal>,
    /// In DENOMINATION mode: at most 64 counts, each a JSON number or a decimal string.
    #[schema(schema_with = entered_counts, required = false)]
    entered_representation: Option<Vec<EnteredCount>>,
    /// By default the auction's default currency, or its only one.
    #[schema(format = "uuid")]
    currency_profile_id: Option<String>,
    /// Ignores MIN_BID, MIN_INCREMENT, STEP, MAX_INCREMENT, MAX_BID, MIN_COMPONENT_RATIO and
    /// REQUIRED_DENOMINATION.
    #[serde(rename = "override")]
    overrides: Option<bool>,
}

type HammerFor = New<NamedMember>;

impl HammerBody {
    pub fn passed() -> Self {
        Self::of(HammerResult::Passed)
    }

    pub fn sold_to_leader() -> Self {
        Self::of(HammerResult::Sold)
    }

    pub fn sold(
        named: NamedMember,
        currency_profile_id: Option<&str>,
        price: BidForm,
        overrides: bool,
    ) -> Self {
        Self {
            named: Some(named),
            amount: price.amount,
            entered_representation: price.entered_representation,
            currency_profile_id: currency_profile_id.map(str::to_owned),
            overrides: Some(overrides),
            ..Self::of(HammerResult::Sold)
        }
    }

    fn of(result: HammerResult) -> Self {
        Self {
            result,
            named: None,
            amount: None,
            entered_representation: None,
            currency_profile_id: None,
            overrides: None,
        }
    }

    /// What the clerk calls.
    ///
    /// # Errors
    /// The invalid members.
    pub fn read(self) -> Result<HammerAction, Problem> {
        let unpriced = [
            ("amount", self.amount.is_some()),
            ("enteredRepresentation", self.entered_representation.is_some()),
            ("currencyProfileId", self.currency_profile_id.is_some()),
            ("override", self.overrides.is_some()),
        ];
        let refused = |why: &str| {
            let given = unpriced.iter().filter(|(_, given)| *given);
            given.map(|(name, _)| FieldError::new(*name, why)).collect::<Vec<_>>()
        };
        let (errors, call) = match (self.result, &self.named) {
            (HammerResult::Passed, None) => {
                (refused("must be absent: the item is passed"), HammerAction::Passed)
            }
            (HammerResult::Passed, Some(_)) => {
                (vec![FieldError::new("for", "must be absent: the item is passed")], HammerAction::Passed)
            }
            (HammerResult::Sold, None) => (
                refused("must be absent without `for`: the item is sold to the leader"),
                HammerAction::SoldToLeader,
            ),
            (HammerResult::Sold, Some(named)) => {
                let form =
                    BidForm { amount: self.amount, entered_representation: self.entered_representation };
                let entered = EnteredBid::new(self.currency_profile_id, false, form);
                let entered = entered.map_err(|errors| Problem::fields(field_errors(errors)))?;
                let (named, overrides) = (named.clone(), self.overrides.unwrap_or(false));
                (Vec::new(), HammerAction::Sold { named, entered, overrides })
            }
        };
        if errors.is_empty() { Ok(call) } else { Err(Problem::fields(errors)) }
    }
}

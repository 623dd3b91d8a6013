//! Currency profiles: what an auction's bids may be entered in.

pub mod access;
pub mod body;
pub mod create;
pub mod delete;
pub mod document;
pub mod patch;
pub mod routes;
pub mod store;

use rules_engine::money::FractionPolicy;
use rules_engine::typed::TypedCurrency;
use rules_engine::{InputMode, ProfileDefinition};
use serde::Serialize;
use utoipa::ToSchema;

pub use crate::denomination::Denomination;
use crate::engine_schema::{FractionPolicySchema, InputModeSchema};
use crate::ids::{AuctionId, CurrencyId};
use platform::text::same_letters;
use platform::time::Moment;

/// Profiles of an auction, at most.
pub const CURRENCIES_MAX: usize = 32;

/// A currency profile of an auction, as responses contain it.
///
/// INVARIANT: `Profile::parse` accepts its definition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AuctionCurrencyProfile, description = "What bids of an auction may be entered in.")]
pub struct Currency {
    #[schema(value_type = String, format = "uuid")]
    pub id: CurrencyId,
    #[schema(value_type = String, format = "uuid")]
    pub auction_id: AuctionId,
    pub code: String,
    pub name: String,
    /// Null: the name stands for every count.
    pub plural: Option<String>,
    pub symbol: String,
    /// A decimal: base units for one unit of this currency.
    pub rate_to_base: String,
    #[schema(value_type = InputModeSchema)]
    pub input_mode: InputMode,
    pub precision: u8,
    #[schema(value_type = FractionPolicySchema)]
    pub fraction_policy: FractionPolicy,
    /// Empty in SCALAR mode.
    pub denominations: Vec<Denomination>,
    pub is_default: bool,
    #[serde(skip)]
    pub version: i64,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Moment,
}

impl Currency {
    /// A profile without any members yet, for a body to fill.
    pub fn blank(id: CurrencyId, auction_id: AuctionId, now: Moment) -> Self {
        Self {
            id,
            auction_id,
            code: String::new(),
            name: String::new(),
            plural: None,
            symbol: String::new(),
            rate_to_base: String::new(),
            input_mode: InputMode::Scalar,
            precision: 0,
            fraction_policy: FractionPolicy::Reject,
            denominations: Vec::new(),
            is_default: false,
            version: 1,
            created_at: now,
            updated_at: now,
        }
    }

    /// Whether this is the text of the profile's id.
    pub fn has_id(&self, text: &str) -> bool {
        self.id.to_string() == text
    }

    /// The profile as the engine reads typed texts in it.
    pub fn typed(&self) -> TypedCurrency<'_> {
        let own = [&self.name, self.plural.as_deref().unwrap_or_default(), &self.symbol, &self.code];
        let pieces = self.denominations.iter().map(Denomination::names);
        TypedCurrency::new(self.definition(), own, pieces, same_letters)
    }

    /// The profile as the engine reads it: what decides about the value of a bid.
    pub fn definition(&self) -> ProfileDefinition {
        ProfileDefinition {
            id: self.id.to_string(),
            input_mode: self.input_mode,
            rate_to_base: self.rate_to_base.as_str().into(),
            precision: self.precision,
            fraction_policy: self.fraction_policy,
            denominations: self.denominations.iter().map(Denomination::definition).collect(),
        }
    }
}

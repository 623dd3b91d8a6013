//! Currency profiles in responses (SPEC, section 4).

use rules_engine::InputMode;
use rules_engine::money::FractionPolicy;
use serde::Serialize;
use utoipa::ToSchema;

use super::Currency;
use crate::engine_schema::{FractionPolicySchema, InputModeSchema};

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AuctionCurrencyProfile)]
pub struct CurrencyDocument {
    #[schema(format = "uuid")]
    pub id: String,
    #[schema(format = "uuid")]
    pub auction_id: String,
    pub code: String,
    pub name: String,
    pub symbol: String,
    /// A decimal: base units for one unit of this currency.
    pub rate_to_base: String,
    #[schema(value_type = InputModeSchema)]
    pub input_mode: InputMode,
    pub precision: u8,
    #[schema(value_type = FractionPolicySchema)]
    pub fraction_policy: FractionPolicy,
    /// Empty in SCALAR mode.
    pub denominations: Vec<DenominationDocument>,
    pub is_default: bool,
    #[schema(format = DateTime)]
    pub created_at: String,
    #[schema(format = DateTime)]
    pub updated_at: String,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Denomination)]
pub struct DenominationDocument {
    pub code: String,
    pub name: String,
    pub symbol: String,
    /// A decimal: units of the currency that one of the denomination is worth.
    pub factor: String,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AuctionCurrencyProfiles)]
pub struct CurrenciesDocument {
    pub currencies: Vec<CurrencyDocument>,
}

impl From<Currency> for CurrencyDocument {
    fn from(currency: Currency) -> Self {
        let denominations = currency.definition.denominations.into_iter().zip(currency.names);
        Self {
            id: currency.id.to_string(),
            auction_id: currency.auction_id.to_string(),
            code: currency.code,
            name: currency.name,
            symbol: currency.symbol,
            rate_to_base: currency.definition.rate_to_base.to_string(),
            input_mode: currency.definition.input_mode,
            precision: currency.definition.precision,
            fraction_policy: currency.definition.fraction_policy,
            denominations: denominations
                .map(|(denomination, names)| DenominationDocument {
                    code: denomination.code,
                    name: names.name,
                    symbol: names.symbol,
                    factor: denomination.factor.to_string(),
                })
                .collect(),
            is_default: currency.is_default,
            created_at: currency.created_at.to_string(),
            updated_at: currency.updated_at.to_string(),
        }
    }
}

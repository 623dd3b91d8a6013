//! The list of currency profiles in responses (SPEC, section 4).

use serde::Serialize;
use utoipa::ToSchema;

use super::Currency;

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AuctionCurrencyProfiles)]
pub struct CurrenciesDocument {
    pub currencies: Vec<Currency>,
}

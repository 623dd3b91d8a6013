//! The terms by which a book shares what is spent in its auctions, at once, among the members who are present
//! (SPEC, section 12).

use rules_engine::pot::{MAX_RUN_DIGITS, RUN_DIGITS, Rest};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::engine_schema::RestSchema;
use platform::shape::{Members, Shape};
use platform::text_enum;

text_enum! {
    /// Whether the buyer of an item gets a share of its price.
    #[derive(Default)]
    #[schema(as = BookShareBuyer)]
    pub enum BuyerPart {
        #[default]
        In = "IN",
        Out = "OUT",
    }
}

/// How what an item was sold for is shared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BookShare {
    /// In the transaction of each outcome, among the members who are present.
    pub automatic: bool,
    /// By default IN.
    pub buyer: BuyerPart,
    /// Fraction digits to which shares are rounded down: 0–6, by default 2.
    pub digits: u32,
    /// What rounding leaves, by default KEEP.
    #[schema(value_type = RestSchema)]
    pub rest: Rest,
}

impl Default for BookShare {
    fn default() -> Self {
        Self { automatic: false, buyer: BuyerPart::In, digits: RUN_DIGITS, rest: Rest::Keep }
    }
}

impl Shape for BookShare {
    const NAME: &'static str = "NewBookShare";

    fn members(&mut self, members: &mut Members<'_>) {
        members
            .flag("automatic", &mut self.automatic)
            .about("Shares the price of each item among the members who are present, with its outcome.");
        members
            .value("buyer", &mut self.buyer)
            .of::<BuyerPart>()
            .about("OUT leaves the buyer of the item out.");
        let mut digits = i64::from(self.digits);
        members
            .integer("digits", 0..=i64::from(MAX_RUN_DIGITS), &mut digits)
            .about("Fraction digits to which shares are rounded down.");
        self.digits = u32::try_from(digits).unwrap_or(RUN_DIGITS);
        members.value("rest", &mut self.rest).of::<RestSchema>().about(
            "What rounding leaves: KEEP leaves it in the pot, SPREAD gives it to the largest remainders.",
        );
    }
}

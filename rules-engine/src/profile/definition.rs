//! Currency profiles as data.

use alloc::{string::String, vec::Vec};

use crate::{
    constants::constants,
    money::{FractionPolicy, Literal},
    shape::{constant_value, shape},
};

constants! {
    /// How a bid is entered.
    pub enum InputMode {
        /// One amount.
        Scalar = "SCALAR",
        /// A count of each denomination.
        Denomination = "DENOMINATION",
    }
}

constant_value!(InputMode, "unknown input mode");

shape! {
    /// A denomination as data. Its `name`, `plural` and `symbol` are ignored in JSON.
    pub struct DenominationDefinition as DenominationText {
        /// 1–12 of `A–Z 0–9 _ -`, unique in the profile.
        pub code = "code": String [length(min = 1, max = 12)],
        /// Units of the currency that one unit of the denomination is worth: 0 < f ≤ 1 000 000, at most 3
        /// fraction digits.
        pub factor = "factor": Literal,
        /// Amounts are written and suggested with this piece; any piece may be bid. One is at least.
        pub written = "written": bool = true,
    } ignores {
        name = "name",
        plural = "plural",
        symbol = "symbol",
    }
}

shape! {
    /// A profile as data: stored, sent to the browser, read from JSON. Not yet checked against its bounds.
    ///
    /// The further members of section 4 (`auctionId`, `code`, `name`, …) are ignored in JSON; any other is an
    /// error. `precision`, `fractionPolicy` and `denominations` may be absent (SPEC, section 4).
    pub struct ProfileDefinition as ProfileText {
        /// 1–64 characters.
        pub id = "id": String [length(min = 1, max = 64)],
        /// How bids are entered.
        pub input_mode = "inputMode": InputMode,
        /// Base units for one unit of the currency: 0 < r ≤ 1 000 000, at most 6 fraction digits.
        pub rate_to_base = "rateToBase": Literal,
        /// Fraction digits that an entered amount or count may keep: 0–4, in SCALAR mode 0–8.
        pub precision = "precision": u8 [range(max = 8)] = 0,
        /// What happens to further digits.
        pub fraction_policy = "fractionPolicy": FractionPolicy = FractionPolicy::Reject,
        /// 1–16 in DENOMINATION mode, none in SCALAR mode.
        pub denominations = "denominations" nullable: Vec<DenominationDefinition> [length(max = 16)],
    } ignores {
        auction_id = "auctionId",
        code = "code",
        name = "name",
        plural = "plural",
        symbol = "symbol",
        is_default = "isDefault",
        created_at = "createdAt",
        updated_at = "updatedAt",
    }
}

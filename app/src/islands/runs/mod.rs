//! Previews of runs and of caps. The browser computes them with the engine at each keystroke, as the server
//! does.

mod asked;
pub mod live;
mod names;
pub mod table;

pub use asked::{AskedParams, Typed, Wrong, of_member, percent, preview, preview_of_caps};

/// The names of the fields.
pub mod field {
    /// The kind of the run, by which its form is told apart.
    pub const KIND: &str = "kind";
    /// The auction whose pot is shared, or none: an amount of its own is.
    pub const FROM: &str = "auctionId";
    /// The number of the lot whose pot is shared.
    pub const LOT: &str = "lot";
    /// What is shared if it was spent nowhere.
    pub const AMOUNT: &str = "amount";
    /// The people among whom it is shared.
    pub const TO: &str = "to";
    /// The people by their names, on lines.
    pub const PEOPLE: &str = "people";
    /// Parts that some get first, on lines.
    pub const CUTS: &str = "cuts";
    /// The way with what rounding leaves.
    pub const REST: &str = "rest";
    /// Digits after the point.
    pub const DIGITS: &str = "digits";
    /// The part that decays.
    pub const PERCENT: &str = "percent";
    /// A balance that no decay crosses.
    pub const FLOOR: &str = "floor";
    /// The amount of which the part is taken.
    pub const BASE: &str = "base";
    /// The way with balances below zero.
    pub const DEBTS: &str = "debts";
    /// The name of a week or a month.
    pub const PERIOD: &str = "period";
    /// Why the run is made.
    pub const REASON: &str = "reason";

    /// The fields that both forms post again with a preview.
    pub const REPEATED: [&str; 14] =
        [KIND, FROM, LOT, AMOUNT, TO, PEOPLE, CUTS, REST, DIGITS, PERCENT, FLOOR, BASE, DEBTS, PERIOD];
}

/// The names of the fields of caps.
pub mod caps {
    /// Id of their form.
    pub const FORM: &str = "caps-form";
    /// A balance from which on less is given.
    pub const SOFT: &str = "soft";
    /// The part that is given above it.
    pub const SOFT_PERCENT: &str = "softPercent";
    /// A balance that nothing given exceeds.
    pub const HARD: &str = "hard";
    /// The most that is given in a week.
    pub const WEEKLY: &str = "weekly";
    /// An amount with which the caps are tried.
    pub const EXAMPLE: &str = "example";
}

/// Shares an amount that was spent nowhere.
pub const OTHER: &str = "AMOUNT";
/// Shares among the people who are present.
pub const PRESENT: &str = "PRESENT";
/// Shares among the people of the lines.
pub const CHOSEN: &str = "CHOSEN";
/// A run of everyone.
pub const ALL: &str = "ALL";
/// The kind of a run that takes a part of balances.
pub const DECAY: &str = "DECAY";

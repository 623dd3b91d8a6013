//! Bounds of form fields. They equal the API's, so that a field takes what the server accepts and no more.
//! Lengths are in characters. Those of currencies and rules are the engine's own.

pub use rules_engine::bounds::{MAX_CODE_CHARS, MAX_DENOMINATIONS, MAX_PRECISION, MAX_TIERS};

/// Alternative text of a picture.
pub const MAX_ALT_CHARS: usize = 200;
/// Pictures of one item.
pub const MAX_PICTURES: usize = 10;
/// Name of a user.
pub const MAX_USER_NAME_CHARS: usize = 100;
/// Language tag of a user.
pub const MAX_LOCALE_CHARS: usize = 35;
/// Password, at least.
pub const MIN_PASSWORD_CHARS: usize = 8;
/// Name of an auction or an item.
pub const MAX_TITLE_CHARS: usize = 200;
/// Estimate of an item.
pub const MAX_ESTIMATE_CHARS: usize = 60;
/// Where buyers of an auction pay and collect.
pub const MAX_COLLECTION_CHARS: usize = 500;
/// Name of a base unit, a currency or a denomination.
pub const MAX_UNIT_NAME_CHARS: usize = 60;
/// Symbol of a base unit, a currency or a denomination.
pub const MAX_UNIT_SYMBOL_CHARS: usize = 8;
/// Reason for which an item is cancelled, or its outcome changed.
pub const MAX_REASON_CHARS: usize = 500;

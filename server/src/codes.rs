//! The codes of all crates.

use std::sync::LazyLock;

pub use auction_house::codes::*;
pub use installation::codes::*;
use platform::http::problem::Code;

/// Every code, in the order of their status.
pub static ALL: LazyLock<Vec<Code>> = LazyLock::new(|| {
    let crates = [
        platform::http::codes::ALL,
        accounts::codes::ALL,
        installation::codes::ALL,
        auction_house::codes::ALL,
    ];
    let mut all = crates.concat();
    all.sort_by_key(|code| code.status());
    all
});

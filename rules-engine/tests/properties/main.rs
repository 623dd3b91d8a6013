//! Laws that hold for every case. Each is tried on eight times `PROPTEST_CASES` cases, which is 256 by
//! default.

#![expect(clippy::expect_used, reason = "a test whose own arithmetic fails has failed")]

mod cases;
mod exact;
mod handover;
mod json;
#[path = "../support/laws.rs"]
mod laws;
mod order;
mod rationals;
mod suggest;
mod words;

use proptest::test_runner::Config;

fn tries() -> Config {
    let config = Config::default();
    Config { cases: config.cases * 8, ..config }
}

//! Laws that hold for every case, tried on many: eight for each of `PROPTEST_CASES`, which is 256 unless set.

#![expect(clippy::expect_used, reason = "a test whose own arithmetic fails has failed")]

mod cases;
mod doors;
mod exact;
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

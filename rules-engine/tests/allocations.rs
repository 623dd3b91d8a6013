//! The allocations of a decision, on the bids of the benchmark: none for an accepted bid, only the list for a
//! refused one.

#![expect(clippy::expect_used, reason = "a test that can't create its bids has failed")]

#[expect(dead_code, reason = "this test needs no JSON")]
#[path = "../benches/speed/reference.rs"]
mod reference;

use allocation_counter::measure;
use rules_engine::BidContext;

#[test]
fn a_decision_allocates_only_the_list_of_violated_rules() {
    let rules = reference::rule_set();
    for bid in reference::bids() {
        let (counts, highest) = (bid.amounts(), bid.highest());
        let mut breaches = Vec::new();
        let measured = measure(|| {
            let bid = rules.count(&counts).expect("a bid");
            rules.evaluate_into(BidContext::over(Some(highest)), &bid, &mut breaches);
        });
        assert_eq!(measured.count_total, u64::from(!breaches.is_empty()), "{breaches:?}");
    }
}

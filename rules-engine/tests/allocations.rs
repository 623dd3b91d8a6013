//! What a decision allocates, on the bids of the bench: nothing for an accepted bid, the list alone for another.

#![expect(clippy::expect_used, reason = "a test that can't make its bids has failed")]

#[expect(dead_code, reason = "this test needs no JSON")]
#[path = "../benches/speed/reference.rs"]
mod reference;

use allocation_counter::measure;

#[test]
fn a_decision_allocates_only_the_list_of_what_is_broken() {
    let rules = reference::rule_set();
    for bid in reference::bids() {
        let (counts, highest) = (bid.amounts(), bid.highest());
        let mut breaches = Vec::new();
        let measured = measure(|| {
            let bid = rules.count(&counts).expect("a bid");
            rules.evaluate_into(Some(highest), &bid, &mut breaches);
        });
        assert_eq!(measured.count_total, u64::from(!breaches.is_empty()), "{breaches:?}");
    }
}

use rules_engine::pot::Caps;

use super::*;
use platform::time::Moment;

fn now() -> Moment {
    Moment::from_millis(0).unwrap()
}

fn amount(text: &str) -> Normalized {
    text.parse().unwrap()
}

fn terms(share: BookShare, caps: [Option<&str>; 4]) -> Terms {
    let mut limits = CapLimits::default();
    limits.caps = Some(Caps::check(caps).unwrap());
    Terms { share, limits }
}

fn users() -> Vec<UserId> {
    (0..3).map(|_| UserId::new(now())).collect()
}

/// What each of the holders gets of a price that the first pays, with what is kept.
fn shared(terms: &mut Terms, present: &[UserId], price: &str, has: &str) -> SharedSale {
    let item_id = ItemId::new(now());
    let winner = Commitment { holder_id: present[0], amount: amount(price) };
    let present = Present { all: present.to_vec(), holders: present.to_vec() };
    let run = NewSaleRun {
        number: 1,
        params: SaleShareParams::of(terms.share, &present, item_id, winner),
        reason: "“A lamp” was sold".to_owned(),
        kept: Normalized::ZERO,
        auction_id: AuctionId::new(now()),
        outcome_id: OutcomeId::new(now()),
        without: Vec::new(),
    };
    terms.compute(run, winner.amount, |_| amount(has))
}

fn words(shared: &SharedSale) -> String {
    let amounts: Vec<String> = shared.entries.iter().map(|(_, amount, _)| amount.to_string()).collect();
    format!("{} kept {}", amounts.join(" "), shared.run.kept)
}

#[test]
fn a_price_is_shared_in_the_order_of_the_holders() {
    let (holders, none) = (users(), [None; 4]);
    let share = BookShare::default();
    let kept = shared(&mut terms(share, none), &holders, "100", "0");
    assert_eq!(words(&kept), "33.33 33.33 33.33 kept 0.01");
    let spread = BookShare { rest: Rest::Spread, ..share };
    let all = shared(&mut terms(spread, none), &holders, "100", "0");
    assert_eq!(words(&all), "33.34 33.33 33.33 kept 0");
    assert!(all.entries.iter().map(|(holder, ..)| *holder).eq(holders.iter().copied()));
    let whole = BookShare { digits: 0, ..spread };
    assert_eq!(words(&shared(&mut terms(whole, none), &holders, "2", "0")), "1 1 kept 0");
    let little = shared(&mut terms(share, none), &holders, "0.02", "0");
    assert_eq!((words(&little).as_str(), little.run.without.len()), (" kept 0.02", 0));
}

#[test]
fn a_buyer_who_is_left_out_stays_among_the_present() {
    let holders = users();
    let out = BookShare { buyer: BuyerPart::Out, ..BookShare::default() };
    let without = shared(&mut terms(out, [None; 4]), &holders, "100", "0");
    assert_eq!(words(&without), "50 50 kept 0");
    assert_eq!(without.run.params.present, holders);
    let alone = shared(&mut terms(out, [None; 4]), &holders[..1], "100", "0");
    assert_eq!(words(&alone), " kept 100");
}

#[test]
fn caps_keep_what_they_take_and_their_rows() {
    let holders = users();
    let hard = shared(&mut terms(BookShare::default(), [None, None, Some("10"), None]), &holders, "90", "4");
    assert_eq!(words(&hard), "6 6 6 kept 72");
    assert_eq!(hard.entries[0].2.asked, Some(amount("30")));
    let above =
        shared(&mut terms(BookShare::default(), [None, None, Some("10"), None]), &holders, "90", "11");
    assert_eq!((words(&above).as_str(), above.run.without.len()), (" kept 90", 3));
    // Two sales in one transaction count together.
    let mut weekly = terms(BookShare::default(), [None, None, None, Some("50")]);
    assert_eq!(words(&shared(&mut weekly, &holders, "90", "0")), "30 30 30 kept 0");
    assert_eq!(words(&shared(&mut weekly, &holders, "90", "0")), "20 20 20 kept 30");
    let spent = shared(&mut weekly, &holders, "90", "0");
    assert_eq!((words(&spent).as_str(), spent.run.without.len()), (" kept 90", 3));
}

#[test]
fn a_balance_at_its_bound_leaves_all_in_the_pot() {
    let most = "1000000000000000";
    let kept = shared(&mut terms(BookShare::default(), [None; 4]), &users(), "90", most);
    assert_eq!((words(&kept).as_str(), kept.run.without.len()), (" kept 90", 0));
}

#[test]
fn parameters_are_those_of_a_share_by_hand_with_the_present() {
    let holders = users();
    let params = shared(&mut terms(BookShare::default(), [None; 4]), &holders[..1], "9", "0").run.params;
    let (json, holder) = (serde_json::to_string(&params).unwrap(), holders[0]);
    let expected = format!(
        r#"{{"digits":2,"itemId":"{}","cuts":[],"to":[{{"holder":"{holder}","weight":1}}],"rest":"KEEP","present":["{holder}"]}}"#,
        params.item_id
    );
    assert_eq!(json, expected);
    let read: SaleShareParams = serde_json::from_str(&json).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), json);
}

//! Tests of the answers to typed fields.

use rules_engine::{FractionPolicy, InputMode, Literal};

use super::*;
use crate::islands::hall::new_call::OtherEnd;
use crate::model::{BaseUnit, ClerkOutbox, Denomination, DeskLists, DeskSale};

fn points() -> BidCurrency {
    BidCurrency {
        profile_id: Some("p".to_owned()),
        name: "Point".to_owned(),
        plural: Some("Points".to_owned()),
        symbol: String::new(),
        input_mode: InputMode::Scalar,
        rate_to_base: Literal::from("1"),
        precision: 0,
        fraction_policy: FractionPolicy::Reject,
        denominations: Vec::new(),
    }
}

fn lot(number: &str) -> DeskLot {
    DeskLot {
        item_id: format!("i{number}"),
        lot_number: number.to_owned(),
        name: "A vase".to_owned(),
        picture: None,
        estimate: None,
        high: String::new(),
        low: String::new(),
        expected: String::new(),
        terms: ItemTerms { min_bid_normalized: "5".parse().ok(), ..ItemTerms::default() },
        own_money: None,
        seller_id: "seller".to_owned(),
        highest: None,
        leader_id: None,
        leader: None,
        decides: None,
        slips: String::new(),
        takes_tickets: false,
        is_held: false,
        sale: None,
    }
}

fn member(number: u64, available: Option<&str>) -> DeskMember {
    DeskMember {
        id: format!("u{number}"),
        number: Some(number),
        name: "Luna".to_owned(),
        available: available.map(str::to_owned),
    }
}

fn desk(lots: Vec<DeskLot>) -> Desk {
    Desk {
        auction_id: "a".to_owned(),
        clerk_id: "c".to_owned(),
        shown: DeskLists {
            lots,
            members: vec![member(17, Some("50")), DeskMember { id: "seller".to_owned(), ..member(3, None) }],
            ..DeskLists::default()
        },
        document: None,
        listed: None,
        has_numbers: true,
        currencies: vec![points()],
        unit: BaseUnit { name: "Point".to_owned(), plural: Some("Points".to_owned()), ..BaseUnit::default() },
        rules: Vec::new(),
        block: None,
        last: None,
        as_of: "27 Nov 2026, 14:05".to_owned(),
    }
}

fn typed(lot: &str, buyer: &str, price: &str) -> Typed {
    let text = str::to_owned;
    Typed { lot: text(lot), buyer: text(buyer), price: text(price), currency: String::new() }
}

fn call(lot: &str, state: CallState, amount: &str) -> PendingCall {
    PendingCall {
        order: 1,
        state,
        reason: None,
        item_id: format!("i{lot}"),
        lot: lot.to_owned(),
        buyer: "17".to_owned(),
        price: amount.to_owned(),
        currency: String::new(),
        member_id: Some("u17".to_owned()),
        amount: Some(amount.to_owned()),
        is_correction: false,
        is_bid: None,
        words: String::new(),
    }
}

/// The verdict on a lot with the number 1, and the three lines.
fn answers(desk: &Desk, calls: &[PendingCall], typed: &Typed) -> (DeskVerdict, [String; 3]) {
    let judged = DeskEvaluation::new(desk, calls, None, typed);
    let lines = [judged.lot_line(), judged.buyer_line(), judged.price_line()];
    (
        judged.verdict(),
        lines.map(|line| line.words.replace('\u{a0}', " ").replace(['\u{2068}', '\u{2069}'], "")),
    )
}

#[test]
fn each_field_is_answered() {
    let desk = desk(vec![lot("1")]);
    let (verdict, lines) = answers(&desk, &[], &typed("1", "17", "7"));
    assert_eq!(verdict, DeskVerdict::Accepted);
    assert_eq!(lines, ["A vase", "Luna (17), 50 Points available", "7 Points. Enter sells."]);
    let (verdict, lines) = answers(&desk, &[], &typed("9", "18", "7"));
    assert_eq!(verdict, DeskVerdict::Incomplete(DeskField::Lot));
    assert_eq!(lines, ["No lot 9 is open for bids.", "Nobody has the number 18.", ""]);
}

#[test]
fn a_rule_can_be_overridden_and_the_balance_and_the_highest_bid_can_not() {
    let open = desk(vec![lot("1")]);
    let (verdict, [_, _, price]) = answers(&open, &[], &typed("1", "17", "4"));
    assert_eq!(verdict, DeskVerdict::Overridable);
    assert_eq!(price, "Add 1 Point: bids begin at 5 Points. Shift+Enter sells all the same.");
    let (verdict, [_, _, price]) = answers(&open, &[], &typed("1", "17", "60"));
    assert_eq!(verdict, DeskVerdict::Refused(DeskField::Price));
    assert_eq!(price, "Luna (17) has 50 Points available: 10 Points too much.");
    let led = DeskLot { highest: Some("9".to_owned()), leader_id: Some("u4".to_owned()), ..lot("1") };
    let (verdict, _) = answers(&desk(vec![led]), &[], &typed("1", "17", "9"));
    assert_eq!(verdict, DeskVerdict::Refused(DeskField::Price));
}

#[test]
fn a_price_far_from_the_estimate_is_asked_about() {
    let estimated = DeskLot {
        high: "250".to_owned(),
        low: "2".to_owned(),
        expected: "The estimate is 20–25. ".to_owned(),
        terms: ItemTerms::default(),
        ..lot("1")
    };
    let mut desk = desk(vec![estimated]);
    desk.shown.members = vec![member(17, None)];
    let price = |price: &str| answers(&desk, &[], &typed("1", "17", price));
    assert_eq!(price("249").1[2], "249 Points. Enter sells.");
    let (verdict, [_, _, high]) = price("250");
    let asked = "250 Points. The estimate is 20–25. Enter sells.";
    assert_eq!((verdict, high.as_str()), (DeskVerdict::Accepted, asked));
    assert_eq!(price("2").1[2], "2 Points. The estimate is 20–25. Enter sells.");
}

#[test]
fn the_leader_buys_at_the_standing_price() {
    let led = DeskLot { highest: Some("9".to_owned()), leader_id: Some("u17".to_owned()), ..lot("1") };
    let desk = desk(vec![led]);
    assert_eq!(answers(&desk, &[], &typed("1", "17", "9")).0, DeskVerdict::Accepted);
    let fields = typed("1", "", "");
    let judged = DeskEvaluation::new(&desk, &[], None, &fields);
    let leader = judged.other(OtherEnd::SoldToLeader).expect("a call");
    assert_eq!(
        (leader.path.as_str(), leader.body.as_str()),
        ("/api/auctions/a/items/i1/hammer", r#"{"result":"SOLD"}"#)
    );
}

#[test]
fn bids_from_slips_are_placed_while_sealed_bids_or_a_draw_decide() {
    let sealed = DeskLot {
        decides: Some("sealed bids decide".to_owned()),
        slips: "Enter number and bid of each slip.".to_owned(),
        ..lot("1")
    };
    let drawn = DeskLot { takes_tickets: true, ..sealed.clone() };
    for (lot, typed_price, expected, body) in [
        (
            &sealed,
            "7",
            "7 Points. Enter places the bid.",
            r#"{"for":{"number":17},"currencyProfileId":"p","amount":"7"}"#,
        ),
        (&drawn, "3", "3 tickets. Enter places the bid.", r#"{"for":{"number":17},"tickets":3}"#),
    ] {
        let desk = desk(vec![lot.clone()]);
        let (_, [_, buyer, _]) = answers(&desk, &[], &typed("1", "", ""));
        assert_eq!(buyer, "Enter number and bid of each slip.");
        // Another slip of the lot, and its end, do not wait for the answer to this one.
        let slip = PendingCall { is_bid: Some(true), ..call("1", CallState::Waiting, "7") };
        let fields = typed("1", "17", typed_price);
        let (verdict, [_, _, price]) = answers(&desk, std::slice::from_ref(&slip), &fields);
        assert_eq!((verdict, price.as_str()), (DeskVerdict::Accepted, expected));
        let judged = DeskEvaluation::new(&desk, std::slice::from_ref(&slip), None, &fields);
        let placed = judged.sale(false).expect("a call");
        assert_eq!((placed.path.as_str(), placed.body.as_str()), ("/api/auctions/a/items/i1/bids", body));
        // Nobody who looks at the desk learns an amount.
        assert_eq!((placed.is_bid, placed.words.as_str()), (true, "Lot 1, A vase: bid of Luna (17)"));
        let opened = judged.other(OtherEnd::SoldToLeader).expect("a call");
        assert_eq!(opened.body, r#"{"result":"SOLD"}"#);
        assert!(opened.words.ends_with(": sealed bids decide"), "{}", opened.words);
    }
    let desk = desk(vec![sealed, drawn]);
    // Below the minimum, and no number of tickets.
    assert_eq!(answers(&desk, &[], &typed("1", "17", "4")).0, DeskVerdict::Refused(DeskField::Price));
}

#[test]
fn nobody_buys_their_own_lot_or_one_that_is_called() {
    let desk = desk(vec![lot("1")]);
    assert_eq!(answers(&desk, &[], &typed("1", "3", "7")).0, DeskVerdict::Refused(DeskField::Buyer));
    for state in [CallState::Waiting, CallState::Sending, CallState::Sent] {
        let calls = [call("1", state, "7")];
        assert_eq!(answers(&desk, &calls, &typed("1", "17", "7")).0, DeskVerdict::Refused(DeskField::Lot));
    }
    let refused = [call("1", CallState::Refused, "7")];
    assert_eq!(answers(&desk, &refused, &typed("1", "17", "7")).0, DeskVerdict::Accepted);
}

#[test]
fn what_waits_to_be_sent_is_not_available() {
    let desk = desk(vec![lot("1"), lot("2")]);
    let calls = [call("1", CallState::Waiting, "45")];
    assert_eq!(answers(&desk, &calls, &typed("2", "17", "5")).0, DeskVerdict::Accepted);
    assert_eq!(answers(&desk, &calls, &typed("2", "17", "6")).0, DeskVerdict::Refused(DeskField::Price));
}

#[test]
fn a_sale_that_the_desk_shows_is_not_counted_twice() {
    let shown = DeskSale { words: String::new(), buyer: None, price: None, currency_id: None, amount: None };
    let outbox = ClerkOutbox { calls: vec![call("1", CallState::Sent, "45")], trouble: None };
    let open = desk(vec![lot("1"), lot("2")]);
    let closed = desk(vec![DeskLot { sale: Some(shown), ..lot("1") }, lot("2")]);
    let verdict = |desk: &Desk| answers(desk, &outbox.unanswered(desk), &typed("2", "17", "6")).0;
    assert_eq!(verdict(&open), DeskVerdict::Refused(DeskField::Price));
    assert_eq!(verdict(&closed), DeskVerdict::Accepted);
}

#[test]
fn a_correction_counts_the_balance_and_gives_back_the_price_before() {
    let sale = DeskSale {
        words: "sold to Luna (17) for 40 Points".to_owned(),
        buyer: Some("17".to_owned()),
        price: Some("40".to_owned()),
        currency_id: None,
        amount: Some("40".to_owned()),
    };
    let desk = desk(vec![DeskLot { sale: Some(sale), ..lot("1") }]);
    let verdict = |price: &str| {
        let fields = typed("1", "17", price);
        let judged = DeskEvaluation::new(&desk, &[], Some("i1"), &fields);
        (judged.verdict(), judged.sale(false).map(|call| call.path))
    };
    let path = Some("/api/auctions/a/items/i1/outcome".to_owned());
    assert_eq!(verdict("90"), (DeskVerdict::Accepted, path.clone()));
    assert_eq!(verdict("91"), (DeskVerdict::Refused(DeskField::Price), path.clone()));
    assert_eq!(verdict("1"), (DeskVerdict::Accepted, path), "no rule counts");
    assert_eq!(answers(&desk, &[], &typed("1", "17", "7")).0, DeskVerdict::Refused(DeskField::Lot));
}

#[test]
fn the_next_lot_is_the_open_one_after_the_last() {
    let held = DeskLot { is_held: true, ..lot("4") };
    let desk = desk(vec![lot("1"), lot("2"), lot("3"), held]);
    let calls = [call("2", CallState::Waiting, "5")];
    assert_eq!(next_lot(&desk, &calls, Some("i1")).as_deref(), Some("3"));
    assert_eq!(next_lot(&desk, &calls, Some("i3")).as_deref(), Some("1"));
}

/// A sale with more lots and members than its page has room for.
fn large_desk(listed: Option<DeskLists>) -> Desk {
    let desk = desk(vec![lot("2"), lot("3")]);
    let shown = DeskLists { has_more_lots: true, has_more_members: true, ..desk.shown };
    Desk { shown, listed, ..desk }
}

#[test]
fn the_server_finds_what_the_page_has_no_room_for() {
    let desk = large_desk(None);
    let fields = typed("4", "18", "7");
    assert!(DeskEvaluation::new(&desk, &[], None, &fields).is_for_the_server());
    let (verdict, [lot, buyer, _]) = answers(&desk, &[], &fields);
    assert_eq!(verdict, DeskVerdict::Incomplete(DeskField::Lot));
    assert_eq!(lot, "Lot 4 is not on this page: the server answers.");
    assert_eq!(buyer, "Number 18 is not on this page: the server answers.");
}

#[test]
fn the_document_has_what_the_page_has_no_room_for() {
    // Its names and amounts are older than those of the page.
    let listed = DeskLists {
        lots: [1, 2, 3, 4, 5]
            .map(|number| DeskLot { name: "Old".to_owned(), ..lot(&number.to_string()) })
            .into(),
        members: vec![member(17, Some("60")), member(18, Some("20"))],
        ..DeskLists::default()
    };
    let desk = large_desk(Some(listed));
    let fields = typed("4", "18", "7");
    assert!(!DeskEvaluation::new(&desk, &[], None, &fields).is_for_the_server());
    let (verdict, [lot, buyer, _]) = answers(&desk, &[], &fields);
    assert_eq!(verdict, DeskVerdict::Accepted);
    assert_eq!((&*lot, &*buyer), ("Old", "Luna (18), 20 Points available"));
    let (_, [lot, buyer, _]) = answers(&desk, &[], &typed("2", "17", "7"));
    assert_eq!((&*lot, &*buyer), ("A vase", "Luna (17), 50 Points available"), "the page is newer");
    let (_, [lot, buyer, _]) = answers(&desk, &[], &typed("6", "19", "7"));
    assert_eq!((&*lot, &*buyer), ("No lot 6 is open for bids.", "Nobody has the number 19."));
}

#[test]
fn the_lot_after_the_last_of_the_page_is_that_of_the_document() {
    let listed = DeskLists { lots: ["1", "2", "3", "4", "5"].map(lot).into(), ..DeskLists::default() };
    let desk = large_desk(Some(listed));
    let next = |calls: &[PendingCall], after| next_lot(&desk, calls, after);
    assert_eq!(next(&[], Some("i3")).as_deref(), Some("4"));
    assert_eq!(next(&[call("4", CallState::Waiting, "5")], Some("i3")).as_deref(), Some("5"));
    assert_eq!(next(&[], Some("i5")).as_deref(), Some("2"), "the first of the page");
    assert_eq!(next(&[], None).as_deref(), Some("2"));
}

#[test]
fn a_price_that_is_not_clear_is_refused_with_what_to_write() {
    let mut desk = desk(vec![lot("2")]);
    let piece = |code: &str, name: &str, symbol: &str, factor: &str| Denomination {
        code: code.to_owned(),
        name: name.to_owned(),
        plural: None,
        symbol: symbol.to_owned(),
        factor: factor.into(),
        written: true,
    };
    desk.currencies = vec![BidCurrency {
        input_mode: InputMode::Denomination,
        denominations: vec![piece("GOLD", "Gold", "g", "100"), piece("SILVER", "Silver", "s", "1")],
        ..points()
    }];
    let (verdict, [_, _, price]) = answers(&desk, &[], &typed("2", "17", "3.1"));
    assert_eq!(verdict, DeskVerdict::Refused(DeskField::Price));
    assert_eq!(price, "“3.1” can be 3 Gold 1 Silver, or 3.1 Gold: write the names too.");
    let (verdict, [_, _, price]) = answers(&desk, &[], &typed("2", "17", "5s"));
    assert_eq!((verdict, price.as_str()), (DeskVerdict::Accepted, "5 Silver = 5 Points. Enter sells."));
}

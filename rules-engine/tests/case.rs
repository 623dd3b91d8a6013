//! Valid and invalid cases of the JSON interface (section 7).

use rules_engine::{evaluate, suggest};

const PROFILE: &str = r#"{"id":"p","inputMode":"DENOMINATION","rateToBase":1,"precision":0,
    "fractionPolicy":"REJECT","denominations":[{"code":"A","factor":2},{"code":"B","factor":1}]}"#;
const RULE: &str = r#"{"id":"r","currencyProfileId":null,"type":"MIN_INCREMENT","params":{"amount":5},"enabled":true,
    "position":0}"#;
const BID: &str = r#"{"enteredRepresentation":[{"denomination":"A","count":3}]}"#;

/// A case of these parts.
fn case(profile: &str, rule: &str, bid: &str) -> String {
    format!(r#"{{"profile":{profile},"rules":[{rule}],"item":{{}},"highest":null,"bid":{bid}}}"#)
}

fn error(case: &str) -> String {
    let answer = evaluate(case);
    assert!(answer.starts_with(r#"{"error":"#), "{answer} of {case}");
    answer
}

fn verdict(case: &str) -> String {
    let answer = evaluate(case);
    assert!(answer.starts_with(r#"{"accepted":"#), "{answer} of {case}");
    answer
}

#[test]
fn further_members_of_the_specification_are_ignored() {
    let profile = PROFILE.replace(
        r#""id":"p""#,
        r#""id":"p","auctionId":"a","code":"X","name":{"any":[1,{"thing":null}]},"symbol":"$","isDefault":true,
        "createdAt":"now","updatedAt":[]"#,
    );
    let profile = profile.replace(r#""code":"A""#, r#""code":"A","name":"Ay","symbol":"a""#);
    let rule = RULE.replace(r#""id":"r""#, r#""id":"r","auctionId":"a","createdAt":"now","updatedAt":null"#);
    assert_eq!(verdict(&case(&profile, &rule, BID)), verdict(&case(PROFILE, RULE, BID)));
}

#[test]
fn members_that_have_a_default_may_be_absent() {
    let profile = r#"{"id":"p","inputMode":"SCALAR","rateToBase":1}"#;
    let rule = r#"{"id":"r","type":"MIN_INCREMENT","params":{"amount":5},"position":0}"#;
    let bare = format!(r#"{{"profile":{profile},"rules":[{rule}],"item":{{}},"bid":{{"amount":1}}}}"#);
    verdict(&bare);
    let null = profile.replace('}', r#","denominations":null}"#);
    verdict(&bare.replace(profile, &null));
}

#[test]
fn anything_else_is_an_error() {
    let sound = case(PROFILE, RULE, BID);
    verdict(&sound);
    for (text, instead) in [
        // Unknown.
        (r#""highest":null"#, r#""highest":null,"more":1"#),
        (r#""id":"p""#, r#""id":"p","colour":"red""#),
        (r#""code":"A""#, r#""code":"A","plurals":"As""#),
        (r#""id":"r""#, r#""id":"r","name":"rule""#),
        (r#""amount":5"#, r#""amount":5,"formula":"1+1""#),
        (r#""item":{}"#, r#""item":{"startingBid":1}"#),
        (r#""item":{}"#, r#""item":{"minBidNormalized":1,"minIncrementNormalized":1,"":2}"#),
        (r#""count":3"#, r#""count":3,"value":6"#),
        (r#""bid":{"#, r#""bid":{"isAnonymous":true,"#),
        // Twice.
        (r#""highest":null"#, r#""highest":null,"highest":null"#),
        (r#""id":"p""#, r#""id":"p","id":"p""#),
        (r#""id":"p""#, r#""id":"p","name":1,"name":1"#),
        (r#""amount":5"#, r#""amount":5,"amount":5"#),
        (r#""count":3"#, r#""count":3,"count":3"#),
        // Missing.
        (r#""id":"p","#, ""),
        (r#""rateToBase":1,"#, ""),
        (r#""code":"A","#, ""),
        (r#""id":"r","#, ""),
        (r#""params":{"amount":5},"#, ""),
        (r#""item":{},"#, ""),
        (r#","count":3"#, ""),
        // Of another type.
        (r#""id":"p""#, r#""id":1"#),
        (r#""rateToBase":1"#, r#""rateToBase":true"#),
        (r#""precision":0"#, r#""precision":0.0"#),
        (r#""precision":0"#, r#""precision":"0""#),
        (r#""precision":0"#, r#""precision":null"#),
        (r#""inputMode":"DENOMINATION""#, r#""inputMode":"denomination""#),
        (r#""fractionPolicy":"REJECT""#, r#""fractionPolicy":"CEIL""#),
        (r#""type":"MIN_INCREMENT""#, r#""type":"MAX_RISE""#),
        (r#""enabled":true"#, r#""enabled":1"#),
        (r#""position":0"#, r#""position":-1"#),
        (r#""position":0"#, r#""position":4294967296"#),
        (r#""item":{}"#, r#""item":null"#),
        (r#""highest":null"#, r#""highest":[1]"#),
        (r#""count":3"#, r#""count":null"#),
        // Out of bounds.
        (r#""precision":0"#, r#""precision":5"#),
        (r#""precision":0"#, r#""precision":260"#),
        (r#""rateToBase":1"#, r#""rateToBase":0"#),
        (r#""highest":null"#, r#""highest":-1"#),
        (r#""highest":null"#, r#""highest":"x""#),
        (r#""highest":null"#, r#""highest":"0.00000000000001""#),
        (r#""highest":null"#, r#""highest":"1000000000000000.1""#),
        (r#""highest":null"#, r#""highest":null,"available":"x""#),
        (r#""highest":null"#, r#""highest":null,"available":"0.00000000000001""#),
        (r#""highest":null"#, r#""highest":null,"available":"1000000000000000.1""#),
        (r#""highest":null"#, r#""highest":null,"available":"-1000000000000000.1""#),
        (r#""position":0"#, r#""position":1000001"#),
        // Not JSON.
        (r#""highest":null"#, r#""highest":null,"#),
        (r#""highest":null"#, r#""highest":nul"#),
        (r#""highest":null"#, r#"highest:null"#),
        (r#""highest":null"#, r#""highest":01"#),
        (r#""highest":null"#, r#""highest":1.}"#),
        (r#""id":"p""#, "\"id\":\"\n\""),
        (r#""id":"p""#, r#""id":"\x""#),
        (r#""id":"p""#, r#""id":"\ud800""#),
        (r#""id":"p""#, r#""id":"\udc00\ud800""#),
    ] {
        assert!(sound.contains(text), "{text}");
        error(&sound.replacen(text, instead, 1));
    }
    for text in [
        "",
        " ",
        "null",
        "[]",
        "{}",
        "1",
        "\"",
        "{\"profile\"",
        &format!("{sound}{sound}"),
        &format!("{sound},"),
    ] {
        error(text);
    }
    verdict(&format!(" \t\r\n{sound} \n"));
}

#[test]
fn an_error_says_its_position() {
    let sound = case(PROFILE, RULE, BID);
    let two =
        sound.replace(r#""rateToBase":1"#, r#""rateToBase":0"#).replace(r#""amount":5"#, r#""amount":-5"#);
    assert_eq!(
        error(&two),
        "{\"error\":\"profile.rateToBase must be a decimal above 0 and at most 1\u{a0}000\u{a0}000, \
         with at most 6 fraction digits (for more, use a larger unit, such as thousands); \
         rules.0.params.amount must be a decimal above 0 and at most 1\u{a0}000\u{a0}000\u{a0}000\u{a0}000\u{a0}000, \
         with at most 6 fraction digits (for more, use a larger unit, such as thousands)\"}"
    );
    assert_eq!(error(r#"{"profil":{}}"#), r#"{"error":"unknown member profil at byte 1"}"#);
    assert_eq!(error(r#"{"rules":[],"rules":[]}"#), r#"{"error":"duplicate member rules at byte 12"}"#);
    assert_eq!(error(r#"{"rules":[]}"#), r#"{"error":"missing member profile at byte 12"}"#);
    let long = BID.replace('A', &"A".repeat(65));
    assert!(error(&case(PROFILE, RULE, &long)).contains("bid.enteredRepresentation.0.denomination"));
}

#[test]
fn normalized_values_of_a_case_have_13_digits() {
    let tiers = r#""tiers":[{"from":0,"amount":"0.0000000000001"},{"from":"0.0000000000001","amount":1}]"#;
    let rule = RULE.replace(r#""amount":5"#, tiers);
    let sound = case(PROFILE, &rule, BID).replace(r#""highest":null"#, r#""highest":"5.0000000000001""#);
    assert!(verdict(&sound).contains(r#""required":"6.0000000000001""#));
}

#[test]
fn a_suggestion_needs_no_bid() {
    let sound = case(PROFILE, RULE, BID).replace(r#""highest":null"#, r#""highest":4"#);
    let least =
        r#"{"enteredRepresentation":[{"denomination":"A","count":"4"},{"denomination":"B","count":"1"}]}"#;
    assert_eq!(suggest(&sound), least);
    let without = sound.replace(&format!(r#","bid":{BID}"#), "");
    assert_eq!(suggest(&without), least);
    assert!(evaluate(&without).contains("missing member bid"));
    assert!(suggest("{}").starts_with(r#"{"error":"#));
    assert!(verdict(&sound.replace(BID, least)).starts_with(r#"{"accepted":true"#));
}

//! The screen in the hall.

use serde_json::json;

use super::hall::{Expected, Hall};
use crate::harness::{Client, Events};

/// Address of a new screen.
pub async fn open_screen(hall: &Hall) -> String {
    let made = hall.group.keeper.post(&format!("{}/screen", hall.auction), json!({})).await.expect(200);
    format!("/screen/{}", made["screenToken"].as_str().unwrap())
}

/// The text of the screen's page.
pub async fn on_screen(visitor: &Client, screen: &str) -> String {
    let page = visitor.get(screen).await;
    assert_eq!(page.status, 200, "{}", page.text);
    page.text
}

#[tokio::test]
async fn a_screen_shows_the_block_without_sign_in_and_follows_it() {
    let hall = Hall::open(json!({})).await;
    let (screen, visitor) = (open_screen(&hall).await, hall.group.app.anonymous());
    assert!(on_screen(&visitor, &screen).await.contains("We begin shortly"));
    let mut events = Events::open(&visitor, &format!("{screen}/events")).await;
    assert_eq!(events.next().await.unwrap().kind, "change", "at once");
    hall.call("b", &[("call", "BLOCK"), ("lot", "1")]).await.expect_303();
    assert_eq!(events.next().await.unwrap().kind, "change");
    let text = on_screen(&visitor, &screen).await;
    assert!(
        text.contains("A vase") && text.contains("A lamp") && !text.contains("<header class=\"site"),
        "{text}"
    );
    let ada = hall.group.signed_in(&hall.people[0]).await;
    let counts = json!({"enteredRepresentation": [{"denomination": "GALLEON", "count": 2}]});
    ada.post(&format!("{}/items/{}/bids", hall.auction, hall.items[0]), counts).await.expect(201);
    assert_eq!(events.next().await.unwrap().kind, "change");
    let text = on_screen(&visitor, &screen).await;
    assert!(text.contains("Ada (2)"), "{text}");

    // A new secret ends the stream of the one before.
    let newer = open_screen(&hall).await;
    while events.next().await.is_some() {}
    visitor.get(&screen).await.expect_status(404);
    visitor.get(&format!("{screen}/events")).await.expect_status(404);
    on_screen(&visitor, &newer).await;
    hall.group.keeper.delete(&format!("{}/screen", hall.auction)).await.expect(204);
    visitor.get(&newer).await.expect_status(404);
}

#[tokio::test]
async fn a_screen_names_leaders_as_far_as_a_stranger_may_know_them() {
    let (name, number) = ("Ada (2)", "Number 2");
    for (visibility, shown) in
        [("VISIBLE", Some(name)), ("NUMBERS", Some(number)), ("PER_BID", None), ("ANONYMOUS", None)]
    {
        let hall = Hall::open(json!({"bidderVisibility": visibility})).await;
        let (screen, visitor) = (open_screen(&hall).await, hall.group.app.anonymous());
        hall.call("b", &[("call", "BLOCK"), ("lot", "1")]).await.expect_303();
        let sale = [("call", "SOLD"), ("lot", "1"), ("number", "2"), ("price", "1.0.0")];
        hall.call("k", &sale).await.expect_303();
        let text = on_screen(&visitor, &screen).await;
        assert!(text.contains("Sold"), "{visibility}: {text}");
        assert_eq!(text.contains("Ada"), shown == Some(name), "{visibility}: {text}");
        assert_eq!(
            [name, number].into_iter().find(|words| text.contains(words)),
            shown,
            "{visibility}: {text}"
        );
    }
}

#[tokio::test]
async fn a_screen_has_the_way_in_while_people_may_join_by_a_link() {
    let hall = Hall::open(json!({"joinMode": "INVITE_ONLY"})).await;
    let (screen, visitor) = (open_screen(&hall).await, hall.group.app.anonymous());
    let code = "aria-label=\"QR code of the way in\"";
    let text = on_screen(&visitor, &screen).await;
    assert!(!text.contains(code) && !text.contains("Scan to look"), "{text}");

    let set = async |terms| hall.group.keeper.patch(&hall.auction, terms).await.expect(200);
    set(json!({"joinMode": "FREE"})).await;
    let text = on_screen(&visitor, &screen).await;
    let address = format!("{}</span>", hall.auction.trim_start_matches("/api"));
    assert!(text.contains(code) && text.contains(&address), "{text}");

    // A secret link is in the code alone, and a new one changes what the page copies from a newer version.
    set(json!({"joinMode": "LINK"})).await;
    let link = |text: &str| {
        let (_, after) = text.split_once("<span hidden>").unwrap();
        after.split_once('<').unwrap().0.to_owned()
    };
    let text = on_screen(&visitor, &screen).await;
    let before = link(&text);
    assert!(text.contains(code) && before.contains("/join/") && !text.contains(&address), "{text}");
    let page = hall.auction.trim_start_matches("/api");
    hall.group.keeper.post_form(&format!("{page}/members/link"), &[]).await.expect_303();
    assert_ne!(before, link(&on_screen(&visitor, &screen).await));

    hall.group.keeper.post(&format!("{}/close", hall.auction), json!({})).await.expect(200);
    let text = on_screen(&visitor, &screen).await;
    assert!(!text.contains(code), "{text}");
}

#[tokio::test]
async fn a_screen_says_how_far_the_sale_is_and_a_passed_lot_gives_way_to_the_next() {
    let hall = Hall::open(json!({})).await;
    let (screen, visitor) = (open_screen(&hall).await, hall.group.app.anonymous());
    let shows = async |expected: &[&str]| {
        let text = on_screen(&visitor, &screen).await;
        for words in expected {
            assert!(text.contains(words), "{words}: {text}");
        }
        text
    };
    shows(&["screen-place\">2\u{a0}lots<"]).await;
    hall.call("b", &[("call", "BLOCK"), ("lot", "1")]).await.expect_303();
    shows(&["screen-place\">1 of 2\u{a0}lots<", "\"screen-lot\">Lot 1<"]).await;
    hall.call("p", &[("call", "PASSED"), ("lot", "1")]).await.expect_303();
    let text =
        shows(&["screen-place\">1 of 2\u{a0}lots<", "screen-passed", "\"screen-lot\">Next: lot 2<"]).await;
    let (passed, next) = text.split_once("<h1").unwrap();
    assert!(passed.contains("A vase") && passed.contains("<strong>Not sold</strong>"), "{text}");
    assert!(next.contains("A lamp") && !next.contains("<h2>"), "nothing comes after it: {text}");

    // Without a lot that comes next the one on the block stays.
    hall.call("c", &[("call", "BLOCK"), ("lot", "2")]).await.expect_303();
    hall.call("q", &[("call", "PASSED"), ("lot", "2")]).await.expect_303();
    let text = shows(&["screen-place\">2 of 2\u{a0}lots<", "\"screen-lot\">Lot 2<", "Not sold"]).await;
    assert!(!text.contains("screen-passed"), "{text}");
}

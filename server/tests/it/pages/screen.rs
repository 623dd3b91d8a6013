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

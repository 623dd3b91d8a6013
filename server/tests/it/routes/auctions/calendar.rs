//! `GET /api/auctions/{auction_id}/calendar.ics`

use serde_json::json;

use super::items::bids::Sale;

/// The lines of the calendar, unfolded.
fn lines(text: &str) -> Vec<String> {
    assert!(text.ends_with("\r\n"), "{text}");
    for line in text.split("\r\n") {
        assert!(line.len() <= 75 && !line.contains('\n'), "{line}");
    }
    text.replace("\r\n ", "").lines().map(str::to_owned).collect()
}

#[tokio::test]
async fn the_calendar_has_the_ends_of_the_auction_and_of_its_published_items() {
    let terms =
        json!({"name": "Brass; old, and 花瓶 for everyone who comes", "endDate": "2026-06-01T18:00:00Z"});
    let item = json!({"name": "A vase, blue", "currencyCode": "EUR", "endDate": "2026-05-20T18:30:00+02:00"});
    let sale = Sale::open(terms, &[], item).await;
    let with_auction = sale.add_item(json!({"name": "A jug", "currencyCode": "EUR"})).await;
    sale.add_item(json!({"name": "A draft", "currencyCode": "EUR", "isPublished": false})).await;
    let cancelled = sale.add_item(json!({"name": "A mistake", "currencyCode": "EUR"})).await;
    let path = format!("/api/auctions/{}", sale.auction);
    let reason = json!({"reason": "Not ours"});
    sale.owner.post(&format!("{path}/items/{cancelled}/cancel"), reason).await.expect(200);
    let read = async || sale.owner.get(&format!("{path}/calendar.ics")).await;
    let answer = read().await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    assert_eq!(answer.header("content-type"), "text/calendar; charset=utf-8");
    assert_eq!(answer.header("cache-control"), "no-store");
    let found = lines(&answer.text);
    let site = format!("http://{}/auctions/{}", sale.app.address, sale.auction);
    for (id, start, summary, url) in [
        (
            &sale.auction,
            "20260601T180000Z",
            "End of the auction: Brass\\; old\\, and 花瓶 for everyone who comes",
            site.clone(),
        ),
        (
            &sale.item,
            "20260520T163000Z",
            "Bidding ends: lot 1\\, A vase\\, blue",
            format!("{site}/items/{}", sale.item),
        ),
        (
            &with_auction,
            "20260601T180000Z",
            "Bidding ends: lot 2\\, A jug",
            format!("{site}/items/{with_auction}"),
        ),
    ] {
        let at = found.iter().position(|line| *line == format!("UID:{id}")).expect(id);
        let event = &found[at..at + 6];
        assert_eq!(event[1], "DTSTAMP:20260501T180000Z");
        assert_eq!(event[2], format!("DTSTART:{start}"));
        assert_eq!(event[3], "DURATION:PT0S");
        assert_eq!(event[4], format!("SUMMARY:{summary}"));
        assert!(found[at..].contains(&format!("URL:{url}")), "{url}");
    }
    assert_eq!(found.iter().filter(|line| *line == "BEGIN:VEVENT").count(), 3);
    assert!(!answer.text.contains("draft") && !answer.text.contains("mistake"), "{}", answer.text);

    sale.owner.patch(&sale.item_path(), json!({"endDate": "2026-05-21T16:00:00Z"})).await.expect(200);
    let later = lines(&read().await.text);
    let at = later.iter().position(|line| *line == format!("UID:{}", sale.item)).unwrap();
    assert_eq!(later[at + 2], "DTSTART:20260521T160000Z", "the event is the same and moves");
}

#[tokio::test]
async fn the_calendar_is_for_readers_of_the_auction() {
    let sale = Sale::legacy(json!({})).await;
    let path = format!("/api/auctions/{}/calendar.ics", sale.auction);
    let (stranger, visitor) = (sale.app.user("stranger").await, sale.app.anonymous());
    let calendar = stranger.get(&path).await;
    assert_eq!(calendar.status, 200, "{}", calendar.text);
    assert!(!calendar.text.contains("VEVENT"), "nothing has an end");
    visitor.get(&path).await.expect_problem(401, "UNAUTHENTICATED");
    sale.owner.patch(path.trim_end_matches("/calendar.ics"), json!({"joinMode": "LINK"})).await.expect(200);
    stranger.get(&path).await.expect_problem(404, "NOT_FOUND");
    sale.owner
        .patch(path.trim_end_matches("/calendar.ics"), json!({"readableBy": "ANYONE"}))
        .await
        .expect(200);
    for client in [&stranger, &visitor] {
        assert_eq!(client.get(&path).await.status, 200);
    }
}

#[tokio::test]
async fn the_page_of_an_auction_leads_to_its_calendar_if_something_ends() {
    let sale = Sale::legacy(json!({})).await;
    let page = format!("/auctions/{}", sale.auction);
    let link = format!("href=\"/api{page}/calendar.ics\"");
    assert!(!sale.owner.get(&page).await.text.contains(&link));
    sale.owner.patch(&sale.item_path(), json!({"endDate": "2026-05-21T16:00:00Z"})).await.expect(200);
    let text = sale.owner.get(&page).await.text;
    assert!(text.contains(&link), "{text}");
}

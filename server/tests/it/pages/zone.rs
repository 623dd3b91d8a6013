//! Times in the zone of the viewer's browser, which it sends in a cookie.

use serde_json::{Value, json};

use crate::harness::{Answer, Client, PASSWORD, TestApp};
use crate::routes::auctions::auction;
use crate::routes::auctions::items::bids::Sale;

/// A browser in a time zone, signed in.
struct Browser {
    client: Client,
    cookie: String,
}

impl Browser {
    async fn of(app: &TestApp, name: &str, zone: &str) -> Self {
        let client = app.anonymous();
        let body = json!({"email": format!("{name}@example.org"), "password": PASSWORD});
        let signed_in = client.post("/api/auth/login", body).await;
        signed_in.expect(200);
        let session = signed_in.header("set-cookie").split(';').next().unwrap().to_owned();
        Self { client, cookie: format!("{session}; tz={zone}") }
    }

    async fn get(&self, path: &str) -> Answer {
        Answer::of(self.client.request("GET", path).header("cookie", &self.cookie)).await
    }

    async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let request = self.client.request("POST", path).header("cookie", &self.cookie);
        let request = request.header("content-type", "application/x-www-form-urlencoded");
        Answer::of(request.body(serde_urlencoded::to_string(fields).unwrap())).await
    }
}

/// The path of an auction with an item, in the API, and the item's page.
async fn sale(ada: &Client, end: &str) -> (String, String) {
    let path = auction(ada, json!({ "endDate": end })).await;
    let item = json!({"name": "A vase", "currencyCode": "EUR", "isPublished": true});
    let item = ada.post(&format!("{path}/items"), item).await;
    item.expect(201);
    (path, item.header("location").trim_start_matches("/api").to_owned())
}

#[tokio::test]
async fn pages_show_times_in_the_zone_of_the_cookie() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let (path, item) = sale(&ada, "2026-06-01T18:30:00Z").await;
    let page = path.strip_prefix("/api").unwrap();
    for (zone, shown) in [
        ("Europe/Berlin", "1 Jun 2026, 20:30"),
        ("Asia/Kathmandu", "2 Jun 2026, 00:15"),
        ("Etc/UTC", "1 Jun 2026, 18:30 UTC"),
        ("Nowhere/Land", "1 Jun 2026, 18:30 UTC"),
        ("../../etc/passwd", "1 Jun 2026, 18:30 UTC"),
    ] {
        let browser = Browser::of(&app, "ada", zone).await;
        for address in [page, &item, "/auctions"] {
            let answer = browser.get(address).await;
            assert!(answer.text.contains(&format!(">{shown}<")), "{zone} {address}: {}", answer.text);
            assert_eq!(answer.header("cache-control"), "no-store");
        }
        let sessions = browser.get("/account?subject=sessions").await.text;
        let now = if zone == "Europe/Berlin" { "1 May 2026, 20:00<" } else { "1 May 2026, " };
        assert!(sessions.contains(now), "{zone}: {sessions}");
    }
}

#[tokio::test]
async fn a_form_takes_the_time_of_its_own_zone_and_shows_it_again() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    let settings = format!("{}/settings?subject=end", path.strip_prefix("/api").unwrap());
    let browser = Browser::of(&app, "ada", "America/New_York").await;
    let page = browser.get(&settings).await.text;
    assert!(page.contains("In your time zone, America/New York."), "{page}");
    let save = async |local: &str, zone: &str| {
        browser.post(&settings, &[("subject", "end"), ("endDate", local), ("endDate.zone", zone)]).await
    };
    let end = async || ada.get(&path).await.expect(200)["endDate"].clone();

    assert_eq!(save("2026-06-01T18:00", "America/New_York").await.status, 303);
    assert_eq!(end().await, "2026-06-01T22:00:00.000Z");
    assert!(browser.get(&settings).await.text.contains("value=\"2026-06-01T18:00\""));
    // The page was rendered before the journey.
    assert_eq!(save("2026-06-01T18:00", "Europe/Berlin").await.status, 303);
    assert_eq!(end().await, "2026-06-01T16:00:00.000Z");
    assert_eq!(save("2026-06-01T18:00", "Nowhere/Land").await.status, 303);
    assert_eq!(end().await, "2026-06-01T18:00:00.000Z", "UTC");
    assert_eq!(save("", "Europe/Berlin").await.status, 303);
    assert_eq!(end().await, Value::Null);

    for (local, words) in [
        ("soon", "Enter the end as a date and a time, or leave it empty."),
        ("2027-03-28T02:30", "the clocks go forward"),
        ("2026-04-30T10:00", "The end has passed: choose a moment in the future."),
    ] {
        let refused = save(local, "Europe/Berlin").await;
        assert_eq!(refused.status, 422, "{local}");
        for part in [words, &format!("value=\"{local}\""), "In your time zone, Europe/Berlin."] {
            assert!(refused.text.contains(part), "{part}: {}", refused.text);
        }
    }
    assert_eq!(end().await, Value::Null);
}

#[tokio::test]
async fn a_time_that_is_not_changed_stays_to_the_millisecond() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    // The second of the two times that are called 02:30 in Berlin.
    let end = "2026-10-25T01:30:00.789Z";
    let path = auction(&ada, json!({ "endDate": end })).await;
    let settings = format!("{}/settings?subject=end", path.strip_prefix("/api").unwrap());
    let browser = Browser::of(&app, "ada", "Europe/Berlin").await;
    let page = browser.get(&settings).await.text;
    for part in ["value=\"2026-10-25T02:30\"", &format!("value=\"{end}\"")] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(browser.get("/auctions").await.text.contains("25 Oct 2026, 02:30 CET"));
    let fields = [
        ("subject", "end"),
        ("endDate", "2026-10-25T02:30"),
        ("endDate.zone", "Europe/Berlin"),
        ("endDate.shown", end),
    ];
    assert_eq!(browser.post(&settings, &fields).await.status, 303);
    assert_eq!(ada.get(&path).await.expect(200)["endDate"], end);
    let changed = fields
        .map(|(name, value)| if name == "endDate" { (name, "2026-10-25T02:31") } else { (name, value) });
    assert_eq!(browser.post(&settings, &changed).await.status, 303);
    assert_eq!(ada.get(&path).await.expect(200)["endDate"], "2026-10-25T00:31:00.000Z");
}

#[tokio::test]
async fn the_bids_and_the_chart_have_the_zone_of_the_page() {
    let sale = Sale::legacy(json!({"endDate": "2026-06-01T18:30:00Z"})).await;
    let ada = sale.bidder("ada").await;
    for amount in 1..=3 {
        sale.bid(&ada, json!({ "amount": amount })).await.expect(201);
    }
    let browser = Browser::of(&sale.app, "ada", "Europe/Berlin").await;
    let page = browser.get(&format!("/auctions/{}/items/{}", sale.auction, sale.item)).await.text;
    let chart = page.matches("<span class=\"chart-when\">1 May 2026, 20:00<").count();
    assert_eq!((chart, page.matches("title=\"1 May 2026, 20:00\"").count()), (1, 3), "{page}");
}

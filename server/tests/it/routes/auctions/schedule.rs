//! `POST /api/auctions/{auction_id}/schedule`

use serde_json::json;

use super::{auction, wrong_fields};
use crate::harness::{Client, Events, TestApp};

async fn with_items(ada: &Client, terms: serde_json::Value) -> String {
    let path = auction(ada, terms).await;
    for (name, number) in [("third", 30), ("first", 4), ("second", 21)] {
        let item =
            json!({"name": name, "currencyCode": "EUR", "lotNumber": number, "isPublished": name != "third"});
        ada.post(&format!("{path}/items"), item).await.expect(201);
    }
    path
}

#[tokio::test]
async fn items_end_one_after_the_other_in_the_order_of_their_numbers() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = with_items(&ada, json!({"endDate": "2026-05-01T20:00:00Z"})).await;
    let mut events = Events::open(&ada, &format!("{path}/events")).await;
    for _ in 0..3 {
        events.item().await;
    }
    let body = json!({"firstEnd": "2026-05-01T19:00:00Z", "intervalSeconds": 90});
    let answer = ada.post(&format!("{path}/schedule"), body).await.expect(200);
    let ends: Vec<_> =
        answer["items"].as_array().unwrap().iter().map(|item| (&item["name"], &item["endDate"])).collect();
    let expected = [
        (&json!("first"), &json!("2026-05-01T19:00:00.000Z")),
        (&json!("second"), &json!("2026-05-01T19:01:30.000Z")),
        (&json!("third"), &json!("2026-05-01T19:03:00.000Z")),
    ];
    assert_eq!(ends, expected);
    assert_eq!(ada.get(&format!("{path}/items")).await.expect(200)["items"], answer["items"]);
    for _ in 0..3 {
        assert!(events.item().await["endDate"].as_str().unwrap().starts_with("2026-05-01T19:0"));
    }
}

#[tokio::test]
async fn closed_items_keep_their_ends() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = with_items(&ada, json!({})).await;
    let body = json!({"firstEnd": "2026-05-01T18:01:00Z", "intervalSeconds": 60});
    ada.post(&format!("{path}/schedule"), body).await.expect(200);
    app.clock.advance_seconds(60);
    let body = json!({"firstEnd": "2026-05-02T18:00:00Z", "intervalSeconds": 0});
    let answer = ada.post(&format!("{path}/schedule"), body).await.expect(200);
    assert_eq!(answer["items"].as_array().unwrap().len(), 2);
    let items = ada.get(&format!("{path}/items")).await.expect(200);
    let ends: Vec<_> =
        items["items"].as_array().unwrap().iter().map(|item| item["endDate"].clone()).collect();
    assert_eq!(ends, ["2026-05-01T18:01:00.000Z", "2026-05-02T18:00:00.000Z", "2026-05-02T18:00:00.000Z"]);
}

#[tokio::test]
async fn a_schedule_that_no_item_could_have_is_refused() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = with_items(&ada, json!({"endDate": "2026-05-01T20:00:00Z"})).await;
    let past = json!({"firstEnd": "2026-05-01T18:00:00Z", "intervalSeconds": 9});
    assert_eq!(wrong_fields(&ada.post(&format!("{path}/schedule"), past).await), ["firstEnd"], "the past");
    let late = json!({"name": "late", "currencyCode": "EUR", "startsAt": "2026-05-01T19:30:00Z"});
    ada.post(&format!("{path}/items"), late).await.expect(201);
    for (field, body) in [
        ("firstEnd", json!({"intervalSeconds": 0})),
        ("intervalSeconds", json!({"firstEnd": "2026-05-01T19:00:00Z"})),
        ("intervalSeconds", json!({"firstEnd": "2026-05-01T19:00:00Z", "intervalSeconds": 86_401})),
        ("intervalSeconds", json!({"firstEnd": "2026-05-01T19:00:00Z", "intervalSeconds": -1})),
        ("intervalSeconds", json!({"firstEnd": "2026-05-01T19:45:00Z", "intervalSeconds": 301})),
        ("firstEnd", json!({"firstEnd": "2026-05-01T20:00:01Z", "intervalSeconds": 0})),
        ("firstEnd", json!({"firstEnd": "2026-05-01T19:00:00Z", "intervalSeconds": 600})),
        ("firstEnd", json!({"firstEnd": "soon", "intervalSeconds": 0})),
    ] {
        assert_eq!(
            wrong_fields(&ada.post(&format!("{path}/schedule"), body.clone()).await),
            [field],
            "{body}"
        );
    }
    let exact = json!({"firstEnd": "2026-05-01T19:45:00Z", "intervalSeconds": 300});
    ada.post(&format!("{path}/schedule"), exact.clone()).await.expect(200);
    app.clock.set("2026-05-01T20:00:00Z".parse().unwrap());
    let body = json!({"firstEnd": "2026-05-01T20:00:00.001Z", "intervalSeconds": 0});
    assert_eq!(wrong_fields(&ada.post(&format!("{path}/schedule"), body).await), ["firstEnd"]);
    for mode in ["NONE", "AUCTION_END"] {
        let path = with_items(&ada, json!({"itemEndMode": mode})).await;
        let body = json!({"firstEnd": "2026-06-01T19:45:00Z", "intervalSeconds": 300});
        assert_eq!(wrong_fields(&ada.post(&format!("{path}/schedule"), body).await), ["firstEnd"], "{mode}");
    }
    let closed = with_items(&ada, json!({})).await;
    ada.post(&format!("{closed}/close"), json!({})).await.expect(200);
    let body = json!({"firstEnd": "2026-06-01T19:45:00Z", "intervalSeconds": 300});
    ada.post(&format!("{closed}/schedule"), body).await.expect_problem(409, "CLOSED");
}

#[tokio::test]
async fn a_form_without_a_first_end_counts_from_now() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = with_items(&ada, json!({})).await;
    let page = path.strip_prefix("/api").unwrap();
    let form = format!("{page}/settings/schedule");
    for seconds in ["", "0", "soon", "86401"] {
        let refused = ada.post_form(&form, &[("firstEnd", ""), ("intervalSeconds", seconds)]).await;
        assert_eq!(refused.status.as_u16(), 422, "`{seconds}`");
    }
    let done = ada.post_form(&form, &[("firstEnd", ""), ("intervalSeconds", "45")]).await;
    let ends = "from=1777658445000&to=1777658535000";
    assert_eq!(done.header("location"), format!("{page}/settings?subject=schedule&done=scheduled&{ends}"));
    let items = ada.get(&format!("{path}/items")).await.expect(200);
    let ends: Vec<_> =
        items["items"].as_array().unwrap().iter().map(|item| item["endDate"].clone()).collect();
    assert_eq!(ends, ["2026-05-01T18:00:45.000Z", "2026-05-01T18:01:30.000Z", "2026-05-01T18:02:15.000Z"]);
}

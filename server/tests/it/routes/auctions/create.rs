use serde_json::{Value, json};

use super::wrong_fields;
use crate::harness::TestApp;

#[tokio::test]
async fn a_name_is_enough() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let answer = ada.post("/api/auctions", json!({"name": "Spring sale"})).await;
    let made = answer.expect(201);
    let expected = json!({
        "id": made["id"], "name": "Spring sale", "description": "", "joinMode": "INVITE_ONLY",
        "memberCanInvite": false, "bidderVisibility": "VISIBLE", "readableBy": "MEMBERS", "endDate": null, "itemEndMode": "CUSTOM",
        "baseUnit": null, "bookId": null, "groupId": null, "blockItemId": null, "defaultAntiSnipe": false, "defaultAntiSnipeThreshold": 300,
        "defaultAntiSnipeExtension": 300, "currencyCode": null, "goal": null, "collection": "",
        "status": "OPEN", "inviteToken": null, "myRole": "OWNER",
        "createdAt": "2026-05-01T18:00:00.000Z", "updatedAt": "2026-05-01T18:00:00.000Z",
    });
    assert_eq!(made, expected);
    assert_eq!(answer.header("etag"), "\"1\"");
    let found = ada.get(answer.header("location")).await;
    assert_eq!(found.expect(200), made);
    assert_eq!(found.header("etag"), "\"1\"");
}

#[tokio::test]
async fn every_field_is_stored() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let body = json!({
        "name": "é".repeat(200), "description": "d".repeat(10_000), "joinMode": "LINK", "memberCanInvite": true,
        "bidderVisibility": "PER_BID", "readableBy": "ANYONE", "endDate": "2026-06-01T20:00:00+02:00", "itemEndMode": "AUCTION_END",
        "baseUnit": {"name": "Knut", "plural": "Knuts", "symbol": "ʞ"}, "defaultAntiSnipe": true,
        "defaultAntiSnipeThreshold": 5, "defaultAntiSnipeExtension": 5, "currencyCode": "GBP", "goal": "1250.5",
        "collection": "The hall, at 10",
    });
    let made = ada.post("/api/auctions", body.clone()).await.expect(201);
    for (name, value) in body.as_object().unwrap() {
        let expected = if name == "endDate" { &json!("2026-06-01T18:00:00.000Z") } else { value };
        assert_eq!(&made[name], expected, "{name}");
    }
}

#[tokio::test]
async fn all_errors_are_reported_at_once() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let body =
        json!({"description": 1, "joinMode": "X", "endDate": "X", "defaultAntiSnipeExtension": 1, "x": 1});
    let mut wrong = wrong_fields(&ada.post("/api/auctions", body).await);
    wrong.sort();
    assert_eq!(wrong, ["defaultAntiSnipeExtension", "description", "endDate", "joinMode", "name", "x"]);
}

#[tokio::test]
async fn null_is_absent() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let nothing = [
        "description",
        "joinMode",
        "memberCanInvite",
        "bidderVisibility",
        "readableBy",
        "endDate",
        "itemEndMode",
        "baseUnit",
        "defaultAntiSnipe",
        "defaultAntiSnipeThreshold",
        "defaultAntiSnipeExtension",
    ];
    let mut body = json!({"name": "Spring sale"});
    for name in nothing {
        body[name] = Value::Null;
    }
    let made = ada.post("/api/auctions", body).await.expect(201);
    assert_eq!(made["joinMode"], "INVITE_ONLY");
}

#[tokio::test]
async fn the_body_must_be_one_json_object() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    ada.send_text("POST", "/api/auctions", "{").await.expect_problem(400, "MALFORMED_JSON");
    ada.send_text("POST", "/api/auctions", "[]").await.expect_problem(422, "INVALID_BODY");
    ada.send_text("POST", "/api/auctions", r#"{"name": "a", "name": "b"}"#)
        .await
        .expect_problem(422, "INVALID_BODY");
    ada.post_form("/api/auctions", &[("name", "a")]).await.expect_problem(415, "UNSUPPORTED_MEDIA_TYPE");
    let large = json!({"name": "a", "description": "x".repeat(70_000)});
    ada.post("/api/auctions", large).await.expect_problem(413, "TOO_LARGE");
}

#[tokio::test]
async fn an_auction_closes_at_its_end() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = super::auction(&ada, json!({"endDate": "2026-05-01T18:01:00Z"})).await;
    app.clock.advance_seconds(59);
    assert_eq!(ada.get(&path).await.expect(200)["status"], "OPEN");
    app.clock.advance_seconds(1);
    assert_eq!(ada.get(&path).await.expect(200)["status"], "CLOSED");
    assert_eq!(ada.get("/api/auctions").await.expect(200)["auctions"][0]["status"], "CLOSED");
}

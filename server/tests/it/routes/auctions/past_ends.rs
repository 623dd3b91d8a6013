//! An end that has passed is refused wherever an end can be set.

use serde_json::{Value, json};

use super::{auction, wrong_fields};
use crate::harness::TestApp;

const PAST: &str = "2026-05-01T17:59:59Z";
/// What a field for a date and a time submits.
const PAST_IN_A_FORM: &str = "2026-05-01T17:59";

#[tokio::test]
async fn an_end_in_the_past_is_refused_everywhere() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    let item = json!({"name": "A vase", "currencyCode": "EUR"});
    let made = ada.post(&format!("{path}/items"), item).await.expect(201);
    let item = format!("{path}/items/{}", made["id"].as_str().unwrap());
    let name_and_end = json!({"name": "Sale", "endDate": PAST});
    let with_currency = json!({"name": "A jug", "currencyCode": "EUR", "endDate": PAST});
    let schedule = json!({"firstEnd": PAST, "intervalSeconds": 60});
    let requests: [(&str, String, Value, &str); 5] = [
        ("POST", "/api/auctions".to_owned(), name_and_end, "endDate"),
        ("PATCH", path.clone(), json!({"endDate": PAST}), "endDate"),
        ("POST", format!("{path}/items"), with_currency, "endDate"),
        ("PATCH", item.clone(), json!({"endDate": PAST}), "endDate"),
        ("POST", format!("{path}/schedule"), schedule, "firstEnd"),
    ];
    for (method, address, body, field) in requests {
        let answer = ada.send(method, &address, body).await;
        assert_eq!(wrong_fields(&answer), [field], "{method} {address}");
    }
    let page = |path: &str| path.strip_prefix("/api").unwrap().to_owned();
    let forms: [(String, &str, &str); 5] = [
        ("/auctions/new/settings".to_owned(), "endDate", "The end has passed"),
        (format!("{}/settings", page(&path)), "endDate", "The end has passed"),
        (format!("{}/items/new", page(&path)), "endDate", "The end has passed"),
        (format!("{}/edit", page(&item)), "endDate", "The end has passed"),
        (format!("{}/settings/schedule", page(&path)), "firstEnd", "The end of the first item has passed"),
    ];
    for (address, field, message) in forms {
        let common = [("name", "A jug"), ("currencyCode", "EUR"), ("intervalSeconds", "60")];
        let fields: Vec<_> = common.into_iter().chain([(field, PAST_IN_A_FORM)]).collect();
        let answer = ada.post_form(&address, &fields).await;
        assert_eq!(answer.status, 422, "{address}");
        assert!(answer.text.contains(message), "{address}: {}", answer.text);
    }
    assert_eq!(ada.get(&item).await.expect(200)["endDate"], json!(null));
}

//! Parameters of queries that mean nothing.

use serde_json::json;

use crate::harness::TestApp;
use crate::routes::auctions::auction;
use crate::routes::system::settings::claim;

/// Neither a number nor the name of a choice, and no text that can be searched for.
const NONSENSE: &str = "%00abc";

#[tokio::test]
async fn nonsense_in_a_query_is_refused_in_our_words() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    claim(&ada, "ada@example.org").await;
    let path = auction(&ada, json!({})).await;
    let item = json!({"name": "A vase", "currencyCode": "EUR"});
    let item = ada.post(&format!("{path}/items"), item).await.expect(201);
    let book = json!({"name": "Points", "baseUnit": {"name": "Point", "symbol": ""}});
    let book = ada.post("/api/books", book).await.expect(201)["id"].as_str().unwrap().to_owned();
    let group = ada.post("/api/groups", json!({"name": "Class"})).await.expect(201)["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let document = serde_json::to_value(server::router::document()).unwrap();
    let mut asked = 0;
    for (route, operations) in document["paths"].as_object().unwrap() {
        let parameters = operations["get"]["parameters"].as_array().cloned().unwrap_or_default();
        let address = route
            .replace("/api/auctions/{auction_id}", &path)
            .replace("{item_id}", item["id"].as_str().unwrap())
            .replace("{book_id}", &book)
            .replace("{group_id}", &group);
        for parameter in parameters.iter().filter(|parameter| parameter["in"] == "query") {
            let name = parameter["name"].as_str().unwrap();
            let answer = ada.get(&format!("{address}?{name}={NONSENSE}")).await;
            let problem = answer.expect_problem(422, "INVALID_BODY");
            let fields = problem["details"]["fields"].as_array().unwrap();
            assert_eq!((fields.len(), &fields[0]["path"]), (1, &json!(name)), "{address}: {problem}");
            let message = fields[0]["message"].as_str().unwrap();
            assert!(message.starts_with("must "), "{address}: {problem}");
            assert!(!answer.text.to_ascii_lowercase().contains("deserialize"), "{problem}");
            asked += 1;
        }
    }
    assert_eq!(asked, 63, "the parameters of queries in the document");
}

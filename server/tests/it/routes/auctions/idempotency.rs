//! Creating is idempotent: a request that is repeated with its key, or a form that is sent twice, creates one
//! resource.

use serde_json::{Value, json};

use super::{auction, tickets};
use crate::harness::{Answer, Client, TestApp};

async fn keyed(client: &Client, path: &str, key: &str, body: &str) -> Answer {
    let request = client.request("POST", path).header("idempotency-key", key);
    Answer::of(request.header("content-type", "application/json").body(body.to_owned())).await
}

/// The four collections that a user creates in, with a body and how a list of the collection names its
/// members.
fn collections(auction: &str) -> [(String, String, &'static str); 4] {
    let rule = json!({"type": "MIN_INCREMENT", "params": {"amount": 1}});
    [
        ("/api/auctions".to_owned(), json!({"name": "Autumn sale"}).to_string(), "auctions"),
        (format!("{auction}/items"), json!({"name": "A vase", "currencyCode": "EUR"}).to_string(), "items"),
        (format!("{auction}/currency-rules"), rule.to_string(), "rules"),
        (format!("{auction}/currencies"), tickets(json!({})).to_string(), "currencies"),
    ]
}

async fn count(client: &Client, path: &str, list: &str) -> usize {
    client.get(path).await.expect(200)[list].as_array().unwrap().len()
}

#[tokio::test]
async fn a_repeated_request_creates_one_resource_and_gets_the_first_answer() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    for (path, body, list) in collections(&auction(&ada, json!({})).await) {
        let before = count(&ada, &path, list).await;
        let first = keyed(&ada, &path, "k1", &body).await;
        first.expect(201);
        assert_eq!(first.header("idempotent-replayed"), "", "{path}");
        let again = keyed(&ada, &path, "k1", &body).await;
        assert_eq!(again.expect(201), first.json(), "{path}");
        assert_eq!(again.header("idempotent-replayed"), "true", "{path}");
        for name in ["location", "etag"] {
            assert_eq!(again.header(name), first.header(name), "{path} {name}");
        }
        assert_eq!(count(&ada, &path, list).await, before + 1, "{path}");
    }
}

#[tokio::test]
async fn a_key_is_refused_with_another_body_and_when_it_is_invalid() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    for (path, body, list) in collections(&auction(&ada, json!({})).await) {
        keyed(&ada, &path, "k1", &body).await.expect(201);
        let before = count(&ada, &path, list).await;
        let spaced = format!("{body} ");
        // The code of a currency is unique, but the key is checked first.
        keyed(&ada, &path, "k1", &spaced).await.expect_problem(422, "IDEMPOTENCY_KEY_REUSED");
        keyed(&ada, &path, "k1", "{").await.expect_problem(400, "MALFORMED_JSON");
        keyed(&ada, &path, "k1", r#"{"x": 1}"#).await.expect_problem(422, "INVALID_BODY");
        let problem = keyed(&ada, &path, "a b", &body).await.expect_problem(422, "INVALID_BODY");
        assert_eq!(problem["details"]["fields"][0]["path"], "Idempotency-Key", "{path}");
        assert_eq!(count(&ada, &path, list).await, before, "{path}");
    }
}

#[tokio::test]
async fn a_key_counts_within_one_user_and_one_collection_for_three_days() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.user("ada").await, app.user("bob").await);
    let body = json!({"name": "Sale"}).to_string();
    for client in [&ada, &bob] {
        let made = keyed(client, "/api/auctions", "k1", &body).await;
        assert_eq!((made.status.as_u16(), made.header("idempotent-replayed")), (201, ""));
    }
    let [first, second] = [auction(&ada, json!({})).await, auction(&ada, json!({})).await];
    let item = json!({"name": "A vase", "currencyCode": "EUR"}).to_string();
    for path in [first, second] {
        let made = keyed(&ada, &format!("{path}/items"), "k1", &item).await;
        assert_eq!((made.status.as_u16(), made.header("idempotent-replayed")), (201, ""), "{path}");
    }
    for (seconds, replayed) in [(72 * 3600, "true"), (1, "")] {
        app.clock.advance_seconds(seconds);
        let again = keyed(&ada, "/api/auctions", "k1", &body).await;
        assert_eq!((again.status.as_u16(), again.header("idempotent-replayed")), (201, replayed));
    }
}

#[tokio::test]
async fn two_concurrent_requests_create_one_resource() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    for (path, body, list) in collections(&auction(&ada, json!({})).await) {
        let before = count(&ada, &path, list).await;
        let both = tokio::join!(keyed(&ada, &path, "k1", &body), keyed(&ada, &path, "k1", &body));
        let ids: [Value; 2] = [both.0.expect(201)["id"].clone(), both.1.expect(201)["id"].clone()];
        assert_eq!(ids[0], ids[1], "{path}");
        assert_eq!(count(&ada, &path, list).await, before + 1, "{path}");
    }
}

#[tokio::test]
async fn an_item_is_found_by_its_key_after_the_auction_has_changed() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    let items = format!("{path}/items");
    let body = json!({"name": "A vase", "currencyCode": "EUR"}).to_string();
    let first = keyed(&ada, &items, "k1", &body).await.expect(201);
    ada.post(&format!("{path}/currencies"), tickets(json!({}))).await.expect(201);
    assert_eq!(keyed(&ada, &items, "k1", &body).await.expect(201)["id"], first["id"]);
    ada.delete(&format!("{items}/{}", first["id"].as_str().unwrap())).await;
    keyed(&ada, &items, "k1", &body).await.expect_problem(404, "NOT_FOUND");
}

/// A form that creates a resource.
struct CreateForm {
    page: String,
    fields: Vec<(&'static str, &'static str)>,
    /// The address of the collection in the API.
    collection: String,
    /// The member of its answer with the resources.
    list: &'static str,
}

#[tokio::test]
async fn a_form_that_is_sent_twice_creates_one_resource() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({})).await;
    let page = path.strip_prefix("/api").unwrap();
    let forms = [
        CreateForm {
            page: "/auctions/new/settings".to_owned(),
            fields: vec![("name", "Autumn sale")],
            collection: "/api/auctions".to_owned(),
            list: "auctions",
        },
        CreateForm {
            page: format!("{page}/items/new"),
            fields: vec![("name", "A vase"), ("currencyCode", "EUR")],
            collection: format!("{path}/items"),
            list: "items",
        },
        CreateForm {
            page: format!("{page}/currency-rules/new"),
            fields: vec![("type", "MIN_INCREMENT"), ("kind", "amount"), ("params.amount", "1")],
            collection: format!("{path}/currency-rules"),
            list: "rules",
        },
        CreateForm {
            page: format!("{page}/currencies/new"),
            fields: vec![("name", "Tickets"), ("inputMode", "SCALAR"), ("rateToBase", "1")],
            collection: format!("{path}/currencies"),
            list: "currencies",
        },
    ];
    for CreateForm { page: form, mut fields, collection, list } in forms {
        let before = count(&ada, &collection, list).await;
        fields.push(("idempotencyKey", "k1"));
        let first = ada.post_form(&form, &fields).await;
        assert_eq!(first.status.as_u16(), 303, "{form}: {}", first.text);
        let again = ada.post_form(&form, &fields).await;
        assert_eq!((again.status, again.header("location")), (first.status, first.header("location")));
        assert_eq!(count(&ada, &collection, list).await, before + 1, "{form}");
        fields.push(("description", "other"));
        assert_eq!(ada.post_form(&form, &fields).await.status.as_u16(), 422, "{form}");
        assert_eq!(count(&ada, &collection, list).await, before + 1, "{form}");
    }
}

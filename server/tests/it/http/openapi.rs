//! The OpenAPI document and the page that shows it.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};
use server::codes;

use crate::harness::{Answer, TestApp};

#[tokio::test]
async fn the_document_lists_every_code_and_the_refusals_of_each_operation() {
    let app = TestApp::start().await;
    let document = app.anonymous().get("/api/openapi.json").await.expect(200);
    assert_eq!(document["openapi"], "3.1.0");
    let listed = document["components"]["schemas"]["ProblemCode"]["enum"].as_array().unwrap();
    assert_eq!(listed.len(), codes::ALL.len());
    for code in codes::ALL.iter() {
        assert!(listed.iter().any(|known| known == code.as_str()), "{}", code.as_str());
    }
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            let responses = &operation["responses"];
            assert!(responses["4XX"].is_object() && responses["5XX"].is_object(), "{method} {path}");
            assert!(responses["default"].is_null(), "{method} {path}: it would be a success, too");
            assert!(operation["summary"].is_string(), "{method} {path} has a summary");
        }
    }
}

/// A client that has an id from an answer asks with it.
#[test]
fn ids_have_one_format_in_paths_and_in_answers() {
    let document = document();
    let item = &document["components"]["schemas"]["AuctionItem"]["properties"]["id"];
    assert_eq!(item["format"], "uuid");
    for (operation, described) in operations(&document) {
        for parameter in described["parameters"].as_array().into_iter().flatten() {
            let name = parameter["name"].as_str().unwrap();
            if parameter["in"] != "header" && (name.ends_with("_id") || name.ends_with("Id")) {
                assert_eq!(parameter["schema"]["format"], "uuid", "{name} of {operation}");
            }
        }
    }
}

#[test]
fn each_schema_that_the_document_names_is_in_it() {
    let document = server::router::document();
    let schemas = &document.components.as_ref().unwrap().schemas;
    let text = serde_json::to_string(&document).unwrap();
    let named = text.split("\"#/components/schemas/").skip(1).map(|rest| rest.split('"').next().unwrap());
    let missing: Vec<_> = named.filter(|name| !schemas.contains_key(*name)).collect();
    assert_eq!(missing, Vec::<&str>::new());
}

/// The served document as JSON.
fn document() -> Value {
    serde_json::to_value(server::router::document()).unwrap()
}

/// The operations of a document, each with its method and path.
fn operations(document: &Value) -> impl Iterator<Item = (String, &Value)> {
    document["paths"].as_object().unwrap().iter().flat_map(|(path, operations)| {
        let operations = operations.as_object().unwrap().iter();
        operations.map(move |(method, operation)| (format!("{method} {path}"), operation))
    })
}

/// Calls `visit` with each object in `value`, those of the schemas that it refers to included.
fn visit_all<'a>(
    document: &'a Value,
    value: &'a Value,
    seen: &mut BTreeSet<&'a str>,
    visit: &mut impl FnMut(&'a serde_json::Map<String, Value>),
) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| visit_all(document, value, seen, visit)),
        Value::Object(object) => {
            visit(object);
            if let Some(reference) = object.get("$ref").and_then(Value::as_str)
                && seen.insert(reference)
            {
                let target = document.pointer(reference.trim_start_matches('#')).expect(reference);
                visit_all(document, target, seen, visit);
            }
            object.values().for_each(|value| visit_all(document, value, seen, visit));
        }
        _ => {}
    }
}

/// A client that is made from the document sends defaults of members that it was not given: a rename would
/// reset everything else (RFC 7396).
#[test]
fn no_schema_that_a_patch_reaches_has_a_default() {
    let document = document();
    let mut patches = 0;
    for (operation, described) in operations(&document) {
        if !operation.starts_with("patch ") {
            continue;
        }
        patches += 1;
        visit_all(&document, &described["requestBody"], &mut BTreeSet::new(), &mut |object| {
            // A property may have that name: it has a schema then.
            let default = object.get("default").filter(|default| !default.is_object());
            assert_eq!(default, None, "{operation}: {object:?}");
        });
        let content = described["requestBody"]["content"].as_object().unwrap();
        if let Some(body) = content.get("application/merge-patch+json") {
            let name = body["schema"]["$ref"].as_str().expect("a schema with a name");
            let schema = document.pointer(name.trim_start_matches('#')).unwrap();
            // A role is the one member of its patch.
            if schema["properties"].as_object().unwrap().len() > 1 {
                assert_eq!(schema["required"], Value::Null, "{operation}");
            }
        }
    }
    assert!(patches >= 15, "{patches}");
}

#[test]
fn each_response_has_a_description() {
    for (operation, described) in operations(&document()) {
        for (status, response) in described["responses"].as_object().unwrap() {
            let words = response["description"].as_str().unwrap_or_default();
            assert!(!words.is_empty(), "{operation}: {status}");
        }
    }
}

#[test]
fn each_operation_has_a_name_of_its_own() {
    let document = document();
    let mut names = BTreeSet::new();
    for (operation, described) in operations(&document) {
        let name = described["operationId"].as_str().unwrap_or_else(|| panic!("{operation} has no name"));
        assert!(names.insert(name), "{operation}: {name} is that of another operation");
    }
}

#[test]
fn the_document_has_a_server_and_a_scheme_of_sessions_and_no_address_without_a_scheme() {
    let document = document();
    assert_eq!(document["servers"][0]["url"], "/");
    let session = &document["components"]["securitySchemes"]["session"];
    assert_eq!((&session["type"], &session["in"]), (&json!("apiKey"), &json!("cookie")));
    assert_eq!(session["name"], "farthing_session");
    assert_eq!(document["security"], json!([{"session": []}, {}]));
    visit_all(&document, &document, &mut BTreeSet::new(), &mut |object| {
        let docs = object.get("externalDocs").and_then(|docs| docs["url"].as_str());
        assert!(docs.is_none_or(|address| address.contains("://")), "{docs:?}");
    });
}

#[test]
fn files_are_bytes_and_texts_are_texts() {
    for (operation, described) in operations(&document()) {
        let responses = described["responses"].as_object().unwrap().values();
        for body in responses.chain([&described["requestBody"]]) {
            for (kind, content) in body["content"].as_object().into_iter().flatten() {
                let schema = &content["schema"];
                if kind.starts_with("image/") || kind.starts_with("application/vnd.") {
                    assert_eq!(*schema, json!({"type": "string", "format": "binary"}), "{operation}: {kind}");
                }
                if kind.starts_with("text/") {
                    assert_eq!(schema["type"], "string", "{operation}: {kind}");
                }
            }
        }
    }
}

#[test]
fn an_amount_is_entered_as_a_number_or_a_text_and_no_number_is_a_double() {
    let document = document();
    let schemas = &document["components"]["schemas"];
    for (schema, member, is_required) in [
        ("BidBody", "amount", false),
        ("NewHammer", "amount", false),
        ("OutcomeCorrection", "amount", false),
        ("NewMinBidConstraint", "amount", false),
        ("MinBidConstraintPatch", "amount", false),
        ("NewAuctionItem", "startingBid", false),
        ("NewAuctionItem", "minBidIncrement", false),
        ("AuctionItemPatch", "minIncrementNormalized", false),
        ("NewAuctionCurrencyProfile", "rateToBase", true),
        ("NewDenomination", "factor", true),
        ("DenominationEntry", "factor", true),
        ("NewBook", "startingBalance", false),
        ("NewBookEntries", "amount", true),
    ] {
        let kinds = &schemas[schema]["properties"][member]["type"];
        let expected =
            if is_required { json!(["string", "number"]) } else { json!(["string", "number", "null"]) };
        assert_eq!(*kinds, expected, "{schema}.{member}");
    }
    let count = &schemas["BidBody"]["properties"]["enteredRepresentation"]["items"]["properties"]["count"];
    assert_eq!(count["type"], json!(["string", "number"]));
    visit_all(&document, &document, &mut BTreeSet::new(), &mut |object| {
        let format = object.get("format").and_then(Value::as_str);
        assert!(!matches!(format, Some("double" | "float")), "{object:?}");
    });
}

#[test]
fn parameters_and_headers_have_their_bounds() {
    let document = document();
    let (mut limits, mut cursors, mut keys) = (0, 0, 0);
    for (operation, described) in operations(&document) {
        let mut names = BTreeSet::new();
        for parameter in described["parameters"].as_array().into_iter().flatten() {
            let schema = &parameter["schema"];
            let name = (parameter["in"].as_str(), parameter["name"].as_str());
            assert!(names.insert(name), "{operation}: {name:?} twice");
            match parameter["name"].as_str().unwrap() {
                "limit" => {
                    limits += 1;
                    assert_eq!(
                        (&schema["minimum"], &schema["maximum"]),
                        (&json!(1), &json!(100)),
                        "{operation}"
                    );
                }
                "cursor" => {
                    cursors += 1;
                    assert_eq!(schema["minLength"], 1, "{operation}");
                }
                "Idempotency-Key" => {
                    keys += 1;
                    let bounds = (&schema["minLength"], &schema["maxLength"], &schema["pattern"]);
                    assert_eq!(bounds, (&json!(1), &json!(64), &json!("^[!-~]+$")), "{operation}");
                }
                _ => {}
            }
            if parameter["in"] == "header" || parameter["in"] == "path" {
                assert!(schema["type"].is_string(), "{operation}: {parameter} is never null");
            }
        }
    }
    assert!(limits >= 15 && cursors >= 14 && keys >= 17, "{limits} {cursors} {keys}");
}

#[test]
fn the_document_describes_the_headers_for_versions() {
    let document = serde_json::to_value(server::router::document()).unwrap();
    let versioned = ["Auction", "Book", "AuctionItem", "AuctionCurrencyProfile", "AuctionCurrencyRule"];
    let (mut etags, mut preconditions) = (0, 0);
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            for answer in operation["responses"].as_object().unwrap().values() {
                let schema = answer["content"]["application/json"]["schema"]["$ref"].as_str().unwrap_or("");
                if versioned.contains(&schema.rsplit('/').next().unwrap()) {
                    assert!(answer["headers"]["ETag"].is_object(), "{method} {path}");
                    etags += 1;
                }
            }
            // What a member watches is no part of the item, what waits none of the book, and the secret of a
            // screen none of the auction.
            let is_versioned = !["/members/", "/invites/", "/watch", "/holders/", "/waiting/", "/screen"]
                .iter()
                .any(|part| path.contains(part));
            let is_change = method == "patch" || method == "delete";
            let is_resource = ["/api/auctions/", "/api/books/"].iter().any(|start| path.starts_with(start));
            if is_resource && is_versioned && is_change {
                let mut parameters = operation["parameters"].as_array().unwrap().iter();
                assert!(parameters.any(|parameter| parameter["name"] == "If-Match"), "{method} {path}");
                preconditions += 1;
            }
        }
    }
    assert_eq!(
        (etags, preconditions),
        (28, 14),
        "five kinds of resources: created, read and changed; copied, a book joined and with a new link, joined, invited to, with a new link, transferred, \
         closed, cancelled and sold, hammered and put on the block; changed and deleted, with the images of an item"
    );
}

#[test]
fn the_command_prints_the_served_document() {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_farthing")).arg("openapi").output().unwrap();
    assert!(output.status.success());
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(printed, serde_json::to_value(server::router::document()).unwrap());
}

#[tokio::test]
async fn the_page_runs_only_its_own_scripts() {
    let app = TestApp::start().await;
    let page = app.anonymous().get("/api/docs/").await;
    assert_eq!(page.status, 200);
    assert!(page.header("content-security-policy").contains("script-src 'self';"));
    for tag in page.text.split("<script").skip(1) {
        let (tag, content) = tag.split_once('>').unwrap();
        assert!(tag.contains("src=\"./"), "{tag}");
        assert!(content.trim_start().starts_with("</script>"), "{content}");
    }
    let redirect = app.anonymous().get("/api/docs").await;
    assert_eq!((redirect.status.as_u16(), redirect.header("location")), (303, "/api/docs/"));
}

#[tokio::test]
async fn the_files_of_the_page_are_compressed_once_and_sent_again_only_if_they_have_changed() {
    let app = TestApp::start().await;
    let client = app.anonymous();
    for (path, plain) in [("/api/openapi.json", 50_000), ("/api/docs/swagger-ui-bundle.js", 1_000_000)] {
        let mut sizes = Vec::new();
        for (accepted, encoding) in [("gzip, br", "br"), ("gzip", "gzip"), ("identity", "")] {
            let answer =
                client.request("GET", path).header("accept-encoding", accepted).send().await.unwrap();
            let header = |name| answer.headers().get(name).map_or("", |value| value.to_str().unwrap());
            assert_eq!((header("content-encoding"), header("vary")), (encoding, "accept-encoding"), "{path}");
            let tag = header("etag").to_owned();
            sizes.push(answer.bytes().await.unwrap().len());
            let again = client.request("GET", path).header("if-none-match", tag.as_str());
            let again = Answer::of(again).await;
            assert_eq!((again.status.as_u16(), again.text.as_str()), (304, ""), "{path}");
            assert_eq!(again.header("etag"), tag, "{path}");
        }
        assert!(sizes.is_sorted() && sizes[0] * 2 < sizes[2] && sizes[2] > plain, "{path}: {sizes:?}");
    }
    client.get("/api/docs/swagger-ui-es-bundle.js").await.expect_problem(404, "NOT_FOUND");
}

#[tokio::test]
async fn an_address_that_has_loaded_many_files_waits_for_more() {
    let app = TestApp::start_with(|_| {}).await;
    let client = app.anonymous();
    let load = || client.get("/api/docs/swagger-ui-bundle.js");
    for _ in 0..33 {
        assert_eq!(load().await.status, 200);
    }
    let mut next = Box::pin(load());
    assert!(tokio::time::timeout(Duration::from_millis(300), &mut next).await.is_err(), "it waits");
    app.clock.advance_seconds(1);
    assert_eq!(next.await.status, 200);
}

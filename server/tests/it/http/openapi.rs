//! The OpenAPI document and the page that shows it.

use std::time::Duration;

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
            assert!(operation["responses"]["default"].is_object(), "{method} {path}");
            assert!(operation["summary"].is_string(), "{method} {path} has a summary");
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
    let printed: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
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

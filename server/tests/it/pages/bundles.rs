//! What the pages load into the browser.

use serde_json::json;

use crate::harness::{Answer, TestApp};
use crate::routes::auctions::items::bids::Sale;

/// Addresses of the elements `name` that have the attribute.
fn addresses<'a>(page: &'a Answer, name: &str, attribute: &str) -> Vec<&'a str> {
    let elements = page.text.split(name).skip(1).filter_map(|rest| rest.split('>').next());
    let elements = elements.filter(|element| element.contains(attribute));
    elements.filter_map(|element| element.split("/pkg/").nth(1)?.split('"').next()).collect()
}

/// The bundles, without the scripts of the page.
fn modules(page: &Answer) -> Vec<&str> {
    let mut modules = addresses(page, "<script", "type=\"module\"");
    modules.retain(|name| {
        ["bid", "follow", "bench", "clerk", "draw"].iter().any(|bundle| name.starts_with(bundle))
    });
    modules
}

/// What is preloaded besides the font of every page.
fn preloaded(page: &Answer) -> Vec<&str> {
    let mut preloaded = addresses(page, "<link", "rel=\"preload\"");
    preloaded.retain(|name| !name.starts_with("serif"));
    preloaded
}

fn assert_loads(page: &Answer, bundle: &str) {
    assert!(page.text.contains("<leptos-island"), "{}", page.text);
    let (modules, preloaded) = (modules(page), preloaded(page));
    let ([module], [wasm]) = (modules.as_slice(), preloaded.as_slice()) else {
        panic!("{modules:?} {preloaded:?}");
    };
    assert!(module.starts_with(bundle), "{module}");
    assert_eq!(module.trim_end_matches(".js"), wasm.trim_end_matches("_bg.wasm"));
}

fn assert_loads_nothing(page: &Answer) {
    assert!(!page.text.contains("<leptos-island"), "{}", page.text);
    assert_eq!((modules(page), preloaded(page)), (vec![], vec![]));
}

#[tokio::test]
async fn a_page_without_an_island_loads_no_bundle() {
    let sale = Sale::legacy(json!({})).await;
    for path in ["/sign-in", "/register", "/nope"] {
        assert_loads_nothing(&sale.app.anonymous().get(path).await);
    }
    let auction = format!("/auctions/{}", sale.auction);
    let item = format!("{auction}/items/{}", sale.item);
    for path in
        ["/account", "/auctions", "/auctions/new", &format!("{auction}/currencies"), &format!("{item}/bids")]
    {
        assert_loads_nothing(&sale.owner.get(path).await);
    }
    sale.owner.post_form("/admin/claim", &[]).await;
    assert_loads_nothing(&sale.owner.get("/admin").await);
}

#[tokio::test]
async fn a_page_with_an_island_loads_its_bundle_once() {
    let currency =
        json!({"name": "Points", "code": "POINT", "inputMode": "SCALAR", "rateToBase": 1, "precision": 0});
    let sale = Sale::open(json!({"endDate": "2126-11-24T12:00:00Z"}), &[currency], json!({})).await;
    let auction = format!("/auctions/{}", sale.auction);
    // The list has two countdowns.
    let another = json!({"name": "Autumn sale", "endDate": "2126-11-24T12:00:00Z"});
    sale.owner.post("/api/auctions", another).await.expect(201);
    assert_loads(&sale.app.anonymous().get("/").await, "bench");
    assert_loads(&sale.app.anonymous().get("/draw").await, "draw");
    assert_loads(&sale.owner.get("/auctions").await, "follow");
    assert_loads(&sale.owner.get(&auction).await, "follow");
    assert_loads(&sale.owner.get(&format!("{auction}/items/{}", sale.item)).await, "bid");
    assert_loads(&sale.owner.get(&format!("{auction}/currencies")).await, "bench");
}

#[tokio::test]
async fn only_scripts_carry_the_nonce() {
    let page = TestApp::start().await.anonymous().get("/").await;
    let (_, policy) = page.header("content-security-policy").split_once("'nonce-").unwrap();
    let nonce = policy.split('\'').next().unwrap();
    let scripts = page.text.matches("<script").count() + page.text.matches("rel=\"modulepreload\"").count();
    assert_eq!(page.text.matches(nonce).count(), scripts, "{}", page.text);
    assert!(page.text.contains("crossorigin=\"\""), "{}", page.text);
}

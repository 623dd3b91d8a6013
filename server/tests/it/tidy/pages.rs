//! Every page is routed by the server and visited by the browser test.

use std::collections::BTreeSet;

use super::router::routes;
use super::source::{all, item_length, read};

/// The path patterns of all pages, from the list in `app/src/routes.rs`.
fn pages() -> BTreeSet<String> {
    let source = all().iter().find(|source| source.path == "app/src/routes.rs").expect("the list of pages");
    let start = source.code.find("\npages! {").expect("the list `pages!`");
    let list = start..start + item_length(&source.code[start..]);
    let paths = source.strings.iter().filter(|piece| list.contains(&piece.offset));
    paths.map(|piece| piece.text.clone()).collect()
}

#[test]
fn the_server_routes_every_page() {
    let routed: BTreeSet<String> = routes()
        .iter()
        .filter(|route| route.is_page)
        .map(|route| route.path.replace('{', ":").replace('}', ""))
        .collect();
    assert_eq!(routed, pages(), "server/src/router.rs (left) routes the pages of app/src/routes.rs (right)");
}

#[test]
fn the_browser_test_visits_every_page() {
    let test = read("end2end/tests/pages.spec.ts");
    let visited: BTreeSet<String> =
        test.split("route: '").skip(1).map(|rest| rest.split('\'').next().unwrap_or("").to_owned()).collect();
    assert_eq!(
        visited,
        pages(),
        "end2end/tests/pages.spec.ts (left) visits the pages of app/src/routes.rs (right)"
    );
}

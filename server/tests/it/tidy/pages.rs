//! Every page is visited by the browser test.

use std::collections::BTreeSet;

use super::router::routes;
use super::source::read;

#[test]
fn the_browser_test_visits_every_page() {
    let pages: BTreeSet<String> = routes()
        .into_iter()
        .filter(|route| route.is_page)
        .map(|route| route.path.replace('{', ":").replace('}', ""))
        .collect();
    let test = read("end2end/fixtures/page_visits.ts");
    let visited: BTreeSet<String> =
        test.split("route: '").skip(1).map(|rest| rest.split('\'').next().unwrap_or("").to_owned()).collect();
    assert_eq!(
        visited, pages,
        "end2end/fixtures/page_visits.ts (left) visits the pages of server/src/router/pages.rs (right)"
    );
}

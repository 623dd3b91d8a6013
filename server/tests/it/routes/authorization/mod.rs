//! Every API operation, page and form, requested by every kind of caller. A route without a row in the table
//! fails its test, and so does a row without its route.

mod callers;
mod connection_threads;
mod cursors;
mod form_words;
mod kept_pages;
mod record;
mod table;

use std::collections::BTreeSet;

use crate::tidy::router;
use callers::{CALLERS, Callers};
use table::{API, Columns, PAGES, PUBLIC, PUBLIC_TO_SIGNED_IN, of_managed};

/// The answer of a route with respect to authorization.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Answered {
    /// Any other answer: the caller is authorized.
    Allowed,
    /// 403
    Forbidden,
    /// 404: the resource is hidden from the caller.
    Hidden,
    /// 401; on a page, a redirect to the page “Sign in”.
    SignIn,
    /// 303 from a form to its page, which shows the reason of the refusal.
    Back,
}

#[tokio::test]
async fn every_api_operation_answers_each_caller_as_the_table_says() {
    let document = serde_json::to_value(server::router::document()).unwrap();
    let paths = document["paths"].as_object().unwrap().iter();
    let operations = paths.flat_map(|(path, methods)| {
        methods.as_object().unwrap().keys().map(move |method| (method.clone(), path.clone()))
    });
    assert_eq!(operations.collect::<BTreeSet<_>>(), routes_of(API));
    check(API).await;
}

#[tokio::test]
async fn every_page_and_form_answers_each_caller_as_the_table_says() {
    let mut routes = BTreeSet::new();
    for route in router::routes() {
        routes.extend(route.is_page.then(|| ("get".to_owned(), route.path.to_owned())));
        routes.extend(route.is_form.then(|| ("post".to_owned(), route.path.to_owned())));
    }
    assert_eq!(routes, routes_of(PAGES));
    check(PAGES).await;
}

/// Outsiders read what the table lists, and nothing else. A change is refused as before; a signed-in user may
/// be told that it is forbidden.
#[tokio::test]
async fn an_auction_that_anyone_may_read_is_read_and_not_changed_by_outsiders() {
    let mut callers = Callers::start().await;
    callers.let_anyone_read().await;
    let mut failures = Vec::new();
    for (method, path, columns) in API.iter().chain(PAGES).filter(|row| row.1.contains("{auction_id}")) {
        let is_read = *method == "get" && PUBLIC.contains(path);
        let anonymous = if is_read { Answered::Allowed } else { columns[0] };
        let is_read_signed_in = is_read || *method == "get" && PUBLIC_TO_SIGNED_IN.contains(path);
        let elsewhere: &[Answered] =
            if is_read_signed_in { &[Answered::Allowed] } else { &[Answered::Forbidden, Answered::Hidden] };
        for (caller, expected) in [&[anonymous][..], elsewhere].into_iter().enumerate() {
            let (answered, status) = callers.request(caller, method, path).await;
            if !expected.contains(&answered) {
                let name = CALLERS[caller];
                failures.push(format!("{method} {path} as {name}: {answered:?} ({status})"));
            }
        }
    }
    assert!(failures.is_empty(), "\n{}\n", failures.join("\n"));
}

/// An id counts in its own auction only, whatever the role is there.
#[tokio::test]
async fn ids_of_one_auction_lead_nowhere_in_another() {
    let callers = Callers::start().await;
    let parts =
        ["{currency_id}", "{rule_id}", "{item_id}", "{image_id}", "{user_id}", "{invite_id}", "{import_id}"];
    let mut failures = Vec::new();
    for (method, path, _) in API.iter().chain(PAGES) {
        if path.contains("{auction_id}") && parts.iter().any(|part| path.contains(part)) {
            let (answered, status) = callers.request_across(method, path).await;
            if answered != Answered::Hidden {
                failures.push(format!("{method} {path}: {answered:?} ({status})"));
            }
        }
    }
    assert!(failures.is_empty(), "\n{}\n", failures.join("\n"));
}

fn routes_of(table: &[(&str, &str, Columns)]) -> BTreeSet<(String, String)> {
    table.iter().map(|(method, path, _)| (method.to_string(), path.to_string())).collect()
}

/// Sends the request of each row as each caller and compares all answers with the table.
async fn check(table: &[(&str, &str, Columns)]) {
    let mut callers = Callers::start().await;
    let mut failures = Vec::new();
    for (method, path, columns) in table {
        let managed = of_managed(method, path, columns);
        for (caller, expected) in columns.iter().copied().chain([managed]).enumerate() {
            let (answered, status) = callers.request(caller, method, path).await;
            let is_back_to_a_page = expected == Answered::Allowed && answered == Answered::Back;
            if answered != expected && !is_back_to_a_page {
                let name = CALLERS[caller];
                failures.push(format!(
                    "{method} {path} as {name}: {answered:?} ({status}), expected {expected:?}"
                ));
            }
        }
    }
    assert!(failures.is_empty(), "\n{}\n", failures.join("\n"));
}

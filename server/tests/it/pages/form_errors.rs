//! The errors of every form are sentences for people: one for a field, and none with a name of the API.

use std::collections::{BTreeMap, BTreeSet};

use installation::config::Switch;
use serde_json::json;

use crate::harness::{Answer, Client, TestApp};
use crate::routes::auctions::{auction, invite, join, tickets, user_id, wizards};
use crate::routes::auth::reset_password::link_for;
use crate::routes::system::settings::claim;
use crate::tidy::router::{Route, routes};

const NONSENSE: &str = "?!";
/// Characters of a text that is too long for every field: of one line, of several lines.
const TOO_LONG: (usize, usize) = (600, 20_000);

/// A user with an auction, and what the paths of its forms need.
struct Target {
    client: Client,
    ids: BTreeMap<&'static str, String>,
}

impl Target {
    /// A legacy auction has no currencies and no rules.
    async fn new(app: &TestApp, member: &Client, number: usize, is_legacy: bool) -> Self {
        let name = format!("user{number}");
        let client = app.user(&name).await;
        let path = auction(&client, json!({"joinMode": "FREE"})).await;
        join(member, &path).await;
        let mut ids = BTreeMap::new();
        let create = async |list: &str, body| {
            client.post(&format!("{path}/{list}"), body).await.expect(201)["id"].as_str().unwrap().to_owned()
        };
        let mut item = json!({"name": "A vase", "isPublished": true});
        if is_legacy {
            item["currencyCode"] = json!("EUR");
        } else {
            ids.insert("{currency_id}", create("currencies", wizards(json!({}))).await);
            create("currencies", tickets(json!({}))).await;
            let rule = json!({"type": "STEP", "params": {"step": 1}});
            ids.insert("{rule_id}", create("currency-rules", rule).await);
        }
        ids.insert("{item_id}", create("items", item).await);
        ids.insert("{auction_id}", path.rsplit('/').next().unwrap().to_owned());
        ids.insert("{user_id}", user_id(&client).await);
        let sessions = client.get("/api/user/sessions").await.expect(200);
        ids.insert("{session_id}", sessions["sessions"][0]["id"].as_str().unwrap().to_owned());
        let sent = invite(&client, &path, "nobody@example.org", "BIDDER").await;
        ids.insert("{invite_id}", sent["id"].as_str().unwrap().to_owned());
        ids.insert("{token}", sent["token"].as_str().unwrap().to_owned());
        ids.insert("{sequence}", "1".to_owned());
        let book =
            json!({"name": "Class 4b", "baseUnit": {"name": "Ticket", "symbol": ""}, "startingBalance": 3});
        let book = client.post("/api/books", book).await.expect(201)["id"].as_str().unwrap().to_owned();
        crate::routes::books::add(&client, &format!("/api/books/{book}"), member).await;
        ids.insert("{book_id}", book);
        Self { client, ids }
    }

    /// The path of a route. `None` if the auction has none of what it needs.
    fn path(&self, route: &Route) -> Option<String> {
        let filled = self.ids.iter().fold(route.path.to_owned(), |path, (name, id)| path.replace(name, id));
        (!filled.contains('{')).then_some(filled)
    }
}

/// An element of a form.
struct Element {
    tag: String,
    attributes: BTreeMap<String, String>,
}

impl Element {
    fn get(&self, name: &str) -> &str {
        self.attributes.get(name).map_or("", String::as_str)
    }
}

/// The start tags of a page.
fn elements(page: &str) -> Vec<Element> {
    let tags = page.split('<').skip(1).filter_map(|rest| rest.split_once('>')).map(|(tag, _)| tag);
    let element = |text: &str| {
        let (tag, rest) = text.split_once(' ').unwrap_or((text, ""));
        let mut attributes = BTreeMap::new();
        let mut parts = rest.split("=\"");
        let mut name = parts.next().unwrap_or("").to_owned();
        for part in parts {
            let (value, next) = part.split_once('"').unwrap_or((part, ""));
            attributes.insert(name.rsplit(' ').next().unwrap().to_owned(), value.to_owned());
            name = next.trim_start().to_owned();
        }
        Element { tag: tag.to_owned(), attributes }
    };
    tags.map(element).collect()
}

/// What is posted: no values, nonsense in every field, nonsense in every text field with each of the choices,
/// and texts that are too long. A browser always sends the hidden fields.
fn posts(page: &str) -> Vec<Vec<(String, String)>> {
    let elements = elements(page);
    let fields = || elements.iter().filter(|element| !element.get("name").is_empty());
    let is = |element: &Element, kind: &str| element.tag == "input" && element.get("type") == kind;
    let (mut empty, mut nonsense) = (Vec::new(), Vec::new());
    let (mut all_nonsense, mut too_long) = (Vec::new(), Vec::new());
    for field in fields().filter(|field| matches!(field.tag.as_str(), "input" | "textarea" | "select")) {
        let name = field.get("name").to_owned();
        if is(field, "hidden") {
            empty.push((name.clone(), field.get("value").to_owned()));
            nonsense.push((name.clone(), field.get("value").to_owned()));
            too_long.push((name.clone(), field.get("value").to_owned()));
            all_nonsense.push((name, field.get("value").to_owned()));
        } else if is(field, "radio") || is(field, "checkbox") {
            all_nonsense.push((name, NONSENSE.to_owned()));
        } else {
            let value = if field.tag == "select" { "" } else { NONSENSE };
            empty.push((name.clone(), String::new()));
            nonsense.push((name.clone(), value.to_owned()));
            let chars = if field.tag == "textarea" { TOO_LONG.1 } else { TOO_LONG.0 };
            too_long.push((name.clone(), "x".repeat(chars)));
            all_nonsense.push((name, NONSENSE.to_owned()));
        }
    }
    let choices: BTreeSet<_> = fields()
        .filter(|field| is(field, "radio"))
        .map(|field| (field.get("name").to_owned(), field.get("value").to_owned()))
        .collect();
    let with_choice = choices.into_iter().map(|choice| {
        let mut fields = nonsense.clone();
        fields.push(choice);
        fields
    });
    let mut posts: Vec<_> = with_choice.collect();
    posts.extend([empty, nonsense, all_nonsense, too_long]);
    posts
}

/// The texts between `start`, the end of its tag, and `end`.
fn texts<'a>(page: &'a str, start: &str, end: &str) -> Vec<&'a str> {
    let found = page.split(start).skip(1).filter_map(|rest| rest.split_once('>')?.1.split_once(end));
    found.map(|(text, _)| text).collect()
}

/// What is wrong with the errors of a page.
fn complaints(page: &str) -> Vec<String> {
    let summary = texts(page, "class=\"error-summary\"", "</div>").concat();
    let mut messages = texts(page, "class=\"field-error\"", "</p>");
    messages.extend(texts(&summary, "<a href=\"#field-", "</a>"));
    messages.extend(texts(&summary, "class=\"error-summary-title\"", "</p>"));
    let is_of_the_api = |text: &str| {
        // Names of products are no members of the API.
        let letters: Vec<char> = text.replace("PostgreSQL", "").replace("SQLite", "").chars().collect();
        let is_camel_case = |pair: &[char]| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase();
        letters.windows(2).any(is_camel_case)
            || text.to_ascii_lowercase().contains("normalized")
            || text.contains('`')
    };
    let mut complaints: Vec<_> = messages
        .iter()
        .filter(|text| is_of_the_api(text) || text.contains("part of this form"))
        .map(|text| format!("“{text}”"))
        .collect();
    let mut seen = BTreeSet::new();
    for link in summary.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
        if !seen.insert(link.to_owned()) {
            complaints.push(format!("two messages for {link}"));
        }
        if !page.contains(&format!("id=\"{link}\"")) {
            complaints.push(format!("{link} is not on the page"));
        }
    }
    complaints
}

#[tokio::test]
async fn no_error_of_a_form_names_a_member_of_the_api() {
    let app = TestApp::start_with(|settings| {
        settings.rate_limits = Switch::Off;
        // Not a checkout: an update that is started fails in its first step.
        settings.install_dir = settings.data_dir.clone();
    })
    .await;
    let admin = app.user("admin").await;
    claim(&admin, "admin@example.org").await;
    let link = format!("/reset-password/{}", link_for(&admin, &app.user("forgetful").await).await);
    let (mut number, mut complained, mut with_errors) = (0, Vec::new(), BTreeSet::new());
    for is_legacy in [false, true] {
        number += 1;
        let mut target = Target::new(&app, &admin, number, is_legacy).await;
        for route in routes().into_iter().filter(|route| route.is_form) {
            let kinds: &[&str] = match route.path.rsplit_once("/currency-rules/") {
                Some((_, "new")) => &[
                    "?type=MIN_INCREMENT",
                    "?type=STEP",
                    "?type=MIN_COMPONENT_RATIO",
                    "?type=REQUIRED_DENOMINATION",
                ],
                _ if route.path == "/auctions/{auction_id}/settings" => {
                    &["?subject=about", "?subject=people", "?subject=end", "?subject=money"]
                }
                _ if route.path.ends_with("/currencies/new") => &["?template=galleons", "?template=own"],
                _ => &[""],
            };
            for kind in kinds {
                if target.path(&route).is_none() {
                    continue;
                }
                let anonymous = app.anonymous();
                let is_of_visitors =
                    ["/register", "/sign-in", "/reset-password/{token}"].contains(&route.path);
                let mut at = 0;
                loop {
                    let client = match route.path {
                        _ if is_of_visitors => &anonymous,
                        path if path.starts_with("/admin") => &admin,
                        _ => &target.client,
                    };
                    let action = match route.path {
                        "/reset-password/{token}" => link.clone(),
                        _ => format!("{}{kind}", target.path(&route).unwrap()),
                    };
                    let shown = client.get(&action).await;
                    let shown = match shown.status.as_u16() {
                        303 => client.get(shown.header("location")).await,
                        _ => shown,
                    };
                    // The name of a backup has the second in which it was made.
                    app.clock.advance_seconds(1);
                    let posts = posts(&shown.text);
                    let Some(post) = posts.get(at) else { break };
                    at += 1;
                    let post: Vec<_> =
                        post.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
                    let answer: Answer = client.post_form(&action, &post).await;
                    if answer.text.contains("class=\"error-summary\"") {
                        with_errors.insert(route.path);
                    }
                    for complaint in complaints(&answer.text) {
                        let values =
                            post.iter().map(|(name, value)| (name, value.get(..20).unwrap_or(value)));
                        let post: Vec<_> = values.collect();
                        complained.push(format!("{} {post:?}: {complaint}", route.path));
                    }
                    if answer.status.as_u16() < 400 {
                        number += 1;
                        target = Target::new(&app, &admin, number, is_legacy).await;
                    }
                }
            }
        }
    }
    assert!(complained.is_empty(), "{}", complained.join("\n"));
    assert!(with_errors.len() >= 25, "{with_errors:?}");
}

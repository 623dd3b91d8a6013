//! The forms of pages: every field has words for its errors, and a form that creates something has a key.

use std::collections::BTreeSet;

use app::bounds::MAX_USER_NAME_CHARS;
use app::model::{FieldProblem, Refused};
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::StatusCode;
use serde_json::json;
use server::pages::redraw::RefusedForm;
use tower::ServiceExt;

use super::callers::Callers;
use super::table::PAGES;
use crate::harness::TestApp;
use crate::routes::auctions::auction;

/// Pages without a user.
const SIGNED_OUT: &[&str] =
    &["/register", "/sign-in", "/sign-in/code", "/forgot-password", "/go", "/reset-password/{token}"];

/// Pages whose forms create something.
const CREATING: &[&str] = &[
    "/auctions/new",
    "/auctions/new/settings",
    "/auctions/{auction_id}/items/add",
    "/auctions/{auction_id}/items/new",
    "/auctions/{auction_id}/currencies/new?template=own",
    "/auctions/{auction_id}/currency-rules/new?type=MIN_INCREMENT",
];

/// Pages that differ by their query.
const SUBJECTS: &[&str] = &[
    "/account?subject=profile",
    "/account?subject=preferences",
    "/account?subject=email",
    "/account?subject=password",
    "/account?subject=delete",
    "/auctions/{auction_id}/settings?subject=about",
    "/auctions/{auction_id}/settings?subject=people",
    "/auctions/{auction_id}/settings?subject=end",
    "/auctions/{auction_id}/settings?subject=money",
    "/auctions/{auction_id}/settings?subject=schedule",
    "/auctions/{auction_id}/settings?subject=copy",
    "/auctions/{auction_id}/settings?subject=delete",
    "/auctions/{auction_id}/currency-rules/new?type=STEP",
    "/auctions/{auction_id}/currency-rules/new?type=MAX_INCREMENT",
    "/auctions/{auction_id}/currency-rules/new?type=MAX_BID",
    "/auctions/{auction_id}/currency-rules/new?type=MIN_COMPONENT_RATIO",
    "/auctions/{auction_id}/currency-rules/new?type=REQUIRED_DENOMINATION",
    "/books/{book_id}/runs?kind=SHARE&auctionId=AMOUNT&amount=1&to=ALL",
    "/books/{book_id}/runs?kind=DECAY&percent=10",
];

/// Fields of rows and of buttons, whose refusals are sentences of their own.
const WITHOUT_WORDS: &[(&str, &str)] = &[
    ("/groups/{group_id}", "number"),
    ("/auctions/{auction_id}/items/{item_id}", "reason"),
    ("/books/{book_id}", "role"),
];

/// The pages of the owner of an auction.
struct Pages {
    callers: Callers,
    cookie: String,
}

impl Pages {
    async fn new() -> Self {
        let callers = Callers::start().await;
        let cookie = callers.cookie_of_owner().await;
        Self { callers, cookie }
    }

    async fn page(&self, path: &str) -> String {
        self.refused(path, None).await
    }

    /// HTML of the page with a form that was refused.
    async fn refused(&self, path: &str, refused: Option<Refused>) -> String {
        let cookie = if SIGNED_OUT.contains(&path) { "" } else { &self.cookie };
        let request = Request::get(self.callers.fill(path)).header("host", "localhost");
        let mut request = request.header("cookie", cookie).body(Body::empty()).unwrap();
        if let Some(shown) = refused {
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            request.extensions_mut().insert(RefusedForm { status, needs_sign_in: false, shown });
        }
        let response = self.callers.site().oneshot(request).await.unwrap();
        String::from_utf8(to_bytes(response.into_body(), usize::MAX).await.unwrap().to_vec()).unwrap()
    }
}

/// The values of the hidden fields of this name.
fn hidden(html: &str, name: &str) -> Vec<String> {
    let start = format!("<input type=\"hidden\" name=\"{name}\" value=\"");
    let values = html.split(&start).skip(1).filter_map(|rest| rest.split('"').next());
    values.map(str::to_owned).collect()
}

/// The names of the fields of the forms that are posted, without hidden ones and boxes.
fn posted_fields(html: &str) -> BTreeSet<String> {
    let forms = html.split("<form").skip(1).filter_map(|rest| rest.split("</form>").next());
    let posted =
        forms.filter(|form| form.split('>').next().is_some_and(|tag| tag.contains("method=\"post\"")));
    let tags = posted.flat_map(|form| form.split('<').skip(1).filter_map(|rest| rest.split('>').next()));
    let is_field = |tag: &&str| {
        let is_input = ["input", "select", "textarea"].iter().any(|name| tag.starts_with(name));
        is_input && !tag.contains("type=\"hidden\"") && !tag.contains("type=\"checkbox\"")
    };
    let names = tags.filter(is_field).filter_map(|tag| tag.split(" name=\"").nth(1)?.split('"').next());
    names.map(str::to_owned).collect()
}

#[tokio::test]
async fn every_field_of_a_form_has_words() {
    let pages = Pages::new().await;
    let table = PAGES.iter().filter(|(method, ..)| *method == "get").map(|(_, path, _)| *path);
    let (mut seen, mut wordless) = (BTreeSet::new(), Vec::new());
    for path in table.chain(CREATING.iter().copied()).chain(SUBJECTS.iter().copied()) {
        for field in posted_fields(&pages.page(path).await) {
            let fields = vec![(field.clone(), FieldProblem::Missing)];
            let html = pages.refused(path, Some(Refused { fields, ..Refused::default() })).await;
            let has_words = html.contains("error-summary") && !html.contains("part of this form");
            if has_words == WITHOUT_WORDS.contains(&(path, field.as_str())) {
                wordless.push(format!("{path}: {field}"));
            }
            seen.insert(field);
        }
    }
    assert!(wordless.is_empty(), "\n{}\n", wordless.join("\n"));
    assert!(seen.len() >= 60, "{seen:?}");
}

#[tokio::test]
async fn a_form_that_creates_something_keeps_its_key() {
    let pages = Pages::new().await;
    for path in CREATING {
        let new = hidden(&pages.page(path).await, "idempotencyKey");
        assert!(new.len() == 1 && !new[0].is_empty(), "{path}: {new:?}");
        let refused = |name: &str, value: &str| {
            let values = vec![(name.to_owned(), value.to_owned())];
            Some(Refused { values, ..Refused::default() })
        };
        let kept = pages.refused(path, refused("idempotencyKey", "submitted")).await;
        assert_eq!(hidden(&kept, "idempotencyKey"), ["submitted"], "{path}");
        let without = hidden(&pages.refused(path, refused("name", "")).await, "idempotencyKey");
        assert!(without.len() == 1 && !without[0].is_empty(), "{path}: {without:?}");
    }
}

#[tokio::test]
async fn a_form_that_changes_something_has_a_version_and_no_key() {
    let pages = Pages::new().await;
    let html = pages.page("/auctions/{auction_id}/currencies/{currency_id}").await;
    assert_eq!(hidden(&html, "version"), ["1"]);
    assert!(hidden(&html, "idempotencyKey").is_empty());
}

#[tokio::test]
async fn the_form_of_a_rule_has_the_fields_of_its_parameters() {
    let pages = Pages::new().await;
    for (kind, parameters) in [
        ("MIN_COMPONENT_RATIO", &["denomination", "minPercent"][..]),
        ("REQUIRED_DENOMINATION", &["denomination", "minCount"]),
        ("MIN_INCREMENT", &["amount", "percent", "tiers.0.from", "tiers.0.amount"]),
        ("STEP", &["step", "tiers.0.from", "tiers.0.step"]),
    ] {
        let html = pages.page(&format!("/auctions/{{auction_id}}/currency-rules/new?type={kind}")).await;
        for parameter in parameters {
            assert!(html.contains(&format!(" name=\"params.{parameter}\"")), "{kind} {parameter}: {html}");
        }
    }
}

#[tokio::test]
async fn the_same_name_has_the_words_of_its_form() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let registration = app.anonymous().post_form("/register", &[("name", "")]).await.text;
    assert!(registration.contains(">Enter your name.<"), "{registration}");
    assert!(registration.contains(&format!("maxlength=\"{MAX_USER_NAME_CHARS}\"")), "{registration}");
    let new = async |name: &str| ada.post_form("/auctions/new/settings", &[("name", name)]).await.text;
    let (missing, long) = (new("").await, new(&"x".repeat(201)).await);
    assert!(missing.contains(">Enter a name for the auction.<"), "{missing}");
    assert!(long.contains(">The name can have at most 200 characters.<"), "{long}");
}

#[tokio::test]
async fn a_name_in_a_title_is_escaped() {
    let app = TestApp::start().await;
    let ada = app.user("ada").await;
    let path = auction(&ada, json!({"name": "</title><script>"})).await;
    let html = ada.get(path.strip_prefix("/api").unwrap()).await.text;
    assert!(html.contains("&lt;/title&gt;&lt;script&gt;") && !html.contains("</title><script>"), "{html}");
}

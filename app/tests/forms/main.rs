//! The forms of rendered pages, and their scripts.
#![cfg(feature = "ssr")]

mod pages;
mod scripts;

use std::collections::BTreeSet;
use std::sync::Arc;

use app::assets::Assets;
use app::bounds::MAX_USER_NAME_CHARS;
use app::html::Html;
use app::model::{CurrenciesPage, FieldProblem, LocalMoment, Refused, Registration, Theme, Viewer};
use app::pages::account::register::register_page;
use app::pages::auctions::currencies::form::edit_currency_page;
use app::pages::auctions::new_settings::auction_with_settings_page;
use app::pages::auctions::rules::form::new_rule_page;
use app::render::render;
use app::request::{RequestContext, ViewerZone};
use pages::{CREATE_PAGES, PAGES_WITH_FIELDS, currencies, currency};
use rules_engine::RuleType;

/// A request of the owner of an auction.
fn request() -> RequestContext {
    RequestContext {
        assets: Arc::new(Assets::not_built()),
        rows: Arc::default(),
        viewer: Some(Viewer {
            id: "u".to_owned(),
            name: "Ada".to_owned(),
            email: "ada@example.org".to_owned(),
            is_managed: false,
            may_administer: false,
            theme: Theme::System,
            inbox: None,
        }),
        now: 0,
        zone: ViewerZone {
            name: "Europe/Berlin".to_owned(),
            is_preferred: false,
            date_and_time: Box::new(|moment| moment.to_string()),
            local: Box::new(|moment| LocalMoment { local: moment.to_string(), stamp: moment.to_string() }),
        },
        has_decimal_comma: false,
        path: "/auctions".to_owned(),
        search: String::new(),
        query: Vec::new(),
        site: "https://auctions.example".to_owned(),
        new_key: "new-key".to_owned(),
        newer_release: None,
        pause: None,
    }
}

/// HTML of the page.
fn page(view: impl FnOnce() -> Html, refused: Option<Refused>) -> String {
    page_of("", view, refused)
}

/// HTML of the page with one of its subjects.
fn page_of(subject: &str, view: impl FnOnce() -> Html, refused: Option<Refused>) -> String {
    let query = vec![("subject".to_owned(), subject.to_owned())];
    render(RequestContext { query, ..request() }, refused, view).html
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

#[test]
fn every_field_of_a_form_has_words() {
    let mut seen = BTreeSet::new();
    for (subject, view) in PAGES_WITH_FIELDS {
        let fields = posted_fields(&page_of(subject, view, None));
        assert!(!fields.is_empty(), "{subject}");
        for field in fields {
            let problems = vec![(field.clone(), FieldProblem::Missing)];
            let refused = Refused { fields: problems, ..Refused::default() };
            let html = page_of(subject, view, Some(refused));
            assert!(html.contains("error-summary") && !html.contains("part of this form"), "{field}");
            seen.insert(field);
        }
    }
    assert!(seen.len() >= 60, "{seen:?}");
}

#[test]
fn the_same_name_has_the_words_of_its_form() {
    let words = |view: fn() -> Html, problem: FieldProblem| {
        let problems = vec![("name".to_owned(), problem)];
        page(view, Some(Refused { fields: problems, ..Refused::default() }))
    };
    let registration = words(|| register_page(Registration::Open, None), FieldProblem::Missing);
    assert!(registration.contains(">Enter your name.<"), "{registration}");
    let auction = words(|| auction_with_settings_page(Vec::new(), Vec::new()), FieldProblem::Missing);
    assert!(auction.contains(">Enter a name for the auction.<"), "{auction}");
    let too_long = FieldProblem::Predicate("can have at most 200 characters.".to_owned());
    let auction = words(|| auction_with_settings_page(Vec::new(), Vec::new()), too_long);
    assert!(auction.contains(">The name can have at most 200 characters.<"), "{auction}");
}

#[test]
fn a_form_that_creates_something_has_a_new_key() {
    for view in CREATE_PAGES {
        assert_eq!(hidden(&page(view, None), "idempotencyKey"), ["new-key"]);
    }
}

#[test]
fn a_refused_form_keeps_its_key() {
    for view in CREATE_PAGES {
        let values = vec![("idempotencyKey".to_owned(), "submitted".to_owned())];
        let refused = Refused { values, ..Refused::default() };
        assert_eq!(hidden(&page(view, Some(refused)), "idempotencyKey"), ["submitted"]);
    }
}

#[test]
fn a_refused_form_without_a_key_gets_a_new_one() {
    let refused = Refused { values: vec![("name".to_owned(), String::new())], ..Refused::default() };
    let html = page(|| auction_with_settings_page(Vec::new(), Vec::new()), Some(refused));
    assert_eq!(hidden(&html, "idempotencyKey"), ["new-key"]);
}

#[test]
fn a_form_that_changes_something_has_a_version_and_no_key() {
    let html = page(|| edit_currency_page(currencies(), currency()), None);
    assert_eq!(hidden(&html, "version"), ["7"]);
    assert!(hidden(&html, "idempotencyKey").is_empty());
}

#[test]
fn the_form_of_a_rule_has_the_fields_of_its_parameters() {
    for (kind, parameters) in [
        (RuleType::MinComponentRatio, &["denomination", "minPercent"][..]),
        (RuleType::RequiredDenomination, &["denomination", "minCount"]),
        (RuleType::MinIncrement, &["amount", "percent", "tiers.0.from", "tiers.0.amount"]),
        (RuleType::Step, &["step", "tiers.0.from", "tiers.0.step"]),
    ] {
        let html = page(|| new_rule_page(currencies(), kind), None);
        for parameter in parameters {
            assert!(html.contains(&format!(" name=\"params.{parameter}\"")), "{kind:?} {parameter}: {html}");
        }
    }
}

#[test]
fn a_field_takes_as_many_characters_as_the_api() {
    let html = page(|| register_page(Registration::Open, None), None);
    assert!(html.contains(&format!("maxlength=\"{MAX_USER_NAME_CHARS}\"")), "{html}");
}

#[test]
fn a_name_in_a_title_is_escaped() {
    let page_of = CurrenciesPage { auction_name: "</title><script>".to_owned(), ..currencies() };
    let html = page(|| new_rule_page(page_of, RuleType::Step), None);
    assert!(html.contains("&lt;/title&gt;&lt;script&gt;") && !html.contains("</title><script>"), "{html}");
}

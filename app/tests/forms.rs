//! The forms of rendered pages.
#![cfg(feature = "ssr")]

use std::sync::Arc;

use app::assets::Assets;
use app::bounds::MAX_USER_NAME_CHARS;
use app::bundles::BundleNames;
use app::html::Html;
use app::model::{
    BaseUnit, BidCurrency, CurrenciesPage, CurrencyEntry, ItemFormPage, LocalMoment, Refused, Registration,
    Theme, Viewer,
};
use app::pages::account::register::register_page;
use app::pages::auctions::currencies::form::{NewCurrency, edit_currency_page, new_currency_page};
use app::pages::auctions::new::new_auction_page;
use app::pages::auctions::rules::form::new_rule_page;
use app::pages::items::new::new_item_page;
use app::render::render;
use app::request::{RequestContext, ViewerZone};
use rules_engine::{FractionPolicy, InputMode, Literal, RuleType};

/// A request of the owner of an auction.
fn request() -> RequestContext {
    let assets = Assets {
        css: "/pkg/farthing.css".to_owned(),
        favicon: "/pkg/favicon.svg".to_owned(),
        font: "/pkg/serif.woff2".to_owned(),
        icon: "/pkg/icon.png".to_owned(),
        web_manifest: "/pkg/manifest.webmanifest".to_owned(),
        page_script: "/pkg/page.js".to_owned(),
        pictures_script: "/pkg/pictures.js".to_owned(),
        live_script: "/pkg/live.js".to_owned(),
        bundles: BundleNames {
            bid: "bid".to_owned(),
            follow: "follow".to_owned(),
            bench: "bench".to_owned(),
        },
    };
    RequestContext {
        assets: Arc::new(assets),
        viewer: Some(Viewer {
            id: "u".to_owned(),
            name: "Ada".to_owned(),
            email: "ada@example.org".to_owned(),
            may_administer: false,
            theme: Theme::System,
            inbox: None,
        }),
        now: 0,
        zone: ViewerZone {
            name: "Europe/Berlin".to_owned(),
            date_and_time: Box::new(|moment| moment.to_string()),
            local: Box::new(|moment| LocalMoment { local: moment.to_string(), stamp: moment.to_string() }),
        },
        path: "/auctions".to_owned(),
        search: String::new(),
        query: Vec::new(),
        site: "https://auctions.example".to_owned(),
        new_key: "new-key".to_owned(),
        newer_release: None,
        pause: None,
    }
}

fn currencies() -> CurrenciesPage {
    CurrenciesPage {
        auction_id: "a".to_owned(),
        auction_name: "Fair".to_owned(),
        auction_version: 1,
        has_book: false,
        base_unit: BaseUnit::default(),
        can_edit: true,
        currencies: vec![currency()],
        rules: Vec::new(),
    }
}

fn new_item() -> ItemFormPage {
    ItemFormPage {
        auction_id: "a".to_owned(),
        auction_name: "Fair".to_owned(),
        currencies: Vec::new(),
        iso_currencies: Vec::new(),
        selected: 0,
        base_unit: BaseUnit::default(),
        own_end: true,
        sellers: Vec::new(),
        fields: Vec::new(),
        starts_at: None,
        ends_at: None,
        existing: None,
    }
}

fn currency() -> CurrencyEntry {
    CurrencyEntry {
        id: "p".to_owned(),
        code: "POINT".to_owned(),
        is_default: true,
        in_use: false,
        version: 7,
        currency: BidCurrency {
            profile_id: Some("p".to_owned()),
            name: "Point".to_owned(),
            symbol: String::new(),
            input_mode: InputMode::Scalar,
            rate_to_base: Literal::from("1"),
            precision: 0,
            fraction_policy: FractionPolicy::Reject,
            denominations: Vec::new(),
        },
        values: Vec::new(),
    }
}

/// HTML of the page.
fn page(view: impl FnOnce() -> Html, refused: Option<Refused>) -> String {
    render(request(), refused, view).html
}

/// The values of the hidden fields of this name.
fn hidden(html: &str, name: &str) -> Vec<String> {
    let start = format!("<input type=\"hidden\" name=\"{name}\" value=\"");
    let values = html.split(&start).skip(1).filter_map(|rest| rest.split('"').next());
    values.map(str::to_owned).collect()
}

/// The pages whose forms create something.
const CREATE_PAGES: [fn() -> Html; 4] = [
    || new_auction_page(Vec::new()),
    || new_item_page(new_item()),
    || new_currency_page(currencies(), NewCurrency::Form { iso: None, template: Some("own".to_owned()) }),
    || new_rule_page(currencies(), RuleType::MinIncrement),
];

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
    let html = page(|| new_auction_page(Vec::new()), Some(refused));
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

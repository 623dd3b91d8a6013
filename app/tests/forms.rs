//! The forms of rendered pages.
#![cfg(feature = "ssr")]

use std::sync::Arc;

use app::bounds::MAX_USER_NAME_CHARS;
use app::bundles::BundleNames;
use app::model::{
    AccountPage, AdminPage, AuctionEntry, AuctionList, AuctionPage, AuctionSettings, BaseUnit, BidCurrency,
    BidsPage, BookEntry, BookPage, BookSettings, CatalogueQuery, CurrenciesPage, CurrencyEntry,
    ImportPreview, Invitation, IsoCurrency, ItemFormPage, ItemPage, Listing, LocalMoment, MembersPage, Pause,
    Refused, Registration, ResultsPage, ResultsQuery, SelectOption, Viewer, WithdrawPage,
};
use app::render::{Assets, PageRequest, render};
use app::services::{BookQuery, LoadError, Loaded, Services};
use async_trait::async_trait;
use axum::body::to_bytes;
use axum::http::StatusCode;
use rules_engine::{FractionPolicy, InputMode, Literal, ProfileDefinition};

/// Services of the owner of one auction, which has one currency.
struct Owner;

#[async_trait]
impl Services for Owner {
    fn viewer(&self) -> Option<Viewer> {
        Some(Viewer {
            id: "u".to_owned(),
            name: "Ada".to_owned(),
            email: "ada@example.org".to_owned(),
            may_administer: false,
        })
    }

    fn now(&self) -> i64 {
        0
    }

    fn date_and_time(&self, moment: i64) -> String {
        moment.to_string()
    }

    fn local(&self, moment: i64) -> LocalMoment {
        LocalMoment { local: moment.to_string(), stamp: moment.to_string() }
    }

    fn time_zone(&self) -> String {
        "Europe/Berlin".to_owned()
    }

    fn site(&self) -> &str {
        "https://auctions.example"
    }

    fn last_currency(&self) -> Option<String> {
        None
    }

    fn new_key(&self) -> String {
        "new-key".to_owned()
    }

    fn newer_release(&self) -> Option<String> {
        None
    }

    fn pause(&self) -> Option<Pause> {
        None
    }

    async fn reset_link(&self, _token: &str) -> Loaded<String> {
        Err(LoadError::LinkInvalid)
    }

    async fn account(&self) -> Loaded<AccountPage> {
        Err(LoadError::NotFound)
    }

    async fn admin(&self) -> Loaded<AdminPage> {
        Err(LoadError::NotFound)
    }

    async fn books(&self, _cursor: Option<&str>) -> Loaded<Listing<BookEntry>> {
        Err(LoadError::NotFound)
    }

    async fn book(&self, _book_id: &str, _query: BookQuery) -> Loaded<BookPage> {
        Err(LoadError::NotFound)
    }

    async fn book_settings(&self, _book_id: &str) -> Loaded<BookSettings> {
        Err(LoadError::NotFound)
    }

    async fn kept_books(&self) -> Loaded<Vec<SelectOption>> {
        Ok(Vec::new())
    }

    async fn book_import(&self, _book_id: &str, _rows: Option<&str>) -> Loaded<ImportPreview> {
        Err(LoadError::NotFound)
    }

    async fn auctions(&self, _list: AuctionList, _cursor: Option<&str>) -> Loaded<Listing<AuctionEntry>> {
        Err(LoadError::NotFound)
    }

    async fn auction(&self, _auction_id: &str, _query: CatalogueQuery) -> Loaded<AuctionPage> {
        Err(LoadError::NotFound)
    }

    fn registration(&self) -> Registration {
        Registration::Open
    }

    async fn invited_email(&self, _token: &str) -> Loaded<Option<String>> {
        Ok(None)
    }

    async fn join_link(&self, _token: &str) -> Loaded<Invitation> {
        Err(LoadError::InvitationInvalid)
    }

    async fn invite(&self, _token: &str) -> Loaded<Invitation> {
        Err(LoadError::InvitationInvalid)
    }

    async fn members(&self, _auction_id: &str, _cursor: Option<&str>) -> Loaded<MembersPage> {
        Err(LoadError::NotFound)
    }

    async fn auction_settings(&self, _auction_id: &str) -> Loaded<AuctionSettings> {
        Err(LoadError::NotFound)
    }

    async fn results(&self, _auction_id: &str, _query: ResultsQuery) -> Loaded<ResultsPage> {
        Err(LoadError::NotFound)
    }

    async fn currencies(&self, auction_id: &str) -> Loaded<CurrenciesPage> {
        Ok(CurrenciesPage {
            auction_id: auction_id.to_owned(),
            auction_name: "Fair".to_owned(),
            auction_version: 1,
            has_book: false,
            base_unit: BaseUnit::default(),
            can_edit: true,
            currencies: vec![currency()],
            rules: Vec::new(),
        })
    }

    async fn edit_item(&self, _auction_id: &str, _item_id: &str) -> Loaded<ItemFormPage> {
        Err(LoadError::NotFound)
    }

    async fn new_item(&self, auction_id: &str) -> Loaded<ItemFormPage> {
        Ok(ItemFormPage {
            auction_id: auction_id.to_owned(),
            auction_name: "Fair".to_owned(),
            currencies: Vec::new(),
            selected: 0,
            base_unit: BaseUnit::default(),
            own_end: true,
            sellers: Vec::new(),
            fields: Vec::new(),
            starts_at: None,
            ends_at: None,
            existing: None,
        })
    }

    fn iso_currencies(&self) -> Vec<SelectOption> {
        Vec::new()
    }

    fn iso_currency(&self, _code: &str) -> Option<IsoCurrency> {
        None
    }

    async fn item(&self, _auction_id: &str, _item_id: &str) -> Loaded<ItemPage> {
        Err(LoadError::NotFound)
    }

    async fn bids(&self, _auction_id: &str, _item_id: &str, _cursor: Option<&str>) -> Loaded<BidsPage> {
        Err(LoadError::NotFound)
    }

    async fn withdraw(&self, _: &str, _: &str, _: &str) -> Loaded<WithdrawPage> {
        Err(LoadError::NotFound)
    }
}

fn currency() -> CurrencyEntry {
    let definition = ProfileDefinition {
        id: "p".to_owned(),
        input_mode: InputMode::Scalar,
        rate_to_base: Literal::from("1"),
        precision: 0,
        fraction_policy: FractionPolicy::Reject,
        denominations: Vec::new(),
    };
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
            definition,
            denominations: Vec::new(),
        },
        values: Vec::new(),
    }
}

/// Status and HTML of the page.
async fn page(address: &str, refused: Option<(StatusCode, Refused)>) -> (StatusCode, String) {
    let assets = Assets {
        css: "/pkg/farthing.css".to_owned(),
        favicon: "/pkg/favicon.svg".to_owned(),
        font: "/pkg/serif.woff2".to_owned(),
        icon: "/pkg/icon.png".to_owned(),
        web_manifest: "/pkg/manifest.webmanifest".to_owned(),
        page_script: "/pkg/page.js".to_owned(),
        bundles: BundleNames {
            bid: "bid".to_owned(),
            follow: "follow".to_owned(),
            bench: "bench".to_owned(),
        },
    };
    let uri = address.parse().expect("an address");
    let response =
        render(PageRequest { assets: Arc::new(assets), services: Arc::new(Owner), uri, refused }).await;
    let status = response.status();
    let body = to_bytes(response.into_body(), usize::MAX).await.expect("a body");
    (status, String::from_utf8(body.to_vec()).expect("text"))
}

/// The values of the hidden fields of this name.
fn hidden(html: &str, name: &str) -> Vec<String> {
    let start = format!("<input type=\"hidden\" name=\"{name}\" value=\"");
    let values = html.split(&start).skip(1).filter_map(|rest| rest.split('"').next());
    values.map(str::to_owned).collect()
}

const CREATE_FORMS: [&str; 4] = [
    "/auctions/new",
    "/auctions/a/items/new",
    "/auctions/a/currencies/new?template=own",
    "/auctions/a/currency-rules/new?type=MIN_INCREMENT",
];

#[tokio::test]
async fn a_form_that_creates_something_has_a_new_key() {
    for address in CREATE_FORMS {
        let (status, html) = page(address, None).await;
        assert_eq!((status, hidden(&html, "idempotencyKey")), (StatusCode::OK, vec!["new-key".to_owned()]));
    }
}

#[tokio::test]
async fn a_refused_form_keeps_its_key_and_has_the_status_of_the_refusal() {
    for address in CREATE_FORMS {
        let values = vec![
            ("idempotencyKey".to_owned(), "submitted".to_owned()),
            ("type".to_owned(), "MIN_INCREMENT".to_owned()),
        ];
        let refused = Refused { values, ..Refused::default() };
        let (status, html) = page(address, Some((StatusCode::UNPROCESSABLE_ENTITY, refused))).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{address}");
        assert_eq!(hidden(&html, "idempotencyKey"), ["submitted"], "{address}");
    }
}

#[tokio::test]
async fn a_refused_form_without_a_key_gets_a_new_one() {
    let refused = Refused { values: vec![("name".to_owned(), String::new())], ..Refused::default() };
    let (_, html) = page("/auctions/new", Some((StatusCode::UNPROCESSABLE_ENTITY, refused))).await;
    assert_eq!(hidden(&html, "idempotencyKey"), ["new-key"]);
}

#[tokio::test]
async fn a_form_that_changes_something_has_a_version_and_no_key() {
    let (status, html) = page("/auctions/a/currencies/p", None).await;
    assert_eq!((status, hidden(&html, "version")), (StatusCode::OK, vec!["7".to_owned()]));
    assert!(hidden(&html, "idempotencyKey").is_empty());
}

#[tokio::test]
async fn the_form_of_a_rule_has_the_fields_of_its_parameters() {
    let address = "/auctions/a/currency-rules/new?type=";
    for (kind, parameters) in [
        ("MIN_COMPONENT_RATIO", &["denomination", "minPercent"][..]),
        ("REQUIRED_DENOMINATION", &["denomination", "minCount"]),
        ("MIN_INCREMENT", &["amount", "percent", "tiers.0.from", "tiers.0.amount"]),
        ("STEP", &["step", "tiers.0.from", "tiers.0.step"]),
    ] {
        let (_, html) = page(&format!("{address}{kind}"), None).await;
        for parameter in parameters {
            assert!(html.contains(&format!(" name=\"params.{parameter}\"")), "{kind} {parameter}: {html}");
        }
    }
}

#[tokio::test]
async fn a_field_takes_as_many_characters_as_the_api() {
    let (_, html) = page("/register", None).await;
    assert!(html.contains(&format!("maxlength=\"{MAX_USER_NAME_CHARS}\"")), "{html}");
}

//! The forms of rendered pages.
#![cfg(feature = "ssr")]

use std::collections::BTreeSet;
use std::sync::Arc;

use app::assets::Assets;
use app::bounds::MAX_USER_NAME_CHARS;
use app::bundles::BundleNames;
use app::html::Html;
use app::model::{
    AccountPage, AuctionAccess, AuctionSettings, AuctionState, BaseUnit, BidCurrency, BookEntry, BookPage,
    BookQuery, BookRole, CurrenciesPage, CurrencyEntry, Denomination, EmailState, EntryKind, FieldProblem,
    Funds, HolderEntry, ImportPreview, ItemFormPage, LedgerEntry, Listing, LocalMoment, ManyLotsPage,
    MemberEntry, MembersPage, NewAuctionPage, PreferenceFacts, Refused, Registration, Role, SelectOption,
    Theme, Viewer,
};
use app::pages::account::forgot_password::forgot_password_page;
use app::pages::account::register::register_page;
use app::pages::account::reset_password::reset_password_page;
use app::pages::account::show::account_page;
use app::pages::account::sign_in::sign_in_page;
use app::pages::auctions::currencies::form::{NewCurrency, edit_currency_page, new_currency_page};
use app::pages::auctions::new::new_auction_page;
use app::pages::auctions::new_settings::auction_with_settings_page;
use app::pages::auctions::rules::form::new_rule_page;
use app::pages::auctions::settings::auction_settings_page;
use app::pages::books::import::import_page;
use app::pages::books::new::new_book_page;
use app::pages::books::show::book_page;
use app::pages::items::many::many_lots_page;
use app::pages::items::new::new_item_page;
use app::pages::members::members_page;
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
        gallery_script: "/pkg/gallery.js".to_owned(),
        lots_script: "/pkg/lots.js".to_owned(),
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
            is_preferred: false,
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
        has_comma: false,
        auction_id: "a".to_owned(),
        auction_name: "Fair".to_owned(),
        auction_version: 1,
        has_book: false,
        base_unit: BaseUnit::default(),
        can_edit: true,
        access: AuctionAccess::default(),
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
        needs_currency: false,
        base_unit: BaseUnit::default(),
        own_end: true,
        sellers: Vec::new(),
        fields: Vec::new(),
        starts_at: None,
        ends_at: None,
        existing: None,
    }
}

fn new_auction() -> NewAuctionPage {
    NewAuctionPage { books: vec![option("b")], iso_currencies: vec![option("GBP")], iso: "GBP".to_owned() }
}

fn many_lots() -> ManyLotsPage {
    ManyLotsPage {
        auction_id: "a".to_owned(),
        auction_name: "Fair".to_owned(),
        iso_currencies: vec![option("GBP")],
        iso: "GBP".to_owned(),
        times: true,
        minimum_in: String::new(),
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
            plural: None,
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
const CREATE_PAGES: [fn() -> Html; 6] = [
    || new_auction_page(new_auction()),
    || many_lots_page(many_lots()),
    || auction_with_settings_page(Vec::new()),
    || new_item_page(new_item()),
    || new_currency_page(currencies(), NewCurrency::Form { iso: None, template: Some("own".to_owned()) }),
    || new_rule_page(currencies(), RuleType::MinIncrement),
];

fn option(value: &str) -> SelectOption {
    SelectOption { value: value.to_owned(), label: value.to_owned() }
}

fn account() -> AccountPage {
    let preferences = PreferenceFacts {
        time_zone: String::new(),
        theme: Theme::System,
        kinds: Vec::new(),
        sends_mail: false,
    };
    AccountPage {
        name: "Ada".to_owned(),
        email: "ada@example.org".to_owned(),
        email_state: EmailState::Unconfirmed,
        locale: None,
        preferences,
        has_second_factor: false,
        sessions: Vec::new(),
    }
}

fn settings() -> AuctionSettings {
    AuctionSettings {
        auction_id: "a".to_owned(),
        name: "Fair".to_owned(),
        version: 1,
        fields: Vec::new(),
        ends_at: None,
        bidder_visibility: "VISIBLE".to_owned(),
        item_end_mode: "CUSTOM".to_owned(),
        state: AuctionState::Open,
        has_bids: false,
        has_standing_bid: false,
        books: vec![option("b")],
        book: None,
        may_delete: true,
    }
}

fn members() -> MembersPage {
    let member = MemberEntry {
        id: "m".to_owned(),
        name: "Bob".to_owned(),
        role: Role::Bidder,
        joined_at: 0,
        is_viewer: false,
        is_managed: true,
    };
    MembersPage {
        auction_id: "a".to_owned(),
        auction_name: "Fair".to_owned(),
        is_closed: false,
        members: Listing { entries: vec![member], next_cursor: None },
        may_invite: true,
        may_manage: true,
        may_transfer: true,
        invites: Vec::new(),
        link: None,
        sends_mail: true,
    }
}

fn funds() -> Funds {
    Funds { balance: "1".to_owned(), committed: "0".to_owned(), available: "1".to_owned() }
}

fn book() -> BookEntry {
    BookEntry {
        id: "b".to_owned(),
        name: "Class".to_owned(),
        unit: BaseUnit::default(),
        role: BookRole::Owner,
        is_closed: false,
        funds: funds(),
    }
}

fn book_with_entry() -> Html {
    let holder = HolderEntry {
        id: "h".to_owned(),
        name: "Bob".to_owned(),
        role: BookRole::Holder,
        funds: funds(),
        is_viewer: true,
    };
    let entry = LedgerEntry {
        sequence: 1,
        holder: option("h"),
        amount: "1".to_owned(),
        kind: EntryKind::Grant,
        reason: None,
        reverses: None,
        is_reversible: true,
        by: None,
        created_at: 0,
    };
    let page = BookPage {
        book: book(),
        credit_limit: "0".to_owned(),
        link: None,
        holders: Some(Listing { entries: vec![holder], next_cursor: None }),
        overcommitted: Vec::new(),
        search: None,
        entries: Listing { entries: vec![entry], next_cursor: None },
        entries_of: None,
        auctions: Vec::new(),
    };
    book_page(page, BookQuery::default())
}

fn coins() -> CurrencyEntry {
    let mut coins = currency();
    coins.currency.input_mode = InputMode::Denomination;
    coins.currency.denominations = vec![Denomination {
        code: "KNUT".to_owned(),
        name: "Knut".to_owned(),
        plural: None,
        symbol: String::new(),
        factor: Literal::from("1"),
        written: true,
    }];
    coins
}

/// Pages whose forms have fields with words.
const PAGES_WITH_FIELDS: [fn() -> Html; 23] = [
    || new_auction_page(new_auction()),
    || many_lots_page(many_lots()),
    || register_page(Registration::Open, None),
    || sign_in_page(None),
    || forgot_password_page(true),
    || reset_password_page("ada@example.org".to_owned()),
    || account_page(account()),
    || auction_with_settings_page(vec![option("b")]),
    || auction_settings_page(settings()),
    || members_page(members(), None),
    || new_currency_page(currencies(), NewCurrency::Form { iso: None, template: Some("own".to_owned()) }),
    || edit_currency_page(currencies(), coins()),
    || new_rule_page(currencies(), RuleType::MinIncrement),
    || new_rule_page(currencies(), RuleType::Step),
    || new_rule_page(currencies(), RuleType::MaxIncrement),
    || new_rule_page(currencies(), RuleType::MaxBid),
    || new_rule_page(currencies(), RuleType::MinComponentRatio),
    || new_rule_page(currencies(), RuleType::RequiredDenomination),
    || new_item_page(ItemFormPage { sellers: vec![option("u")], ..new_item() }),
    || new_item_page(ItemFormPage { currencies: vec![currency().currency, coins().currency], ..new_item() }),
    || new_book_page(),
    book_with_entry,
    || {
        import_page(ImportPreview {
            book: book(),
            rows: Vec::new(),
            errors: Vec::new(),
            ignored_columns: Vec::new(),
            total: None,
        })
    },
];

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
    for view in PAGES_WITH_FIELDS {
        let fields = posted_fields(&page(view, None));
        assert!(!fields.is_empty());
        for field in fields {
            let problems = vec![(field.clone(), FieldProblem::Missing)];
            let html = page(view, Some(Refused { fields: problems, ..Refused::default() }));
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
    let auction = words(|| auction_with_settings_page(Vec::new()), FieldProblem::Missing);
    assert!(auction.contains(">Enter a name for the auction.<"), "{auction}");
    let too_long = FieldProblem::Predicate("can have at most 200 characters.".to_owned());
    let auction = words(|| auction_with_settings_page(Vec::new()), too_long);
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
    let html = page(|| auction_with_settings_page(Vec::new()), Some(refused));
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

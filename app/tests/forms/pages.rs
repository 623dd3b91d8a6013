//! The data of pages with forms, and the tables of these pages.

use app::html::Html;
use app::model::{
    AccountPage, AuctionAccess, AuctionSettings, AuctionState, BaseUnit, BidCurrency, BookEntry, BookPage,
    BookQuery, BookRole, CurrenciesPage, CurrencyEntry, Denomination, EmailState, EntryKind, Funds,
    HolderEntry, ImportPreview, ItemFormPage, ItemImportPage, LedgerEntry, Listing, ManyLotsPage,
    MemberEntry, MembersPage, NewAuctionPage, PastImports, PreferenceFacts, Registration, Role, RunLine,
    RunPreview, RunsPage, SelectOption, TableLayout, Theme, UnknownRow, WaitingList,
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
use app::pages::items::import::item_import_page;
use app::pages::items::many::many_lots_page;
use app::pages::items::new::new_item_page;
use app::pages::members::members_page;
use app::pages::runs::runs_page;
use rules_engine::{FractionPolicy, InputMode, Literal, RuleType};

pub fn currencies() -> CurrenciesPage {
    CurrenciesPage {
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
        has_book: false,
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
    NewAuctionPage {
        groups: vec![option("g")],
        books: vec![option("b")],
        iso_currencies: vec![option("GBP")],
        iso: "GBP".to_owned(),
    }
}

fn many_lots() -> ManyLotsPage {
    ManyLotsPage {
        auction_id: "a".to_owned(),
        auction_name: "Fair".to_owned(),
        iso_currencies: vec![option("GBP")],
        iso: "GBP".to_owned(),
        times: true,
        minimum_in: String::new(),
        added: Vec::new(),
    }
}

pub fn currency() -> CurrencyEntry {
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

/// The pages whose forms create something.
pub const CREATE_PAGES: [fn() -> Html; 6] = [
    || new_auction_page(new_auction()),
    || many_lots_page(many_lots()),
    || auction_with_settings_page(Vec::new(), Vec::new()),
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
        email_failed_at: None,
        locale: None,
        preferences,
        locales: vec![option("en-GB")],
        zones: vec![option("UTC")],
        has_second_factor: false,
        sessions: Vec::new(),
    }
}

fn settings() -> AuctionSettings {
    AuctionSettings {
        groups: vec![option("g")],
        group: None,
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
        iso_currencies: vec![option("GBP")],
        unit: None,
        goal: None,
        ends: Vec::new(),
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
        present: Some(false),
    };
    MembersPage {
        auction_id: "a".to_owned(),
        auction_name: "Fair".to_owned(),
        is_closed: false,
        members: Listing { entries: vec![member], next_cursor: None },
        may_invite: true,
        may_manage: true,
        runs_hall: true,
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
        pot: "0".to_owned(),
        link: None,
        holders: Some(Listing { entries: vec![holder], next_cursor: None }),
        overcommitted: Vec::new(),
        search: None,
        entries: Listing { entries: vec![entry], next_cursor: None },
        entries_of: None,
        balances: Vec::new(),
        auctions: Vec::new(),
        waiting: WaitingList::default(),
    };
    book_page(page, BookQuery::default())
}

/// The form of a run of this kind.
fn runs(kind: &str) -> Html {
    let line = RunLine {
        name: "Bob".to_owned(),
        amount: "1".to_owned(),
        asked: None,
        before: "0".to_owned(),
        after: "1".to_owned(),
    };
    let preview = RunPreview { rows: vec![line], kept: None, hash: String::new(), is_share: true };
    runs_page(RunsPage {
        book: book(),
        pot: "0".to_owned(),
        auctions: vec![(option("a"), "0".to_owned())],
        fields: vec![("kind".to_owned(), kind.to_owned())],
        preview: Some(preview),
        errors: Vec::new(),
        runs: Listing { entries: Vec::new(), next_cursor: None },
        pots: Vec::new(),
    })
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

/// The subject that a page is asked for, and the page.
type Screen = (&'static str, fn() -> Html);

/// Pages whose forms have fields with words.
pub const PAGES_WITH_FIELDS: [Screen; 36] = [
    ("", || new_auction_page(new_auction())),
    ("", || many_lots_page(many_lots())),
    ("", || register_page(Registration::Open, None)),
    ("", || sign_in_page(None, None)),
    ("", || forgot_password_page(true)),
    ("", || reset_password_page("ada@example.org".to_owned())),
    ("profile", || account_page(account())),
    ("preferences", || account_page(account())),
    ("email", || account_page(account())),
    ("password", || account_page(account())),
    ("delete", || account_page(account())),
    ("", || auction_with_settings_page(vec![option("b")], vec![option("g")])),
    ("about", || auction_settings_page(settings())),
    ("people", || auction_settings_page(settings())),
    ("end", || auction_settings_page(settings())),
    ("money", || auction_settings_page(settings())),
    ("schedule", || auction_settings_page(settings())),
    ("copy", || auction_settings_page(settings())),
    ("delete", || auction_settings_page(settings())),
    ("", || members_page(members(), None)),
    ("", || {
        new_currency_page(currencies(), NewCurrency::Form { iso: None, template: Some("own".to_owned()) })
    }),
    ("", || edit_currency_page(currencies(), coins())),
    ("", || new_rule_page(currencies(), RuleType::MinIncrement)),
    ("", || new_rule_page(currencies(), RuleType::Step)),
    ("", || new_rule_page(currencies(), RuleType::MaxIncrement)),
    ("", || new_rule_page(currencies(), RuleType::MaxBid)),
    ("", || new_rule_page(currencies(), RuleType::MinComponentRatio)),
    ("", || new_rule_page(currencies(), RuleType::RequiredDenomination)),
    ("", || new_item_page(ItemFormPage { sellers: vec![option("u")], ..new_item() })),
    ("", || {
        new_item_page(ItemFormPage { currencies: vec![currency().currency, coins().currency], ..new_item() })
    }),
    ("", || new_book_page()),
    ("", book_with_entry),
    ("", || runs("SHARE")),
    ("", || runs("DECAY")),
    ("", || item_import_page(ItemImportPage { manages: true, ..ItemImportPage::default() })),
    ("", || {
        let unknown = UnknownRow {
            row: 2,
            whom: "ada@example.org".to_owned(),
            amount: "1".to_owned(),
            effect: "Left out",
        };
        import_page(ImportPreview {
            book: book(),
            groups: vec![option("g")],
            rows: Vec::new(),
            unknown: vec![unknown],
            zeros: 0,
            errors: Vec::new(),
            layout: TableLayout::default(),
            imports: PastImports::default(),
            total: None,
        })
    }),
];

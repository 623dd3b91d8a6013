//! `/auctions/{auction_id}/currencies`: the currencies and rules of an auction, and the name of its base
//! unit.

use app::bundles::{Bundle, LoadBundle};
use app::components::auction_tabs::{AuctionTab, AuctionTabs};
use app::components::empty_state::EmptyState;
use app::components::error_page::LoadError;
use app::components::error_summary::ErrorSummary;
use app::components::island_state::island_state;
use app::components::money::counted;
use app::components::name::Name;
use app::components::page_title::PageTitle;
use app::components::unit_fields::UNIT;
use app::html::{Html, html};
use app::islands::auctions::bench::{BenchState, TestBench};
use app::islands::items::form_state::InitialBid;
use app::model::{BaseUnit, BenchRule};
use app::request::{query_fields, query_part};
use auction_house::access::Action;
use auction_house::auctions::access::authorize;
use auction_house::currencies::{self, Currency};
use auction_house::ids::AuctionId;
use auction_house::items::auction::patch::patch_auction;
use auction_house::path::AuctionPath;
use auction_house::{rules, usage};
use axum::response::Response;
use leptos::either::Either;
use leptos::prelude::*;
use platform::fields::Object;
use platform::http::problem::Problem;
use rules_engine::FractionPolicy;

use super::base_unit::BaseUnitLine;
use super::template::TEMPLATES;
use super::{CurrenciesPage, CurrencyEntry, RuleEntry};
use crate::pages::auction_facts::access;
use crate::pages::currencies::rules::{RuleList, words};
use crate::pages::error::{Loaded, PageError};
use crate::pages::form::{meant_for, renamed};
use crate::pages::form_route::FormRequest;
use crate::pages::money::{bid_currency, unit_in_pieces, values};
use crate::pages::request::{PageAt, PageRequest};
use crate::pages::unit_form::BASE_UNIT_FIELDS;
use crate::pages::unit_form::base_unit as base_unit_of_form;

/// `GET /auctions/{auction_id}/currencies`
pub async fn show(PageAt(path): PageAt<AuctionPath>, request: PageRequest) -> Response {
    let page = read(&request, path).await;
    request.render(page, currencies_page)
}

/// The currencies and rules, for a viewer who may change them.
pub async fn read_editable(request: &PageRequest, path: Loaded<AuctionPath>) -> Loaded<CurrenciesPage> {
    let page = read(request, path).await?;
    if page.can_edit { Ok(page) } else { Err(PageError(LoadError::Forbidden)) }
}

/// The currencies and rules, as the viewer may see them.
pub async fn read(request: &PageRequest, path: Loaded<AuctionPath>) -> Loaded<CurrenciesPage> {
    let (AuctionPath { auction_id }, user, now) = (path?, request.user_id()?, request.now);
    let mut db = request.db().await?;
    let seen = authorize(&mut db, auction_id, user, now).await?;
    let used = usage::currencies_in_use(&mut db, auction_id).await?;
    let currencies = currencies::store::of_auction(&mut db, auction_id).await?;
    let base_unit = unit_in_pieces(seen.auction.terms.base_unit.as_ref(), &currencies);
    let entries = currencies.into_iter().map(|currency| {
        let in_use = used.contains(&currency.id);
        entry(currency, in_use)
    });
    let rules = rules::store::of_auction(&mut db, auction_id).await?.into_iter();
    Ok(CurrenciesPage {
        auction_id: auction_id.to_string(),
        can_edit: seen.may(Action::ManageCurrencies) && !seen.auction.is_closed(now),
        access: access(&seen),
        base_unit,
        has_book: seen.auction.terms.book_id.is_some(),
        auction_name: seen.auction.terms.name,
        auction_version: seen.auction.version,
        currencies: entries.collect(),
        rules: rules.map(|rule| RuleEntry { version: rule.version, definition: rule.definition }).collect(),
    })
}

pub fn entry(currency: Currency, in_use: bool) -> CurrencyEntry {
    CurrencyEntry {
        id: currency.id.to_string(),
        code: currency.code.clone(),
        is_default: currency.is_default,
        in_use,
        version: currency.version,
        values: values(&currency),
        currency: bid_currency(currency),
    }
}

/// `POST /auctions/{auction_id}/currencies/base-unit`, a form on the page of all currencies.
pub async fn name_base_unit(request: FormRequest<AuctionPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: AuctionPath { auction_id }, form } = request;
    let mut patch = Object::default();
    patch.set("baseUnit", &base_unit_of_form(&form));
    let patched = patch_auction(&state.context, auction_id, user, patch, &meant_for(&form)).await;
    patched.map_err(|error| renamed(error.into(), BASE_UNIT_FIELDS))?;
    Ok(done(auction_id, "unit-saved"))
}

/// The page of all currencies and rules, with a word of what was done.
pub fn done(auction_id: AuctionId, done: &str) -> String {
    format!("/auctions/{auction_id}/currencies?done={done}")
}

const LIST_TITLE: &str = "Currencies and rules";

pub fn currencies_page(page: CurrenciesPage) -> Html {
    let (set, any) = (format!("/api{}/currency-set", page.path()), !page.currencies.is_empty());
    html(view! {
        <CurrenciesLayout page=page.clone() title=LIST_TITLE back=Back::Auction>
            <ErrorSummary fields=&[UNIT] />
            <Done />
            <BaseUnitLine page=page.clone() />
            <CurrencyList page=page.clone() />
            <RuleList page />
            <Download set any />
        </CurrenciesLayout>
    })
}

/// The currencies and rules as a file, if there are any currencies.
#[component]
fn Download(set: String, any: bool) -> impl IntoView {
    any.then(|| {
        view! {
            <p class="hint">
                <a href=set download="currencies.json">
                    "Download as JSON"
                </a>
                ": currencies and rules, for another auction"
            </p>
        }
    })
}

/// The success message of the last action.
#[component]
fn Done() -> impl IntoView {
    let words = match query_part("done")?.as_str() {
        "set-added" => "The currencies and rules are added. They apply from the next bid on.",
        "unit-saved" => "The base unit is saved.",
        "currency-saved" => "The currency is saved.",
        "currency-deleted" => "The currency is deleted.",
        "rule-saved" => "The rule is saved. It applies from the next bid on.",
        "rule-deleted" => "The rule is deleted.",
        "rule-on" => "The rule is switched on. It applies from the next bid on.",
        "rule-off" => "The rule is switched off.",
        "rules-ordered" => "The new order is saved.",
        _ => return None,
    };
    Some(view! {
        <p class="done" role="status">
            {words}
        </p>
    })
}

/// Target of the link above the heading.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Back {
    Auction,
    /// The page of all currencies and rules.
    #[default]
    List,
}

/// The layout of these pages: the form or list on the left, the test bench on the right.
#[component]
pub fn CurrenciesLayout(
    page: CurrenciesPage,
    title: &'static str,
    #[prop(optional)] back: Back,
    children: Children,
) -> impl IntoView {
    let (back, place) = match back {
        Back::Auction => (page.path(), page.auction_name.clone()),
        Back::List => (format!("{}/currencies", page.path()), LIST_TITLE.to_owned()),
    };
    let bench = bench(&page);
    view! {
        <PageTitle text=format!("{title} · {}", page.auction_name) />
        <header class="page-head">
            <div>
                <p class="eyebrow">
                    <a href=back>{place}</a>
                </p>
                <h1>{title}</h1>
            </div>
        </header>
        <AuctionTabs auction=page.path() current=AuctionTab::Money access=page.access />
        <div class="currencies-layout">
            <div class="currencies-main">{children()}</div>
            {bench
                .map(|state| {
                    view! {
                        <section class="bid-panel currencies-bench" aria-labelledby="bench">
                            <h2 id="bench">"Test bench"</h2>
                            <p class="hint">"Type any bid to see its value and the result of every rule. Nothing is sent."</p>
                            <LoadBundle bundle=Bundle::Bench />
                            {island_state(state)}
                            <TestBench />
                        </section>
                    }
                })}
        </div>
    }
}

/// The initial state of the test bench. Without JavaScript the typed values are in the query.
fn bench(page: &CurrenciesPage) -> Option<BenchState> {
    let mut data = page.bid_form()?;
    let values = query_fields();
    let requested = values.iter().find(|(name, _)| name == "currency").map(|(_, id)| id.as_str());
    let found = data.currencies.iter().position(|choice| choice.profile_id.as_deref() == requested);
    data.selected = found.filter(|_| requested.is_some()).unwrap_or(data.selected);
    let rules = page.rules.iter().map(|rule| BenchRule {
        id: rule.definition.id.clone(),
        words: words::in_words(&rule.definition, page),
        profile_id: rule.definition.currency_profile_id.clone(),
        enabled: rule.definition.enabled,
    });
    let initial = InitialBid { values, refused: false };
    Some(BenchState { rules: rules.collect(), data, initial, has_book: page.has_book })
}

#[component]
pub fn CurrencyList(page: CurrenciesPage) -> impl IntoView {
    let (path, can_edit, unit) = (page.path(), page.can_edit, page.base_unit.clone());
    let new = format!("{path}/currencies/new");
    let import = can_edit.then(
        || view! { <a class="button quiet" href=format!("{path}/currencies/import")>"Copy or import"</a> },
    );
    let cards = page.currencies.into_iter().map(|entry| {
        let edit = can_edit.then(|| format!("{path}/currencies/{}", entry.id));
        view! { <Card entry edit unit=unit.clone() /> }
    });
    let cards = cards.collect::<Vec<_>>();
    let (any, none) = (!cards.is_empty(), cards.is_empty());
    view! {
        <section aria-labelledby="currencies">
            <div class="section-head">
                <h2 id="currencies" class="section-title">
                    "Currencies"
                </h2>
                <div class="section-actions">
                    {import} {(can_edit && any).then(|| view! { <a class="button" href=new.clone()>"New currency"</a> })}
                </div>
            </div>
            {if none {
                Either::Left(view! { <NoCurrencies can_edit new /> })
            } else {
                Either::Right(view! { <ul class="currencies" role="list">{cards}</ul> })
            }}
        </section>
    }
    // The type of the whole page would be too deep for the compiler.
    .into_any()
}

#[component]
fn NoCurrencies(can_edit: bool, new: String) -> impl IntoView {
    if !can_edit {
        let text = "Each item of this auction is priced in an ISO currency, such as euros.";
        return Either::Left(view! {
            <EmptyState title="Priced in everyday currencies" text />
        });
    }
    Either::Right(view! {
        <p class="lead">
            "Without its own currency each item is priced in an ISO currency, such as euros or pounds. Define a currency, and all bids of the auction are in it."
        </p>
        <Templates new />
    })
}

/// Links to start a new currency from a template.
#[component]
pub fn Templates(new: String) -> impl IntoView {
    let own = ("own", "Something else", "An empty form");
    let iso = ("iso", "Any ISO currency", "Euros, pounds, yen, with their own digits");
    let templates = TEMPLATES.iter().map(|template| (template.key, template.title, template.about));
    // A template is tried before it is chosen.
    let try_it = new.trim_end_matches("new").to_owned() + "templates";
    let address = move |key: &str| match key {
        "iso" | "own" => format!("{new}?template={key}"),
        _ => format!("{try_it}/{key}"),
    };
    let choices = templates.chain([iso, own]).map(|(key, title, about)| {
        view! {
            <li>
                <a class="template" href=address(key)>
                    <span class="template-title">{title}</span>
                    <span class="template-about">{about}</span>
                </a>
            </li>
        }
    });
    view! {
        <ul class="templates" role="list" aria-label="Templates">
            {choices.collect::<Vec<_>>()}
        </ul>
    }
}

#[component]
fn Card(entry: CurrencyEntry, edit: Option<String>, unit: BaseUnit) -> impl IntoView {
    let entered = entered(&entry);
    let CurrencyEntry { code, is_default, currency, values, .. } = entry;
    let symbols: Vec<String> =
        currency.denominations.iter().map(|denomination| denomination.symbol.clone()).collect();
    let currency_name = currency.name.clone();
    let rows = values.into_iter().enumerate().map(|(at, (name, value))| {
        let symbol = symbols.get(at).cloned().unwrap_or_default();
        let name = format!("1\u{a0}{}", if name.is_empty() { &currency_name } else { &name });
        view! {
            <div>
                <dt>
                    {(!symbol.is_empty()).then(|| view! { <span class="denomination-symbol" aria-hidden="true">{symbol}</span> })} {name}
                </dt>
                <dd>{counted(&value, unit.noun())}</dd>
            </div>
        }
    });
    let rows = rows.collect::<Vec<_>>();
    let label = format!("Edit {}", currency.name);
    view! {
        <li class="currency">
            <div class="currency-head">
                <h3><Name text=currency.name /> " " {symbol(currency.symbol)}</h3>
                <p class="facts">
                    <span class="code">{code}</span>
                    {is_default.then_some("Default currency")}
                    <span>{entered}</span>
                </p>
            </div>
            <dl class="values">{rows}</dl>
            {edit.map(|edit| view! { <a class="button quiet" href=edit aria-label=label>"Edit"</a> })}
        </li>
    }
}

fn symbol(symbol: String) -> Option<impl IntoView> {
    (!symbol.is_empty()).then(|| view! { <bdi class="tariff-symbol">{symbol}</bdi> })
}

/// How many fraction digits an amount may have.
fn entered(entry: &CurrencyEntry) -> String {
    let currency = &entry.currency;
    let policy = match currency.fraction_policy {
        FractionPolicy::Reject => "no extra digits",
        FractionPolicy::Down => "extra digits are cut off",
        FractionPolicy::Up => "extra digits are rounded up",
        FractionPolicy::HalfUp => "extra digits are rounded, halves up",
        FractionPolicy::HalfEven => "extra digits are rounded, halves to the even digit",
    };
    match (currency.precision, currency.fraction_policy) {
        (0, FractionPolicy::Reject) => "Whole numbers only".to_owned(),
        (0, _) => format!("No digits after the point; {policy}"),
        (1, _) => format!("1 digit after the point; {policy}"),
        (digits, _) => format!("{digits} digits after the point; {policy}"),
    }
}

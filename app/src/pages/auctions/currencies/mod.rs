//! `/auctions/{auction_id}/currencies`: what bids may be entered in, the rules that they keep, and beside them
//! the bench to try both on.

mod base_unit;
pub mod form;
mod template;

use leptos::either::Either;
use leptos::prelude::*;
use rules_engine::FractionPolicy;

use crate::components::empty_state::EmptyState;
use crate::components::error_summary::ErrorSummary;
use crate::components::loaded::{loaded, path_part, query_fields, query_part, services};
use crate::components::money::{counted, unit_word};
use crate::components::page_title::PageTitle;
use crate::model::{BenchRule, BidDesk, CurrenciesPage, CurrencyEntry};
use crate::pages::auctions::bench::{BenchState, TestBench};
use crate::pages::auctions::rules::{RuleList, words};
use crate::pages::items::entry::Begin;
use base_unit::BaseUnitLine;
use template::TEMPLATES;

const LIST_TITLE: &str = "Currencies and rules";

#[component]
pub fn Currencies() -> impl IntoView {
    let services = services();
    let auction_id = path_part("auction_id");
    let load = async move { services.currencies(&auction_id).await };
    loaded(load, |page| {
        view! {
            <Workshop page=page.clone() title=LIST_TITLE back=Back::Auction>
                <ErrorSummary />
                <Done />
                <BaseUnitLine page=page.clone() />
                <CurrencyList page=page.clone() />
                <RuleList page />
            </Workshop>
        }
    })
}

/// One line of what was just done.
#[component]
fn Done() -> impl IntoView {
    let words = match query_part("done")?.as_str() {
        "unit-saved" => "The base unit is saved.",
        "currency-saved" => "The currency is saved.",
        "currency-deleted" => "The currency is deleted.",
        "rule-saved" => "The rule is saved. It holds from the next bid on.",
        "rule-deleted" => "The rule is deleted.",
        "rule-on" => "The rule is switched on. It holds from the next bid on.",
        "rule-off" => "The rule is switched off.",
        "rules-ordered" => "The rules are in their new order.",
        _ => return None,
    };
    Some(view! {
        <p class="done" role="status">
            {words}
        </p>
    })
}

/// Where a page of the workshop leads back to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Back {
    Auction,
    /// The page of all currencies and rules.
    #[default]
    List,
}

/// The frame of these pages: what is made on the left, the bench on the right.
#[component]
pub fn Workshop(
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
        <div class="workshop">
            <div class="workshop-made">{children()}</div>
            {bench
                .map(|state| {
                    view! {
                        <section class="bid-panel workshop-bench" aria-labelledby="bench">
                            <h2 id="bench">"Test bench"</h2>
                            <p class="hint">"Type any bid and see what it is worth and what every rule says. Nothing is sent."</p>
                            <TestBench state />
                        </section>
                    }
                })}
        </div>
    }
}

/// What the bench begins with, as its island takes it: what was typed before the page could judge is in the
/// address.
fn bench(page: &CurrenciesPage) -> Option<String> {
    let mut desk: BidDesk = page.desk()?;
    let values = query_fields();
    let asked = values.iter().find(|(name, _)| name == "currency").map(|(_, id)| id.as_str());
    let found = desk.currencies.iter().position(|choice| choice.profile_id.as_deref() == asked);
    desk.selected = found.filter(|_| asked.is_some()).unwrap_or(desk.selected);
    let rules = page.rules.iter().map(|rule| BenchRule {
        id: rule.definition.id.clone(),
        words: words::in_words(&rule.definition, page),
        profile_id: rule.definition.currency_profile_id.clone(),
        enabled: rule.definition.enabled,
    });
    let state = BenchState { rules: rules.collect(), desk, begin: Begin { values, refusal: None } };
    serde_json::to_string(&state).ok()
}

#[component]
fn CurrencyList(page: CurrenciesPage) -> impl IntoView {
    let (path, can_edit, unit) = (page.path(), page.can_edit, unit_word(&page.base_unit));
    let new = format!("{path}/currencies/new");
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
                {(can_edit && any).then(|| view! { <a class="button" href=new.clone()>"New currency"</a> })}
            </div>
            {if none {
                Either::Left(view! { <NoCurrencies can_edit new /> })
            } else {
                Either::Right(view! { <ul class="currencies" role="list">{cards}</ul> })
            }}
        </section>
    }
}

#[component]
fn NoCurrencies(can_edit: bool, new: String) -> impl IntoView {
    if !can_edit {
        let text = "Each item of this auction is priced in a currency of its own, such as euros.";
        return Either::Left(view! {
            <EmptyState title="Priced in everyday currencies" text />
        });
    }
    Either::Right(view! {
        <p class="lead">
            "Without a currency of its own each item is priced in euros, pounds and the like. Define one, and the whole auction bids in it."
        </p>
        <Templates new />
    })
}

/// Where a new currency may begin.
#[component]
pub fn Templates(new: String) -> impl IntoView {
    let own = ("own", "Something else", "An empty form");
    let iso = ("iso", "Any ISO currency", "Euros, pounds, yen, with their own digits");
    let known = TEMPLATES.iter().map(|template| (template.key, template.title, template.about));
    let choices = known.chain([iso, own]).map(|(key, title, about)| {
        view! {
            <li>
                <a class="template" href=format!("{new}?template={key}")>
                    <span class="template-title">{title}</span>
                    <span class="template-about">{about}</span>
                </a>
            </li>
        }
    });
    view! {
        <ul class="templates" role="list" aria-label="Begin with">
            {choices.collect::<Vec<_>>()}
        </ul>
    }
}

#[component]
fn Card(entry: CurrencyEntry, edit: Option<String>, unit: String) -> impl IntoView {
    let entered = entered(&entry);
    let CurrencyEntry { code, is_default, currency, worths, .. } = entry;
    let coins: Vec<String> = currency.denominations.iter().map(|piece| piece.symbol.clone()).collect();
    let whole = currency.name.clone();
    let rows = worths.into_iter().enumerate().map(|(at, (name, worth))| {
        let symbol = coins.get(at).cloned().unwrap_or_default();
        let name = format!("1\u{a0}{}", if name.is_empty() { &whole } else { &name });
        view! {
            <div>
                <dt>
                    {(!symbol.is_empty()).then(|| view! { <span class="coin" aria-hidden="true">{symbol}</span> })} {name}
                </dt>
                <dd>{counted(&worth, &unit)}</dd>
            </div>
        }
    });
    let rows = rows.collect::<Vec<_>>();
    let label = format!("Edit {}", currency.name);
    view! {
        <li class="currency">
            <div class="currency-head">
                <h3>{currency.name} " " {symbol(currency.symbol)}</h3>
                <p class="facts">
                    <span class="code">{code}</span>
                    {is_default.then_some("Used where a bid names none")}
                    <span>{entered}</span>
                </p>
            </div>
            <dl class="worths">{rows}</dl>
            {edit.map(|edit| view! { <a class="button quiet" href=edit aria-label=label>"Edit"</a> })}
        </li>
    }
}

fn symbol(symbol: String) -> Option<impl IntoView> {
    (!symbol.is_empty()).then(|| view! { <span class="tariff-symbol">{symbol}</span> })
}

/// How amounts may be written.
fn entered(entry: &CurrencyEntry) -> String {
    let definition = &entry.currency.definition;
    let further = match definition.fraction_policy {
        FractionPolicy::Reject => "more are refused",
        FractionPolicy::Down => "more are dropped",
        FractionPolicy::Up => "more are rounded up",
        FractionPolicy::HalfUp => "more are rounded, halves up",
        FractionPolicy::HalfEven => "more are rounded, halves to even",
    };
    match (definition.precision, definition.fraction_policy) {
        (0, FractionPolicy::Reject) => "Whole numbers only".to_owned(),
        (0, _) => format!("No digits after the point; {further}"),
        (1, _) => format!("1 digit after the point; {further}"),
        (digits, _) => format!("{digits} digits after the point; {further}"),
    }
}

//! The pages of an auction's rules. The page of its currencies lists them.

pub mod buttons;
mod conflicts;
pub mod edit;
mod form;
pub mod new;
pub(super) mod words;

use app::components::empty_state::EmptyState;
use leptos::either::Either;
use leptos::prelude::*;
use rules_engine::RuleType;

use crate::pages::currencies::CurrenciesPage;
use words::{TypeWords, type_words};

#[component]
pub fn RuleList(page: CurrenciesPage) -> impl IntoView {
    let (path, can_edit, count) = (page.path(), page.can_edit, page.rules.len());
    let rows = page.rules.iter().enumerate().map(|(at, rule)| {
        let definition = &rule.definition;
        let row = Row {
            path: format!("{path}/currency-rules/{}", definition.id),
            words: words::in_words(definition, &page),
            enabled: definition.enabled,
            first: at == 0,
            last: at + 1 == count,
        };
        view! { <RuleRow row can_edit /> }
    });
    let rows = rows.collect::<Vec<_>>();
    let list = if rows.is_empty() {
        Either::Left(view! {
            <EmptyState title="No rules yet" text="Any bid above the highest is accepted." />
        })
    } else {
        Either::Right(view! { <ol class="rules" role="list">{rows}</ol> })
    };
    let conflicts = conflicts::conflicts(&page).into_iter().map(|(first, second)| {
        let [first, second] = [first, second].map(|rule| words::in_words(rule, &page));
        view! { <p class="notice">{format!("No bid keeps both of these rules: “{first}” and “{second}”. Change one of them.")}</p> }
    });
    let conflicts = conflicts.collect::<Vec<_>>();
    let by_denomination = page.currencies.iter().any(|entry| entry.currency.by_denomination());
    let types = RuleType::ALL.into_iter().filter(|kind| by_denomination || !kind.takes("denomination"));
    let add = types.map(|kind| {
        let TypeWords { title, about } = type_words(kind);
        view! {
            <li>
                <a class="template" href=format!("{path}/currency-rules/new?type={}", kind.as_str())>
                    <span class="template-title">{title}</span>
                    <span class="template-about">{about}</span>
                </a>
            </li>
        }
    });
    let hall = view! {
        <li>
            <a class="template" href=format!("{path}/currency-rules/new?type=STEP&template=hall")>
                <span class="template-title">"Auctioneer’s steps"</span>
                <span class="template-about">"300, 320, 350, 380, 400, 450 and so on, in every decade"</span>
            </a>
        </li>
    };
    let add = add.collect::<Vec<_>>();
    (!page.currencies.is_empty()).then(|| {
        view! {
            <section aria-labelledby="rules">
                <h2 id="rules" class="section-title">
                    "Rules"
                </h2>
                {conflicts}
                {list}
                {can_edit
                    .then(|| {
                        view! {
                            <h3 class="add">"Add a rule"</h3>
                            <ul class="templates" role="list" aria-label="Add a rule">
                                {add} {hall}
                            </ul>
                        }
                    })}
            </section>
        }
    })
}

struct Row {
    path: String,
    words: String,
    enabled: bool,
    first: bool,
    last: bool,
}

#[component]
fn RuleRow(row: Row, can_edit: bool) -> impl IntoView {
    let Row { path, words, enabled, first, last } = row;
    let label = |action: &str| format!("{action}: {words}");
    let switch = if enabled { "Switch off" } else { "Switch on" };
    let change = can_edit.then(|| {
        view! {
            <form class="rule-change" method="post">
                <button class="button quiet icon" formaction=format!("{path}/up") disabled=first aria-label=label("Move up")>
                    "↑"
                </button>
                <button
                    class="button quiet icon"
                    formaction=format!("{path}/down")
                    disabled=last
                    aria-label=label("Move down")
                >
                    "↓"
                </button>
                <button class="button quiet" formaction=format!("{path}/switch") aria-label=label(switch)>
                    {switch}
                </button>
                <a class="button quiet" href=path.clone() aria-label=label("Edit")>
                    "Edit"
                </a>
            </form>
        }
    });
    view! {
        <li class="rule" class:off=!enabled>
            <p>
                {words.clone()} {(!enabled).then(|| view! { <span class="rule-off">"switched off"</span> })}
            </p>
            {change}
        </li>
    }
}

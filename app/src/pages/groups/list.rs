//! `/groups`: the viewer's groups.

use leptos::either::Either;
use leptos::prelude::*;

use super::{CODE, Done};
use crate::components::empty_state::EmptyState;
use crate::components::error_summary::ErrorSummary;
use crate::components::field::{Field, TextField};
use crate::components::name::Name;
use crate::components::page_title::PageTitle;
use crate::html::{Html, html};
use crate::model::GroupEntry;

const FIELDS: &[Field] = &[CODE];

/// `may_create` is false for a managed user.
pub fn groups_page(groups: Vec<GroupEntry>, may_create: bool) -> Html {
    let content = if groups.is_empty() {
        Either::Left(view! { <Nothing /> })
    } else {
        let rows = groups.into_iter().map(|group| view! { <Row group /> });
        Either::Right(view! { <ul class="books" role="list">{rows.collect_view()}</ul> })
    };
    let create = may_create.then(|| {
        view! {
            <a class="button" href="/groups/new">
                "New group"
            </a>
        }
    });
    html(view! {
        <PageTitle text="Groups" />
        <header class="page-head">
            <div>
                <h1>"Groups"</h1>
                <p class="lead">"A class, a guild or a club: people who bid together again and again, with a number each."</p>
            </div>
            {create}
        </header>
        <Done />
        {content}
        {may_create.then(|| view! { <Join /> })}
    })
}

#[component]
fn Nothing() -> impl IntoView {
    view! {
        <EmptyState
            title="You are in no group yet"
            text="The people of a group need no e-mail: you add their names, print a card for each, and they sign in with number and PIN. Choose the group for an auction, and all of them are members."
        >
            <a class="button primary" href="/groups/new">
                "New group"
            </a>
        </EmptyState>
    }
}

#[component]
fn Row(group: GroupEntry) -> impl IntoView {
    let GroupEntry { id, name, is_keeper, people } = group;
    view! {
        <li class="book-row">
            <div>
                <h2>
                    <a href=format!("/groups/{id}")>
                        <Name text=name />
                    </a>
                </h2>
                <p class="facts">
                    <span>{if is_keeper { "You keep it" } else { "You are in it" }}</span>
                    <span>{people_words(people)}</span>
                </p>
            </div>
        </li>
    }
}

/// How many people a group has.
pub fn people_words(people: i64) -> String {
    if people == 1 { "1 person".to_owned() } else { format!("{people} people") }
}

#[component]
fn Join() -> impl IntoView {
    view! {
        <section class="group-page" aria-labelledby="join">
            <form method="post" action="/groups/join" novalidate>
                <h2 id="join">"Join a group"</h2>
                <ErrorSummary fields=&[FIELDS] />
                <TextField
                    field=CODE
                    hint="Its keeper tells you the six letters and digits."
                    autocomplete="off"
                    required=true
                    class="medium"
                />
                <button class="button" type="submit">
                    "Join"
                </button>
            </form>
        </section>
    }
}

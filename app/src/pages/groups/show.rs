//! `/groups/{group_id}`: a group, and for its keepers the people, their cards and PINs.

use leptos::prelude::*;

use super::failures::Failures;
use super::leave::{Leave, PIN};
use super::list::people_words;
use super::new::GroupFields;
use super::people::People;
use super::removed::Removed;
use super::{Done, NAME, NAMES};
use crate::components::error_summary::ErrorSummary;
use crate::components::export_links::ExportLinks;
use crate::components::field::{Field, TextArea, refused_value};
use crate::components::name::Name;
use crate::components::page_title::PageTitle;
use crate::html::{Html, html};
use crate::model::{Filled, GroupEntry, GroupPage, KeptGroup};
use crate::request::request;

const FIELDS: &[Field] = &[NAMES, NAME, PIN];

pub fn group_page(page: GroupPage) -> Html {
    let GroupPage { group, auctions, leaving, kept } = page;
    let joinable = kept.as_ref().is_some_and(|kept| kept.joinable);
    let mut filled = vec![("name".to_owned(), group.name.clone())];
    filled.extend(joinable.then(|| ("joinable".to_owned(), "true".to_owned())));
    provide_context(Filled(filled));
    let auctions = (!auctions.is_empty()).then(|| view! { <Auctions auctions /> });
    let (path, name, people) = (format!("/groups/{}", group.id), group.name.clone(), group.people);
    html(view! {
        <PageTitle text=name.clone() />
        <header class="page-head">
            <div>
                <p class="eyebrow">
                    <a href="/groups">"Groups"</a>
                </p>
                <h1>
                    <Name text=name />
                </h1>
                <p class="facts">
                    <span>{people_words(people)}</span>
                </p>
            </div>
        </header>
        <div class="group-page">
            <ErrorSummary fields=&[FIELDS] />
            <Done />
            {auctions}
            {kept.map(|kept| view! { <Kept group kept path=path.clone() /> }.into_any())}
            {view! { <Leave leaving path /> }.into_any()}
        </div>
    })
}

#[component]
fn Auctions(auctions: Vec<(String, String)>) -> impl IntoView {
    let rows = auctions.into_iter().map(|(address, name)| {
        view! {
            <li>
                <a href=address>
                    <Name text=name />
                </a>
            </li>
        }
    });
    view! {
        <section aria-labelledby="auctions">
            <h2 id="auctions">"Auctions"</h2>
            <ul class="book-auctions">{rows.collect_view()}</ul>
        </section>
    }
}

#[component]
fn Kept(group: GroupEntry, kept: KeptGroup, path: String) -> impl IntoView {
    let KeptGroup { code, door, people, failing, open_until, search, cursor, removed, joinable, .. } = kept;
    view! {
        <section aria-labelledby="door">
            <h2 id="door">"How they sign in"</h2>
            <p>
                "At " <strong>{door}</strong> " with the code " <strong class="group-code">{code}</strong>
                ", their number and their PIN. A card has all of it, and a QR code that fills it in, which no wrong PINs of others lock."
            </p>
            <div class="actions">
                <a class="button" href=format!("{path}/cards")>
                    "Cards without PINs"
                </a>
                <form method="post" action=format!("{path}/code")>
                    <button class="button quiet" type="submit">
                        "New code"
                    </button>
                </form>
            </div>
        </section>
        {view! { <Failures failing open_until path=path.clone() /> }.into_any()}
        {view! { <Add path=path.clone() /> }.into_any()}
        {view! { <People people search cursor path=path.clone() /> }.into_any()}
        {view! { <Removed removed joinable path=path.clone() /> }.into_any()}
        {view! { <Settings group path /> }.into_any()}
    }
}

#[component]
fn Add(path: String) -> impl IntoView {
    let key = refused_value("idempotencyKey").filter(|key| !key.is_empty());
    let key = key.unwrap_or_else(|| request().new_key.clone());
    view! {
        <section aria-labelledby="add">
            <h2 id="add">"Add people"</h2>
            <form method="post" action=format!("{path}/people") novalidate>
                <input type="hidden" name="idempotencyKey" value=key />
                <TextArea
                    field=NAMES
                    hint="One name in each line, at most 500. The next page has a card for each, with a new PIN, to be printed: PINs are shown only there."
                />
                <div class="actions">
                    <button class="button primary" type="submit">
                        "Add and show the cards"
                    </button>
                    <a class="button quiet" href=format!("{path}/import")>
                        "Import a table"
                    </a>
                    <ExportLinks
                        path=format!("/api{path}/export")
                        csv="Numbers and names as CSV"
                        xlsx="Numbers and names as Excel"
                    />
                </div>
            </form>
        </section>
    }
}

#[component]
fn Settings(group: GroupEntry, path: String) -> impl IntoView {
    let name = group.name;
    view! {
        <section aria-labelledby="settings">
            <h2 id="settings">"Settings"</h2>
            <form method="post" action=format!("{path}/settings") novalidate>
                <GroupFields />
                <button class="button primary" type="submit">
                    "Save group"
                </button>
            </form>
            <form class="danger" method="post" action=format!("{path}/delete")>
                <p>"The accounts of its people without an e-mail are deleted, and their names vanish from their bids. An open auction keeps the group from being deleted."</p>
                <button class="button" type="submit">
                    {format!("Delete {name}")}
                </button>
            </form>
        </section>
    }
}

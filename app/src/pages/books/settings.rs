//! `/books/{book_id}/settings`: what the owner may change, closing and deletion.

use leptos::prelude::*;

use super::Done;
use super::caps::{self, Caps};
use super::fields::{BookFields, FIELDS};
use super::share::{self, ShareAtOnce};
use crate::components::error_summary::ErrorSummary;
use crate::components::field::refused_value;
use crate::components::name::Name;
use crate::components::page_title::PageTitle;
use crate::components::unit_fields::UNIT;
use crate::html::{Html, html};
use crate::model::{BookSettings, Filled, Refused};

/// The hidden field with the version, which only the form with the settings has.
const VERSION: &str = "version";

pub fn book_settings_page(settings: BookSettings) -> Html {
    let BookSettings { id, name, unit, version, fields, zones, is_closed, is_used } = settings;
    let path = format!("/books/{id}");
    let submitted = use_context::<Refused>().and_then(|refused| refused.value(VERSION).map(str::to_owned));
    provide_context(Filled(fields));
    // A refused form fills the fields of the page: another form would be empty, and is not shown.
    let is_refused = use_context::<Refused>().is_some_and(|refused| !refused.is_button);
    let has = |field: &str| !is_refused || refused_value(field).is_some();
    let (shows_terms, shows_caps) = (has(VERSION), has(caps::TIME_ZONE.name));
    let shows_share = has(share::DIGITS.name);
    let version = submitted.unwrap_or_else(|| version.to_string());
    let form = (!is_closed && shows_terms).then(|| {
        view! {
            <form method="post" novalidate>
                <input type="hidden" name=VERSION value=version />
                <BookFields />
                <div class="actions">
                    <button class="button primary" type="submit">
                        "Save settings"
                    </button>
                </div>
            </form>
        }
    });
    let caps = (!is_closed && shows_caps).then(|| view! { <Caps path=path.clone() zones unit /> });
    let share = (!is_closed && shows_share).then(|| view! { <ShareAtOnce path=path.clone() /> });
    html(view! {
        <PageTitle text=format!("Settings of {name}") />
        <header class="page-head">
            <div>
                <p class="eyebrow">
                    <a href=path.clone()>
                        <Name text=name />
                    </a>
                </p>
                <h1>"Settings"</h1>
            </div>
        </header>
        <div class="settings-page">
            <ErrorSummary fields=&[FIELDS, UNIT, share::FIELDS, caps::FIELDS] />
            <Done />
            {form}
            {share}
            {caps}
            <Close path=path.clone() is_closed />
            <Delete path is_used />
        </div>
    })
}

#[component]
fn Close(path: String, is_closed: bool) -> impl IntoView {
    let (about, action, label) = if is_closed {
        ("These balances are closed: they take no entries and no auction.", "open", "Open the balances again")
    } else {
        (
            "Closed balances take no more entries and no auction. That is possible once none of their auctions is open.",
            "close",
            "Close the balances",
        )
    };
    view! {
        <section aria-labelledby="close">
            <h2 id="close">"Close"</h2>
            <form class="danger" method="post" action=format!("{path}/settings/{action}")>
                <p>{about}</p>
                <button class="button" type="submit">
                    {label}
                </button>
            </form>
        </section>
    }
}

#[component]
fn Delete(path: String, is_used: bool) -> impl IntoView {
    let about = if is_used {
        "Balances with entries or auctions can’t be deleted: their record stays."
    } else {
        "The balances are deleted at once."
    };
    view! {
        <section aria-labelledby="delete">
            <h2 id="delete">"Delete"</h2>
            <form class="danger" method="post" action=format!("{path}/settings/delete")>
                <p>{about}</p>
                <button class="button" type="submit" disabled=is_used>
                    "Delete the balances"
                </button>
            </form>
        </section>
    }
}

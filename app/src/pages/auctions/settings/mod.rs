//! `/auctions/{auction_id}/settings`: everything that its managers may change, closing, copying and deletion.

mod close;
mod copy;
mod delete;
mod schedule;

use leptos::prelude::*;

use crate::components::auction_tabs::{AuctionTab, AuctionTabs};
use crate::components::error_summary::ErrorSummary;
use crate::components::moment::date_and_time;
use crate::components::name::Name;
use crate::components::page_title::PageTitle;
use crate::components::side_nav::SideNav;
use crate::components::unit_fields::UNIT;
use crate::html::{Html, html};
use crate::model::{AuctionAccess, AuctionSettings, AuctionState, Filled, Refused};
use crate::pages::auctions::fields::{
    AboutFields, AntiSnipeFields, BaseUnitFields, BookField, EndField, EndModeField, FIELDS, InviteField,
    JoinField, VisibilityField,
};
use crate::request::query_part;
use close::Close;
use copy::Copy;
use delete::Delete;
use schedule::Schedule;

/// The hidden field with the version, which only the form with the settings has.
const VERSION: &str = "version";

pub fn auction_settings_page(settings: AuctionSettings) -> Html {
    let path = format!("/auctions/{}", settings.auction_id);
    let (state, name) = (settings.state, settings.name.clone());
    let delete = settings.may_delete.then(|| {
        view! { <Delete path=path.clone() name=name.clone() has_bids=settings.has_bids /> }.into_any()
    });
    let schedules = state != AuctionState::Closed && settings.item_end_mode == "CUSTOM";
    let version = fill(&settings);
    let is_closed = state == AuctionState::Closed;
    let subjects = SUBJECTS.iter().copied().filter(|(id, _)| match *id {
        "schedule" => schedules,
        "delete" => delete.is_some(),
        "copy" => true,
        _ => !is_closed,
    });
    let subjects: Vec<_> = subjects.collect();
    html(view! {
        <PageTitle text=format!("Settings of {name}") />
        <header class="page-head">
            <div>
                <p class="eyebrow">
                    <a href=path.clone()><Name text=name /></a>
                </p>
                <h1>"Settings"</h1>
            </div>
        </header>
        <AuctionTabs
            auction=path.clone()
            current=AuctionTab::Settings
            access=AuctionAccess { is_member: true, can_change: true }
        />
        // The type of the whole page would be too deep for the compiler.
        <SideNav subjects>
            <div class="settings-page">
                <ErrorSummary fields=&[FIELDS, UNIT, schedule::FIELDS, copy::FIELDS, delete::FIELDS] />
                <Done />
                {(state == AuctionState::Closed)
                    .then(|| view! { <p class="notice">"This auction is closed. What it sold and its record of bids stay."</p> })}
                {(state != AuctionState::Closed).then(|| view! { <Fields settings version /> }.into_any())}
                {schedules.then(|| view! { <Schedule path=path.clone() /> }.into_any())}
                {view! { <Copy path=path.clone() /> }.into_any()}
                {(state != AuctionState::Closed).then(|| view! { <Close path=path.clone() /> }.into_any())}
                {delete}
            </div>
        </SideNav>
    })
}

/// The ids of the headings, and short names of them.
const SUBJECTS: &[(&str, &str)] = &[
    ("about", "About"),
    ("people", "People"),
    ("end", "End"),
    ("money", "Money"),
    ("schedule", "One after the other"),
    ("copy", "Copy"),
    ("close", "Close"),
    ("delete", "Delete"),
];

/// Fills in the form with the settings, unless it was refused: then it shows the submitted values and
/// version. Returns the version that it changes.
fn fill(settings: &AuctionSettings) -> String {
    let refused = use_context::<Refused>();
    let submitted = refused.as_ref().and_then(|refused| refused.value(VERSION)).map(str::to_owned);
    if submitted.is_none() {
        provide_context(Filled(settings.fields.clone()));
        if let Some(mut refused) = refused {
            refused.values.extend(settings.fields.clone());
            provide_context(refused);
        }
    }
    submitted.unwrap_or_else(|| settings.version.to_string())
}

/// The success message of the last action.
#[component]
fn Done() -> impl IntoView {
    if use_context::<Refused>().is_some() {
        return None;
    }
    let moment = |name: &str| query_part(name).and_then(|millis| millis.parse().ok()).map(date_and_time);
    if let Some((first, last)) = moment("from").zip(moment("to")) {
        return Some(view! {
            <p class="done" role="status">
                {format!("The ends of the items are set, from {first} to {last}.")}
            </p>
        });
    }
    let words = match query_part("done")?.as_str() {
        "saved" => "The settings are saved.",
        "closed" => "The auction is closed.",
        "copied" => "This is the copy. Set its end and invite its members.",
        "scheduled" => "The ends of the items are set.",
        _ => return None,
    };
    Some(view! {
        <p class="done" role="status">
            {words.to_owned()}
        </p>
    })
}

#[component]
fn Fields(settings: AuctionSettings, version: String) -> impl IntoView {
    let AuctionSettings {
        ends_at,
        bidder_visibility,
        item_end_mode,
        state,
        has_bids,
        has_standing_bid,
        books,
        book,
        ..
    } = settings;
    let ended = (state == AuctionState::Ended).then(|| {
        view! {
            <p class="notice">"The auction is past its end. A late bid keeps an item open: the end and the way in which items end can’t be changed any more."</p>
        }
    });
    view! {
        <form method="post" novalidate>
            <input type="hidden" name=VERSION value=version />
            <section aria-labelledby="about">
                <h2 id="about">"About"</h2>
                <AboutFields save="Save settings" />
            </section>
            <section aria-labelledby="people">
                <h2 id="people">"People"</h2>
                <JoinField />
                <InviteField />
                <VisibilityField at_least=has_bids.then_some(bidder_visibility) />
            </section>
            <section aria-labelledby="end">
                <h2 id="end">"End"</h2>
                {ended}
                <EndField moment=ends_at />
                <EndModeField frozen=has_standing_bid.then_some(item_end_mode) />
                <AntiSnipeFields />
            </section>
            <section aria-labelledby="money">
                <h2 id="money">"Money"</h2>
                <BookField books chosen=book />
                <BaseUnitFields />
            </section>
            <div class="actions">
                <button class="button primary" type="submit">
                    "Save settings"
                </button>
            </div>
        </form>
    }
}

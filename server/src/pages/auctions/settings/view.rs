//! `/auctions/{auction_id}/settings`: everything that its managers may change, closing, copying and deletion.

use app::components::auction_tabs::{AuctionTab, AuctionTabs};
use app::components::error_summary::ErrorSummary;
use app::components::moment::date_and_time;
use app::components::page_head::PageHead;
use app::components::page_title::PageTitle;
use app::components::subjects::{SUBJECT, Subjects, asked_subject};
use app::components::unit_fields::UNIT;
use app::html::{Html, html};
use app::model::{AuctionAccess, BaseUnit, Filled, Refused, SelectOption};
use app::request::query_part;
use leptos::prelude::*;

use super::close::Close;
use super::copy::Copy;
use super::delete::Delete;
use super::schedule::Schedule;
use super::words::subjects;
use crate::pages::auctions::fields::{
    AboutFields, AntiSnipeFields, BaseUnitFields, BookField, CollectionField, EndField, EndModeField, FIELDS,
    GoalField, GroupField, InviteField, IsoField, JoinField, ReadersField, VisibilityField,
};

/// An auction as its managers change it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuctionSettings {
    pub auction_id: String,
    pub name: String,
    /// Sent with a change, which fails if the auction has a later version.
    pub version: i64,
    /// Names and values of the form's fields. A box that is not checked has none.
    pub fields: Vec<(String, String)>,
    pub ends_at: Option<i64>,
    pub bidder_visibility: String,
    pub item_end_mode: String,
    pub state: AuctionState,
    /// The auction has ever had a bid.
    pub has_bids: bool,
    pub has_standing_bid: bool,
    /// The groups that the viewer may choose, the present one included.
    pub groups: Vec<SelectOption>,
    /// The id of the present group.
    pub group: Option<String>,
    /// The books that the viewer may choose, the present one included.
    pub books: Vec<SelectOption>,
    /// The id of the present book.
    pub book: Option<String>,
    /// The choices of ordinary money. None in an auction with currencies of its own.
    pub iso_currencies: Vec<SelectOption>,
    /// The unit of the goal, if the auction has one.
    pub unit: Option<BaseUnit>,
    /// The goal in words.
    pub goal: Option<String>,
    /// The ends of its first items, for the screen that sets them.
    pub ends: Vec<i64>,
    /// The viewer may delete the auction.
    pub may_delete: bool,
}

/// What the time allows to change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuctionState {
    Open,
    /// Past its end, with an item that lasts longer: the end stays.
    Ended,
    Closed,
}

/// The hidden field with the version, which only the form with the settings has.
const VERSION: &str = "version";

pub fn auction_settings_page(settings: AuctionSettings) -> Html {
    let path = format!("/auctions/{}", settings.auction_id);
    let (state, name) = (settings.state, settings.name.clone());
    let subjects = subjects(&settings);
    let current = asked_subject(&subjects);
    let version = fill(&settings);
    let has_bids = settings.has_bids;
    // The type of the whole page would be too deep for the compiler.
    let screen = match current {
        Some("schedule") => Some(view! { <Schedule path=path.clone() ends=settings.ends /> }.into_any()),
        Some("copy") => Some(view! { <Copy path=path.clone() /> }.into_any()),
        Some("close") => Some(view! { <Close path=path.clone() /> }.into_any()),
        Some("delete") => Some(view! { <Delete path=path.clone() name=name.clone() has_bids /> }.into_any()),
        Some(part) => Some(view! { <Part settings version path=path.clone() part /> }.into_any()),
        None => None,
    };
    html(view! {
        <PageTitle text=format!("Settings of {name}") />
        <PageHead back=path.clone() of=name heading="Settings" />
        <AuctionTabs
            auction=path.clone()
            current=AuctionTab::Settings
            access=AuctionAccess { is_member: true, can_change: true, runs_hall: true }
        />
        <Subjects above=path path="/settings" subjects current>
            <div class="settings-page">
                <ErrorSummary fields=&[FIELDS, UNIT, super::schedule::FIELDS, super::copy::FIELDS, super::close::FIELDS, super::delete::FIELDS] />
                <Done />
                {(state == AuctionState::Closed)
                    .then(|| view! { <p class="notice">"This auction is closed. What it sold and its record of bids stay."</p> })}
                {screen}
            </div>
        </Subjects>
    })
}

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

/// The form of the settings of one subject.
#[component]
fn Part(settings: AuctionSettings, version: String, path: String, part: &'static str) -> impl IntoView {
    let AuctionSettings {
        ends_at, bidder_visibility, item_end_mode, state, has_bids, has_standing_bid, ..
    } = settings;
    let AuctionSettings { books, book, groups, group, iso_currencies, unit, .. } = settings;
    let fields = match part {
        "about" => view! {
            <h2>"About"</h2>
            <AboutFields save="Save settings" />
            <CollectionField />
        }
        .into_any(),
        "people" => view! {
            <h2>"People"</h2>
            <GroupField groups chosen=group />
            <JoinField />
            <ReadersField />
            <InviteField />
            <VisibilityField at_least=has_bids.then_some(bidder_visibility) />
        }
        .into_any(),
        "end" => view! {
            <h2>"End"</h2>
            {(state == AuctionState::Ended)
                .then(|| {
                    view! {
                        <p class="notice">"The auction is past its end. A late bid keeps an item open: the end and the way in which items end can’t be changed any more."</p>
                    }
                })}
            <EndField moment=ends_at />
            <EndModeField frozen=has_standing_bid.then_some(item_end_mode) />
            <AntiSnipeFields />
        }
        .into_any(),
        _ => view! {
            <h2>"Money"</h2>
            <BookField books chosen=book />
            <IsoField currencies=iso_currencies />
            <BaseUnitFields />
            <GoalField unit />
        }
        .into_any(),
    };
    view! {
        <form method="post" action=format!("{path}/settings?{SUBJECT}={part}") novalidate>
            <input type="hidden" name=VERSION value=version />
            <input type="hidden" name=SUBJECT value=part />
            {fields}
            <div class="actions">
                <button class="button primary" type="submit">
                    "Save settings"
                </button>
            </div>
        </form>
    }
}

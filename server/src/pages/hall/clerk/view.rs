//! `/auctions/{auction_id}/clerk`: sells items aloud in a room: lot, number, price. It works as a form; with
//! JavaScript the desk answers each field, and the lists follow the auction.

use app::assets::BuiltFile;
use app::bundles::{Bundle, LoadBundle};
use app::components::auction_tabs::{AuctionTab, AuctionTabs};
use app::components::error_summary::ErrorSummary;
use app::components::field::{CheckField, Field, SelectField, TextField, refused_value};
use app::components::island_state::island_state;
use app::components::live_news::LiveNews;
use app::components::money::StaticValue;
use app::components::name::Name;
use app::components::page_head::PageHead;
use app::components::page_title::PageTitle;
use app::head::add_to_head;
use app::html::{Html, html};
use app::islands::hall::desk::ClerkDesk;
use app::model::{Desk, Refused, SelectOption};
use app::request::request;
use app::scripts::LoadScript;
use leptos::either::Either;
use leptos::prelude::*;

use super::{ClerkLot, ClerkPage};
use crate::pages::auctions::results::list::ResultRow;
use crate::pages::hall::next::{NextActions, progress};
use crate::pages::hall::odd::ASKED;
use crate::pages::hall::present::{NUMBERS, Present};
use crate::pages::items::outcome_marks::OutcomeWords;

/// Parameter of the address with the item whose outcome is corrected.
pub const CORRECT: &str = "correct";
/// Parameter of the address with the item that was called last.
pub const CALLED: &str = "called";

const LOT: Field = Field::new("lot", "Lot", "Enter the number of a lot of this auction.");
const NUMBER: Field = Field::new("number", "Number", "Enter the number of a member of this auction.");
const BUYER: Field = Field::new("number", "Buyer", "Choose a member of this auction.");
const PRICE: Field = Field::new("price", "Price", "Enter the price.");
const CURRENCY: Field = Field::new("currencyProfileId", "Currency", "Choose a currency of the list.");
const REASON: Field = Field::new("reason", "Reason", "Say why. Everyone who sees the results can read it.");

/// Next lots that are shown at first. The others follow where a network is missing.
const NEXT_SHOWN: usize = 3;

const STALE: &str = "These lists may be out of date: the connection is lost.";

/// The fields for buyer and price, of a call and of a correction.
#[derive(Clone)]
struct SaleFields {
    members: Vec<SelectOption>,
    currencies: Vec<SelectOption>,
    price_hint: String,
}

pub fn clerk_page(page: ClerkPage) -> Html {
    let auction = format!("/auctions/{}", page.auction_id);
    let path = format!("{auction}/clerk");
    let fields =
        SaleFields { members: page.members, currencies: page.currencies, price_hint: page.price_hint };
    let is_open = |lot: &&ClerkLot| lot.outcome.is_none();
    let offered = page.block.as_ref().filter(is_open).or(page.next.first());
    let offered = offered.map(|lot| lot.lot_number.clone());
    let first = page.next.first().cloned();
    let form = match page.correcting {
        Some(row) => Either::Left(view! { <Correct row path=path.clone() fields /> }),
        None => Either::Right(view! { <Call offered fields desk=page.desk /> }),
    };
    let (sold, open) = (page.counts.sold, page.counts.open);
    let done = sold.saturating_add(page.counts.unsold).saturating_add(page.counts.cancelled);
    let all = done.saturating_add(open);
    html(view! {
        <PageTitle text="Clerk" />
        <PageHead back=auction.clone() of=page.auction_name heading="Clerk" />
        <AuctionTabs auction=auction.clone() current=AuctionTab::Clerk access=page.access />
        <div class="clerk">
            <div class="clerk-desk">
                {page.called.map(|row| view! { <Answer row /> })}
                {form}
                <p class="hint" data-insecure="" hidden=true>
                    "Without https this page can’t be reloaded while there is no network."
                </p>
                {page
                    .present
                    .map(|present| view! { <Present present auction=auction.clone() path=path.clone() /> })}
                {page.access.can_change.then(|| view! { <Screen path=path.clone() /> })}
            </div>
            <div class="clerk-lists">
                <LiveNews class="hint" stale=STALE stream=page.stream />
                <section aria-labelledby="clerk-block">
                    <h2 id="clerk-block">"On the block"</h2>
                    <div id="clerk-live-block" class="live">
                        {match page.block {
                            Some(lot) => Either::Left(view! { <Lot lot auction=auction.clone() /> }),
                            None => Either::Right(view! { <p class="hint">"Nothing is on the block."</p> }),
                        }}
                    </div>
                </section>
                <section aria-labelledby="clerk-next">
                    <h2 id="clerk-next">"Next"</h2>
                    <ol id="clerk-live-next" class="live clerk-next" role="list">
                        {page
                            .next
                            .into_iter()
                            .enumerate()
                            .map(|(at, lot)| {
                                let (item, number) = (lot.item_id.clone(), lot.lot_number.clone());
                                view! {
                                    <li data-item=item data-lot=number hidden={at >= NEXT_SHOWN}>
                                        <Lot lot auction=auction.clone() />
                                    </li>
                                }
                            })
                            .collect_view()}
                    </ol>
                    <div id="clerk-live-held" class="live">
                        <NextActions auction=auction.clone() next=first held=page.held />
                    </div>
                    <p id="clerk-next-said" class="field-error" role="alert"></p>
                </section>
                <section aria-labelledby="clerk-entries">
                    <h2 id="clerk-entries">"Called"</h2>
                    <div id="clerk-live-entries" class="live">
                        <p class="clerk-total">
                            <span class="clerk-done" data-done=done>
                                {progress(done, all, page.minutes_left)}
                            </span>
                            {page
                                .total
                                .money
                                .into_iter()
                                .map(|sum| view! { <StaticValue amount=sum.amount unit=sum.unit /> })
                                .collect_view()}
                        </p>
                        <ul class="clerk-entries" role="list">
                            {page
                                .entries
                                .into_iter()
                                .map(|row| view! { <Entry row auction=auction.clone() path=path.clone() /> })
                                .collect_view()}
                        </ul>
                    </div>
                </section>
            </div>
        </div>
        <LoadScript script=BuiltFile::NextScript />
    })
}

/// What became of the item that was called last.
#[component]
fn Answer(row: ResultRow) -> impl IntoView {
    let is_refused = use_context::<Refused>().is_some();
    (!is_refused).then(|| {
        view! {
            <div class="notice" role="status">
                <p>{format!("Lot {}, ", row.lot_number)} <Name text=row.name /></p>
                <OutcomeWords outcome=row.outcome />
            </div>
        }
    })
}

#[component]
fn Key() -> impl IntoView {
    let key = refused_value("idempotencyKey").filter(|key| !key.is_empty());
    let key = key.unwrap_or_else(|| request().new_key.clone());
    view! { <input type="hidden" name="idempotencyKey" value=key /> }
}

/// The fields for buyer and price.
#[component]
fn Sale(fields: SaleFields) -> impl IntoView {
    let SaleFields { members, currencies, price_hint } = fields;
    let buyer = if members.is_empty() {
        Either::Left(view! { <TextField field=NUMBER inputmode="numeric" autocomplete="off" /> })
    } else {
        Either::Right(view! { <SelectField field=BUYER options=members /> })
    };
    let currency = currencies.first().map(|first| first.value.clone());
    let currency =
        currency.map(|default| view! { <SelectField field=CURRENCY options=currencies chosen=default /> });
    view! {
        {buyer}
        <TextField field=PRICE hint=price_hint inputmode="decimal" autocomplete="off" />
        {currency}
    }
}

/// The form that sells, passes, and puts on the block. Enter sells.
#[component]
fn Call(offered: Option<String>, fields: SaleFields, desk: Desk) -> impl IntoView {
    let request = request();
    let assets = &request.assets;
    let clerk = request.viewer.as_ref().map(|viewer| viewer.name.clone());
    // The worker keeps the files that the head names: `page.js` and `live.js` also need their scripts without
    // a network.
    add_to_head(view! {
        <meta
            name="outbox"
            content=assets.address(BuiltFile::UnsentScript)
            data-worker=assets.address(BuiltFile::WorkerScript)
            data-connection=assets.address(BuiltFile::ConnectionScript)
            data-clerk=clerk
        />
    });
    view! {
        <LoadScript script=BuiltFile::OutboxScript />
        <LoadBundle bundle=Bundle::Clerk />
        {island_state(desk)}
        <ClerkDesk>
            <ErrorSummary fields=&[&[LOT, NUMBER, PRICE, CURRENCY, NUMBERS]] />
            <Key />
            <input type="hidden" name=ASKED value=asked() />
            <button class="default-button" type="submit" tabindex="-1" aria-hidden="true" name="call" value="SOLD">
                "Sold"
            </button>
            <div class="clerk-fields">
                <TextField field=LOT value=offered autocomplete="off" autofocus=true />
                <Sale fields />
            </div>
            <CheckField
                name="override"
                label="Sell against the rules"
                hint="Minimum, steps and other rules do not count. The highest bid and the balance always do."
                checked=false
            />
            <div class="actions">
                <CallButton call="SOLD" label="Sold" class="button primary" />
                <CallButton call="LEADER" label="Sold to the highest bid online" key="F2" />
                <CallButton call="PASSED" label="Passed" key="F4" />
                <CallButton call="BLOCK" label="Show on the screen" />
                <CallButton call="HOLD" label="Hold" key="F8" />
            </div>
        </ClerkDesk>
    }
}

/// The lot and the price that were refused, which may be a question about the price: sent once more, they
/// answer it.
fn asked() -> Option<String> {
    let refused = use_context::<Refused>().filter(|refused| refused.problem(PRICE.name).is_some())?;
    let value = |field: Field| refused.value(field.name).unwrap_or_default().trim().to_owned();
    Some(format!("{} {}", value(LOT), value(PRICE)))
}

/// A button of the form, with the key that presses it on a hydrated page.
#[component]
fn CallButton(
    call: &'static str,
    label: &'static str,
    #[prop(default = "button")] class: &'static str,
    #[prop(optional)] key: Option<&'static str>,
) -> impl IntoView {
    view! {
        <button class=class type="submit" name="call" value=call aria-keyshortcuts=key>
            {label}
            {key.map(|key| view! { <kbd aria-hidden="true">{key}</kbd> })}
        </button>
    }
}

/// The form that corrects one outcome.
#[component]
fn Correct(row: ResultRow, path: String, fields: SaleFields) -> impl IntoView {
    let action = format!("{path}/correct");
    view! {
        <form class="clerk-form" method="post" action=action novalidate>
            <ErrorSummary fields=&[&[NUMBER, PRICE, CURRENCY, REASON]] />
            <input type="hidden" name=CORRECT value=row.item_id />
            <h2>{format!("Correct lot {}: ", row.lot_number)} <Name text=row.name /></h2>
            <OutcomeWords outcome=row.outcome />
            <div class="clerk-fields">
                <Sale fields />
                <TextField field=REASON value=Some("Wrongly entered".to_owned()) maxlength=500 />
            </div>
            <div class="actions">
                <button class="button primary" type="submit">
                    "Correct"
                </button>
                <a class="button quiet" href=path>
                    "Cancel"
                </a>
            </div>
        </form>
    }
}

/// The buttons of the screen, for those who manage the auction.
#[component]
fn Screen(path: String) -> impl IntoView {
    view! {
        <details class="clerk-screen">
            <summary>"Screen in the hall"</summary>
            <p class="hint">
                "The screen shows what is on the block to anyone who has its address, without sign-in. A new one ends the one before."
            </p>
            <form method="post" action=format!("{path}/screen") target="_blank">
                <button class="button" type="submit">
                    "Open a new screen"
                </button>
            </form>
            <form method="post" action=format!("{path}/end-screen")>
                <button class="button quiet" type="submit">
                    "End the screen"
                </button>
            </form>
        </details>
    }
}

#[component]
fn Lot(lot: ClerkLot, auction: String) -> impl IntoView {
    let ClerkLot { item_id, lot_number, name, picture, estimate, sold_by, price, leader, outcome } = lot;
    let standing = price.map(|price| {
        let leader = leader.map(|leader| view! { <span><Name text=leader /></span> });
        view! {
            <p class="facts">
                <span>"At " <StaticValue amount=price.amount unit=price.unit /></span>
                {leader}
            </p>
        }
    });
    let estimate = estimate.map(|estimate| view! { <p class="facts"><span>{estimate}</span></p> });
    let sold_by = sold_by.map(|words| view! { <p class="facts"><span>{words}</span></p> });
    view! {
        <div class="clerk-lot">
            {picture.map(|(src, alt)| view! { <img src=src alt=alt loading="lazy" width="64" height="64" /> })}
            <div>
                <p>
                    <span class="results-lot">{format!("Lot {lot_number}")}</span>
                    " "
                    <a href=format!("{auction}/items/{item_id}")><Name text=name /></a>
                </p>
                {match outcome {
                    Some(outcome) => Either::Left(view! { <OutcomeWords outcome /> }),
                    None => Either::Right((estimate, sold_by, standing)),
                }}
            </div>
        </div>
    }
}

#[component]
fn Entry(row: ResultRow, auction: String, path: String) -> impl IntoView {
    let ResultRow { item_id, lot_number, name, outcome, .. } = row;
    let label = format!("Correct lot {lot_number}");
    let copy = outcome.copy_in_words().map(|words| format!(" · {words}"));
    view! {
        <li class="clerk-entry">
            <p>
                <span class="results-lot">{format!("Lot {lot_number}")} {copy}</span>
                " "
                <a href=format!("{auction}/items/{item_id}")><Name text=name /></a>
            </p>
            <div><OutcomeWords outcome /></div>
            <a class="button quiet" href=format!("{path}?{CORRECT}={item_id}") aria-label=label>
                "Correct"
            </a>
        </li>
    }
}

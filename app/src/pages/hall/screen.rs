//! `/screen/{token}`: the item on the block, readable from the end of a hall. The page follows its stream.

use leptos::either::Either;
use leptos::prelude::*;

use crate::components::live_news::LiveNews;
use crate::components::moment::{date_and_time, stamp};
use crate::components::money::{StaticValue, counted};
use crate::components::name::Name;
use crate::components::page_title::PageTitle;
use crate::components::qr_code::QrCode;
use crate::html::{Html, bare_html};
use crate::model::{JoinLink, Noun, ScreenLot, ScreenPage};
use crate::pages::auctions::share::readable_address;

const PEOPLE: Noun<'static> = Noun { one: "person", several: Some("people") };
const LOTS: Noun<'static> = Noun { one: "lot", several: Some("lots") };

pub fn screen_page(page: ScreenPage) -> Html {
    let ScreenPage { auction_name, block, mut next, lots, called, present, join, stream } = page;
    // A passed lot gives way to the next one.
    let passed = block.as_ref().filter(|lot| lot.is_passed && !next.is_empty());
    let passed = passed.map(|lot| view! { <Passed lot=lot.clone() /> });
    let block = if passed.is_some() { next.splice(..1, []).next() } else { block };
    let (heading, rest) = if passed.is_some() { ("Next: lot", "Then") } else { ("Lot", "Next") };
    let is_last = next.is_empty();
    bare_html(view! {
        <PageTitle text=auction_name.clone() />
        <div class="screen" tabindex="0" role="region" aria-label="Screen">
            <header class="screen-head">
                <p><Name text=auction_name /></p>
                <LiveNews class="screen-news" stale="Connecting …" stream />
                <p id="screen-present" class="live screen-present">
                    {(present > 0).then(|| counted(&present.to_string(), PEOPLE) + " here")}
                </p>
                <p id="screen-place" class="live screen-place">{place(called, lots)}</p>
            </header>
            <div id="screen-block" class="live screen-block">
                {passed}
                {match block {
                    Some(lot) => Either::Left(view! { <Block lot heading /> }),
                    None => Either::Right(view! { <h1 class="screen-name">"We begin shortly"</h1> }),
                }}
            </div>
            <footer class="screen-foot">
                <div id="screen-next" class="live screen-next">
                    {(!is_last).then(|| view! { <h2>{rest}</h2> })}
                    <ol role="list">
                        {next
                            .into_iter()
                            .map(|lot| {
                                view! {
                                    <li>
                                        <span class="screen-lot">{lot.lot_number}</span>
                                        " "
                                        <Name text=lot.name />
                                    </li>
                                }
                            })
                            .collect_view()}
                    </ol>
                </div>
                <div id="screen-join" class="live screen-join">
                    {join.map(|link| view! { <Join link /> })}
                </div>
            </footer>
        </div>
    })
}

/// `24 of 120 lots`, and before the first one `120 lots`.
fn place(called: u64, lots: u64) -> Option<String> {
    let all = counted(&lots.to_string(), LOTS);
    match (called, lots) {
        (_, 0) => None,
        (0, _) => Some(all),
        _ => Some(format!("{called} of {all}")),
    }
}

/// The way in, for telephones in the hall.
#[component]
fn Join(link: JoinLink) -> impl IntoView {
    let address = readable_address(&link.url);
    view! {
        // The code is a drawing: without this text the page would not copy that of another link.
        <span hidden>{link.url}</span>
        {link.qr.map(|qr| view! { <QrCode qr label="QR code of the way in" /> })}
        <p>"Scan to look and to bid" " " <span>{address}</span></p>
    }
}

/// A passed lot on the block, in one line.
#[component]
fn Passed(lot: ScreenLot) -> impl IntoView {
    let ScreenLot { lot_number, name, state, .. } = lot;
    view! {
        <p class="screen-passed">
            <span class="screen-lot">{format!("Lot {lot_number}")}</span>
            " "
            <Name text=name />
            " "
            {state.map(|state| view! { <strong>{state}</strong> })}
        </p>
    }
}

#[component]
fn Block(lot: ScreenLot, heading: &'static str) -> impl IntoView {
    let ScreenLot { lot_number, name, estimate, picture, prices, people, state, is_drawn, ends_at, .. } = lot;
    let class = if is_drawn { "screen-leader drawn" } else { "screen-leader" };
    let people = people.into_iter().map(|name| view! { <li><Name text=name /></li> }).collect_view();
    let mut prices = prices.into_iter();
    let first = prices.next().map(|price| {
        view! {
            <p class="screen-price">
                <StaticValue amount=price.amount unit=price.unit />
            </p>
        }
    });
    let others = prices.map(|price| {
        view! {
            <li>
                <StaticValue amount=price.amount unit=price.unit />
            </li>
        }
    });
    let others = others.collect_view();
    view! {
        {picture
            .map(|(file, alt)| {
                view! {
                    <img class="screen-picture" src=file.src width=file.width height=file.height alt=alt />
                }
            })}
        <div class="screen-words">
            <h1 class="screen-name">
                <span class="screen-lot">{format!("{heading} {lot_number}")}</span>
                " "
                <Name text=name />
            </h1>
            {state.map(|state| view! { <p class="screen-state">{state}</p> })}
            {first}
            <ul class="screen-prices" role="list">
                {others}
            </ul>
            <ol class=class role="list">
                {people}
            </ol>
            {estimate.map(|estimate| view! { <p class="screen-estimate">{estimate}</p> })}
            {ends_at
                .map(|end| {
                    view! {
                        <p class="screen-end">
                            "Until " <time datetime=stamp(end)>{date_and_time(end)}</time>
                        </p>
                    }
                })}
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::place;

    #[test]
    fn the_place_in_the_sale_is_in_words() {
        assert_eq!(place(0, 0), None);
        assert_eq!(place(0, 120).unwrap(), "120\u{a0}lots");
        assert_eq!(place(24, 120).unwrap(), "24 of 120\u{a0}lots");
        assert_eq!(place(1, 1).unwrap(), "1 of 1\u{a0}lot");
    }
}

//! `/screen/{token}`: the item on the block, readable from the end of a hall. The page follows its stream.

use leptos::either::Either;
use leptos::prelude::*;

use crate::components::live_news::LiveNews;
use crate::components::moment::{date_and_time, stamp};
use crate::components::money::{StaticValue, counted};
use crate::components::name::Name;
use crate::components::page_title::PageTitle;
use crate::html::{Html, bare_html};
use crate::model::{Noun, ScreenLot, ScreenPage};

const PEOPLE: Noun<'static> = Noun { one: "person", several: Some("people") };

pub fn screen_page(page: ScreenPage) -> Html {
    let ScreenPage { auction_name, block, next, present, stream } = page;
    let is_last = next.is_empty();
    bare_html(view! {
        <PageTitle text=auction_name.clone() />
        <div class="screen" tabindex="0" role="region" aria-label="Screen">
            <header class="screen-head">
                <p><Name text=auction_name /></p>
                <p id="screen-present" class="live screen-present">
                    {(present > 0).then(|| counted(&present.to_string(), PEOPLE) + " here")}
                </p>
                <LiveNews class="screen-news" stale="Connecting …" stream />
            </header>
            <div id="screen-block" class="live screen-block">
                {match block {
                    Some(lot) => Either::Left(view! { <Block lot /> }),
                    None => Either::Right(view! { <h1 class="screen-name">"We begin shortly"</h1> }),
                }}
            </div>
            <div id="screen-next" class="live screen-next">
                {(!is_last).then(|| view! { <h2>"Next"</h2> })}
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
        </div>
    })
}

#[component]
fn Block(lot: ScreenLot) -> impl IntoView {
    let ScreenLot { lot_number, name, estimate, picture, prices, people, state, is_drawn, ends_at } = lot;
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
                <span class="screen-lot">{format!("Lot {lot_number}")}</span>
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

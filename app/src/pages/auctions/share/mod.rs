//! `/auctions/{auction_id}/share`: the way into an auction, and what is printed for it.

mod labels;
mod lots;
mod poster;
mod way_in;

use leptos::either::{Either, EitherOf6};
use leptos::prelude::*;

use crate::components::auction_tabs::{AuctionTab, AuctionTabs};
use crate::components::name::Name;
use crate::components::page_title::PageTitle;
use crate::html::{Html, html};
use crate::model::{Print, SharePage};
use labels::LabelSheets;
use lots::{BidSheets, PrintedCatalogue, PrintedLotSheets};
use poster::PosterSheet;
pub use poster::readable_address;
use way_in::ShareWayIn;

/// Value of `?print=` of each print, its name, and a sentence about it.
const PRINTS: [(&str, &str, &str); 4] = [
    (
        "poster",
        "Poster",
        "One sheet with the name, the end and the code of the way in, for a door or a wall.",
    ),
    ("catalogue", "Catalogue", "All lots with pictures. The code beside each lot leads to it."),
    (
        "sheets",
        "Bid sheets",
        "A half sheet for each lot, to be laid beside it: people bid by its code, or with a pen.",
    ),
    (
        "labels",
        "Labels",
        "A small label for each lot, with its number and code, on sheets of labels or to be cut out.",
    ),
];

pub fn share_page(page: SharePage, cursor: Option<String>) -> Html {
    let SharePage { auction_id, auction_name, access, way_in, reading, print } = page;
    let auction = format!("/auctions/{auction_id}");
    let path = format!("{auction}/share");
    let current = match &print {
        Print::Choice => None,
        Print::Poster(_) => Some("poster"),
        Print::Catalogue(_) => Some("catalogue"),
        Print::BidSheets(_) => Some("sheets"),
        Print::Labels(_) => Some("labels"),
        Print::Lot(_) => Some("lot"),
    };
    let link = way_in.link().cloned();
    let address = format!("{path}?print={}", current.unwrap_or_default());
    html(view! {
        <PageTitle text=format!("Share {auction_name}") />
        <header class="page-head">
            <div>
                <p class="eyebrow">
                    <a href=auction.clone()><Name text=auction_name.clone() /></a>
                </p>
                <h1>"Share and print"</h1>
            </div>
        </header>
        <AuctionTabs auction=auction.clone() current=AuctionTab::Share access />
        {match print {
            Print::Choice => EitherOf6::A(view! { <ShareWayIn way_in auction reading /> <Choice path /> }),
            Print::Poster(poster) => EitherOf6::B(view! {
                <PrintHead path current />
                <PosterSheet name=auction_name poster link />
            }),
            Print::Catalogue(lots) => EitherOf6::C(view! {
                <PrintHead path current />
                <PrintedCatalogue name=auction_name lots link address cursor />
            }),
            Print::BidSheets(lots) => EitherOf6::D(view! {
                <PrintHead path current />
                <BidSheets name=auction_name lots address cursor />
            }),
            Print::Labels(labels) => EitherOf6::E(view! {
                <PrintHead path=path.clone() current />
                <LabelSheets labels path cursor />
            }),
            Print::Lot(lot) => EitherOf6::F(view! {
                <PrintHead path current />
                <PrintedLotSheets name=auction_name lot=*lot />
            }),
        }}
    })
}

/// The prints, each with a sentence.
#[component]
fn Choice(path: String) -> impl IntoView {
    let prints = PRINTS.map(|(print, name, sentence)| {
        view! {
            <li>
                <a href=format!("{path}?print={print}")>
                    <strong>{name}</strong>
                    <span>{sentence}</span>
                </a>
            </li>
        }
    });
    view! {
        <section aria-labelledby="print">
            <h2 id="print">"Print"</h2>
            <ul class="print-choice" role="list">
                {prints.collect_view()}
            </ul>
        </section>
    }
}

/// The other prints, and the button that opens the browser's dialog.
#[component]
fn PrintHead(path: String, current: Option<&'static str>) -> impl IntoView {
    let links = PRINTS.map(|(print, name, _)| {
        if current == Some(print) {
            Either::Left(view! { <strong aria-current="true">{name}</strong> })
        } else {
            Either::Right(view! { <a href=format!("{path}?print={print}")>{name}</a> })
        }
    });
    view! {
        <nav class="print-head" aria-label="Prints">
            <a href=path.clone()>"Way in"</a>
            {links.collect_view()}
            <button class="button primary" type="button" data-print="">
                "Print"
            </button>
        </nav>
    }
}

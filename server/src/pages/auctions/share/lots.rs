//! The lots of an auction in print: as a catalogue, and as sheets to bid on.

use app::components::moment::{date_and_time, stamp};
use app::components::money::StaticValue;
use app::components::name::Name;
use app::components::pagination::Pagination;
use app::components::qr_code::QrCode;
use app::model::{self, Listing, PictureFile};
use leptos::prelude::*;

use super::labels::Label;
use crate::pages::items::sold_price::Money;
use crate::pages::members::link::JoinLink;

/// A lot in print.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrintedLot {
    pub lot_number: String,
    pub name: String,
    /// The beginning of the description, as plain text.
    pub description: String,
    pub picture: Option<PictureFile>,
    pub estimate: Option<String>,
    /// The least first bid.
    pub minimum: Option<Money>,
    pub ends_at: Option<i64>,
    /// Leads to the lot.
    pub qr: Option<model::QrCode>,
}

/// Empty rows of a bid sheet.
const ROWS: usize = 6;

/// `address` is that of the first page.
#[component]
pub fn PrintedCatalogue(
    name: String,
    lots: Listing<PrintedLot>,
    link: Option<JoinLink>,
    address: String,
    cursor: Option<String>,
) -> impl IntoView {
    let none = lots.entries.is_empty();
    let all = link.and_then(|link| link.qr).map(|qr| view! { <QrCode qr label="QR code of the auction" /> });
    let rows = lots.entries.into_iter().map(|lot| {
        let code = lot.qr.clone().map(|qr| {
            view! { <QrCode qr label=format!("QR code of lot {}", lot.lot_number) /> }
        });
        view! {
            <li class="printed-lot">
                <Picture lot=lot.clone() />
                <Words lot />
                {code}
            </li>
        }
    });
    view! {
        <section class="printed-catalogue print-sheet" aria-labelledby="printed">
            <div class="printed-head">
                <h2 id="printed"><Name text=name /></h2>
                {all}
            </div>
            {none.then(|| view! { <NoLots /> })}
            <ul role="list">{rows.collect_view()}</ul>
        </section>
        <Pagination path=address cursor next=lots.next_cursor />
    }
}

#[component]
pub fn BidSheets(
    name: String,
    lots: Listing<PrintedLot>,
    address: String,
    cursor: Option<String>,
) -> impl IntoView {
    let none = lots.entries.is_empty().then(|| view! { <NoLots /> });
    let sheets = lots.entries.into_iter().map(|lot| view! { <BidSheet auction=name.clone() lot /> });
    view! {
        <h2 class="visually-hidden">"Bid sheets"</h2>
        {none}
        <div class="bid-sheets">{sheets.collect_view()}</div>
        <Pagination path=address cursor next=lots.next_cursor />
    }
}

/// The label and the bid sheet of one lot.
#[component]
pub fn PrintedLotSheets(name: String, lot: PrintedLot) -> impl IntoView {
    view! {
        <h2 class="visually-hidden">{format!("Lot {}", lot.lot_number)}</h2>
        <div class="bid-sheets">
            <div class="lot-labels print-sheet">
                <Label lot=lot.clone() />
            </div>
            <BidSheet auction=name lot />
        </div>
    }
}

#[component]
fn BidSheet(auction: String, lot: PrintedLot) -> impl IntoView {
    let code = lot.qr.clone().map(|qr| {
        view! {
            <div class="bid-sheet-code">
                <QrCode qr label=format!("QR code of lot {}", lot.lot_number) />
                <p>"Bid by phone"</p>
            </div>
        }
    });
    let rows = (0..ROWS).map(|_| view! { <tr><td></td><td></td></tr> });
    view! {
        <article class="bid-sheet print-sheet">
            <p class="eyebrow"><Name text=auction /></p>
            <div class="printed-lot">
                <Picture lot=lot.clone() />
                <Words lot />
                {code}
            </div>
            <table>
                <thead>
                    <tr>
                        <th scope="col">"Name or number"</th>
                        <th scope="col">"Bid"</th>
                    </tr>
                </thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </article>
    }
}

#[component]
pub fn NoLots() -> impl IntoView {
    view! { <p>"No lot is published yet."</p> }
}

#[component]
fn Picture(lot: PrintedLot) -> impl IntoView {
    lot.picture.map(|file| view! { <img src=file.src alt="" width=file.width height=file.height /> })
}

#[component]
fn Words(lot: PrintedLot) -> impl IntoView {
    let PrintedLot { lot_number, name, description, estimate, minimum, ends_at, .. } = lot;
    let estimate = estimate.map(|estimate| view! { <span>"Estimate " {estimate}</span> });
    let from = minimum.map(|money| {
        view! { <span>"From " <StaticValue amount=money.amount unit=money.unit /></span> }
    });
    let ends = ends_at.map(|ends_at| {
        view! { <span>"Ends " <time datetime=stamp(ends_at)>{date_and_time(ends_at)}</time></span> }
    });
    view! {
        <div class="printed-words">
            <h3><span class="printed-number">{lot_number}</span> " " <Name text=name /></h3>
            <p class="facts">{estimate} {from} {ends}</p>
            {(!description.is_empty()).then(|| view! { <p>{description}</p> })}
        </div>
    }
}

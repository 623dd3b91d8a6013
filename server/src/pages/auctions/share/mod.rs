//! `/auctions/{auction_id}/share`: the way into an auction, and what is printed for it.

mod labels;
mod lots;
mod poster;
mod way_in;

use app::components::auction_tabs::{AuctionTab, AuctionTabs};
use app::components::error_page::LoadError;
use app::components::page_head::PageHead;
use app::components::page_title::PageTitle;
use app::html::{Html, html};
use app::model::{AuctionAccess, Listing};
use auction_house::auctions::access::{AuctionView, authorize};
use auction_house::auctions::{Auction, JoinMode, ReadableBy};
use auction_house::bids::pricing::PricingRules;
use auction_house::ids::{AuctionId, ItemId};
use auction_house::items::access::{ItemView, view_item};
use auction_house::items::list::{ItemPlace, ItemQuery, list_items};
use auction_house::path::AuctionPath;
use axum::response::{IntoResponse, Response};
use leptos::either::{Either, EitherOf6};
use leptos::prelude::*;
use platform::db::Connection;
use platform::http::problem::Problem;
use platform::paging::Page;
use platform::time::Moment;

use self::labels::{LabelSheet, LabelSheets, Labels};
use self::lots::{BidSheets, PrintedCatalogue, PrintedLot, PrintedLotSheets};
use self::poster::{Poster, PosterSheet};
use self::way_in::{ShareWayIn, WayIn};
use crate::pages::auction_facts::{AuctionGroup, access, excerpt, group_of};
use crate::pages::books::facts::grant;
use crate::pages::error::{Loaded, PageError};
use crate::pages::items::least_first_bid::least_first_bid;
use crate::pages::items::pictures::picture;
use crate::pages::items::sold_price::Money;
use crate::pages::members::link::JoinLink;
use crate::pages::members::link_url;
use crate::pages::money::unit_of_bids;
use crate::pages::qr::{qr_code, small_qr_code};
use crate::pages::request::{PageAt, PageRequest};

/// The page with the way into an auction, and its prints.
#[derive(Debug, Clone, PartialEq, Eq)]
struct SharePage {
    auction_id: String,
    auction_name: String,
    access: AuctionAccess,
    way_in: WayIn,
    group: Option<AuctionGroup>,
    /// The address at which anyone may read the auction, unless it is the way in.
    reading: Option<JoinLink>,
    print: Print,
}

/// The print that the page shows below the way in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Print {
    /// The choice of what to print.
    Choice,
    Poster(Poster),
    Catalogue(Listing<PrintedLot>),
    /// A sheet for each lot, on which people bid with a pen.
    BidSheets(Listing<PrintedLot>),
    /// A small label for each lot, to be stuck on it.
    Labels(Labels),
    /// The label and the sheet of one lot.
    Lot(Box<PrintedLot>),
}

/// Lots of a print. Each has at most 8 KiB, most of which is its code.
const LOTS_MAX: usize = 500;
/// Lots that are read at a time, with descriptions of any length.
const READ_AT_ONCE: usize = 50;
/// Pictures on a poster.
const POSTER_PICTURES: usize = 3;

/// `GET /auctions/{auction_id}/share`
pub async fn show(PageAt(path): PageAt<AuctionPath>, request: PageRequest) -> Response {
    let (page, cursor) = (read(&request, path).await, request.cursor());
    let context = request.state.context.clone();
    // A print has hundreds of lots.
    let rendered = context.work.compute(move || request.render(page, |page| share_page(page, cursor)));
    rendered.await.unwrap_or_else(Problem::into_response)
}

async fn read(request: &PageRequest, path: Loaded<AuctionPath>) -> Loaded<SharePage> {
    let (AuctionPath { auction_id }, user, now) = (path?, request.user_id()?, request.now);
    let mut db = request.db().await?;
    let seen = authorize(&mut db, auction_id, user, now).await?;
    let group = group_of(&mut db, &seen).await?;
    let print = match request.query("print") {
        Some("poster") => Print::Poster(poster(request, &mut db, &seen).await?),
        Some("catalogue") => Print::Catalogue(lots(request, db, &seen).await?),
        Some("sheets") => Print::BidSheets(lots(request, db, &seen).await?),
        Some("labels") => Print::Labels(labels(request, db, &seen).await?),
        Some("lot") => Print::Lot(Box::new(one_lot(request, db, &seen).await?)),
        _ => Print::Choice,
    };
    Ok(SharePage {
        auction_id: auction_id.to_string(),
        auction_name: seen.auction.terms.name.clone(),
        access: access(&seen),
        reading: reading(&seen, request.site()),
        way_in: way_in(&seen, request.site(), now),
        group,
        print,
    })
}

/// The way in that a screen shows, which OWNER and ADMIN open: they may pass on the link.
pub fn way_in_of_screen(auction: &Auction, site: &str, now: Moment) -> Option<JoinLink> {
    let url = match auction.terms.join_mode {
        JoinMode::Free => auction_address(auction.id, site),
        JoinMode::Link => format!("{site}/join/{}", auction.link_token.as_str()),
        JoinMode::InviteOnly => return None,
    };
    (!auction.is_closed(now)).then(|| link(url))
}

fn link(url: String) -> JoinLink {
    JoinLink { qr: qr_code(&url), url }
}

fn auction_address(id: AuctionId, site: &str) -> String {
    format!("{site}/auctions/{id}")
}

/// The address at which anyone may read the auction, unless it is the way in.
fn reading(seen: &AuctionView, site: &str) -> Option<JoinLink> {
    let terms = &seen.auction.terms;
    let is_apart = terms.readable_by == ReadableBy::Anyone && terms.join_mode != JoinMode::Free;
    is_apart.then(|| link(auction_address(seen.auction.id, site)))
}

fn way_in(seen: &AuctionView, site: &str, now: Moment) -> WayIn {
    let terms = &seen.auction.terms;
    match terms.join_mode {
        JoinMode::Free if terms.readable_by == ReadableBy::Anyone => {
            WayIn::Public(link(auction_address(seen.auction.id, site)))
        }
        JoinMode::Free => WayIn::Open(link(auction_address(seen.auction.id, site))),
        _ if seen.auction.is_closed(now) => WayIn::Closed,
        JoinMode::Link => link_url(seen, site).map_or(WayIn::AskManagers, |url| WayIn::Secret(link(url))),
        JoinMode::InviteOnly if seen.may_invite() => WayIn::Invite,
        JoinMode::InviteOnly => WayIn::Private,
    }
}

async fn poster(request: &PageRequest, db: &mut Connection, seen: &AuctionView) -> Loaded<Poster> {
    let (terms, is_closed) = (&seen.auction.terms, seen.auction.is_closed(request.now));
    let items = list_items(db, seen, ItemQuery::first(), request.now).await?;
    let first = |item: &ItemView| {
        let item = &item.item;
        let image = item.images.first().filter(|_| item.terms.is_published)?;
        Some(picture(item.auction_id, item.id, image).medium)
    };
    Ok(Poster {
        description: request.state.pages.rendered(terms.description.clone()),
        item_count: u64::try_from(seen.auction.published_items).unwrap_or(0),
        ends_at: terms.end_date.map(Moment::millis),
        grant: if is_closed { None } else { grant(db, &seen.auction).await? },
        pictures: items.entries.iter().filter_map(first).take(POSTER_PICTURES).collect(),
        is_closed,
    })
}

/// The labels, on the sheet that the address names, from the place that it names.
async fn labels(request: &PageRequest, db: Connection, seen: &AuctionView) -> Loaded<Labels> {
    let named = |sheet: &LabelSheet| request.query("sheet") == Some(sheet.as_str());
    let sheet = LabelSheet::ALL.into_iter().find(named).unwrap_or_default();
    let first = request.query("from").and_then(|place| place.trim().parse().ok()).unwrap_or(1);
    let first = if sheet == LabelSheet::Plain { 1 } else { first.clamp(1, sheet.places()) };
    Ok(Labels { lots: lots(request, db, seen).await?, sheet, first })
}

/// The published lots by their numbers.
async fn lots(request: &PageRequest, mut db: Connection, seen: &AuctionView) -> Loaded<Listing<PrintedLot>> {
    let pricing = request.state.pages.pricing(&mut db, &seen.auction, request.now).await?;
    let mut query = ItemQuery::first();
    let after = request.query("cursor").and_then(|cursor| cursor.parse().ok());
    query.page =
        Page { limit: READ_AT_ONCE, after: after.filter(|after: &ItemPlace| after.sort == query.sort) };
    let (mut lots, mut next_cursor) = (Vec::new(), None);
    for _ in 0..LOTS_MAX / READ_AT_ONCE {
        let found = list_items(&mut db, seen, query.clone(), request.now).await?;
        let published = found.entries.into_iter().filter(|item| item.item.terms.is_published);
        lots.extend(published.map(|item| undrawn(request, seen, &pricing, item)));
        query.page.after = found.next_cursor.as_ref().and_then(|cursor| cursor.parse().ok());
        next_cursor = found.next_cursor;
        if query.page.after.is_none() {
            break;
        }
    }
    drop(db);
    Ok(Listing { entries: drawn(request, lots).await?, next_cursor })
}

/// The lot that the address names.
async fn one_lot(request: &PageRequest, mut db: Connection, seen: &AuctionView) -> Loaded<PrintedLot> {
    let id = request.query("item").and_then(|id| id.parse().ok()).ok_or(PageError(LoadError::NotFound))?;
    let item = view_item(&mut db, seen, id).await?;
    let pricing = request.state.pages.pricing(&mut db, &seen.auction, request.now).await?;
    drop(db);
    let found = drawn(request, vec![undrawn(request, seen, &pricing, item)]).await?;
    found.into_iter().next().ok_or(PageError(LoadError::NotFound))
}

/// The item in print without its code, and the address that the code has.
fn undrawn(
    request: &PageRequest,
    seen: &AuctionView,
    pricing: &PricingRules,
    item: ItemView,
) -> (PrintedLot, String) {
    let legacy = item.legacy_price().map(|price| price.currency);
    let minimum = least_first_bid(&item, pricing);
    let (unit, style) = (seen.auction.terms.base_unit.as_ref(), request.money_style());
    let item = item.item;
    let lot = PrintedLot {
        lot_number: item.lot_number.to_string(),
        description: excerpt(&item.terms.description),
        picture: item.images.first().map(|image| picture(item.auction_id, item.id, image).thumbnail),
        estimate: item.terms.estimate,
        minimum: minimum.map(|minimum| Money {
            amount: minimum.to_string(),
            unit: unit_of_bids(unit, pricing.currencies(), None, legacy, style),
        }),
        ends_at: item.ends_at.map(Moment::millis),
        qr: None,
        name: item.terms.name,
    };
    let link = link_url(seen, request.site());
    (lot, address(seen, request.site(), link.as_deref(), item.id))
}

/// The lots with their codes, which are drawn on a thread of low priority.
async fn drawn(request: &PageRequest, lots: Vec<(PrintedLot, String)>) -> Loaded<Vec<PrintedLot>> {
    let draw = |(lot, address): (PrintedLot, String)| PrintedLot { qr: small_qr_code(&address), ..lot };
    let drawn = request.state.context.work.compute(move || lots.into_iter().map(draw).collect());
    // The server is stopping.
    drawn.await.map_err(|_| PageError(LoadError::Unavailable))
}

/// The address of a lot in its code. With the link of the auction it joins, too.
fn address(seen: &AuctionView, site: &str, link: Option<&str>, item: ItemId) -> String {
    match link {
        Some(link) => format!("{link}?item={item}"),
        None => format!("{site}/auctions/{}/items/{item}", seen.auction.id),
    }
}

pub use self::poster::readable_address;

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

fn share_page(page: SharePage, cursor: Option<String>) -> Html {
    let SharePage { auction_id, auction_name, access, way_in, group, reading, print } = page;
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
        <PageHead back=auction.clone() of=auction_name.clone() heading="Share and print" />
        <AuctionTabs auction=auction.clone() current=AuctionTab::Share access />
        {match print {
            Print::Choice => EitherOf6::A(view! { <ShareWayIn way_in group auction reading /> <Choice path /> }),
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

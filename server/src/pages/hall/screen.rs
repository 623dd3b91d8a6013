//! `/screen/{token}`: what is on the block, for a projector in the hall. Anyone sees it who has the address.

use accounts::Person;
use app::components::error_page::LoadError;
use app::components::live_news::LiveNews;
use app::components::moment::{date_and_time, stamp};
use app::components::money::{StaticValue, counted};
use app::components::name::Name;
use app::components::page_title::PageTitle;
use app::components::qr_code::QrCode;
use app::html::{Html, bare_html};
use app::model::{Noun, PictureFile};
use auction_house::access;
use auction_house::auctions::access::AuctionView;
use auction_house::auctions::{self, BidderVisibility};
use auction_house::bids::pricing::PricingRules;
use auction_house::ids::UserId;
use auction_house::images::{Image, ImageSize};
use auction_house::items::ItemStatus;
use auction_house::items::access::{ItemView, view_items};
use auction_house::items::format::Format;
use auction_house::items::images::routes::{SentPicture, send_picture};
use auction_house::items::outcomes::{Outcome, ResultKind};
use auction_house::items::store::outcomes::count_open;
use auction_house::live::Live;
use auction_house::live::screen::ScreenStream;
use auction_house::path::{TokenPath, TokenPicturePath};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use leptos::either::Either;
use leptos::prelude::*;
use platform::db::{Connection, DbError};
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::http::read_limiter::ReadPermit;
use platform::http::sse;
use platform::net::ClientAddress;
use platform::time::Moment;
use platform::token::TokenHash;

use super::next::next;
use crate::pages::auctions::share::{readable_address, way_in_of_screen};
use crate::pages::error::{Loaded, PageError};
use crate::pages::items::draw::tickets_in_words;
use crate::pages::items::sold_price::Money;
use crate::pages::members::link::JoinLink;
use crate::pages::money::unit_of_bids;
use crate::pages::money_style::MoneyStyle;
use crate::pages::request::{PageAt, PageRequest};
use crate::state::AppState;

/// The screen of a hall.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ScreenPage {
    auction_name: String,
    block: Option<ScreenLot>,
    /// The open items that come next in the running order.
    next: Vec<ScreenLot>,
    /// How many published items there are.
    lots: u64,
    /// How many of them are closed, the open one on the block included.
    called: u64,
    /// How many members are present.
    present: usize,
    /// The way in, if the auction lets people join by a link.
    join: Option<JoinLink>,
    /// Address of the stream of its changes.
    stream: String,
}

/// An item as a screen shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ScreenLot {
    lot_number: String,
    name: String,
    estimate: Option<String>,
    /// The file of its first picture, and the alternative text.
    picture: Option<(PictureFile, String)>,
    /// The price in each currency of the auction.
    prices: Vec<Money>,
    /// The leader, or the winners in the order of their copies, as far as a stranger may know them.
    people: Vec<String>,
    /// What became of it, or how it is sold if not by open bids, in words.
    state: Option<String>,
    /// The item is closed without a winner.
    is_passed: bool,
    /// Chance has chosen the winners: they are shown one after the other.
    is_drawn: bool,
    ends_at: Option<i64>,
}

/// Items that come next.
const NEXT: usize = 3;

/// `GET /screen/{token}`
pub async fn show(PageAt(path): PageAt<TokenPath>, request: PageRequest) -> Response {
    let page = read(&request, path).await;
    request.render(page, screen_page)
}

async fn read(request: &PageRequest, path: Loaded<TokenPath>) -> Loaded<ScreenPage> {
    let TokenPath { token } = path?;
    let mut db = request.db().await?;
    let seen = outsider(&mut db, &token, request.now).await?.ok_or(PageError(LoadError::NotFound))?;
    let pricing = request.state.pages.pricing(&mut db, &seen.auction, request.now).await?;
    let on_block = seen.auction.block_item_id;
    let block = view_items(&mut db, &seen, on_block.as_slice()).await?;
    let screen = format!("/screen/{token}");
    let lot = |item: ItemView| lot(&seen, item, &pricing, &screen, request.now);
    let next = next(&mut db, &seen, NEXT, request.now).await?;
    let present = access::store::present(&mut db, seen.auction.id).await?.len();
    let block = block.into_iter().next();
    let on_sale = block.iter().filter(|item| item.item.outcome.is_none() && item.item.terms.is_published);
    let (lots, open) = (seen.auction.published_items, count_open(&mut db, seen.auction.id).await?);
    let called = lots.saturating_sub(open).saturating_add(i64::try_from(on_sale.count()).unwrap_or(0));
    Ok(ScreenPage {
        auction_name: seen.auction.terms.name.clone(),
        block: block.map(&lot),
        next: next.into_iter().map(&lot).collect(),
        lots: u64::try_from(lots).unwrap_or(0),
        called: u64::try_from(called).unwrap_or(0),
        present,
        join: way_in_of_screen(&seen.auction, request.site(), request.now),
        stream: format!("{screen}/events"),
    })
}

/// The auction of a screen as a stranger sees it who has its address.
async fn outsider(db: &mut Connection, token: &str, now: Moment) -> Result<Option<AuctionView>, DbError> {
    let Some(id) = auctions::store::by_screen(db, &TokenHash::of(token)).await? else { return Ok(None) };
    let auction = auctions::store::by_id(db, id, now).await?;
    Ok(auction.map(|auction| AuctionView { auction, viewer: UserId::NOBODY, role: None }))
}

fn lot(seen: &AuctionView, item: ItemView, pricing: &PricingRules, screen: &str, now: Moment) -> ScreenLot {
    let outcome = item.item.outcome.as_ref();
    let sold = item.item.outcomes().find_map(Outcome::sold);
    let highest = item.item.highest_bid.as_ref().filter(|_| outcome.is_none());
    let is_closed = item.item.status(now) == ItemStatus::Closed;
    let draw = item.item.terms.format.draw();
    let copies = item.item.terms.format.copies();
    // A prize has no price, and several copies have several.
    let price = sold.filter(|_| draw.is_none() && copies == 1).map(|sold| sold.normalized);
    let amount = price.or(highest.map(|bid| bid.normalized)).map(|amount| amount.to_string());
    // The hall sees what every member sees, and no name that may be hidden.
    let people = item.people.to_members();
    let name = |person: &Person| match seen.auction.terms.bidder_visibility {
        BidderVisibility::Visible => people.in_words(person, true),
        BidderVisibility::Numbers => people.in_words(person, false),
        BidderVisibility::PerBid | BidderVisibility::Anonymous => None,
    };
    let winners = item.item.outcomes().filter_map(Outcome::sold).map(|sold| &sold.winner);
    let shown = winners.chain(highest.map(|bid| &bid.bidder)).filter_map(name).collect();
    let state = match (outcome.map(Outcome::kind), &item.item.terms.format) {
        (Some(ResultKind::Cancelled), _) => Some("Taken out of the sale".to_owned()),
        (Some(_), _) if sold.is_none() => Some("Not sold".to_owned()),
        (Some(_), Format::Draw(_)) => Some("Drawn".to_owned()),
        (Some(_), _) => Some("Sold".to_owned()),
        (None, _) if is_closed => Some("Closed".to_owned()),
        (None, Format::Open) => None,
        (None, Format::Sealed(_)) => Some("Sealed bids".to_owned()),
        (None, Format::Draw(_)) => {
            let tickets = tickets_in_words(item.item.tickets.unwrap_or_default().unsigned_abs());
            Some(format!("Draw · {tickets}"))
        }
    };
    ScreenLot {
        lot_number: item.item.lot_number.to_string(),
        name: item.item.terms.name.clone(),
        estimate: item.item.terms.estimate.clone(),
        picture: item.item.images.first().map(|image| picture(image, screen)),
        prices: amount.map(|amount| prices(seen, &item, pricing, &amount)).unwrap_or_default(),
        people: shown,
        state,
        is_passed: outcome.is_some() && sold.is_none(),
        is_drawn: draw.is_some() && sold.is_some(),
        ends_at: item.item.ends_at.filter(|_| !is_closed).map(Moment::millis),
    }
}

/// An amount in each currency of the auction, the default first.
fn prices(seen: &AuctionView, item: &ItemView, pricing: &PricingRules, amount: &str) -> Vec<Money> {
    let (unit, currencies) = (seen.auction.terms.base_unit.as_ref(), pricing.currencies());
    let legacy = item.legacy_price().map(|price| price.currency);
    let money = |id| Money {
        amount: amount.to_owned(),
        unit: unit_of_bids(unit, currencies, id, legacy, MoneyStyle::default()),
    };
    let (default, others): (Vec<_>, Vec<_>) = currencies.iter().partition(|currency| currency.is_default);
    let all: Vec<Money> =
        default.into_iter().chain(others).map(|currency| money(Some(currency.id))).collect();
    if all.is_empty() { vec![money(None)] } else { all }
}

fn picture(image: &Image, screen: &str) -> (PictureFile, String) {
    let (width, height) = ImageSize::Full.fit(image.width, image.height);
    let (src, tint) = (format!("{screen}/pictures/{}", image.id), image.tint.to_string());
    (PictureFile { src, width, height, tint }, image.alt.clone())
}

/// `GET /screen/{token}/pictures/{image_id}`: the first picture of the item on the block or of one that comes
/// next.
pub async fn get_picture(
    State(state): State<AppState>,
    At(TokenPicturePath { token, image_id }): At<TokenPicturePath>,
    address: ClientAddress,
    headers: HeaderMap,
    permit: ReadPermit,
) -> Result<Response, Problem> {
    let (mut db, now) = (state.context.db.read().await?, state.context.clock.now());
    let seen = outsider(&mut db, &token, now).await?.ok_or_else(Problem::not_found)?;
    let on_block = seen.auction.block_item_id;
    let block = view_items(&mut db, &seen, on_block.as_slice()).await?;
    let items = block.into_iter().chain(next(&mut db, &seen, NEXT, now).await?);
    let image =
        items.filter_map(|item| item.item.images.into_iter().next()).find(|image| image.id == image_id);
    drop(db);
    let image = image.ok_or_else(Problem::not_found)?;
    let size = ImageSize::Full;
    let sent = SentPicture { content: &image.content, size, client: address.into(), is_kept: false };
    send_picture(&state.context, &state.images, sent, &headers, &permit).await
}

/// `GET /screen/{token}/events`
pub async fn get_events(
    State(live): State<Live>,
    At(TokenPath { token }): At<TokenPath>,
) -> Result<Response, Problem> {
    let stream = ScreenStream::open(&live, TokenHash::of(&token)).await?;
    Ok(sse::prepared(futures::stream::unfold(stream, |mut stream| async {
        let text = stream.next().await?;
        Some((text, stream))
    })))
}

const PEOPLE: Noun<'static> = Noun { one: "person", several: Some("people") };
const LOTS: Noun<'static> = Noun { one: "lot", several: Some("lots") };

fn screen_page(page: ScreenPage) -> Html {
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

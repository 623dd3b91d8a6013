//! `/auctions/{auction_id}/items/{item_id}`

use app::bundles::{Bundle, LoadBundle};
use app::components::field::{Field, sentences};
use app::components::guest_notice::GuestNotice;
use app::components::island_state::island_state;
use app::components::moment::{date_and_time, stamp};
use app::components::name::Name;
use app::components::own_funds::FundsInHeading;
use app::components::page_description::PublicDescription;
use app::components::page_title::PageTitle;
use app::components::prose::Prose;
use app::components::status_badge::ItemBadge;
use app::components::watch::{WATCHED, WatchButton};
use app::html::{Html, html};
use app::islands::items::board::{SECTION, TAKE_BACK};
use app::islands::items::confirmation::{CONFIRMED, PLACE_ID};
use app::islands::items::form_state::{BID, BidFormState, InitialBid, LEAST, field_id};
use app::islands::items::live_item::{LiveItem, LiveItemState, OutcomeHtml};
use app::model::{
    BidBoard, BidFormData, Bidding, ItemStatus, PageFunds, PageTime, PictureFile, PublicPage, Refused,
    RenderedText,
};
use app::request::{query_fields, query_part};
use auction_house::items::ItemTerms;
use leptos::either::Either;
use leptos::prelude::*;

use crate::pages::items::draw::{DrawFacts, DrawPanel, TICKETS, TicketList};
use crate::pages::items::gallery::{Gallery, Picture};
use crate::pages::items::outcome::{self, CloseItem, ItemOutcome};
use crate::pages::items::outcome_facts::{ClosingActions, OutcomeFacts};
use crate::pages::items::pictures::AddPictures;

#[derive(Debug, Clone, PartialEq)]
pub struct ItemPage {
    pub auction_id: String,
    pub auction_name: String,
    pub id: String,
    pub name: String,
    pub description: RenderedText,
    pub pictures: Vec<Picture>,
    /// The viewer may add pictures now.
    pub can_add_pictures: bool,
    pub lot_number: String,
    pub terms: ItemTerms,
    /// Absent if the viewer may not know.
    pub seller: Option<String>,
    /// Whether the viewer watches the item. Absent if the viewer may not.
    pub watched: Option<bool>,
    /// The viewer may change the item.
    pub can_edit: bool,
    /// The viewer manages or sells the item, and prints its label and its bid sheet.
    pub can_print: bool,
    pub status: ItemStatus,
    /// Absent if late bids do not move the end.
    pub late_bids: Option<LateBids>,
    /// The server's clock when the page was rendered. The countdown uses its difference to the browser's
    /// clock.
    pub now: i64,
    pub bidding: Bidding,
    pub board: BidBoard,
    /// What became of the closed item. That of an item that has just ended follows within seconds.
    /// Of each copy, once the item is closed.
    pub outcomes: Vec<OutcomeFacts>,
    pub closing: ClosingActions,
    /// Where winners pay and collect, if that is said and the viewer is a member.
    pub collection: Option<String>,
    /// Absent in an auction without a book.
    pub funds: Option<PageFunds>,
    /// The leader, if their leading bids exceed what they have, and by how much, in words. For managers.
    pub overcommitted: Option<(String, String)>,
    /// Absent unless chance decides among tickets.
    pub draw: Option<DrawFacts>,
    /// Open lots that the page of a closed item offers instead.
    pub similar: Vec<SimilarLot>,
    /// Absent unless anyone may read the auction.
    pub public: Option<PublicPage>,
}

/// An open lot, as a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimilarLot {
    pub address: String,
    pub thumbnail: Option<PictureFile>,
    pub lot_number: String,
    pub name: String,
}

/// What a late bid does to the end of an open item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LateBids {
    pub words: String,
    /// How long bidding lasts after a late bid, in milliseconds.
    pub extension: i64,
}

/// The fields of the bid form.
const FIELDS: &[Field] = &[
    Field::new("amount", "Amount", "Enter an amount."),
    Field::new("currencyProfileId", "Currency", "Choose a currency of the list."),
    Field::new(TICKETS, "Tickets", "Enter how many tickets you want, from 1 to 10,000."),
];

/// `currency` is the id of the currency that the bid form shows first, of the default one if it is not given.
pub fn item_page(mut item: ItemPage, currency: Option<String>) -> Html {
    let refused = use_context::<Refused>();
    let submitted =
        refused.as_ref().and_then(|refused| refused.value("currencyProfileId").map(str::to_owned));
    if let (Bidding::Open(data), Some(currency)) = (&mut item.bidding, submitted.or(currency)) {
        select_currency(data, &currency);
    }
    let refused = refused.filter(|refused| !outcome::is_refused(refused) && refused.value(WATCHED).is_none());
    let initial = match &refused {
        Some(refused) => InitialBid { values: refused.values.clone(), refused: true },
        None => requested_bid(&item),
    };
    let refusal = refused.map(|refused| {
        let finds_rules = refused.message.is_empty() && item.draw.is_none();
        let broken = if finds_rules { broken_rules(&item, &initial) } else { Vec::new() };
        let has_form = matches!(item.bidding, Bidding::Open(_));
        view! { <Refusal refused broken has_form /> }
    });
    let to_bid = match &item.bidding {
        Bidding::Open(_) if item.draw.is_some() => Some(format!("#{TICKETS}")),
        Bidding::Open(data) => Some(format!("#{}", field_id(data.selected, 0))),
        _ => None,
    };
    // Pictures and their links come before the form.
    let skip = to_bid.map(|href| {
        view! {
            <a class="skip" href=href>
                "To the bid"
            </a>
        }
    });
    html(view! { {skip} {refusal} <Item item initial /> })
}

#[component]
fn Item(item: ItemPage, initial: InitialBid) -> impl IntoView {
    let auction = format!("/auctions/{}", item.auction_id);
    // While the item is open its panel shows the time left, which is more precise and live.
    let badge = (item.status != ItemStatus::Open).then(|| view! { <ItemBadge status=item.status /> });
    let starts = item.terms.starts_at.filter(|_| item.status == ItemStatus::Scheduled).map(|starts_at| {
        let starts_at = starts_at.millis();
        view! {
            <span>
                "Starts " <time datetime=stamp(starts_at)>{date_and_time(starts_at)}</time>
            </span>
        }
    });
    let is_closed = item.status == ItemStatus::Closed;
    let outcome = is_closed.then(|| view! { <ItemOutcome item=item.clone() /> });
    let address = format!("{auction}/items/{}", item.id);
    let closing = item.closing;
    let edit = item.can_edit.then(|| {
        let pictures = format!("{address}/pictures");
        let edit = format!("{address}/edit");
        view! {
            <a class="button quiet" href=pictures>
                "Pictures"
            </a>
            <a class="button quiet" href=edit>
                "Edit"
            </a>
        }
    });
    let print = item.can_print.then(|| {
        view! {
            <a class="button quiet" href=format!("{auction}/share?print=lot&item={}", item.id)>
                "Print"
            </a>
        }
    });
    let watch = item.watched.map(|watched| {
        view! {
            <form method="post">
                <WatchButton path=address.clone() name=item.name.clone() watched />
            </form>
        }
    });
    // With JavaScript the form says that a bid leads, and the list has the link.
    let mine = item.board.leading().filter(|bid| bid.mine && item.board.is_open());
    let leads = mine.map(|bid| {
        let take_back = item.board.take_back(item.now).map(|(sequence, seconds)| {
            let path = format!("{address}/bids/{sequence}/withdraw");
            view! {
                {format!(" For {seconds} seconds you can ")}
                <a href=path>"take it back"</a>
                "."
            }
        });
        view! {
            <noscript>
                <p class="notice">{format!("Your bid of {} leads.", bid.entered)} {take_back}</p>
            </noscript>
        }
    });
    let add = item.can_add_pictures.then(|| view! { <AddPictures item=address.clone() /> });
    // With pictures, “Pictures” leads to the page with the form.
    let add = add.filter(|_| item.pictures.is_empty());
    let gallery = view! { <Gallery pictures=item.pictures item_name=item.name.clone() /> };
    view! {
        <PageTitle text=item.name.clone() />
        <PublicDescription title=item.name.clone() public=item.public.clone() />
        <header class="page-head item-head">
            <div>
                <p class="eyebrow">
                    <a href=auction><Name text=item.auction_name /></a>
                </p>
                <h1><Name text=item.name /></h1>
                <p class="facts">
                    <span>"Lot " {item.lot_number}</span>
                    {badge}
                    {starts}
                    {item.terms.estimate.map(|estimate| view! { <span>"Estimate " <Name text=estimate /></span> })}
                    {item.seller.map(|seller| view! { <span>"Sold by " <Name text=seller /></span> })}
                </p>
                <FundsInHeading funds=item.funds />
            </div>
            <div class="actions">{edit} {print} {watch}</div>
        </header>
        <GuestNotice public=item.public />
        {leads}
        {item
            .overcommitted
            .map(|(name, missing)| {
                view! {
                    <p class="notice">
                        <Name text=name />
                        {format!(" leads, and has bid {missing} more on all items than they have.")}
                    </p>
                }
            })}
        {match item.draw {
            Some(draw) => {
                Either::Left(
                    view! {
                        {outcome}
                        <div class="item-grid">
                            {gallery}
                            <DrawPanel draw=draw.clone() board=item.board bidding=item.bidding now=item.now />
                            <div class="item-about">
                                {add}
                                <Prose text=item.description />
                            </div>
                            <div class="item-board">
                                <TicketList rows=draw.tickets all=draw.all />
                            </div>
                        </div>
                    },
                )
            }
            None => {
                if let Some(outcome) = outcome {
                    provide_context(OutcomeHtml(outcome.to_html()));
                }
                let state = island_state(LiveItemState {
                    board: item.board,
                    bidding: item.bidding,
                    initial,
                    now: PageTime,
                    extension: item.late_bids.as_ref().map(|late_bids| late_bids.extension),
                });
                Either::Right(
                    view! {
                        <LoadBundle bundle=Bundle::Bid />
                        {state}
                        <div class="item-grid">
                            {gallery}
                            <LiveItem>
                                {item
                                    .late_bids
                                    .map(|late_bids| view! { <p class="late-bids">{late_bids.words}</p> })}
                                {add}
                                <Prose text=item.description />
                            </LiveItem>
                        </div>
                    },
                )
            }
        }}
        <div id="item-closing" class="live">
            <CloseItem address closing />
        </div>
    }
}

/// The rules that the submitted bid breaks, in sentences, as the form names them.
fn broken_rules(item: &ItemPage, initial: &InitialBid) -> Vec<String> {
    let sentences = bid_form(item, initial).map(|form| form.sentences()).unwrap_or_default();
    sentences.into_iter().map(|(_, sentence)| sentence).collect()
}

/// The bid form as it is when the page is loaded. None if the item takes no bids.
fn bid_form(item: &ItemPage, initial: &InitialBid) -> Option<BidFormState> {
    let Bidding::Open(data) = &item.bidding else { return None };
    let board = &item.board;
    let highest = Signal::stored(board.highest().map(str::to_owned));
    let leads = Signal::stored(board.leading().is_some_and(|bid| bid.mine));
    Some(BidFormState::new(data, initial, highest, Signal::stored(data.available.clone()), leads))
}

/// Why the bid was refused, and a link to the place where that is mended. `broken` names the rules that it
/// breaks. `has_form` if the page has a form for another bid.
#[component]
fn Refusal(refused: Refused, broken: Vec<String>, has_form: bool) -> impl IntoView {
    let unconfirmed = refused.problem(CONFIRMED).is_some();
    let fields = sentences(&refused, &[FIELDS]).into_iter().map(|(_, sentence)| sentence);
    let why: Vec<String> = std::iter::once(refused.message.clone()).chain(fields).chain(broken).collect();
    let why = why.join(" ");
    let (id, link) = if unconfirmed {
        (PLACE_ID.to_owned(), "Confirm it, or change it")
    } else if refused.value(TICKETS).is_some() {
        (TICKETS.to_owned(), "Back to the tickets")
    } else {
        (field_id(0, 0), "Back to the bid")
    };
    let title = match refused.value(SECTION) {
        Some(TAKE_BACK) => "Your bid was not taken back.",
        _ if refused.value(TICKETS).is_some() => "You got no tickets.",
        _ => "Your bid was not placed.",
    };
    let link = has_form.then(|| view! { <a href=format!("#{id}")>{link}</a> });
    view! {
        <div class="error-summary" role="alert" tabindex="-1" autofocus>
            <p class="error-summary-title">{title}</p>
            <p>{why} " " {link}</p>
        </div>
    }
}

/// The bid that the address asks for: the least one, or what was typed before a sign-in. “Show” of
/// another currency leaves that behind: its amounts are in the first one.
fn requested_bid(item: &ItemPage) -> InitialBid {
    let nothing = InitialBid { values: Vec::new(), refused: false };
    if query_part(BID).as_deref() == Some(LEAST) {
        let values = bid_form(item, &nothing).map(|form| form.least_fields()).unwrap_or_default();
        return InitialBid { values, ..nothing };
    }
    let is_shown =
        query_part("currencyProfileId").is_none_or(|typed_in| query_part("currency") == Some(typed_in));
    InitialBid { values: if is_shown { query_fields() } else { Vec::new() }, ..nothing }
}

/// Selects the currency that was requested by “Show”, or that of the refused bid.
fn select_currency(data: &mut BidFormData, currency: &str) {
    let found = data.currencies.iter().position(|choice| choice.profile_id.as_deref() == Some(currency));
    data.selected = found.unwrap_or(data.selected);
}

//! `/auctions/{auction_id}`

use app::blanks::Blank;
use app::bundles::{Bundle, LoadBundle};
use app::components::auction_tabs::{AuctionTab, AuctionTabs};
use app::components::coins::Coins;
use app::components::countdown::Countdown;
use app::components::drafts::Drafts;
use app::components::empty_state::EmptyState;
use app::components::error_summary::ErrorSummary;
use app::components::guest_notice::GuestNotice;
use app::components::island_state::island_state;
use app::components::money::counted;
use app::components::name::{Name, isolated};
use app::components::own_funds::FundsInHeading;
use app::components::page_description::PublicDescription;
use app::components::page_title::PageTitle;
use app::components::pagination::{Pagination, page_address};
use app::components::prose::Prose;
use app::components::status_badge::AuctionBadge;
use app::components::timeline::Timeline;
use app::components::words::count;
use app::html::{Html, html};
use app::islands::auctions::catalogue::CatalogueItems;
use app::model::{
    AuctionAccess, AuctionStatus, BaseUnit, BidCurrency, Catalogue, CatalogueQuery, ItemStatus, ItemSummary,
    Listing, LotRange, PageFunds, PageTime, PublicPage, RenderedText, Role,
};
use app::request::{query_part, request};
use leptos::either::{Either, EitherOf3};
use leptos::prelude::*;
use rules_engine::LotNumber;

use crate::pages::auction_facts::AuctionGroup;
use crate::pages::auctions::controls::CatalogueControls;
use crate::pages::auctions::goal::{Goal, GoalFacts};
use crate::pages::auctions::next_steps::{MoneyStep, NEW, NextSteps};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuctionSummary {
    pub id: String,
    pub name: String,
    pub description: String,
    pub status: AuctionStatus,
    pub item_count: u64,
    pub ends_at: Option<i64>,
    pub my_role: Option<Role>,
    /// Any signed-in user may join without an invitation.
    pub joinable: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuctionPage {
    pub auction: AuctionSummary,
    pub description: RenderedText,
    pub base_unit: BaseUnit,
    /// The currencies that bids are entered in, the default first.
    pub bid_currencies: Vec<BidCurrency>,
    pub items: Listing<ItemSummary>,
    pub currencies: Vec<CurrencySummary>,
    /// Drafts that the viewer may show to the bidders, all at once.
    pub drafts: usize,
    /// The viewer may add items.
    pub can_sell: bool,
    /// The viewer may change the auction.
    pub can_change: bool,
    /// The viewer may watch items.
    pub can_watch: bool,
    /// Absent in an auction without a book.
    pub funds: Option<PageFunds>,
    /// The pot of the auction in words, for members of an auction with a book. Absent if it is 0.
    pub pot: Option<String>,
    pub group: Option<AuctionGroup>,
    /// The last position of the auction's events when the page was read.
    pub position: i64,
    /// Sum that the auction is to bring in.
    pub goal: Option<GoalFacts>,
    /// Address with which others join, if the viewer may pass it on.
    pub join_link: Option<String>,
    /// Absent unless anyone may read the auction.
    pub public: Option<PublicPage>,
}

/// A currency of an auction with its value, in one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CurrencySummary {
    pub name: String,
    pub symbol: String,
    /// Name of each denomination and its value in base units. A currency without denominations has one entry
    /// with an empty name.
    pub values: Vec<(String, String)>,
}

/// Parameter of the address with the number of drafts that were shown just before.
pub const SHOWN: &str = "shown";

/// `query` names the items that the page has.
pub fn auction_page(page: AuctionPage, query: CatalogueQuery) -> Html {
    let request = request();
    let now = request.now;
    let viewer_id = request.viewer.as_ref().map(|_| Blank::ViewerId.text());
    let AuctionPage {
        description,
        auction,
        base_unit: unit,
        bid_currencies,
        items,
        currencies,
        drafts,
        can_sell,
        can_change,
        can_watch,
        funds,
        pot,
        group,
        position,
        goal,
        join_link,
        public,
    } = page;
    let path = format!("/auctions/{}", auction.id);
    let open = auction.status == AuctionStatus::Open;
    let currencies_page = request.viewer.as_ref().map(|_| format!("{path}/currencies"));
    let all_auctions = match &request.viewer {
        Some(_) => Either::Left(view! { <a href="/auctions">"Auctions"</a> }),
        None => Either::Right("Auction"),
    };
    let runs_hall = matches!(auction.my_role, Some(Role::Owner | Role::Admin | Role::Clerk));
    let access = AuctionAccess { is_member: auction.my_role.is_some(), can_change, runs_hall };
    let none = items.entries.is_empty();
    let is_new = can_change && open && none && auction.item_count == 0 && !query.is_filtered();
    let money = match (&funds, currencies.is_empty()) {
        (Some(_), true) => MoneyStep::Missing,
        (Some(funds), false) => MoneyStep::Balances(format!("/books/{}", funds.book_id)),
        (None, false) => MoneyStep::Settled,
        (None, true) => MoneyStep::EachLot,
    };
    let has_items = auction.item_count > 0;
    // Only the owner surely keeps the group: its cards are for its keepers.
    let kept_group = group.clone().filter(|_| auction.my_role == Some(Role::Owner));
    let kept_group = kept_group.and_then(|group| Some((group.name, group.own?)));
    let next_steps = (is_new || can_change && open && query_part(NEW).is_some()).then(
        || view! { <NextSteps path=path.clone() group=kept_group join_link can_sell has_items money /> },
    );
    let sell = (can_sell && open).then(|| format!("{path}/items/new"));
    let join = (auction.my_role.is_none() && auction.joinable && open).then(|| format!("{path}/join"));
    let first_page = query.address(&path);
    let controls = (auction.item_count > 0 || query.is_filtered() || !none).then(
        || view! { <CatalogueControls query=query.clone() path=path.clone() can_watch sells=can_sell /> },
    );
    let is_filtered = query.is_filtered();
    let running = items.entries.iter().filter(|item| item.status == ItemStatus::Open);
    let ends: Vec<_> = running.filter_map(|item| item.ends_at).collect();
    let calendar = (open && (auction.ends_at.is_some() || !ends.is_empty()))
        .then(|| view! { <a href=format!("/api{path}/calendar.ics")>"Add the ends to a calendar"</a> });
    let about = !description.html().is_empty() || !currencies.is_empty();
    let all = CatalogueQuery { grid: query.grid, ..CatalogueQuery::default() }.address(&path);
    let state = Catalogue {
        currencies: bid_currencies,
        auction_id: auction.id.clone(),
        address: page_address(&first_page, query.cursor.as_deref()),
        open,
        viewer_id,
        now: PageTime,
        position,
        numbers: numbers(&query, &items),
        items: items.entries,
        grid: query.grid,
        can_watch,
    };
    let state = island_state(state);
    html(view! {
        <PageTitle text=auction.name.clone() />
        // The menu, the tabs and the search come before the first lot.
        <a class="skip" href="#items">
            "To the lots"
        </a>
        <PublicDescription title=auction.name.clone() public=public.clone() />
        <header class="page-head">
            <div>
                <p class="eyebrow">{all_auctions}</p>
                <h1><Name text=auction.name /></h1>
                <p class="facts">
                    <AuctionBadge status=auction.status />
                    <span>{count(auction.item_count, "item", "items")}</span>
                    {auction.ends_at.filter(|_| open).map(|ends_at| view! { <Countdown ends_at now /> })}
                    {group.map(|group| view! { <GroupName group /> })}
                    {calendar}
                    {about.then(|| view! { <a href="#about">"About this auction"</a> })}
                </p>
                <FundsInHeading funds />
                {pot.map(|pot| view! { <p class="hint">{format!("Spent here and not shared yet: {pot}")}</p> })}
            </div>
            {sell
                .clone()
                .map(|sell| {
                    view! {
                        <p class="actions">
                            <a class="button primary" href=sell>
                                "New item"
                            </a>
                        </p>
                    }
                })}
        </header>
        <AuctionTabs auction=path.clone() current=AuctionTab::Items access />
        <GuestNotice public />
        {join.map(|join| view! { <Join action=join /> })}
        {goal.map(|goal| view! { <Goal goal /> })}
        {next_steps}
        <Shown auction=path.clone() />
        <Drafts drafts auction=path.clone() />
        <section aria-labelledby="items">
            {controls}
            <Timeline ends />
            <LoadBundle bundle=Bundle::Follow />
            {state}
            <CatalogueItems />
            {none
                .then(|| {
                    if is_new {
                        EitherOf3::A(view! { <p class="hint">"None yet."</p> })
                    } else if is_filtered {
                        EitherOf3::B(view! { <NoMatch all /> })
                    } else {
                        EitherOf3::C(view! { <NoItems sell /> })
                    }
                })}
        </section>
        <Pagination path=first_page cursor=query.cursor next=items.next_cursor />
        // After the items, of which the first ones are seen at once however long the description is.
        <div class="auction-about" id="about">
            <Prose text=description />
            <Tariff currencies unit more=currencies_page />
        </div>
    })
}

/// The lot numbers that belong on the page. In another order, any new item may.
fn numbers(query: &CatalogueQuery, items: &Listing<ItemSummary>) -> Option<LotRange> {
    if query.is_filtered() {
        return None;
    }
    if !query.is_by_lot() {
        return Some(LotRange::default());
    }
    let key = |item: &ItemSummary| item.lot_number.parse::<LotNumber>().ok().map(|lot| lot.sort_key());
    let first = items.entries.first().filter(|_| query.cursor.is_some());
    let last = items.entries.last().filter(|_| items.next_cursor.is_some());
    Some(LotRange { from: first.and_then(key), to: last.and_then(key) })
}

/// Says how many drafts were shown just before, mostly those of an import, whose pictures come next.
#[component]
fn Shown(auction: String) -> impl IntoView {
    let shown = query_part(SHOWN).and_then(|shown| shown.parse().ok()).filter(|shown| *shown > 0);
    shown.map(|shown| {
        view! {
            <p class="done" role="status">
                {format!("Bidders see {} now. ", count(shown, "more lot", "more lots"))}
                <a href=format!("{auction}/items/add")>"Add pictures to lots"</a>
            </p>
        }
    })
}

/// The group of the auction among its facts.
#[component]
fn GroupName(group: AuctionGroup) -> impl IntoView {
    let AuctionGroup { name, own } = group;
    match own {
        Some(own) => Either::Left(view! { <a href=own.address><Name text=name /></a> }),
        None => Either::Right(view! { <span><Name text=name /></span> }),
    }
}

#[component]
fn NoMatch(all: String) -> impl IntoView {
    view! {
        <EmptyState title="No items match" text="Try fewer words, or another status.">
            <a class="button primary" href=all>
                "Show all items"
            </a>
        </EmptyState>
    }
}

#[component]
fn Join(action: String) -> impl IntoView {
    view! {
        <form class="join" method="post" action=action>
            <ErrorSummary />
            <p>"Join to bid. It is free, and the owner sees your name. Your first bid joins, too."</p>
            <button class="button primary" type="submit">
                "Join this auction"
            </button>
        </form>
    }
}

#[component]
fn NoItems(sell: Option<String>) -> impl IntoView {
    let text = if sell.is_some() {
        "Add the first one: a name and a starting price are enough."
    } else {
        "The owner has not published any yet. Come back later."
    };
    view! {
        <EmptyState title="No items yet" text>
            {sell
                .map(|sell| {
                    view! {
                        <a class="button primary" href=sell>
                            "New item"
                        </a>
                    }
                })}
        </EmptyState>
    }
}

/// The currencies of the auction and their values.
#[component]
fn Tariff(
    currencies: Vec<CurrencySummary>,
    unit: BaseUnit,
    #[prop(optional_no_strip)] more: Option<String>,
) -> impl IntoView {
    let names: Vec<_> = currencies.iter().map(|currency| isolated(&currency.name)).collect();
    let names = names.join(", ");
    let rows = currencies.into_iter().map(move |currency| {
        // That one Knut is one Knut need not be said.
        let others = currency.values.iter().filter(|(name, value)| name != unit.noun().one || value != "1");
        let values = others.map(|(name, value)| match name.as_str() {
            "" => format!("1 = {}", counted(value, unit.noun())),
            name => format!("1\u{a0}{name} = {}", counted(value, unit.noun())),
        });
        let values = values.collect::<Vec<_>>().join(" · ");
        let pieces = currency.values.iter().map(|(_, value)| value.clone()).collect();
        view! {
            <div class="tariff-row">
                <dt>
                    <Name text=currency.name /> " "
                    {(!currency.symbol.is_empty())
                        .then(|| view! { <bdi class="tariff-symbol">{currency.symbol}</bdi> })}
                </dt>
                <dd><Coins values=pieces /> {values}</dd>
            </div>
        }
    });
    let rows = rows.collect::<Vec<_>>();
    (!rows.is_empty()).then(|| {
        view! {
            <details class="tariff">
                <summary>
                    <span class="tariff-title">"Currencies"</span>
                    " "
                    {names}
                </summary>
                <dl>{rows}</dl>
                {more
                    .map(|more| {
                        view! {
                            <a class="tariff-more" href=more>
                                "Bidding rules, and a calculator"
                            </a>
                        }
                    })}
            </details>
        }
    })
}

//! `/auctions`: the auctions of the viewer, and those that anyone may join.

use crate::pages::auction_facts::excerpt;
use app::bundles::{Bundle, LoadBundle};
use app::components::countdown::Countdown;
use app::components::empty_state::EmptyState;
use app::components::name::Name;
use app::components::page_title::PageTitle;
use app::components::pagination::Pagination;
use app::components::status_badge::AuctionBadge;
use app::components::words::count;
use app::html::{Html, html};
use app::model::{AuctionStatus, Listing, Role};
use app::request::{query_part, request};
use auction_house::auctions::list::{Scope, list_auctions};
use auction_house::ids::{AuctionId, UserId};
use auction_house::usage;
use axum::response::Response;
use leptos::either::{Either, EitherOf3};
use leptos::prelude::*;
use platform::db::Connection;
use platform::paging::Page;
use platform::time::Moment;

use super::facts::summary;
use super::show::view::AuctionSummary;
use crate::pages::error::Loaded;
use crate::pages::request::PageRequest;

/// A list of auctions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AuctionList {
    /// The viewer is a member.
    Mine,
    /// Open, and any signed-in user may join. The viewer is no member.
    Joinable,
}

impl AuctionList {
    const ALL: [Self; 2] = [Self::Mine, Self::Joinable];

    /// The value in an address.
    fn as_query(self) -> &'static str {
        match self {
            Self::Mine => "yours",
            Self::Joinable => "open",
        }
    }
}

/// An auction in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuctionEntry {
    pub auction: AuctionSummary,
    /// The next end of an item, or that of the auction if it is earlier.
    pub next_end: Option<i64>,
}

/// Auctions among which those that are open are looked for.
const OPEN_MAX: usize = 20;

/// `GET /auctions`: both lists, or one page of the list that the query names.
pub async fn show(request: PageRequest) -> Response {
    let named = request.query("list");
    let named = AuctionList::ALL.into_iter().find(|list| Some(list.as_query()) == named);
    let lists = read(&request, named).await;
    let cursor = request.cursor().filter(|_| named.is_some());
    request.render(lists, |lists| auctions_page(lists, cursor))
}

async fn read(
    request: &PageRequest,
    named: Option<AuctionList>,
) -> Loaded<Vec<(AuctionList, Listing<AuctionEntry>)>> {
    let Some(list) = named else {
        let mut lists = Vec::new();
        // The keeper of the group makes a managed user a member, who joins nothing.
        let offered =
            if request.signed_in()?.is_managed() { &[AuctionList::Mine][..] } else { &AuctionList::ALL };
        for &list in offered {
            lists.push((list, read_list(request, list, Page::after(None)).await?));
        }
        return Ok(lists);
    };
    Ok(vec![(list, read_list(request, list, request.page()).await?)])
}

async fn read_list(
    request: &PageRequest,
    list: AuctionList,
    page: Page<AuctionId>,
) -> Loaded<Listing<AuctionEntry>> {
    let (user, now) = (request.user_id()?, request.now);
    let scope = match list {
        AuctionList::Mine => Scope::Member,
        AuctionList::Joinable => Scope::Joinable,
    };
    entries(&mut request.db().await?, user, scope, page, now).await
}

/// The viewer's auctions that are open, of the newest.
pub(in crate::pages) async fn open_auctions(
    db: &mut Connection,
    viewer: UserId,
    now: Moment,
) -> Loaded<Vec<AuctionEntry>> {
    let newest = Page { limit: OPEN_MAX, after: None };
    let mut found = entries(db, viewer, Scope::Member, newest, now).await?.entries;
    found.retain(|entry| entry.auction.status == AuctionStatus::Open);
    Ok(found)
}

async fn entries(
    db: &mut Connection,
    viewer: UserId,
    scope: Scope,
    page: Page<AuctionId>,
    now: Moment,
) -> Loaded<Listing<AuctionEntry>> {
    let found = list_auctions(db, viewer, scope, now, page).await?;
    let ids: Vec<AuctionId> = found.entries.iter().map(|seen| seen.auction.id).collect();
    let next_ends = usage::next_ends(db, &ids, now).await?;
    let entries = found.entries.into_iter().map(|seen| {
        let next_end = next_ends.get(&seen.auction.id).map(|end| end.millis());
        Ok(AuctionEntry { auction: summary(seen, now)?, next_end })
    });
    Ok(Listing { entries: entries.collect::<Loaded<_>>()?, next_cursor: found.next_cursor })
}

/// Shows the first page of each list, or the page of one list that begins after `cursor`.
fn auctions_page(lists: Vec<(AuctionList, Listing<AuctionEntry>)>, cursor: Option<String>) -> Html {
    let now = request().now;
    let sections = lists
        .into_iter()
        .map(|(list, auctions)| view! { <Section list auctions cursor=cursor.clone() now /> });
    let deleted = query_part("done").filter(|done| done == "deleted").map(|_| {
        view! {
            <p class="done" role="status">
                "The auction is deleted."
            </p>
        }
    });
    html(view! {
        <PageTitle text="Auctions" />
        <header class="page-head">
            <div>
                <h1>"Auctions"</h1>
            </div>
            {request()
                .may_make()
                .then(|| {
                    view! {
                        <a class="button" href="/auctions/new">
                            "New auction"
                        </a>
                    }
                })}
        </header>
        <div class="auction-lists">{deleted} {sections.collect_view()}</div>
    })
}

#[component]
fn Section(
    list: AuctionList,
    auctions: Listing<AuctionEntry>,
    cursor: Option<String>,
    now: i64,
) -> impl IntoView {
    let name = list.as_query();
    let title = match list {
        AuctionList::Mine => "Your auctions",
        AuctionList::Joinable => "Open to join",
    };
    let content = if auctions.entries.is_empty() {
        Either::Left(view! { <Nothing list /> })
    } else {
        let rows = auctions.entries.into_iter().map(|entry| view! { <Row entry now /> });
        Either::Right(view! { <ul class="catalogue" role="list">{rows.collect_view()}</ul> })
    };
    view! {
        <section aria-labelledby=name>
            <h2 id=name class="section-title">
                {title}
            </h2>
            {content}
            <Pagination path=format!("/auctions?list={name}") cursor next=auctions.next_cursor />
        </section>
    }
}

#[component]
fn Nothing(list: AuctionList) -> impl IntoView {
    match list {
        AuctionList::Mine if !request().may_make() => EitherOf3::A(view! {
            <p class="hint">"You are in no auction yet. Those of your group are listed here."</p>
        }),
        AuctionList::Mine => EitherOf3::B(view! {
            <EmptyState
                title="You are not in an auction yet"
                text="Create one: a name is enough to start. Or join one, with the link or the invitation that its owner gave you."
            >
                <a class="button primary" href="/auctions/new">
                    "New auction"
                </a>
            </EmptyState>
        }),
        AuctionList::Joinable => EitherOf3::C(view! {
            <p class="hint">"There is no auction that anyone may join. An auction is listed here if its owner lets everyone join it."</p>
        }),
    }
}

#[component]
fn Row(entry: AuctionEntry, now: i64) -> impl IntoView {
    let AuctionEntry { auction, next_end } = entry;
    let role = match auction.my_role {
        Some(Role::Owner) => Some("Yours"),
        Some(Role::Admin) => Some("You are an admin"),
        Some(Role::Clerk) => Some("You are a clerk"),
        Some(Role::Creator) => Some("You may sell"),
        Some(Role::Bidder) => Some("You may bid"),
        None => None,
    };
    let is_item = next_end != auction.ends_at;
    let end = next_end.filter(|_| auction.status == AuctionStatus::Open).map(|ends_at| {
        view! {
            <span class="catalogue-label">{if is_item { "Next item" } else { "Ends" }}</span>
            " "
            <LoadBundle bundle=Bundle::Follow />
            <Countdown ends_at now />
        }
    });
    view! {
        <li class="catalogue-row">
            <div class="catalogue-what">
                <h3>
                    <a href=format!("/auctions/{}", auction.id)><Name text=auction.name /></a>
                </h3>
                <p class="catalogue-about">{excerpt(&auction.description)}</p>
            </div>
            <p class="catalogue-facts">
                <AuctionBadge status=auction.status />
                <span>{count(auction.item_count, "item", "items")}</span>
                {role.map(|role| view! { <span>{role}</span> })}
            </p>
            <p class="catalogue-end">{end}</p>
        </li>
    }
}

//! `/auctions/{auction_id}/results`: what an auction sold, to whom, and what is still to be paid and
//! collected.

mod checkout;
pub(in crate::pages) mod list;
pub(in crate::pages) mod price;
pub(super) mod statements;
pub(in crate::pages) mod summary;

use crate::pages::items::outcome_marks::{ITEM, mark_seen, seen_outcome};
use app::components::auction_tabs::{AuctionTab, AuctionTabs};
use app::components::empty_state::EmptyState;
use app::components::export_links::ExportLinks;
use app::components::guest_notice::GuestNotice;
use app::components::page_description::PublicDescription;
use app::components::page_head::PageHead;
use app::components::page_title::PageTitle;
use app::html::{Html, html};
use app::model::{AuctionAccess, Listing, PublicPage};
use auction_house::access::Action;
use auction_house::access::store::owner;
use auction_house::auctions::access::authorize;
use auction_house::events;
use auction_house::ids::AuctionId;
use auction_house::items::outcomes::mark::SeenOutcome;
use auction_house::path::AuctionPath;
use axum::response::Response;
use leptos::either::EitherOf4;
use leptos::prelude::*;
use platform::fields::FieldError;
use platform::http::problem::Problem;

use self::checkout::{CheckoutSaleView, Desk};
use self::list::{ResultItems, ResultRow};
use self::price::BaseUnitsToggle;
use self::statements::{Statement, StatementHead, Statements};
use self::summary::{Summary, Totals, WinnerTotals};
use super::checkout_facts::{AskedWinner, CheckoutDesk, CheckoutView, desk};
use super::results_facts::{add_charges, page};
use crate::pages::error::Loaded;
use crate::pages::form::Form;
use crate::pages::form_route::FormRequest;
use crate::pages::items::outcome_facts::Prices;
use crate::pages::public_page::public_page;
use crate::pages::request::{PageAt, PageRequest};

/// The requested part of the results.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResultsQuery {
    pub by_winner: bool,
    pub show: ResultFilter,
    /// The last item of the page before.
    pub cursor: Option<String>,
    /// The winner of a checkout, which is shown instead of the other views.
    pub asked: Option<AskedWinner>,
}

/// Which items the results list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ResultFilter {
    #[default]
    All,
    ToPay,
    ToCollect,
    Unsold,
}

impl ResultFilter {
    pub const ALL: [Self; 4] = [Self::All, Self::ToPay, Self::ToCollect, Self::Unsold];

    /// The value of `?show=`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::ToPay => "to-pay",
            Self::ToCollect => "to-collect",
            Self::Unsold => "unsold",
        }
    }

    /// Another value lists all items.
    pub fn named(name: &str) -> Self {
        Self::ALL.into_iter().find(|filter| filter.as_str() == name).unwrap_or_default()
    }
}

/// The results of an auction as one viewer may see them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultsPage {
    /// Absent unless anyone may read the auction.
    pub public: Option<PublicPage>,
    pub auction_id: String,
    pub auction_name: String,
    /// The name of the owner.
    pub organizer: Option<String>,
    /// Where and when buyers pay and collect. Empty if the auction does not say it.
    pub collection: String,
    pub access: AuctionAccess,
    pub query: ResultsQuery,
    pub counts: ResultCounts,
    /// Everything that was sold.
    pub total: Totals,
    /// Sums over the items that the viewer has won.
    pub mine: Option<Totals>,
    /// In the order of their names, at most 25.
    pub winners: Vec<WinnerTotals>,
    pub winner_count: usize,
    /// Sold items whose winners are hidden from the viewer.
    pub hidden_count: usize,
    /// The viewer may mark outcomes and export everything.
    pub manages: bool,
    /// Absent if the viewer may not mark outcomes.
    pub desk: Option<CheckoutDesk>,
    pub list: ResultList,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ResultCounts {
    pub sold: usize,
    pub unsold: usize,
    pub cancelled: usize,
    /// Published items without an outcome.
    pub open: usize,
}

/// One page of the results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResultList {
    Items(Listing<ResultRow>),
    /// Sold items by winner.
    Statements(Listing<Statement>),
    Checkout(CheckoutView),
}

/// `GET /auctions/{auction_id}/results`
pub async fn show(PageAt(path): PageAt<AuctionPath>, request: PageRequest) -> Response {
    let results = read(&request, path).await;
    request.render(results, results_page)
}

async fn read(request: &PageRequest, path: Loaded<AuctionPath>) -> Loaded<ResultsPage> {
    let (AuctionPath { auction_id }, now) = (path?, request.now);
    let (mut db, cache) = (request.db().await?, &request.state.pages);
    // The stream begins before the page is read.
    let position = events::store::last_position(&mut db, auction_id).await?;
    let seen = authorize(&mut db, auction_id, request.reader(), now).await?;
    let serves = seen.may(Action::MarkOutcomes);
    let query = ResultsQuery {
        by_winner: request.query("by") == Some("winner"),
        show: request.query("show").map(ResultFilter::named).unwrap_or_default(),
        cursor: request.cursor(),
        asked: asked(request).filter(|_| serves),
    };
    let pricing = cache.pricing(&mut db, &seen.auction, now).await?;
    let results = cache.results(&mut db, &seen.auction, now).await?;
    let mut page = page(&mut db, &seen, &pricing, &results, query, request.money_style()).await?;
    if let Some(book_id) = seen.auction.terms.book_id {
        add_charges(&mut db, book_id, &seen, &pricing, &mut page).await?;
    }
    if serves {
        let prices = Prices::new(&seen, &pricing, request.money_style());
        page.desk = Some(desk(&seen, &prices, &results, position));
    }
    let text = format!("What was sold in {}.", seen.auction.terms.name);
    page.public = public_page(request, &seen, text, None);
    if !matches!(page.list, ResultList::Items(_)) && !seen.is_outsider() {
        page.organizer = owner(&mut db, auction_id).await?.map(|owner| owner.name);
    }
    Ok(page)
}

/// The winner whom a cashier asks for. A refused form names the one that it was about.
fn asked(request: &PageRequest) -> Option<AskedWinner> {
    let refused = request.refused();
    let value = |name| match refused {
        Some(form) => form.value(name).filter(|value| !value.is_empty()),
        None => request.query(name),
    };
    let number = value("number").map(str::to_owned).map(AskedWinner::Number);
    number.or_else(|| value("winner").map(str::to_owned).map(AskedWinner::User))
}

/// `POST /auctions/{auction_id}/results/marks`: marks the items that the form names, all of them or none.
pub async fn mark(request: FormRequest<AuctionPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: AuctionPath { auction_id }, form } = request;
    let items = form.fields().iter().filter(|(name, _)| name == ITEM).map(|(_, value)| seen_outcome(value));
    let items: Option<Vec<SeenOutcome>> = items.collect();
    let items = items.ok_or_else(|| Problem::fields(vec![FieldError::missing(ITEM)]))?;
    mark_seen(&state, auction_id, user, &items, &form).await?;
    Ok(next_page(auction_id, &form))
}

/// The checkout of the same winner.
fn next_page(auction_id: AuctionId, form: &Form) -> String {
    let asked = ["number", "winner"].into_iter().find_map(|name| Some((name, form.get(name)?)));
    let query = asked.and_then(|asked| serde_urlencoded::to_string([asked]).ok()).unwrap_or_default();
    format!("/auctions/{auction_id}/results?{query}")
}

fn results_page(page: ResultsPage) -> Html {
    let auction = format!("/auctions/{}", page.auction_id);
    let exported = page.access.can_change.then(|| format!("/api{auction}"));
    let title = format!("Results of {}", page.auction_name);
    let path = format!("{auction}/results");
    let auction_name = page.auction_name.clone();
    let (public, access) = (page.public.clone(), page.access);
    let checkout =
        if let ResultList::Checkout(checkout) = &page.list { Some(checkout.clone()) } else { None };
    // The script of the desk replaces it with the checkout of the next winner.
    let class = checkout.is_some().then_some("live");
    let desk = page.desk.clone().map(|desk| view! { <Desk desk checkout path=path.clone() /> });
    html(view! {
        <PageTitle text=title.clone() />
        <PublicDescription title public=public.clone() />
        <PageHead back=auction.clone() of=auction_name heading="Results">
            {exported.map(|auction| view! { <Export auction /> })}
        </PageHead>
        <AuctionTabs auction current=AuctionTab::Results access />
        <GuestNotice public />
        <BaseUnitsToggle total=page.total.clone() />
        {desk}
        <div id="results" class=class>
            <Body page path />
        </div>
    })
}

/// The checkout of one winner, or a list with its summary.
#[component]
fn Body(page: ResultsPage, path: String) -> impl IntoView {
    let none = page.counts.sold + page.counts.unsold + page.counts.cancelled == 0;
    let (query, manages) = (page.query.clone(), page.manages);
    let head = StatementHead {
        auction: page.auction_name.clone(),
        organizer: page.organizer.clone(),
        collection: page.collection.clone(),
    };
    let views = view! { <Views path=path.clone() query=query.clone() /> };
    match page.list.clone() {
        ResultList::Checkout(checkout) => EitherOf4::A(view! {
            <CheckoutSaleView checkout head path />
            {views}
        }),
        ResultList::Items(_) | ResultList::Statements(_) if none => EitherOf4::B(view! {
            <EmptyState
                title="No results yet"
                text="An item is listed here as soon as it is closed: to whom it was sold, for how much, and what is still to be paid and collected."
            />
        }),
        ResultList::Items(items) => EitherOf4::C(view! {
            <Summary page />
            {views}
            <ResultItems items path query manages />
        }),
        ResultList::Statements(statements) => EitherOf4::D(view! {
            <Summary page />
            {views}
            <Statements statements head path query />
        }),
    }
}

#[component]
fn Export(auction: String) -> impl IntoView {
    view! {
        <p class="actions results-export">
            <ExportLinks path=format!("{auction}/export") csv="Download CSV" xlsx="Download Excel" />
            <a class="button quiet" href=format!("{auction}/export?format=json")>
                "Download JSON"
            </a>
            <ExportLinks path=format!("{auction}/items/export") csv="Lots as CSV" xlsx="Lots as Excel" />
        </p>
    }
}

/// Links to the other views of the list.
#[component]
fn Views(path: String, query: ResultsQuery) -> impl IntoView {
    let links = ResultFilter::ALL.map(|show| {
        let is_current = query.asked.is_none() && !query.by_winner && query.show == show;
        let label = match show {
            ResultFilter::All => "All items",
            ResultFilter::ToPay => "To pay",
            ResultFilter::ToCollect => "Paid, to collect",
            ResultFilter::Unsold => "Not sold",
        };
        let query = ResultsQuery { show, ..ResultsQuery::default() };
        view! {
            <a href=address(&path, &query) aria-current=is_current.then_some("true")>
                {label}
            </a>
        }
    });
    let by_winner = ResultsQuery { by_winner: true, ..ResultsQuery::default() };
    view! {
        <nav class="results-views" aria-label="Views of the results">
            {links.collect_view()}
            <a href=address(&path, &by_winner) aria-current=query.by_winner.then_some("true")>
                "By winner, for printing"
            </a>
        </nav>
    }
}

/// Address of the first page of a view of the results.
fn address(path: &str, query: &ResultsQuery) -> String {
    if query.by_winner {
        format!("{path}?by=winner")
    } else if query.show == ResultFilter::All {
        path.to_owned()
    } else {
        format!("{path}?show={}", query.show.as_str())
    }
}

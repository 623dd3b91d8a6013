//! The draw of an item: how many tickets are in the hat, the viewer's own ones, and a form for more.

use app::components::live_news::LiveNews;
use app::components::moment::{date_and_time, stamp};
use app::components::money::counted;
use app::islands::items::board::{SECTION, TAKE_BACK, sign_in_link};
use app::islands::items::live_item::end_in_words;
use app::model::{BidBoard, Bidding, ItemStatus, Noun, Refused};
use leptos::either::Either;
use leptos::prelude::*;

/// The draw of an item, as one viewer sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawFacts {
    /// Terms of the draw, in sentences.
    pub terms: String,
    /// The price of one ticket, in words.
    pub ticket: String,
    /// How many tickets there are.
    pub count: u64,
    /// The viewer's tickets and their price, in a sentence.
    pub own: Option<String>,
    /// Amount that the viewer has available, in words. Absent in an auction without a book.
    pub available: Option<String>,
    pub seed_hash: Option<String>,
    /// Shown after the draw.
    pub seed: Option<String>,
    /// Path of the page that repeats the draw.
    pub check: Option<String>,
    /// The newest bids, newest first.
    pub tickets: Vec<TicketRow>,
    /// Path of the page with all of them, if there are more.
    pub all: Option<String>,
}

/// Tickets of one bid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TicketRow {
    pub mine: bool,
    /// Absent if the viewer may not know.
    pub bidder: Option<String>,
    pub tickets: u64,
    pub placed_at: i64,
    /// Path of the form that takes them back, if the viewer may, and what its button does, in words.
    pub withdraw: Option<(String, String)>,
}

/// The field of the form.
pub const TICKETS: &str = "tickets";

const TICKET: Noun<'static> = Noun { one: "ticket", several: Some("tickets") };

/// Number of tickets, in words.
pub fn tickets_in_words(tickets: u64) -> String {
    counted(&tickets.to_string(), TICKET)
}

/// The panel beside the pictures. The browser requests its live part again with each event of the item.
#[component]
pub fn DrawPanel(draw: DrawFacts, board: BidBoard, bidding: Bidding, now: i64) -> impl IntoView {
    let page = board.page();
    let is_open = board.status == ItemStatus::Open;
    let stream = is_open.then(|| format!("/api{page}/events"));
    let news = stream.map(|stream| view! { <LiveNews class="hint" stale="Connecting …" stream /> });
    let label = if board.status == ItemStatus::Closed { "Tickets in the draw" } else { "Tickets in the hat" };
    let count = draw.count.to_string();
    let own = draw.own.clone().unwrap_or_else(|| if is_open { "You have none yet." } else { "" }.to_owned());
    let take_back = (is_open && draw.own.is_some()).then(|| {
        view! {
            <form method="post" action=format!("{page}/bids/own/withdraw")>
                <input type="hidden" name=SECTION value=TAKE_BACK />
                <button class="button quiet" type="submit">
                    "Take my tickets back"
                </button>
            </form>
        }
    });
    let terms = draw.terms.clone();
    view! {
        <section class="bid-panel draw-panel" aria-label="Draw">
            <div class="bid-panel-end">{end_in_words(&board, now)}</div>
            <div class="highest">
                <div id="draw-count" class="live draw-own">
                    <p class="highest-label">{label}</p>
                    <p class="highest-amount">{count}</p>
                    <p class="highest-by">{own}</p>
                    {take_back}
                </div>
                <p class="hint">{terms}</p>
                {news}
            </div>
            <GetTickets draw=draw.clone() board bidding />
            <Fairness draw />
        </section>
    }
}

/// The form for tickets, or why the viewer gets none and what to do.
#[component]
fn GetTickets(draw: DrawFacts, board: BidBoard, bidding: Bidding) -> impl IntoView {
    let (Bidding::Open(data), Some(available)) = (&bidding, &draw.available) else {
        let sign_in = matches!(bidding, Bidding::SignIn).then(|| {
            view! {
                <a class="button primary" href=sign_in_link(&board)>
                    "Sign in"
                </a>
            }
        });
        let words = notice(board.status, &bidding)?;
        return Some(Either::Left(view! {
            <div class="bid-notice">
                <p>{words}</p>
                {sign_in}
            </div>
        }));
    };
    let refused = use_context::<Refused>();
    let typed = refused.as_ref().and_then(|refused| refused.value(TICKETS).map(str::to_owned));
    let error = refused.as_ref().and_then(|refused| refused.problem(TICKETS).map(|_| "true"));
    let was_anonymous = refused.is_some_and(|refused| refused.value("isAnonymous").is_some());
    let anonymous = data.may_be_anonymous.then(|| {
        view! {
            <div class="choice bid-anonymous">
                <input
                    id="bid-anonymous"
                    name="isAnonymous"
                    type="checkbox"
                    value="true"
                    checked=was_anonymous
                />
                <label for="bid-anonymous">"Hide my name with these tickets"</label>
            </div>
        }
    });
    let hint = format!("{} each. You have {available}.", draw.ticket);
    Some(Either::Right(view! {
        <form class="bid-form" method="post" aria-label="Get tickets" novalidate>
            <input type="hidden" name="idempotencyKey" value=data.idempotency_key.clone() />
            <div class="field">
                <label for="tickets">"Tickets"</label>
                <input
                    id="tickets"
                    class="amount short"
                    name=TICKETS
                    type="text"
                    inputmode="numeric"
                    autocomplete="off"
                    value=typed.unwrap_or_else(|| "1".to_owned())
                    required
                    aria-describedby="tickets-hint"
                    aria-invalid=error
                />
                <p id="tickets-hint" class="hint">
                    {hint}
                </p>
            </div>
            {anonymous}
            <div class="bid-actions">
                <button class="button primary" type="submit">
                    "Get tickets"
                </button>
            </div>
        </form>
    }))
}

/// Why the viewer can't get tickets. After the draw the outcome says it.
fn notice(status: ItemStatus, bidding: &Bidding) -> Option<&'static str> {
    Some(match (status, bidding) {
        (ItemStatus::Draft, _) => "This is a draft. There are tickets once it is published.",
        (ItemStatus::Scheduled, _) => "There are no tickets yet.",
        (ItemStatus::Closed, _) => return None,
        (ItemStatus::Open, Bidding::SignIn) => "Sign in to get tickets.",
        (ItemStatus::Open, Bidding::Outside) => "Only members of this auction can get tickets.",
        (ItemStatus::Open, Bidding::Removed) => {
            "You were removed from this auction: only an invitation brings you back."
        }
        (ItemStatus::Open, Bidding::OwnItem) => "This is your item: tickets are for the others.",
        (ItemStatus::Open, Bidding::Open(_)) => "Tickets are paid from a book, and this auction has none.",
        (ItemStatus::Open, Bidding::NotOpen) => "Reload this page to get tickets.",
    })
}

/// How anyone can repeat the draw.
#[component]
fn Fairness(draw: DrawFacts) -> impl IntoView {
    let hash = draw.seed_hash.map(|hash| view! { <p class="draw-seed">{hash}</p> });
    let seed = draw.seed.map(|seed| {
        view! {
            <p>"This is the seed, which it belongs to:"</p>
            <p class="draw-seed">{seed}</p>
        }
    });
    let check = draw.check.map(|href| {
        view! {
            <p>
                <a href=href>"Repeat the draw in your browser"</a>
            </p>
        }
    });
    view! {
        <details class="draw-check">
            <summary>"How the draw can be checked"</summary>
            <p>
                "A secret seed was chosen before the first ticket, and decides the draw alone. This is its SHA-256, which shows that nobody has chosen another since. After the draw the seed is shown here, too."
            </p>
            {hash}
            {seed}
            {check}
        </details>
    }
}

/// The newest bids for tickets.
#[component]
pub fn TicketList(rows: Vec<TicketRow>, all: Option<String>) -> impl IntoView {
    let is_empty = rows.is_empty();
    let all = all.map(|href| view! { <a href=href>"All tickets"</a> });
    let empty = is_empty.then(|| view! { <p class="hint">"Nobody has a ticket yet."</p> });
    view! {
        <section aria-labelledby="tickets-heading">
            <h2 id="tickets-heading">"Tickets"</h2>
            <div id="draw-tickets" class="live">
                {empty}
                <TicketRows rows />
                {all}
            </div>
        </section>
    }
}

/// Bids for tickets, each with the way to take it back.
#[component]
pub fn TicketRows(rows: Vec<TicketRow>) -> impl IntoView {
    let rows = rows.into_iter().map(|row| {
        let class = if row.mine { "bidder mine" } else { "bidder" };
        let who =
            if row.mine { "You".to_owned() } else { row.bidder.unwrap_or_else(|| "A bidder".to_owned()) };
        // A manager says why, on a page of its own.
        let withdraw = row.withdraw.map(|(address, name)| match row.mine {
            true => Either::Left(view! {
                <form method="post" action=address>
                    <input type="hidden" name="reason" value="OTHER" />
                    <button class="button quiet" type="submit" aria-label=name>
                        "Take back"
                    </button>
                </form>
            }),
            false => Either::Right(view! {
                <a class="bid-withdraw" href=address aria-label=name>
                    "Withdraw"
                </a>
            }),
        });
        view! {
            <li class="bid">
                <span class="bid-amount">{tickets_in_words(row.tickets)}</span>
                <span class="bid-by">
                    <bdi class=class>{who}</bdi>
                </span>
                <time class="bid-when" datetime=stamp(row.placed_at)>
                    {date_and_time(row.placed_at)}
                </time>
                {withdraw}
            </li>
        }
    });
    view! {
        <ol class="bids" role="list">
            {rows.collect_view()}
        </ol>
    }
}

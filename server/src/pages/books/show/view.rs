//! `/books/{book_id}`: the viewer's balance, the holders, and the entries. Owners and tellers grant and
//! reverse there.

use app::components::error_summary::ErrorSummary;
use app::components::export_links::ExportLinks;
use app::components::money::{StaticValue, amount_in};
use app::components::name::Name;
use app::components::page_title::PageTitle;
use app::components::plot::Plot;
use app::html::{Html, html};
use app::model::{BaseUnit, BookRole, Listing, PlotPoint, SelectOption};
use app::request::query_part;
use leptos::prelude::*;

use super::entries::{Entries, LedgerEntry};
use super::grant::Grant;
use super::holders::{HolderEntry, Holders};
use super::waiting::{Waiting, WaitingList};
use crate::pages::books::facts::BookEntry;
use crate::pages::books::{Done, FundsList, IMPORTED, role_word};

/// A book with a page of its holders and of its entries, as one holder may see them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookPage {
    pub book: BookEntry,
    /// How far below zero a holder may go, in base units.
    pub credit_limit: String,
    /// The sum of the pots of all auctions.
    pub pot: String,
    /// The link with which users become holders: shown to keepers while the book is open.
    pub link: Option<String>,
    /// Absent if the viewer may not see the other holders.
    pub holders: Option<Listing<HolderEntry>>,
    /// Holders whose leading bids need more than they have, for those who keep the book.
    pub overcommitted: Vec<HolderEntry>,
    /// What the holders' names are searched for.
    pub search: Option<String>,
    pub entries: Listing<LedgerEntry>,
    /// The holder whose entries are shown. Absent for the entries of all holders.
    pub entries_of: Option<SelectOption>,
    /// What the holder whose entries are shown, or the viewer, had over time.
    pub balances: Vec<PlotPoint>,
    /// The auctions of the book that the viewer may see.
    pub auctions: Vec<SelectOption>,
    /// Grants that wait, for the keepers of the book.
    pub waiting: WaitingList,
}

/// The parts of a book that its page shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BookQuery {
    /// Text that the names of the listed holders contain.
    pub search: Option<String>,
    /// Where the page of holders begins.
    pub cursor: Option<String>,
    /// The holder whose entries are shown.
    pub holder: Option<String>,
    /// Entries with smaller sequences are shown.
    pub before: Option<String>,
}

/// `query` names the holders and entries that the page has.
pub fn book_page(page: BookPage, query: BookQuery) -> Html {
    let BookPage {
        book,
        credit_limit,
        pot,
        link,
        holders,
        overcommitted,
        search,
        entries,
        entries_of,
        balances,
        auctions,
        waiting,
    } = page;
    let BookEntry { id, name, unit, role, is_closed, funds } = book;
    let path = format!("/books/{id}");
    let credit = (credit_limit != "0").then(|| {
        view! {
            <p class="hint">
                {format!("Everyone may bid {} beyond their balance.", amount_in(&credit_limit, &unit))}
            </p>
        }
    });
    let pot = (pot != "0").then(|| {
        view! {
            <p class="hint">
                {format!("Spent in auctions and not shared yet: {}", amount_in(&pot, &unit))}
            </p>
        }
    });
    let warning = funds.is_overcommitted().then(|| {
        view! {
            <p class="notice">"Your leading bids need more than you have. They stand, but you can’t place new ones until more is available."</p>
        }
    });
    // The balance of the holder whose entries a keeper looks at stands beside those.
    let (own_plot, plot) = match &entries_of {
        None => (Some(view! { <Plot title="Over time" points=balances unit=unit.clone() /> }), None),
        Some(_) => (None, Some(view! { <Plot title="Balance" points=balances unit=unit.clone() /> })),
    };
    let keeps = role.keeps() && !is_closed;
    let is_imported = keeps && query_part("done").is_some_and(|done| done == IMPORTED);
    let imports = format!("{path}/import");
    let grant = keeps.then(|| {
        let listed = holders.as_ref().map(|holders| holders.entries.clone()).unwrap_or_default();
        view! { <Grant path=path.clone() holders=listed /> }
    });
    let holders = holders.map(|holders| {
        view! { <Holders path=path.clone() unit=unit.clone() role is_closed holders search cursor=query.cursor.clone() /> }
    });
    html(view! {
        <PageTitle text=name.clone() />
        <header class="page-head">
            <div>
                <p class="eyebrow">
                    <a href="/books">"Balances"</a>
                </p>
                <h1>
                    <Name text=name />
                </h1>
                <p class="facts">
                    <span>{role_word(role)}</span>
                    {is_closed.then(|| view! { <span>"Closed"</span> })}
                </p>
            </div>
            <Links path=path.clone() role is_closed />
        </header>
        <div class="book-page">
            <ErrorSummary fields=&[super::grant::FIELDS, &[super::holders::EMAIL, super::entries::REASON]] />
            <Done />
            {is_imported.then(|| view! { <p><a href=imports>"Undo the import"</a></p> })}
            <section aria-labelledby="balance">
                <h2 id="balance">"Your balance"</h2>
                <FundsList funds unit=unit.clone() />
                {warning}
                {credit}
                {pot}
                {own_plot}
            </section>
            <Auctions auctions />
            <Overcommitted holders=overcommitted unit=unit.clone() />
            {grant}
            {link.map(|url| view! { <Link url path=path.clone() /> })}
            <Waiting waiting unit=unit.clone() path=path.clone() />
            {holders}
            {plot}
            <Entries path=path.clone() unit entries of=entries_of keeps=role.keeps() before=query.before />
            {(role != BookRole::Owner).then(|| view! { <Leave path /> })}
        </div>
    })
}

#[component]
fn Links(path: String, role: BookRole, is_closed: bool) -> impl IntoView {
    let keeper = role.keeps().then(|| {
        view! {
            {(!is_closed)
                .then(|| {
                    view! {
                        <a class="button quiet" href=format!("{path}/import")>
                            "Import"
                        </a>
                    }
                })}
            <a class="button quiet" href=format!("{path}/runs")>
                "Share and decay"
            </a>
            <ExportLinks path=format!("/api{path}/balances/export") csv="Balances as CSV" xlsx="Balances as Excel" />
            <ExportLinks path=format!("/api{path}/export") csv="Export as CSV" xlsx="Export as Excel" />
            <a class="button quiet" href=format!("/api{path}/export?format=json") download="">
                "Export as JSON"
            </a>
        }
    });
    let settings = (role == BookRole::Owner).then(|| {
        view! {
            <a class="button quiet" href=format!("{path}/settings")>
                "Settings"
            </a>
        }
    });
    view! { <p class="actions">{keeper} {settings}</p> }
}

/// Who can't pay what they lead, after a withdrawal or a reversal.
#[component]
fn Overcommitted(holders: Vec<HolderEntry>, unit: BaseUnit) -> impl IntoView {
    (!holders.is_empty()).then(|| {
        let rows = holders.into_iter().map(|holder| {
            view! {
                <li>
                    <Name text=holder.name />
                    " "
                    <StaticValue amount=holder.funds.available unit=unit.clone() />
                </li>
            }
        });
        view! {
            <section class="notice" aria-labelledby="overcommitted">
                <h2 id="overcommitted">"Leading more than is available"</h2>
                <p>"Their bids stand; they can’t place new ones until more is available."</p>
                <ul>{rows.collect_view()}</ul>
            </section>
        }
    })
}

/// The link with which others consent to hold a balance.
#[component]
fn Link(url: String, path: String) -> impl IntoView {
    view! {
        <section aria-labelledby="book-link-heading">
            <h2 id="book-link-heading">"Link"</h2>
            <p>"Everyone with this link may take part. Everyone who joins an auction that uses these balances does anyway."</p>
            <div class="join-link-address">
                <label for="book-link">"Link to take part"</label>
                <input id="book-link" type="text" value=url readonly />
            </div>
            <form class="danger" method="post" action=format!("{path}/link")>
                <p>"A new link replaces this one, which then no longer works. Everyone stays."</p>
                <button class="button" type="submit">
                    "Make a new link"
                </button>
            </form>
        </section>
    }
}

#[component]
fn Leave(path: String) -> impl IntoView {
    view! {
        <section aria-labelledby="leave">
            <h2 id="leave">"Leave these balances"</h2>
            <form class="danger" method="post" action=format!("{path}/leave")>
                <p>"Your balance is no longer shown to you. Your entries stay, and the balance comes back if you return. First leave the open auctions that use it."</p>
                <button class="button" type="submit">
                    "Leave the balances"
                </button>
            </form>
        </section>
    }
}

#[component]
fn Auctions(auctions: Vec<SelectOption>) -> impl IntoView {
    (!auctions.is_empty()).then(|| {
        let links = auctions.into_iter().map(|auction| {
            view! {
                <li>
                    <a href=format!("/auctions/{}", auction.value)>
                        <Name text=auction.label />
                    </a>
                </li>
            }
        });
        view! {
            <section aria-labelledby="auctions">
                <h2 id="auctions">"Auctions"</h2>
                <ul class="book-auctions">{links.collect_view()}</ul>
            </section>
        }
    })
}

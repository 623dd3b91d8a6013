//! `/auctions`

use leptos::either::Either;
use leptos::prelude::*;

use crate::components::countdown::Countdown;
use crate::components::empty_state::EmptyState;
use crate::components::loaded::{loaded, query_part, services};
use crate::components::page_title::PageTitle;
use crate::components::pagination::Pagination;
use crate::components::status_badge::AuctionBadge;
use crate::model::{AuctionStatus, AuctionSummary, Role};

#[component]
pub fn AuctionList() -> impl IntoView {
    let services = services();
    let now = services.now();
    let cursor = query_part("cursor");
    let requested = cursor.clone();
    let load = async move { services.auctions(requested.as_deref()).await };
    loaded(load, move |auctions| {
        let list = if auctions.entries.is_empty() {
            Either::Left(view! {
                <EmptyState
                    title="No auctions yet"
                    text="Auctions in which you are a member or which anyone may join are listed here. Create the first one: a name is enough to start."
                >
                    <a class="button primary" href="/auctions/new">
                        "New auction"
                    </a>
                </EmptyState>
            })
        } else {
            let rows = auctions.entries.into_iter().map(|auction| view! { <Row auction now /> });
            Either::Right(view! { <ul class="catalogue" role="list">{rows.collect::<Vec<_>>()}</ul> })
        };
        view! {
            <PageTitle text="Auctions" />
            <header class="page-head">
                <div>
                    <h1>"Auctions"</h1>
                </div>
                <a class="button" href="/auctions/new">
                    "New auction"
                </a>
            </header>
            {list}
            <Pagination path="/auctions".to_owned() cursor next=auctions.next_cursor />
        }
    })
}

#[component]
fn Row(auction: AuctionSummary, now: i64) -> impl IntoView {
    let open = auction.status == AuctionStatus::Open;
    let role = match auction.my_role {
        Some(Role::Owner) => Some("Yours"),
        Some(Role::Admin) => Some("You are an admin"),
        Some(Role::Creator) => Some("You may sell"),
        Some(Role::Bidder) => Some("You may bid"),
        None if auction.joinable => Some("Open to join"),
        None => None,
    };
    view! {
        <li class="catalogue-row">
            <div class="catalogue-what">
                <h2>
                    <a href=format!("/auctions/{}", auction.id)>{auction.name}</a>
                </h2>
                <p class="catalogue-about">{excerpt(&auction.description)}</p>
            </div>
            <p class="catalogue-facts">
                <AuctionBadge status=auction.status />
                <span>{count(auction.item_count, "item", "items")}</span>
                {role.map(|role| view! { <span>{role}</span> })}
            </p>
            <p class="catalogue-end">
                {auction.ends_at.filter(|_| open).map(|ends_at| view! { <Countdown ends_at now /> })}
            </p>
        </li>
    }
}

/// `1 item`, `2 items`.
pub fn count(number: u64, one: &str, many: &str) -> String {
    let word = if number == 1 { one } else { many };
    format!("{number} {word}")
}

/// The first words of a description, without Markdown characters.
fn excerpt(description: &str) -> String {
    const CHARS_MAX: usize = 160;
    let line = description.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let line = line.trim_start_matches(['#', '>', '*', '-', ' ']).replace(['*', '`'], "");
    if line.chars().count() <= CHARS_MAX {
        return line;
    }
    let short: String = line.chars().take(CHARS_MAX).collect();
    let end = short.rfind(' ').unwrap_or(short.len());
    format!("{}…", short.get(..end).unwrap_or(&short))
}

#[cfg(test)]
mod tests {
    use super::excerpt;

    #[test]
    fn an_excerpt_is_the_first_line_with_words() {
        assert_eq!(excerpt("\n\n## A **fine** sale\nmore"), "A fine sale");
        assert_eq!(excerpt(""), "");
    }

    #[test]
    fn an_excerpt_ends_at_a_word() {
        let long = "Fünf Wörter ".repeat(40);
        let short = excerpt(&long);
        assert!(short.chars().count() <= 161 && short.ends_with("r…") || short.ends_with("f…"), "{short}");
    }
}

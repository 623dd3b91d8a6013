//! `/auctions/{auction_id}/members`: the members of an auction, and the ways to become one.

mod invites;
mod link;
mod list;
mod transfer;
pub mod words;

use leptos::prelude::*;

use crate::components::auction_tabs::{AuctionTab, AuctionTabs};
use crate::components::error_summary::ErrorSummary;
use crate::components::name::Name;
use crate::components::page_title::PageTitle;
use crate::components::pagination::Pagination;
use crate::html::{Html, html};
use crate::model::{AuctionAccess, MembersPage, Refused};
use crate::request::query_part;
use invites::Invites;
use link::Link;
use list::MemberList;
use transfer::{NEW_OWNER, Transfer};

pub fn members_page(page: MembersPage, cursor: Option<String>) -> Html {
    let MembersPage {
        auction_id,
        auction_name,
        is_closed,
        members,
        may_invite,
        may_manage,
        runs_hall,
        may_transfer,
        invites,
        link,
        sends_mail,
    } = page;
    let auction = format!("/auctions/{auction_id}");
    let path = format!("{auction}/members");
    let others: Vec<_> = members.entries.iter().filter(|member| !member.is_viewer).cloned().collect();
    let link = (may_manage && !is_closed).then(|| {
        view! { <Link link path=path.clone() settings=format!("{auction}/settings") /> }
    });
    let invites = (may_invite || !invites.is_empty()).then(|| {
        view! { <Invites invites path=path.clone() may_invite=may_invite && !is_closed may_manage sends_mail /> }
    });
    let transfer = may_transfer.then(|| view! { <Transfer others path=path.clone() /> });
    html(view! {
        <PageTitle text=format!("Members of {auction_name}") />
        <header class="page-head">
            <div>
                <p class="eyebrow">
                    <a href=auction.clone()><Name text=auction_name /></a>
                </p>
                <h1>"Members"</h1>
            </div>
        </header>
        <AuctionTabs auction current=AuctionTab::Members access=AuctionAccess { is_member: true, can_change: may_manage, runs_hall } />
        <div class="members-page">
            <ErrorSummary fields=&[invites::FIELDS, &[NEW_OWNER]] />
            <Done sends_mail />
            {is_closed.then(|| view! { <p class="notice">"This auction is closed: it takes no more members."</p> })}
            {link}
            {invites}
            <section aria-labelledby="members">
                <h2 id="members">"Members"</h2>
                <MemberList members=members.entries path=path.clone() />
                <Pagination path=path.clone() cursor next=members.next_cursor />
            </section>
            {transfer}
        </div>
    })
}

/// The success message of the last action.
#[component]
fn Done(sends_mail: bool) -> impl IntoView {
    if use_context::<Refused>().is_some() {
        return None;
    }
    let words = match query_part("done")?.as_str() {
        "link" => "There is a new link. The old one no longer works.",
        "invited" if sends_mail => "The invitation is ready, and a mail with its link is on its way.",
        "invited" => "The invitation is ready: pass its link on. No e-mail is sent.",
        "deleted" => "The invitation is deleted. Its link no longer works.",
        "role" => "The role is changed.",
        "present" => "Recorded: this member is present.",
        "absent" => "Recorded: this member is not present any more.",
        "removed" => "The member is removed. Their bids stay.",
        "transferred" => "The auction has a new owner. You are now an admin.",
        _ => return None,
    };
    Some(view! {
        <p class="done" role="status">
            {words}
        </p>
    })
}

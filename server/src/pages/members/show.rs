//! `/auctions/{auction_id}/members`: the members of an auction, and the ways to become one.

use accounts::Person;
use app::components::auction_tabs::{AuctionTab, AuctionTabs};
use app::components::error_summary::ErrorSummary;
use app::components::page_head::PageHead;
use app::components::page_title::PageTitle;
use app::components::pagination::Pagination;
use app::html::{Html, html};
use app::model::{AuctionAccess, Listing, Refused};
use app::request::query_part;
use auction_house::access::{Action, Invite, Member, Role};
use auction_house::auctions::access::{AuctionView, authorize};
use auction_house::auctions::people::PeopleShown;
use auction_house::ids::AuctionId;
use auction_house::members::change_role::change_role;
use auction_house::members::invites::create::create_invite;
use auction_house::members::invites::delete;
use auction_house::members::invites::document::page_of;
use auction_house::members::invites::list::deletable_invites;
use auction_house::members::link::renew_link;
use auction_house::members::list::{is_known, list_members};
use auction_house::members::present;
use auction_house::members::remove::remove_member;
use auction_house::members::transfer as transferring;
use auction_house::path::{AuctionPath, InvitePath, MemberPath};
use axum::response::Response;
use leptos::prelude::*;
use platform::fields::Object;
use platform::http::problem::Problem;
use platform::verb::VerbError;

use super::invites::{InviteEntry, Invites};
use super::link::{JoinLink, Link};
use super::link_url;
use super::list::{MemberEntry, MemberList};
use super::transfer::{NEW_OWNER, Transfer};
use crate::pages::error::Loaded;
use crate::pages::form::{FormBody, texts};
use crate::pages::form_route::{FormRequest, SessionFormRequest};
use crate::pages::qr::qr_code;
use crate::pages::request::{PageAt, PageRequest};
use crate::pages::wire::from_spelling;

/// An auction's members and invites, as one member may see them.
#[derive(Debug, Clone, PartialEq, Eq)]
struct MembersPage {
    auction_id: String,
    auction_name: String,
    is_closed: bool,
    members: Listing<MemberEntry>,
    may_invite: bool,
    /// The viewer manages the members, invites with any role and passes on the link.
    may_manage: bool,
    /// The viewer may bid for others and hammer.
    runs_hall: bool,
    may_transfer: bool,
    /// Every invite, or those that the viewer has sent.
    invites: Vec<InviteEntry>,
    link: Option<JoinLink>,
    /// This installation sends mail.
    sends_mail: bool,
}

/// Members on one page. A member has two forms, with more than a kilobyte of HTML.
const SHOWN_MAX: usize = 80;

/// `GET /auctions/{auction_id}/members`
pub async fn show(PageAt(path): PageAt<AuctionPath>, request: PageRequest) -> Response {
    let (page, cursor) = (read(&request, path).await, request.cursor());
    request.render(page, |page| members_page(page, cursor))
}

async fn read(request: &PageRequest, path: Loaded<AuctionPath>) -> Loaded<MembersPage> {
    let (AuctionPath { auction_id }, user, now) = (path?, request.user_id()?, request.now);
    let (mut db, site) = (request.db().await?, request.site());
    let seen = authorize(&mut db, auction_id, user, now).await?;
    let members = match list_members(&mut db, &seen, request.cursor().as_deref(), SHOWN_MAX).await {
        // Of another list.
        Err(VerbError::Body(_)) => list_members(&mut db, &seen, None, SHOWN_MAX).await?,
        members => members?,
    };
    let invites = deletable_invites(&mut db, &seen, now).await?;
    let entries = members.entries.into_iter().map(|member| entry(member, &seen));
    Ok(MembersPage {
        auction_id: seen.auction.id.to_string(),
        auction_name: seen.auction.terms.name.clone(),
        is_closed: seen.auction.is_closed(now),
        members: Listing { entries: entries.collect::<Loaded<_>>()?, next_cursor: members.next_cursor },
        may_invite: seen.may_invite(),
        may_manage: seen.may(Action::ManageMembers),
        runs_hall: seen.may(Action::RunHall),
        may_transfer: seen.may(Action::TransferAuction),
        // The newest first: its link is to be passed on.
        invites: invites.into_iter().rev().map(|invite| invite_entry(invite, site)).collect::<Loaded<_>>()?,
        link: link_url(&seen, site).map(|url| JoinLink { qr: qr_code(&url), url }),
        sends_mail: request.state.accounts.outbox.sends_mail,
    })
}

fn entry(member: Member, seen: &AuctionView) -> Loaded<MemberEntry> {
    let is_known = is_known(&member, seen);
    let person = Person { id: member.id, name: member.name };
    let people = PeopleShown::of(&seen.auction);
    // What was spent is shared among those who are present.
    let records = seen.may(Action::RunHall) && seen.auction.terms.book_id.is_some();
    let name = people.in_words(&person, is_known).unwrap_or(person.name);
    Ok(MemberEntry {
        // A hidden member has no forms that need it.
        id: if is_known { member.id.to_string() } else { String::new() },
        role: from_spelling(member.role.as_str())?,
        joined_at: member.joined_at.millis(),
        is_viewer: member.id == seen.viewer,
        present: records.then_some(member.present),
        is_managed: member.role.managed_by().is_some_and(|action| seen.may(action)),
        name,
    })
}

fn invite_entry(invite: Invite, site: &str) -> Loaded<InviteEntry> {
    Ok(InviteEntry {
        id: invite.id.to_string(),
        email: invite.email.as_typed().to_owned(),
        role: from_spelling(Role::from(invite.role).as_str())?,
        expires_at: invite.expires_at.millis(),
        is_unsent: invite.mail_failed_at.is_some(),
        url: format!("{site}{}", page_of(invite.token.as_str())),
    })
}

/// The page with the success message of a form.
fn done(auction_id: AuctionId, form: &str) -> String {
    format!("/auctions/{auction_id}/members?done={form}")
}

/// `POST /auctions/{auction_id}/members/link`, a button.
pub async fn new_link(request: FormRequest<AuctionPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: AuctionPath { auction_id }, .. } = request;
    renew_link(&state.context, auction_id, user).await?;
    Ok(done(auction_id, "link"))
}

/// `POST /auctions/{auction_id}/members/invites`
pub async fn invite(by: SessionFormRequest<AuctionPath>) -> Result<String, Problem> {
    let SessionFormRequest { request, visitor, .. } = by;
    let FormRequest { state, user, path: AuctionPath { auction_id }, form } = request;
    let object = texts(&form, &["email", "role"]);
    let source = (&*state.limits, visitor.address);
    create_invite(&state.context, source, auction_id, user, FormBody { object, form }).await?;
    Ok(done(auction_id, "invited"))
}

/// `POST /auctions/{auction_id}/members/invites/{invite_id}/delete`, a button.
pub async fn delete_invite(request: FormRequest<InvitePath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: InvitePath { auction_id, invite_id }, .. } = request;
    delete::delete_invite(&state.context, auction_id, user, invite_id).await?;
    Ok(done(auction_id, "deleted"))
}

/// `POST /auctions/{auction_id}/members/{user_id}/role`
pub async fn give_role(request: FormRequest<MemberPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: MemberPath { auction_id, user_id }, form } = request;
    change_role(&state.context, auction_id, user, user_id, texts(&form, &["role"])).await?;
    Ok(done(auction_id, "role"))
}

/// `POST /auctions/{auction_id}/members/{user_id}/present`, a button.
pub async fn set_present(request: FormRequest<MemberPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: MemberPath { auction_id, user_id }, form } = request;
    let is_present = form.text("present") == "true";
    let mut object = Object::default();
    object.set("userIds", &[user_id]);
    object.set("present", &is_present);
    // The address names the member.
    let set = present::set_present(&state.context, auction_id, user, object).await;
    set.map_err(|error| match error {
        VerbError::Body(_) => Problem::not_found(),
        error => error.into(),
    })?;
    Ok(done(auction_id, if is_present { "present" } else { "absent" }))
}

/// `POST /auctions/{auction_id}/members/{user_id}/remove`, a button. A member who leaves may no longer see
/// the page.
pub async fn remove(request: FormRequest<MemberPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: MemberPath { auction_id, user_id }, .. } = request;
    remove_member(&state.context, auction_id, user, user_id).await?;
    Ok(if user == user_id { "/auctions".to_owned() } else { done(auction_id, "removed") })
}

/// `POST /auctions/{auction_id}/members/transfer`
pub async fn transfer(request: FormRequest<AuctionPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: AuctionPath { auction_id }, form } = request;
    transferring::transfer(&state.context, auction_id, user, texts(&form, &["userId"])).await?;
    Ok(done(auction_id, "transferred"))
}

fn members_page(page: MembersPage, cursor: Option<String>) -> Html {
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
        <PageHead back=auction.clone() of=auction_name heading="Members" />
        <AuctionTabs auction current=AuctionTab::Members access=AuctionAccess { is_member: true, can_change: may_manage, runs_hall } />
        <div class="members-page">
            <ErrorSummary fields=&[super::invites::FIELDS, &[NEW_OWNER]] />
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

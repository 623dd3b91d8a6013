//! The members of an auction, its link and its invites as page data.

use accounts::session::SignedIn;
use app::model::{
    Invitation, InvitationState, InviteEntry, JoinLink, Listing, MemberEntry, MembersPage, Role as RoleWord,
};
use app::services::{LoadError, Loaded};
use auction_house::access::{Action, Invite, Member, Role};
use auction_house::auctions::access::AuctionView;
use auction_house::ids::UserId;
use auction_house::members::invites::document::page_of;
use auction_house::members::invites::list::deletable_invites;
use auction_house::members::invites::target::invite_target;
use auction_house::members::link::{VisitorStanding, link_target};
use auction_house::members::list::list_members;
use platform::db::Connection;
use platform::time::Moment;

use super::cache::PageCache;
use super::qr::qr_code;
use super::services::{load_error, unavailable};
use super::wire::from_spelling;

/// The page for a member of the auction. `site` is the address of this site.
pub async fn read(
    db: &mut Connection,
    seen: AuctionView,
    after: Option<UserId>,
    site: &str,
    now: Moment,
) -> Loaded<MembersPage> {
    let members = list_members(db, &seen, after).await.map_err(load_error)?;
    let invites = deletable_invites(db, &seen, now).await.map_err(unavailable)?;
    let entries = members.entries.into_iter().map(|member| entry(member, &seen));
    Ok(MembersPage {
        auction_id: seen.auction.id.to_string(),
        auction_name: seen.auction.terms.name.clone(),
        is_closed: seen.auction.is_closed(now),
        members: Listing { entries: entries.collect::<Loaded<_>>()?, next_cursor: members.next_cursor },
        may_invite: seen.may_invite(),
        may_manage: seen.may(Action::ManageMembers),
        may_transfer: seen.may(Action::TransferAuction),
        // The newest first: its link is to be passed on.
        invites: invites.into_iter().rev().map(|invite| invite_entry(invite, site)).collect::<Loaded<_>>()?,
        link: link_url(&seen, site).map(|url| JoinLink { qr: qr_code(&url), url }),
    })
}

/// The address of the page on which others join, if there is one and the viewer may pass it on.
pub fn link_url(seen: &AuctionView, site: &str) -> Option<String> {
    seen.link().map(|token| format!("{site}/join/{}", token.as_str()))
}

fn entry(member: Member, seen: &AuctionView) -> Loaded<MemberEntry> {
    Ok(MemberEntry {
        id: member.id.to_string(),
        role: word(member.role)?,
        joined_at: member.joined_at.millis(),
        is_viewer: member.id == seen.viewer,
        is_managed: member.role.managed_by().is_some_and(|action| seen.may(action)),
        name: member.name,
    })
}

fn invite_entry(invite: Invite, site: &str) -> Loaded<InviteEntry> {
    Ok(InviteEntry {
        id: invite.id.to_string(),
        email: invite.email.as_typed().to_owned(),
        role: word(invite.role.into())?,
        expires_at: invite.expires_at.millis(),
        url: format!("{site}{}", page_of(invite.token.as_str())),
    })
}

fn word(role: Role) -> Loaded<RoleWord> {
    from_spelling(role.as_str())
}

/// What the link of an auction leads to.
pub async fn join_link(
    db: &mut Connection,
    token: &str,
    viewer: Option<&SignedIn>,
    cache: &PageCache,
    now: Moment,
) -> Loaded<Invitation> {
    let target = link_target(db, token, viewer.map(|user| user.id), now).await.map_err(unavailable)?;
    let target = target.ok_or(LoadError::InvitationInvalid)?;
    let state = match target.standing {
        VisitorStanding::Member => InvitationState::Member,
        VisitorStanding::Removed => InvitationState::Removed,
        VisitorStanding::Neither if target.auction.is_closed(now) => InvitationState::Closed,
        VisitorStanding::Neither if viewer.is_none() => InvitationState::SignedOut,
        VisitorStanding::Neither => InvitationState::MayJoin,
    };
    Ok(Invitation {
        auction_id: target.auction.id.to_string(),
        auction_name: target.auction.terms.name,
        description: cache.rendered(target.auction.terms.description),
        host: target.owner.map(|owner| owner.name),
        role: RoleWord::Bidder,
        email: None,
        state,
    })
}

/// What an invite leads to.
pub async fn invite(
    db: &mut Connection,
    token: &str,
    viewer: Option<&SignedIn>,
    cache: &PageCache,
    now: Moment,
) -> Loaded<Invitation> {
    let target = invite_target(db, token, now).await.map_err(unavailable)?;
    let target = target.ok_or(LoadError::InvitationInvalid)?;
    let state = match viewer {
        _ if target.auction.is_closed(now) => InvitationState::Closed,
        None => InvitationState::SignedOut,
        Some(user) if target.invite.is_for(&user.email) => InvitationState::MayJoin,
        Some(_) => InvitationState::OtherEmail,
    };
    Ok(Invitation {
        auction_id: target.auction.id.to_string(),
        auction_name: target.auction.terms.name,
        description: cache.rendered(target.auction.terms.description),
        host: Some(target.sender.name),
        role: word(target.invite.role.into())?,
        email: Some(target.invite.email.as_typed().to_owned()),
        state,
    })
}

//! `/invites/{token}`: what an invite leads to, with a button to accept it.

use accounts::registration::RegistrationMode;
use app::components::error_page::LoadError;
use auction_house::access::Role;
use auction_house::members::invites::accept::accept_invite;
use auction_house::members::invites::target::invite_target;
use auction_house::path::TokenPath;
use axum::response::Response;
use platform::http::problem::Problem;

use super::invitation::{Invitation, InvitationState, invitation_page};
use super::pictures::shown;
use crate::codes;
use crate::pages::auction_facts::preview;
use crate::pages::books::facts::grant;
use crate::pages::error::{Loaded, PageError};
use crate::pages::form_route::FormRequest;
use crate::pages::request::{PageAt, PageRequest};
use crate::pages::wire::from_spelling;

/// `GET /invites/{token}`
pub async fn show(PageAt(path): PageAt<TokenPath>, request: PageRequest) -> Response {
    let invitation = read(&request, path).await;
    let may_register = request.state.accounts.registration != RegistrationMode::Closed;
    request.render(invitation, |invitation| invitation_page(invitation, may_register))
}

async fn read(request: &PageRequest, path: Loaded<TokenPath>) -> Loaded<Invitation> {
    let (TokenPath { token }, viewer, now) = (path?, request.user.as_ref(), request.now);
    let mut db = request.db().await?;
    let target = invite_target(&mut db, &token, now).await?;
    let target = target.ok_or(PageError(LoadError::InvitationInvalid))?;
    let state = match viewer {
        _ if target.auction.is_closed(now) => InvitationState::Closed,
        None => InvitationState::SignedOut,
        Some(user) if user.email.as_deref().is_some_and(|email| target.invite.is_for(email)) => {
            InvitationState::MayJoin
        }
        Some(_) => InvitationState::OtherEmail,
    };
    let pictures = shown(&mut db, target.auction.id, &format!("/invites/{token}")).await?;
    Ok(Invitation {
        auction_id: target.auction.id.to_string(),
        pictures,
        grant: grant(&mut db, &target.auction).await?,
        item: None,
        auction: preview(&target.auction, now),
        description: request.state.pages.rendered(target.auction.terms.description),
        host: Some(target.sender.name),
        role: from_spelling(Role::from(target.invite.role).as_str())?,
        email: Some(target.invite.email.as_typed().to_owned()),
        state,
    })
}

/// `POST /invites/{token}`, a button.
pub async fn accept(request: FormRequest<TokenPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: TokenPath { token }, .. } = request;
    let account = accounts::user::store::user_by_id(&mut state.context.db.read().await?, user).await?;
    let account = account.ok_or_else(|| Problem::plain(codes::UNAUTHENTICATED))?;
    let seen = accept_invite(&state.context, &account, &token).await?;
    Ok(format!("/auctions/{}", seen.auction.id))
}

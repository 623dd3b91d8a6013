//! `/join/{token}`: what the link of an auction leads to, with a button to join.

use accounts::registration::RegistrationMode;
use app::components::error_page::LoadError;
use app::model::Role;
use auction_house::access::Standing;
use auction_house::auctions;
use auction_house::ids::ItemId;
use auction_house::members::join;
use auction_house::members::link::link_target;
use auction_house::path::TokenPath;
use axum::response::Response;
use platform::fields::Object;
use platform::http::problem::Problem;

use super::invitation::{Invitation, InvitationState, invitation_page};
use super::pictures::shown;
use crate::pages::auction_facts::preview;
use crate::pages::books::facts::grant;
use crate::pages::error::{Loaded, PageError};
use crate::pages::form::see_other;
use crate::pages::form_route::FormRequest;
use crate::pages::request::{PageAt, PageRequest};

/// `GET /join/{token}`
pub async fn show(PageAt(path): PageAt<TokenPath>, request: PageRequest) -> Response {
    let invitation = read(&request, path).await;
    // A code beside a lot leads a member to the lot.
    if let Ok(Invitation { auction_id, state: InvitationState::Member, item: Some(item), .. }) = &invitation {
        return see_other(&format!("/auctions/{auction_id}/items/{item}"));
    }
    let may_register = request.state.accounts.registration != RegistrationMode::Closed;
    request.render(invitation, |invitation| invitation_page(invitation, may_register))
}

async fn read(request: &PageRequest, path: Loaded<TokenPath>) -> Loaded<Invitation> {
    let (TokenPath { token }, viewer, now) = (path?, request.user.as_ref(), request.now);
    let mut db = request.db().await?;
    let target = link_target(&mut db, &token, viewer.map(|user| user.id), now).await?;
    let target = target.ok_or(PageError(LoadError::InvitationInvalid))?;
    let state = match target.standing {
        Standing::Member(_) => InvitationState::Member,
        Standing::Removed => InvitationState::Removed,
        Standing::Other if target.auction.is_closed(now) => InvitationState::Closed,
        Standing::Other if viewer.is_none() => InvitationState::SignedOut,
        Standing::Other => InvitationState::MayJoin,
    };
    let pictures = shown(&mut db, target.auction.id, &format!("/join/{token}")).await?;
    Ok(Invitation {
        auction_id: target.auction.id.to_string(),
        pictures,
        grant: grant(&mut db, &target.auction).await?,
        item: item_of(request),
        auction: preview(&target.auction, now),
        description: request.state.pages.rendered(target.auction.terms.description),
        host: target.owner.map(|owner| owner.name),
        role: Role::Bidder,
        email: None,
        state,
    })
}

/// Parameter of the address, and field of its form, with the id of the lot whose code has led to it.
const ITEM: &str = "item";

fn item_of(request: &PageRequest) -> Option<String> {
    Some(request.query(ITEM)?.parse::<ItemId>().ok()?.to_string())
}

/// `POST /join/{token}`, a button.
pub async fn join_by_link(request: FormRequest<TokenPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: TokenPath { token }, form } = request;
    let found = auctions::store::by_link(&mut state.context.db.read().await?, &token).await?;
    let auction_id = found.ok_or_else(Problem::not_found)?;
    let mut body = Object::default();
    body.set("inviteToken", &token);
    join::join(&state.context, auction_id, user, body).await?;
    let item = form.get(ITEM).and_then(|id| id.parse::<ItemId>().ok());
    let item = item.map(|id| format!("/items/{id}")).unwrap_or_default();
    Ok(format!("/auctions/{auction_id}{item}"))
}

//! Addresses from the bar of a member's browser, opened by a user who is not a member.

use axum::response::Response;

use crate::pages::error::{Loaded, PageError};
use crate::pages::form::see_other;
use crate::pages::request::PageRequest;
use app::components::error_page::LoadError;
use auction_house::access::store::invites;
use auction_house::ids::AuctionId;
use auction_house::members::invites::document::page_of;

/// If the page of an auction is not for the viewer: the page of the viewer's invite to it. Without an invite
/// to a confirmed e-mail nothing tells that the auction exists.
pub async fn invite_instead<T>(
    request: &PageRequest,
    auction_id: Option<AuctionId>,
    page: &Loaded<T>,
) -> Option<Response> {
    page.as_ref().err().filter(|PageError(error)| *error == LoadError::NotFound)?;
    let db = &mut request.db().await.ok()?;
    let user = accounts::user::store::user_by_id(db, request.user.as_ref()?.id).await.ok()??;
    user.email_verified_at?;
    let invites = invites::to(db, &user.email.as_deref()?.parse().ok()?, request.now).await.ok()?;
    let invite = invites.into_iter().find(|invite| Some(invite.auction_id) == auction_id)?;
    Some(see_other(&page_of(invite.token.as_str())))
}

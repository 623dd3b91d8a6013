//! `/api/auctions/{auction_id}/invites…` and `/api/invites/{token}`

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};

use super::accept::accept_invite;
use super::create::{InviteBody, create_invite};
use super::delete::delete_invite as delete;
use super::document::{InviteDocument, InvitesDocument, TargetDocument};
use super::list::list_invites;
use super::target::invite_target;
use crate::auctions::access::authorize;
use crate::auctions::document::AuctionDocument;
use crate::context::Context;
use crate::creations::Created;
use crate::path::{AuctionPath, InvitePath, TokenPath};
use accounts::Accounts;
use accounts::extract::CurrentUser;
use platform::http::HttpSettings;
use platform::http::etag::versioned;
use platform::http::json::Json;
use platform::http::keyed::{self, GivenKey, KeyedBody};
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::net::ClientAddress;
use platform::shape::New;

type NewInvite = New<InviteBody>;

/// The invites that were not used and have not expired. OWNER and ADMIN only.
#[utoipa::path(get, path = "/api/auctions/{auction_id}/invites", tag = "members",
    params(("auction_id" = String, Path)), responses((status = 200, body = InvitesDocument)))]
pub async fn get_invites(
    State(context): State<Context>,
    State(http): State<Arc<HttpSettings>>,
    CurrentUser(user): CurrentUser,
    At(path): At<AuctionPath>,
    headers: HeaderMap,
) -> Result<Json<InvitesDocument>, Problem> {
    let now = context.clock.now();
    let mut db = context.db.read().await?;
    let seen = authorize(&mut db, path.auction_id, user.id, now).await?;
    let site = http.site(&headers);
    let invites = list_invites(&mut db, &seen, now).await?.into_iter();
    Ok(Json(InvitesDocument { invites: invites.map(|invite| InviteDocument::of(invite, &site)).collect() }))
}

/// Invites a user by e-mail, for 7 days, in place of an earlier invite to the same e-mail. Where mail is
/// sent, the link is mailed unless the address wants no more invitations; otherwise pass the link on.
///
/// OWNER and ADMIN with any role but OWNER; other members as BIDDER, if the auction has `memberCanInvite`.
/// Without the setting `--public-url` the link has the address of the request. 409 `CLOSED`, `LIMIT_REACHED`
/// (400 invites). Invites are limited by sender, by the sender's address and by e-mail (429). Where mail is
/// sent, an e-mail that was invited to the auction less than a day ago is not mailed again, and its link
/// stays.
#[utoipa::path(post, path = "/api/auctions/{auction_id}/invites", tag = "members",
    params(("auction_id" = String, Path), GivenKey), request_body = NewInvite,
    responses((status = 201, body = InviteDocument, headers(("Idempotent-Replayed")))))]
pub async fn post_invite(
    State(context): State<Context>,
    State(accounts): State<Arc<Accounts>>,
    CurrentUser(user): CurrentUser,
    address: ClientAddress,
    At(path): At<AuctionPath>,
    headers: HeaderMap,
    body: KeyedBody,
) -> Result<Response, Problem> {
    let Created { resource: invite, replayed } =
        create_invite(&context, (&accounts.limits, address), path.auction_id, user.id, body).await?;
    let document = InviteDocument::of(invite, &accounts.http.site(&headers));
    Ok(keyed::replayed((StatusCode::CREATED, Json(document)).into_response(), replayed))
}

/// Deletes an invite. OWNER, ADMIN, and its sender.
#[utoipa::path(delete, path = "/api/auctions/{auction_id}/invites/{invite_id}", tag = "members",
    params(("auction_id" = String, Path), ("invite_id" = String, Path)), responses((status = 204)))]
pub async fn delete_invite(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(InvitePath { auction_id, invite_id }): At<InvitePath>,
) -> Result<StatusCode, Problem> {
    delete(&context, auction_id, user.id, invite_id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// What an invite leads to, for anyone who has its token.
#[utoipa::path(get, path = "/api/invites/{token}", tag = "members",
    params(("token" = String, Path)), responses((status = 200, body = TargetDocument)))]
pub async fn get_invite(
    State(context): State<Context>,
    At(TokenPath { token }): At<TokenPath>,
) -> Result<Json<TargetDocument>, Problem> {
    let found = invite_target(&mut context.db.read().await?, &token, context.clock.now()).await?;
    Ok(Json(found.ok_or_else(Problem::not_found)?.into()))
}

/// Joins with an invite, which is for the user who has its e-mail. It works once.
///
/// A member keeps a higher role. 403 `FORBIDDEN` for another e-mail. 409 `CLOSED`, `LIMIT_REACHED`
/// (10,000 holders of the book).
#[utoipa::path(post, path = "/api/invites/{token}", tag = "members", params(("token" = String, Path)),
    responses((status = 200, body = AuctionDocument, headers(("ETag")))))]
pub async fn post_accept(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(TokenPath { token }): At<TokenPath>,
) -> Result<Response, Problem> {
    let seen = accept_invite(&context, &user.user, &token).await?;
    Ok(versioned(seen.auction.version, AuctionDocument::of(seen, context.clock.now())))
}

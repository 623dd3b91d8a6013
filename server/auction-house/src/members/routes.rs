//! `/api/auctions/{auction_id}/join`, `…/invite-token`, `…/members…` and `…/transfer`

use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;

use super::balance::balance;
use super::change_role::{MemberBody, change_role};
use super::document::{BalanceDocument, ChangedMembersDocument, MemberDocument, MembersDocument};
use super::join::{JoinBody, join};
use super::link::renew_link;
use super::list::{MEMBERS_MAX, list_members};
use super::present::{PresentBody, set_present};
use super::remove::remove_member;
use super::transfer::{TransferBody, transfer};
use crate::auctions::access::authorize;
use crate::auctions::document::AuctionDocument;
use crate::context::Context;
use crate::path::{AuctionPath, MemberPath};
use accounts::extract::CurrentUser;
use platform::http::body::JsonBody;
use platform::http::etag::versioned;
use platform::http::json::Json;
use platform::http::paging::page;
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::shape::MergePatch;
use platform::shape::New;

type JoinRequest = New<JoinBody>;
type TransferRequest = New<TransferBody>;
type PresentRequest = New<PresentBody>;
type MemberPatch = MergePatch<MemberBody>;

/// Joins an auction as a bidder: FREE as is, LINK with its token.
///
/// 403 `FORBIDDEN` for another token, and for a user who was removed. 409 `CLOSED`, `LIMIT_REACHED` (10,000
/// holders of the book).
#[utoipa::path(post, path = "/api/auctions/{auction_id}/join", tag = "members",
    params(("auction_id" = String, Path)), request_body = Option<JoinRequest>,
    responses((status = 200, body = AuctionDocument, headers(("ETag")))))]
pub async fn post_join(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(path): At<AuctionPath>,
    body: JsonBody,
) -> Result<Response, Problem> {
    let seen = join(&context, path.auction_id, user.id, body.or_empty()).await?;
    Ok(versioned(seen.auction.version, AuctionDocument::of(seen, context.clock.now())))
}

/// Makes a new link to join by, and revokes the one before. OWNER and ADMIN only.
///
/// The link is the page `/join/{inviteToken}` of this site. It has an effect in a LINK auction only. 409
/// `CLOSED`.
#[utoipa::path(post, path = "/api/auctions/{auction_id}/invite-token", tag = "members",
    params(("auction_id" = String, Path)),
    responses((status = 200, body = AuctionDocument, headers(("ETag")))))]
pub async fn post_invite_token(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(path): At<AuctionPath>,
) -> Result<Response, Problem> {
    let seen = renew_link(&context, path.auction_id, user.id).await?;
    Ok(versioned(seen.auction.version, AuctionDocument::of(seen, context.clock.now())))
}

/// What you have in the auction's book, in base units. Members only; 404 in an auction without a book.
#[utoipa::path(get, path = "/api/auctions/{auction_id}/balance", tag = "members",
    params(("auction_id" = String, Path)),
    responses((status = 200, body = BalanceDocument)))]
pub async fn get_balance(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(path): At<AuctionPath>,
) -> Result<Json<BalanceDocument>, Problem> {
    // The balance and what is committed are from one moment.
    let mut db = context.db.snapshot().await?;
    let seen = authorize(&mut db, path.auction_id, user.id, context.clock.now()).await?;
    let (book_id, funds) = balance(&mut db, &seen).await?;
    Ok(Json(BalanceDocument::of(book_id, &funds)))
}

/// The members, up to 400 at a time. Members only, also in a FREE auction.
#[utoipa::path(get, path = "/api/auctions/{auction_id}/members", tag = "members",
    params(("auction_id" = String, Path),
        ("cursor" = Option<String>, Query, min_length = 1, description = "`nextCursor` of the page before")),
    responses((status = 200, body = MembersDocument)))]
pub async fn get_members(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(path): At<AuctionPath>,
    query: RawQuery,
) -> Result<Json<MembersDocument>, Problem> {
    let mut db = context.db.read().await?;
    let seen = authorize(&mut db, path.auction_id, user.id, context.clock.now()).await?;
    let members = list_members(&mut db, &seen, page::<String>(&query)?.after.as_deref(), MEMBERS_MAX).await?;
    Ok(Json(MembersDocument::of(members, &seen)))
}

/// Records which members are present: `PRESENT` of a share among them. OWNER, ADMIN and CLERK only.
///
/// All of them are changed, or none if one is unknown.
#[utoipa::path(put, path = "/api/auctions/{auction_id}/present", tag = "members",
    params(("auction_id" = String, Path)), request_body = PresentRequest,
    responses((status = 200, body = ChangedMembersDocument)))]
pub async fn put_present(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(path): At<AuctionPath>,
    body: JsonBody,
) -> Result<Json<ChangedMembersDocument>, Problem> {
    let (members, seen) = set_present(&context, path.auction_id, user.id, body).await?;
    Ok(Json(ChangedMembersDocument::of(members, &seen)))
}

/// Changes a member's role by a JSON merge patch. OWNER and ADMIN only; an ADMIN's role is changed by the
/// OWNER only, the OWNER's by nobody.
#[utoipa::path(patch, path = "/api/auctions/{auction_id}/members/{user_id}", tag = "members",
    params(("auction_id" = String, Path), ("user_id" = String, Path)),
    request_body(content = MemberPatch, content_type = "application/merge-patch+json"),
    responses((status = 200, body = MemberDocument)))]
pub async fn patch_member(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(MemberPath { auction_id, user_id }): At<MemberPath>,
    body: JsonBody,
) -> Result<Json<MemberDocument>, Problem> {
    let (member, seen) = change_role(&context, auction_id, user.id, user_id, body).await?;
    Ok(Json(MemberDocument::of(member, &seen)))
}

/// Removes a member, who can then return with a new invite only, or leaves the auction. Bids stay.
///
/// OWNER and ADMIN remove others, an ADMIN is removed by the OWNER only, the OWNER by nobody. Every other
/// member may leave.
#[utoipa::path(delete, path = "/api/auctions/{auction_id}/members/{user_id}", tag = "members",
    params(("auction_id" = String, Path), ("user_id" = String, Path)), responses((status = 204)))]
pub async fn delete_member(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(MemberPath { auction_id, user_id }): At<MemberPath>,
) -> Result<StatusCode, Problem> {
    remove_member(&context, auction_id, user.id, user_id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Makes another member the OWNER, and the OWNER an ADMIN. OWNER only.
#[utoipa::path(post, path = "/api/auctions/{auction_id}/transfer", tag = "members",
    params(("auction_id" = String, Path)), request_body = TransferRequest,
    responses((status = 200, body = AuctionDocument, headers(("ETag")))))]
pub async fn post_transfer(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(path): At<AuctionPath>,
    body: JsonBody,
) -> Result<Response, Problem> {
    let seen = transfer(&context, path.auction_id, user.id, body).await?;
    Ok(versioned(seen.auction.version, AuctionDocument::of(seen, context.clock.now())))
}

//! `/api/auctions…`

use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;

use super::AuctionTerms;
use super::access::authorize;
use super::create::create_auction;
use super::document::{AuctionDocument, AuctionsDocument};
use super::list::{Scope, list_auctions};
use super::screen::{ScreenDocument, end_screen, renew_screen};
use crate::books::runs::pot::pot_of_auction;
use crate::context::Context;
use crate::creations::Created;
use crate::path::AuctionPath;
use accounts::extract::{CurrentUser, Reader};
use platform::http::etag::{created, versioned};
use platform::http::json::Json;
use platform::http::keyed::{self, GivenKey, KeyedBody};
use platform::http::paging::page;
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::shape::New;
use rules_engine::money::Normalized;

type NewAuction = New<AuctionTerms>;

/// The auctions that you are in, and those that everyone may join, newest first.
#[utoipa::path(get, path = "/api/auctions", tag = "auctions", params(
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "50 by default"),
        ("cursor" = Option<String>, Query, min_length = 1, description = "`nextCursor` of the page before")),
    responses((status = 200, body = AuctionsDocument)))]
pub async fn get_auctions(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    query: RawQuery,
) -> Result<Json<AuctionsDocument>, Problem> {
    let now = context.clock.now();
    let page = page(&query)?;
    let found = list_auctions(&mut context.db.read().await?, user.id, Scope::Visible, now, page).await?;
    Ok(Json(AuctionsDocument::of(found, now)))
}

/// Creates an auction, which you then own.
///
/// With `bookId` the base unit is that of the book. With `groupId` all people of the group are members. 409
/// `LIMIT_REACHED` while 1,000 auctions that you have created are open, `CLOSED` for a closed book.
#[utoipa::path(post, path = "/api/auctions", tag = "auctions", params(GivenKey), request_body = NewAuction,
    responses((status = 201, body = AuctionDocument, headers(("ETag"), ("Location"), ("Idempotent-Replayed")))))]
pub async fn post_auction(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    body: KeyedBody,
) -> Result<Response, Problem> {
    let Created { resource: made, replayed } = create_auction(&context, user.id, body).await?;
    let location = format!("/api/auctions/{}", made.auction.id);
    Ok(keyed::replayed(
        created(location, made.auction.version, AuctionDocument::of(made, context.clock.now())),
        replayed,
    ))
}

/// One auction.
#[utoipa::path(get, path = "/api/auctions/{auction_id}", tag = "auctions", params(("auction_id" = String, Path)),
    responses((status = 200, body = AuctionDocument, headers(("ETag")))))]
pub async fn get_auction(
    State(context): State<Context>,
    Reader { viewer, path, .. }: Reader<AuctionPath>,
) -> Result<Response, Problem> {
    let now = context.clock.now();
    let mut db = context.db.snapshot().await?;
    let seen = authorize(&mut db, path.auction_id, viewer, now).await?;
    let pot = match seen.auction.terms.book_id.filter(|_| seen.role.is_some()) {
        Some(book) => pot_of_auction(&mut db, book, path.auction_id).await?.map(|pot| pot.amount),
        None => None,
    };
    let pot = pot.filter(|pot| *pot != Normalized::ZERO);
    Ok(versioned(seen.auction.version, AuctionDocument { pot, ..AuctionDocument::of(seen, now) }))
}

/// Makes a new secret for the screen of the auction, in place of the one before. OWNER and ADMIN only.
///
/// The screen is the page `/screen/{screenToken}` of this site, for a projector in the hall: anyone sees it
/// who has the address. The secret is returned only once.
#[utoipa::path(post, path = "/api/auctions/{auction_id}/screen", tag = "hall",
    params(("auction_id" = String, Path)),
    responses((status = 200, body = ScreenDocument)))]
pub async fn post_screen(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(path): At<AuctionPath>,
) -> Result<Json<ScreenDocument>, Problem> {
    let token = renew_screen(&context, path.auction_id, user.id).await?;
    Ok(Json(ScreenDocument { screen_token: token.as_str().to_owned() }))
}

/// Ends the screen of the auction. OWNER and ADMIN only.
#[utoipa::path(delete, path = "/api/auctions/{auction_id}/screen", tag = "hall",
    params(("auction_id" = String, Path)), responses((status = 204)))]
pub async fn delete_screen(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(path): At<AuctionPath>,
) -> Result<StatusCode, Problem> {
    end_screen(&context, path.auction_id, user.id).await?;
    Ok(StatusCode::NO_CONTENT)
}

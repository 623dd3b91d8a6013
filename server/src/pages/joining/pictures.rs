//! The pictures on the page of an invitation, which its visitor sees without being a member.

use app::model::PictureFile;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;

use crate::state::AppState;
use auction_house::auctions::Auction;
use auction_house::ids::{AuctionId, ImageId};
use auction_house::images::{Image, ImageSize};
use auction_house::items::images::routes::{SentPicture, send_picture};
use auction_house::items::store::images::first_of_auction;
use auction_house::members::invites::target::invite_target;
use auction_house::members::link::link_target;
use auction_house::path::TokenPicturePath;
use platform::db::{Connection, DbError};
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::http::read_limiter::ReadPermit;
use platform::net::ClientAddress;

/// Pictures of one invitation, at most.
const SHOWN_MAX: i64 = 4;

/// The pictures of the invitation at this path.
pub async fn shown(
    db: &mut Connection,
    auction_id: AuctionId,
    path: &str,
) -> Result<Vec<PictureFile>, DbError> {
    let images = first_of_auction(db, auction_id, SHOWN_MAX).await?;
    let file = |image: Image| {
        let (width, height) = ImageSize::Thumbnail.fit(image.width, image.height);
        let src = format!("{path}/pictures/{}", image.id);
        PictureFile { src, width, height, tint: image.tint.to_string() }
    };
    Ok(images.into_iter().map(file).collect())
}

/// `GET /join/{token}/pictures/{image_id}`
pub async fn of_link(
    State(state): State<AppState>,
    At(TokenPicturePath { token, image_id }): At<TokenPicturePath>,
    address: ClientAddress,
    headers: HeaderMap,
    permit: ReadPermit,
) -> Result<Response, Problem> {
    let mut db = state.context.db.read().await?;
    let target = link_target(&mut db, &token, None, state.context.clock.now()).await?;
    let auction = target.map(|target| target.auction);
    picture(&state, db, auction, image_id, (address, &headers, permit)).await
}

/// `GET /invites/{token}/pictures/{image_id}`
pub async fn of_invite(
    State(state): State<AppState>,
    At(TokenPicturePath { token, image_id }): At<TokenPicturePath>,
    address: ClientAddress,
    headers: HeaderMap,
    permit: ReadPermit,
) -> Result<Response, Problem> {
    let mut db = state.context.db.read().await?;
    let target = invite_target(&mut db, &token, state.context.clock.now()).await?;
    let auction = target.map(|target| target.auction);
    picture(&state, db, auction, image_id, (address, &headers, permit)).await
}

/// One of the pictures that the invitation shows, in its smallest size. It counts for the address, since
/// an invitation is shown without an account. The browser asks again, since a link may be replaced.
async fn picture(
    state: &AppState,
    mut db: Connection,
    auction: Option<Auction>,
    image_id: ImageId,
    (address, headers, permit): (ClientAddress, &HeaderMap, ReadPermit),
) -> Result<Response, Problem> {
    let auction = auction.ok_or_else(Problem::not_found)?;
    let shown = first_of_auction(&mut db, auction.id, SHOWN_MAX).await?;
    drop(db);
    let image = shown.into_iter().find(|image| image.id == image_id).ok_or_else(Problem::not_found)?;
    let size = ImageSize::Thumbnail;
    let sent = SentPicture { content: &image.content, size, client: address.into(), is_kept: false };
    send_picture(&state.context, &state.images, sent, headers, &permit).await
}

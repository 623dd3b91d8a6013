//! `/api/auctions/{auction_id}/items/{item_id}/images…`

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use utoipa::ToSchema;

use super::add::add_images;
use super::change::{AltBody, change_image};
use super::document::{ImageDocument, ImagesDocument};
use super::order::order_images;
use super::remove::remove_image;
use crate::context::Context;
use crate::creations::Created;
use crate::ids::UserId;
use crate::images::{Content, ImageSize, Images};
use crate::items::access::view_in_auction;
use crate::path::{ImageFilePath, ImagePath, ItemPath};
use accounts::extract::{CurrentUser, Reader};
use platform::http::body::JsonBody;
use platform::http::etag::{IfMatch, is_current};
use platform::http::json::Json;
use platform::http::keyed::{self, GivenKey};
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::http::read_limiter::ReadPermit;
use platform::http::upload::Upload;
use platform::net::Client;
use platform::shape::MergePatch;

type ImagePatch = MergePatch<AltBody>;

/// The parts of an upload.
#[derive(ToSchema)]
#[schema(as = NewImage)]
#[expect(dead_code, reason = "describes the parts of a multipart body, which are read one by one")]
pub struct NewImage {
    /// A JPEG, PNG or WebP file of at most 10^7 bytes and 50 megapixels.
    #[schema(format = Binary, content_media_type = "application/octet-stream")]
    image: String,
    /// At most 200 characters.
    #[schema(max_length = 200)]
    alt: Option<String>,
}

/// The order of an item's images.
#[derive(ToSchema)]
#[schema(as = ImageOrder)]
#[expect(dead_code, reason = "describes a list whose entries are compared with the item's images")]
pub struct ImageOrder {
    /// The id of every image, once.
    #[schema(max_items = 10)]
    order: Vec<String>,
}

/// The images of an item, in the order in which they are shown.
#[utoipa::path(get, path = "/api/auctions/{auction_id}/items/{item_id}/images", tag = "images",
    params(("auction_id" = String, Path), ("item_id" = String, Path)),
    responses((status = 200, body = ImagesDocument)))]
pub async fn get_images(
    State(context): State<Context>,
    Reader { viewer, path, .. }: Reader<ItemPath>,
) -> Result<Json<ImagesDocument>, Problem> {
    let ItemPath { auction_id, item_id } = path;
    let mut db = context.db.read().await?;
    let (_, seen) = view_in_auction(&mut db, auction_id, item_id, viewer, context.clock.now()).await?;
    Ok(Json(ImagesDocument::of(auction_id, item_id, seen.item.images)))
}

/// Adds a picture after the others. The item's creator, OWNER and ADMIN only.
///
/// The picture is kept as JPEG in three sizes, in sRGB, upright, without metadata and on white where it is
/// transparent; an animation is its first frame. 415 for another format, whatever the name of the file is;
/// 413 above 10^7 bytes; 422 for a picture that is damaged, has more than 50 megapixels, or needs more than
/// 320 MB while it is read, as an animated WebP of more than 26, a WebP with loss and transparency of more
/// than 29, and a progressive JPEG of more than 40 megapixels does. 409 `CLOSED`, and `LIMIT_REACHED`
/// beyond 10 images. 503 `OVERLOADED` while the store of the pictures does not answer.
#[utoipa::path(post, path = "/api/auctions/{auction_id}/items/{item_id}/images", tag = "images",
    params(("auction_id" = String, Path), ("item_id" = String, Path), GivenKey),
    request_body(content = NewImage, content_type = "multipart/form-data"),
    responses((status = 201, body = ImageDocument, headers(("Location"), ("Idempotent-Replayed")))))]
pub async fn post_image(
    State(context): State<Context>,
    State(images): State<Images>,
    CurrentUser(user): CurrentUser,
    At(ItemPath { auction_id, item_id }): At<ItemPath>,
    upload: Upload,
) -> Result<Response, Problem> {
    let added = add_images(&context, &images, (auction_id, item_id), user.id, upload, 1).await?;
    let Created { resource, replayed } = added;
    let image = resource.into_iter().next().ok_or_else(Problem::not_found)?;
    let location = format!("/api/auctions/{auction_id}/items/{item_id}/images/{}", image.id);
    let document = Json(ImageDocument::of(auction_id, item_id, image));
    let response = (StatusCode::CREATED, [(header::LOCATION, location)], document).into_response();
    Ok(keyed::replayed(response, replayed))
}

/// Puts the images into another order, which names each of them once. The item's creator, OWNER and ADMIN
/// only.
///
/// 412 `PRECONDITION_FAILED` with the `ETag` of the item. 409 `CLOSED`.
#[utoipa::path(patch, path = "/api/auctions/{auction_id}/items/{item_id}/images", tag = "images",
    params(("auction_id" = String, Path), ("item_id" = String, Path), IfMatch), request_body = ImageOrder,
    responses((status = 200, body = ImagesDocument)))]
pub async fn patch_images(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(ItemPath { auction_id, item_id }): At<ItemPath>,
    IfMatch(if_match): IfMatch,
    body: JsonBody,
) -> Result<Json<ImagesDocument>, Problem> {
    let ordered = order_images(&context, (auction_id, item_id), user.id, body, &if_match).await?;
    Ok(Json(ImagesDocument::of(auction_id, item_id, ordered)))
}

/// Changes the alternative text of an image. The item's creator, OWNER and ADMIN only.
///
/// 412 `PRECONDITION_FAILED` with the `ETag` of the item. 409 `CLOSED`.
#[utoipa::path(patch, path = "/api/auctions/{auction_id}/items/{item_id}/images/{image_id}", tag = "images",
    params(("auction_id" = String, Path), ("item_id" = String, Path), ("image_id" = String, Path), IfMatch),
    request_body(content = ImagePatch, content_type = "application/merge-patch+json"),
    responses((status = 200, body = ImageDocument)))]
pub async fn patch_image(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(path): At<ImagePath>,
    IfMatch(if_match): IfMatch,
    body: JsonBody,
) -> Result<Json<ImageDocument>, Problem> {
    let changed = change_image(&context, path, user.id, body, &if_match).await?;
    Ok(Json(ImageDocument::of(path.auction_id, path.item_id, changed)))
}

/// Removes an image. The item's creator, OWNER and ADMIN only.
///
/// 412 `PRECONDITION_FAILED` with the `ETag` of the item. 409 `CLOSED`.
#[utoipa::path(delete, path = "/api/auctions/{auction_id}/items/{item_id}/images/{image_id}", tag = "images",
    params(("auction_id" = String, Path), ("item_id" = String, Path), ("image_id" = String, Path), IfMatch),
    responses((status = 204)))]
pub async fn delete_image(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    At(path): At<ImagePath>,
    IfMatch(if_match): IfMatch,
) -> Result<StatusCode, Problem> {
    remove_image(&context, path, user.id, &if_match).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The file of an image, for viewers who may see the item. It never changes: the browser of a member keeps
/// it, and that of a viewer without an account asks whether it may still be seen. 429 `TOO_MANY_REQUESTS`
/// beyond 50 MB at once and 6 MB a second of one user, and ten times as much of one address without an
/// account; 503 `OVERLOADED` while the store of the pictures does not answer.
#[utoipa::path(get, path = "/api/auctions/{auction_id}/items/{item_id}/images/{image_id}/{size}", tag = "images",
    params(("auction_id" = String, Path), ("item_id" = String, Path), ("image_id" = String, Path),
        ("size" = String, Path, description = "`thumbnail`, `medium` or `full`")),
    responses(
        // Always JPEG. Some generators of clients know files by the second type only.
        (status = 200, content((Vec<u8> = "image/jpeg"), (Vec<u8> = "application/octet-stream")), headers(("ETag"))),
        (status = 304, description = "The client has it")))]
pub async fn get_image(
    State(context): State<Context>,
    State(images): State<Images>,
    Reader { viewer, client, path }: Reader<ImageFilePath>,
    permit: ReadPermit,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let ImageFilePath { auction_id, item_id, image_id, size } = path;
    let mut db = context.db.read().await?;
    let (_, seen) = view_in_auction(&mut db, auction_id, item_id, viewer, context.clock.now()).await?;
    drop(db);
    let size: ImageSize = size.parse().map_err(|_| Problem::not_found())?;
    let image = seen.item.images.into_iter().find(|image| image.id == image_id);
    let content = image.ok_or_else(Problem::not_found)?.content;
    let sent = SentPicture { content: &content, size, client, is_kept: viewer != UserId::NOBODY };
    send_picture(&context, &images, sent, &headers, &permit).await
}

/// The file of a picture, and the client that gets it. It was authorized.
#[derive(Debug, Clone, Copy)]
pub struct SentPicture<'a> {
    pub content: &'a Content,
    pub size: ImageSize,
    /// The file counts for the limits of this client.
    pub client: Client,
    /// The browser keeps the file without asking again: the right to see it does not end with a link.
    pub is_kept: bool,
}

/// Answers with the file of a picture.
pub async fn send_picture(
    context: &Context,
    images: &Images,
    sent: SentPicture<'_>,
    headers: &HeaderMap,
    permit: &ReadPermit,
) -> Result<Response, Problem> {
    let SentPicture { content, size, client, is_kept } = sent;
    let tag = format!("\"{}-{}\"", content.as_str(), size.as_str());
    let tag = HeaderValue::try_from(tag).map_err(|error| Problem::internal(&error))?;
    let kept = if is_kept { "private, max-age=31536000, immutable" } else { "private, no-cache" };
    let common = [(header::CACHE_CONTROL, HeaderValue::from_static(kept)), (header::ETAG, tag.clone())];
    if is_current(headers, &tag) {
        return Ok((StatusCode::NOT_MODIFIED, common).into_response());
    }
    // The store may be slow, and has a limit of its own.
    permit.release();
    context.work.check_pictures(client)?;
    let Some(bytes) = images.read(client, content, size).await? else {
        tracing::error!(content = content.as_str(), "the file of an image is missing");
        return Err(Problem::not_found());
    };
    context.work.loaded_picture(client, bytes.len());
    Ok((common, [(header::CONTENT_TYPE, "image/jpeg")], bytes).into_response())
}

//! `/auctions/{auction_id}/items/{item_id}/pictures`: adds, describes, orders and removes the pictures of an
//! item.

use std::sync::Arc;

use accounts::extract::MaybeUser;
use accounts::session::SignedIn;
use app::assets::BuiltFile;
use app::blanks::Blank;
use app::bounds::{MAX_ALT_CHARS, MAX_PICTURES};
use app::components::error_summary::ErrorSummary;
use app::components::field::Field;
use app::components::name::Name;
use app::components::page_title::PageTitle;
use app::components::picture_field::{ADD_PICTURES, PictureField};
use app::html::{Html, html};
use app::model::PictureFile;
use app::scripts::LoadScript;
use auction_house::auctions::access::AuctionView;
use auction_house::ids::{AuctionId, ImageId, ItemId};
use auction_house::images::workshop::UPLOAD_FIELD;
use auction_house::images::{IMAGES_MAX, Image, ImageSize};
use auction_house::items::ItemStatus;
use auction_house::items::access::{ItemView, manage_item};
use auction_house::items::images::add::add_images;
use auction_house::items::images::change::change_image;
use auction_house::items::images::document::image_path;
use auction_house::items::images::order::order_images;
use auction_house::items::images::remove::remove_image;
use auction_house::path::{ImagePath, ItemPath};
use axum::extract::State;
use axum::http::Uri;
use axum::http::request::Parts;
use axum::response::Response;
use leptos::either::Either;
use leptos::prelude::*;
use platform::fields::Object;
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::http::upload::Upload;
use platform::precondition::Precondition;
use platform::time::Moment;

use super::gallery::Picture;
use crate::codes;
use crate::pages::error::Loaded;
use crate::pages::form::{Form, beside, see_other};
use crate::pages::form_route::FormRequest;
use crate::pages::redraw::redraw;
use crate::pages::request::{PageAt, PageRequest};
use crate::state::AppState;

/// The page on which the pictures of an item are added, described, ordered and removed.
#[derive(Debug, Clone, PartialEq, Eq)]
struct PicturesPage {
    auction_id: String,
    auction_name: String,
    item_id: String,
    item_name: String,
    pictures: Vec<Picture>,
    /// The item is closed: its pictures stay as they are.
    closed: bool,
    /// How many more the item may have.
    room: usize,
}

/// `GET /auctions/{auction_id}/items/{item_id}/pictures`
pub async fn show(PageAt(path): PageAt<ItemPath>, request: PageRequest) -> Response {
    let page = read(&request, path).await;
    request.render(page, pictures_page)
}

async fn read(request: &PageRequest, path: Loaded<ItemPath>) -> Loaded<PicturesPage> {
    let (ItemPath { auction_id, item_id }, user) = (path?, request.user_id()?);
    let mut db = request.db().await?;
    let (auction, seen) = manage_item(&mut db, auction_id, item_id, user, request.now).await?;
    let closed = is_closed(&auction, &seen, request.now);
    let item = seen.item;
    Ok(PicturesPage {
        auction_id: item.auction_id.to_string(),
        auction_name: auction.auction.terms.name,
        item_id: item.id.to_string(),
        pictures: item.images.iter().map(|image| picture(item.auction_id, item.id, image)).collect(),
        closed,
        room: IMAGES_MAX.saturating_sub(item.images.len()),
        item_name: item.terms.name,
    })
}

/// Whether the pictures stay as they are.
pub fn is_closed(auction: &AuctionView, seen: &ItemView, now: Moment) -> bool {
    seen.item.status(now) == ItemStatus::Closed || auction.auction.has_ended(now)
}

/// An image as page data.
pub fn picture(auction_id: AuctionId, item_id: ItemId, image: &Image) -> Picture {
    let file = |size: ImageSize| {
        let (width, height) = size.fit(image.width, image.height);
        let src = image_path(auction_id, item_id, image, size);
        PictureFile { src, width, height, tint: image.tint.to_string() }
    };
    Picture {
        id: image.id.to_string(),
        alt: image.alt.clone(),
        full: file(ImageSize::Full),
        medium: file(ImageSize::Medium),
        thumbnail: file(ImageSize::Thumbnail),
    }
}

/// `POST /auctions/{auction_id}/items/{item_id}/pictures`, with files.
pub async fn add(
    State(state): State<AppState>,
    MaybeUser(user): MaybeUser,
    path: Result<At<ItemPath>, Problem>,
    uri: Uri,
    parts: Parts,
    upload: Upload,
) -> Response {
    match try_add(&state, user.as_ref(), path, upload).await {
        Ok(()) => see_other(uri.path()),
        Err(problem) => {
            redraw(&state, &Form::without_fields(parts), show, uri, beside_picture(problem)).await
        }
    }
}

/// The problem, beside the field with the files if it is one of them.
pub fn beside_picture(problem: Problem) -> Problem {
    let codes = [codes::UNSUPPORTED_MEDIA_TYPE, codes::TOO_LARGE, codes::LIMIT_REACHED];
    codes.into_iter().fold(problem, |problem, code| beside(UPLOAD_FIELD, code, problem))
}

async fn try_add(
    state: &AppState,
    user: Option<&Arc<SignedIn>>,
    path: Result<At<ItemPath>, Problem>,
    upload: Upload,
) -> Result<(), Problem> {
    let user = user.ok_or_else(|| Problem::plain(codes::UNAUTHENTICATED))?.id;
    state.limits.write(user)?;
    let At(ItemPath { auction_id, item_id }) = path?;
    let item = (auction_id, item_id);
    add_images(&state.context, &state.images, item, user, upload, IMAGES_MAX).await?;
    Ok(())
}

/// `POST /auctions/{auction_id}/items/{item_id}/pictures/{image_id}/alt`
pub async fn describe(request: FormRequest<ImagePath>) -> Result<String, Problem> {
    let FormRequest { state, user, path, form } = request;
    let mut body = Object::default();
    body.set("alt", &form.get("alt"));
    change_image(&state.context, path, user, body, &Precondition::None).await?;
    Ok(page_of(path))
}

/// `POST /auctions/{auction_id}/items/{item_id}/pictures/{image_id}/remove`, a button.
pub async fn remove(request: FormRequest<ImagePath>) -> Result<String, Problem> {
    let FormRequest { state, user, path, .. } = request;
    remove_image(&state.context, path, user, &Precondition::None).await?;
    Ok(page_of(path))
}

/// `POST /auctions/{auction_id}/items/{item_id}/pictures/{image_id}/up`, a button.
pub async fn move_up(request: FormRequest<ImagePath>) -> Result<String, Problem> {
    exchange(request, |at| at.checked_sub(1)).await
}

/// `POST /auctions/{auction_id}/items/{item_id}/pictures/{image_id}/down`, a button.
pub async fn move_down(request: FormRequest<ImagePath>) -> Result<String, Problem> {
    exchange(request, |at| at.checked_add(1)).await
}

/// Exchanges an image with another one, whose place is a function of its own. Without another one it stays.
async fn exchange(
    request: FormRequest<ImagePath>,
    other: fn(usize) -> Option<usize>,
) -> Result<String, Problem> {
    let FormRequest { state, user, path, .. } = request;
    let mut db = state.context.db.read().await?;
    let now = state.context.clock.now();
    let (_, seen) = manage_item(&mut db, path.auction_id, path.item_id, user, now).await?;
    drop(db);
    let mut order: Vec<ImageId> = seen.item.images.iter().map(|image| image.id).collect();
    let at = order.iter().position(|id| *id == path.image_id).ok_or_else(Problem::not_found)?;
    if let Some(other) = other(at).filter(|other| *other < order.len()) {
        order.swap(at, other);
    }
    let mut body = Object::default();
    body.set("order", &order);
    order_images(&state.context, (path.auction_id, path.item_id), user, body, &Precondition::None).await?;
    Ok(page_of(path))
}

/// Path of the page.
fn page_of(path: ImagePath) -> String {
    format!("/auctions/{}/items/{}/pictures", path.auction_id, path.item_id)
}

const ALT: Field = Field::new("alt", "Text", "Say in one line what the picture shows, or leave it empty.");

fn pictures_page(page: PicturesPage) -> Html {
    let auction = format!("/auctions/{}", page.auction_id);
    let item = format!("{auction}/items/{}", page.item_id);
    let pictures = format!("{item}/pictures");
    let (count, closed) = (page.pictures.len(), page.closed);
    let rows = page.pictures.into_iter().enumerate().map(|(at, picture)| {
        let path = format!("{pictures}/{}", picture.id);
        view! { <Row picture path at count closed /> }
    });
    let rows = rows.collect_view();
    let list = match count {
        0 => Either::Left(
            view! { <p>"The item has no pictures yet. The first one is shown in the list of items."</p> },
        ),
        _ => {
            let order = (count > 1 && !closed).then(|| format!("/api{item}/images"));
            Either::Right(view! {
                <LoadScript script=BuiltFile::PicturesScript />
                <ol class="pictures" role="list" data-order=order>{rows}</ol>
            })
        }
    };
    let why_not = match (closed, page.room) {
        (true, _) => Some("This item is closed: its pictures stay as they are.".to_owned()),
        (false, 0) => {
            Some(format!("An item has at most {MAX_PICTURES} pictures: remove one to add another."))
        }
        (false, _) => None,
    };
    let add = match why_not {
        Some(why) => Either::Left(view! { <p class="notice">{why}</p> }),
        None => Either::Right(view! { <AddPictures item=item.clone() /> }),
    };
    html(view! {
        <PageTitle text=format!("Pictures of {}", page.item_name) />
        <section class="form-page">
            <p class="eyebrow">
                <a href=auction><Name text=page.auction_name /></a>
                " / "
                <a href=item.clone()><Name text=page.item_name /></a>
            </p>
            <h1>"Pictures"</h1>
            <ErrorSummary fields=&[&[ADD_PICTURES, ALT]] />
            {add}
            {list}
            <p><a class="button" href=item>"Show the item"</a></p>
        </section>
    })
}

/// The form that adds pictures. With its script it takes files that are dropped on it, and shows the
/// progress.
#[component]
pub fn AddPictures(
    /// Path of the item's page.
    item: String,
) -> impl IntoView {
    view! {
        <form
            class="add-pictures"
            method="post"
            action=format!("{item}/pictures")
            enctype="multipart/form-data"
            aria-label="Add pictures"
            data-upload=format!("/api{item}/images")
        >
            <input type="hidden" name="idempotencyKey" value=Blank::NewKey.text() />
            <PictureField
                field=ADD_PICTURES
                hint="JPEG, PNG or WebP, at most 10 MB each. You can choose several."
                required=true
            />
            <button class="button" type="submit">"Upload"</button>
        </form>
    }
}

/// One picture, with its alternative text and its buttons.
#[component]
fn Row(picture: Picture, path: String, at: usize, count: usize, closed: bool) -> impl IntoView {
    let number = at + 1;
    let field = format!("alt-{number}");
    let Picture { id, alt, thumbnail, .. } = picture;
    let shown = if alt.is_empty() { format!("Picture {number}") } else { alt.clone() };
    let button = |what: &'static str, action: &'static str, enabled: bool| {
        let name = format!("{what} picture {number}");
        view! {
            <button class="button quiet" type="submit" formaction=format!("{path}/{action}") formnovalidate disabled=!enabled aria-label=name>
                {what}
            </button>
        }
    };
    let buttons = [
        button("Move up", "up", at > 0),
        button("Move down", "down", number < count),
        button("Remove", "remove", true),
    ];
    let form = (!closed).then(|| {
        view! {
            <form method="post" action=format!("{path}/alt")>
                <div class="field">
                    <label for=field.clone()>{format!("What picture {number} shows")}</label>
                    <input id=field type="text" name=ALT.name value=alt maxlength=MAX_ALT_CHARS />
                </div>
                <div class="actions">
                    <button class="button" type="submit" aria-label=format!("Save text of picture {number}")>"Save text"</button>
                    {buttons.into_iter().collect_view()}
                </div>
            </form>
        }
    });
    view! {
        <li class="pictures-row" data-id=id>
            <img src=thumbnail.src alt=shown width=thumbnail.width height=thumbnail.height loading="lazy" />
            {form}
        </li>
    }
}

//! `/auctions/{auction_id}/items/{item_id}/pictures`

use leptos::either::Either;
use leptos::prelude::*;

use crate::assets::BuiltFile;
use crate::bounds::{MAX_ALT_CHARS, MAX_PICTURES};
use crate::components::error_summary::ErrorSummary;
use crate::components::field::Field;
use crate::components::name::Name;
use crate::components::page_title::PageTitle;
use crate::components::picture_field::{ADD_PICTURES, PictureField};
use crate::html::{Html, html};
use crate::model::{Picture, PicturesPage};
use crate::request::request;
use crate::scripts::LoadScript;

const ALT: Field = Field::new("alt", "Text", "Say in one line what the picture shows, or leave it empty.");

pub fn pictures_page(page: PicturesPage) -> Html {
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
            <input type="hidden" name="idempotencyKey" value=request().new_key.clone() />
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

//! The first picture of an item in a list.

use leptos::either::Either;
use leptos::prelude::*;

use crate::components::tint::Tint;
use crate::model::PictureFile;

/// The frame keeps its shape with and without a picture, so that nothing moves. Without one it shows the lot
/// number. The words beside it say what the picture shows.
#[component]
pub fn Thumbnail(file: Option<PictureFile>, lot: Option<String>) -> impl IntoView {
    let content = match file {
        Some(file) => Either::Left(view! {
            <Tint color=file.tint />
            <img class="catalogue-picture" src=file.src alt="" width=file.width height=file.height loading="lazy" />
        }),
        None => Either::Right(lot.map(|lot| {
            view! {
                <span class="catalogue-lot" aria-hidden="true">
                    {lot}
                </span>
            }
        })),
    };
    view! { <div class="catalogue-frame">{content}</div> }
}

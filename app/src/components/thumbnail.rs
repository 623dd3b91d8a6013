//! The first picture of an item in a list.

use leptos::prelude::*;

use crate::components::tint::Tint;
use crate::model::PictureFile;

/// The frame keeps its shape with and without a picture, so that nothing moves. The name beside it says what
/// the picture shows.
#[component]
pub fn Thumbnail(file: Option<PictureFile>) -> impl IntoView {
    let picture = file.map(|file| {
        view! {
            <Tint color=file.tint />
            <img class="catalogue-picture" src=file.src alt="" width=file.width height=file.height loading="lazy" />
        }
    });
    view! { <div class="catalogue-frame">{picture}</div> }
}

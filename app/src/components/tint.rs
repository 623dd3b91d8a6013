//! The mean colour of a picture in its place, until it is loaded. A style attribute would need a weaker
//! policy for the content of the page; the colour of a shape does not.

use leptos::prelude::*;

/// It fills its frame, or only a picture of these dimensions that is contained in it.
#[component]
pub fn Tint(color: String, #[prop(optional)] contained: Option<(u32, u32)>) -> impl IntoView {
    let view_box = contained.map(|(width, height)| format!("0 0 {width} {height}"));
    view! {
        <svg class="tint" viewBox=view_box aria-hidden="true">
            <rect width="100%" height="100%" fill=color />
        </svg>
    }
}

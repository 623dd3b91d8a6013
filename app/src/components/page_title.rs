//! The title of the document, which the window or tab shows.

use leptos::prelude::*;

use crate::components::name::isolated;
use crate::head::add_to_head;
use crate::model::Refused;

/// Sets the title of the document. It says first if a form was refused, since a screen reader reads it first.
#[component]
pub fn PageTitle(#[prop(into)] text: String) -> impl IntoView {
    let title = format!("{} · Farthing", isolated(&text));
    let title = if use_context::<Refused>().is_some_and(|refused| refused.preview.is_none()) {
        format!("Error: {title}")
    } else {
        title
    };
    add_to_head(view! { <title>{title}</title> });
}

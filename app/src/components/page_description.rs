//! What search engines and link previews show of a page.

use std::sync::Arc;

use leptos::prelude::*;
use leptos_meta::Meta;
use leptos_router::hooks::use_location;

use crate::components::loaded::services;
use crate::render::Assets;

/// Describes a page that may be seen without an account.
#[component]
pub fn PageDescription(#[prop(into)] title: String, #[prop(into)] text: String) -> impl IntoView {
    let services = services();
    let site = services.site();
    let url = format!("{site}{}", use_location().pathname.get_untracked());
    let image = use_context::<Arc<Assets>>().map(|assets| format!("{site}{}", assets.icon));
    view! {
        <Meta name="description" content=text.clone() />
        <Meta property="og:site_name" content="Farthing" />
        <Meta property="og:type" content="website" />
        <Meta property="og:title" content=title />
        <Meta property="og:description" content=text />
        <Meta property="og:url" content=url />
        {image.map(|image| view! { <Meta property="og:image" content=image /> })}
        <Meta name="twitter:card" content="summary" />
    }
}

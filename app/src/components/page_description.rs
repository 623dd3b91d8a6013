//! What search engines and link previews show of a page.

use leptos::html::meta;
use leptos::prelude::*;

use crate::head::add_to_head;
use crate::request::request;

/// Describes a page that may be seen without an account.
#[component]
pub fn PageDescription(#[prop(into)] title: String, #[prop(into)] text: String) -> impl IntoView {
    let request = request();
    let site = &request.site;
    let url = format!("{site}{}", request.path);
    let image = format!("{site}{}", request.assets.icon);
    add_to_head(view! {
        <meta name="description" content=text.clone() />
        {property("og:site_name", "Farthing".to_owned())}
        {property("og:type", "website".to_owned())}
        {property("og:title", title)}
        {property("og:description", text)}
        {property("og:url", url)}
        {property("og:image", image)}
        <meta name="twitter:card" content="summary" />
    });
}

/// A property of the Open Graph protocol.
fn property(name: &'static str, content: String) -> impl IntoView {
    meta().attr("property", name).content(content)
}

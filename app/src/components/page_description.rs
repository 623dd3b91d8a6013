//! What search engines and link previews show of a page.

use leptos::html::meta;
use leptos::prelude::*;

use crate::assets::BuiltFile;
use crate::head::{add_to_head, let_search_engines_list};
use crate::model::{PictureFile, PublicPage};
use crate::request::request;

/// Describes a page that may be seen without an account. Without a picture of its own it has the site's icon.
#[component]
pub fn PageDescription(
    #[prop(into)] title: String,
    #[prop(into)] text: String,
    #[prop(optional_no_strip)] picture: Option<PictureFile>,
) -> impl IntoView {
    let request = request();
    let site = &request.site;
    let url = format!("{site}{}", request.path);
    let icon = || request.assets.address(BuiltFile::Icon);
    let image = picture.as_ref().map_or_else(icon, |picture| picture.src.clone());
    let image = format!("{site}{image}");
    let card = if picture.is_some() { "summary_large_image" } else { "summary" };
    let size = picture.map(|picture| {
        view! {
            {property("og:image:width", picture.width.to_string())}
            {property("og:image:height", picture.height.to_string())}
        }
    });
    add_to_head(view! {
        <meta name="description" content=text.clone() />
        {property("og:site_name", "Farthing".to_owned())}
        {property("og:type", "website".to_owned())}
        {property("og:title", title)}
        {property("og:description", text)}
        {property("og:url", url)}
        {property("og:image", image)}
        {size}
        <meta name="twitter:card" content=card />
    });
}

/// Describes a page of an auction that anyone may read, and lets search engines list it. A page that only
/// members may read has no description.
#[component]
pub fn PublicDescription(#[prop(into)] title: String, public: Option<PublicPage>) -> impl IntoView {
    public.map(|PublicPage { text, picture, .. }| {
        let_search_engines_list();
        view! { <PageDescription title text picture /> }
    })
}

/// A property of the Open Graph protocol.
fn property(name: &'static str, content: String) -> impl IntoView {
    meta().attr("property", name).content(content)
}

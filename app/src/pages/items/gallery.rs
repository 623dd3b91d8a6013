//! The pictures of an item on its page. Without a script: the strip is scrolled by hand or with the arrow
//! keys, and links lead to each picture.

use leptos::prelude::*;

use crate::model::Picture;

/// Width of the strip, for the browser's choice of a size. Beside it is the bid panel.
const SIZES: &str = "(min-width: 74rem) 44rem, (min-width: 60rem) 56vw, 100vw";

#[component]
pub fn Gallery(pictures: Vec<Picture>, item_name: String) -> impl IntoView {
    let count = pictures.len();
    if count == 0 {
        return None;
    }
    let links = pictures.iter().enumerate().map(|(at, picture)| {
        let name = format!("Picture {} of {count}", at + 1);
        let thumbnail = picture.thumbnail.clone();
        view! {
            <li>
                <a href=format!("#picture-{}", at + 1) aria-label=name>
                    <img src=thumbnail.src alt="" width=thumbnail.width height=thumbnail.height loading="lazy" decoding="async" />
                </a>
            </li>
        }
    });
    let links =
        (count > 1).then(|| view! { <ul class="gallery-links" role="list">{links.collect_view()}</ul> });
    let slides = pictures.iter().enumerate().map(|(at, picture)| {
        let alt = match picture.alt.as_str() {
            "" => format!("{item_name}, picture {} of {count}", at + 1),
            alt => alt.to_owned(),
        };
        let Picture { full, thumbnail, .. } = picture.clone();
        let href = full.src.clone();
        let srcset = format!("{} {}w, {} {}w", thumbnail.src, thumbnail.width, full.src, full.width);
        // The first picture is what the page is looked at for; the others load when they are scrolled to.
        let (loading, priority) = if at == 0 { ("eager", Some("high")) } else { ("lazy", None) };
        view! {
            <li id=format!("picture-{}", at + 1)>
                <a href=href>
                    <img
                        src=full.src
                        srcset=srcset
                        sizes=SIZES
                        width=full.width
                        height=full.height
                        alt=alt
                        loading=loading
                        fetchpriority=priority
                        decoding="async"
                    />
                </a>
            </li>
        }
    });
    let slides = slides.collect_view();
    Some(view! {
        <section class="gallery" aria-label="Pictures">
            <ul class="gallery-strip" role="list" tabindex="0" aria-label="Pictures, in a row">
                {slides}
            </ul>
            {links}
        </section>
    })
}

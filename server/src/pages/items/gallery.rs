//! The pictures of an item on its page. Without a script: the strip is scrolled by hand or with the arrow
//! keys, links lead to each picture, and a picture is a link to its file.

use app::assets::BuiltFile;
use app::components::tint::Tint;
use app::model::PictureFile;
use app::scripts::LoadScript;
use leptos::prelude::*;

/// A picture of an item, in three sizes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    pub id: String,
    /// Empty if nobody has described it.
    pub alt: String,
    pub full: PictureFile,
    pub medium: PictureFile,
    pub thumbnail: PictureFile,
}

/// Width of the strip, for the browser's choice of a size. Beside it is the bid panel. Phones have three
/// pixels to one of the page, of which two are enough to see a picture sharply.
const SIZES: &str = "(min-width: 74rem) 44rem, (min-width: 60rem) 56vw, 67vw";
/// Size of the pictures after the first: their smallest, until the script sees that the strip is used.
const SIZES_UNSEEN: &str =
    "(scripting: enabled) 1px, (min-width: 74rem) 44rem, (min-width: 60rem) 56vw, 67vw";

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
    let slides = pictures.into_iter().enumerate().map(|(at, picture)| {
        view! { <Slide picture at count item_name=item_name.clone() /> }
    });
    let slides = slides.collect_view();
    Some(view! {
        <section class="gallery" aria-label="Pictures">
            <LoadScript script=BuiltFile::GalleryScript />
            <ul class="gallery-strip" role="list" tabindex="0" aria-label="Pictures, in a row" data-sizes=SIZES>
                {slides}
            </ul>
            {links}
        </section>
    })
}

/// One picture of the strip.
#[component]
fn Slide(picture: Picture, at: usize, count: usize, item_name: String) -> impl IntoView {
    let Picture { alt, full, medium, thumbnail, .. } = picture;
    let alt = if alt.is_empty() { format!("{item_name}, picture {} of {count}", at + 1) } else { alt };
    // A small picture is the same in several sizes.
    let mut files = vec![&thumbnail, &medium, &full];
    files.dedup_by_key(|file| file.width);
    let files: Vec<_> = files.into_iter().map(|file| format!("{} {}w", file.src, file.width)).collect();
    // The first picture is what the page is looked at for.
    let (loading, priority, sizes) =
        if at == 0 { ("eager", Some("high"), SIZES) } else { ("lazy", None, SIZES_UNSEEN) };
    let number = (count > 1).then(
        || view! { <span class="gallery-number" aria-hidden="true">{format!("{}/{count}", at + 1)}</span> },
    );
    view! {
        <li id=format!("picture-{}", at + 1)>
            <a href=full.src.clone()>
                <Tint color=full.tint contained=(full.width, full.height) />
                <img
                    src=medium.src
                    srcset=files.join(", ")
                    sizes=sizes
                    width=full.width
                    height=full.height
                    alt=alt
                    loading=loading
                    fetchpriority=priority
                    decoding="async"
                />
            </a>
            {number}
        </li>
    }
}

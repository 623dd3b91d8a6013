//! A poster with the way into an auction.

use app::components::coins::Coins;
use app::components::moment::{date_and_time, stamp};
use app::components::name::Name;
use app::components::prose::Prose;
use app::components::qr_code::QrCode;
use app::components::words::count;
use app::model::{PictureFile, RenderedText};
use app::request::request;
use leptos::either::Either;
use leptos::prelude::*;

use crate::pages::members::link::JoinLink;

/// An auction on a poster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Poster {
    pub description: RenderedText,
    pub item_count: u64,
    pub ends_at: Option<i64>,
    /// Starting balance of a new member: `300 Tickets`.
    pub grant: Option<String>,
    pub pictures: Vec<PictureFile>,
    pub is_closed: bool,
}

/// The address of a way in as people type it: a secret link is too long, so that of the site.
pub fn readable_address(url: &str) -> String {
    if url.contains("/join/") { request().site.clone() } else { url.to_owned() }
}

#[component]
pub fn PosterSheet(name: String, poster: Poster, link: Option<JoinLink>) -> impl IntoView {
    let Poster { description, item_count, ends_at, grant, pictures, is_closed } = poster;
    let ends = ends_at.map(|ends_at| {
        let verb = if is_closed { "Ended " } else { "Ends " };
        view! { <span>{verb} <time datetime=stamp(ends_at)>{date_and_time(ends_at)}</time></span> }
    });
    let pictures = pictures.into_iter().map(|file| {
        view! { <img src=file.src alt="" width=file.width height=file.height /> }
    });
    let pictures = pictures.collect::<Vec<_>>();
    let pictures = (!pictures.is_empty()).then(|| view! { <div class="poster-pictures">{pictures}</div> });
    let way = match link {
        Some(JoinLink { qr, url }) => Either::Left(view! {
            {qr.map(|qr| view! { <QrCode qr label="QR code of the way in" /> })}
            <p class="poster-call">"Scan to look and to bid"</p>
            <p class="poster-address">{readable_address(&url)}</p>
        }),
        None => {
            let call =
                if is_closed { "The auction has ended." } else { "Ask the organizers for an invitation." };
            Either::Right(view! { <p class="poster-call">{call}</p> })
        }
    };
    view! {
        <article class="poster print-sheet">
            <p class="eyebrow">"Auction"</p>
            <h2><Name text=name /></h2>
            <p class="facts">
                <span>{count(item_count, "item", "items")}</span>
                {ends}
            </p>
            {pictures}
            <div class="poster-about">
                <Prose text=description />
            </div>
            {way}
            {grant
                .map(|grant| {
                    view! {
                        <p class="poster-grant">
                            <Coins values=vec!["1".to_owned()] />
                            {format!("You get {grant} to bid with.")}
                        </p>
                    }
                })}
        </article>
    }
}

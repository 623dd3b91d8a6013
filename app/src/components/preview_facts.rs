//! Facts about an auction for users who have not joined it.

use leptos::prelude::*;

use crate::components::moment::{date_and_time, stamp};
use crate::components::words::count;
use crate::model::AuctionPreview;

/// The number of items, and the end.
#[component]
pub fn PreviewFacts(auction: AuctionPreview) -> impl IntoView {
    let ends = auction.ends_at.map(|ends_at| {
        view! {
            <span>"Ends " <time datetime=stamp(ends_at)>{date_and_time(ends_at)}</time></span>
        }
    });
    view! {
        <p class="facts">
            <span>{count(auction.item_count, "item", "items")}</span>
            {ends}
        </p>
    }
}

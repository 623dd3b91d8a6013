//! The status of an auction or an item as a coloured word.

use leptos::prelude::*;

use crate::model::{AuctionStatus, ItemStatus};

#[component]
pub fn ItemBadge(status: ItemStatus) -> impl IntoView {
    let (class, word) = item_badge(status);
    view! { <span class=class>{word}</span> }
}

/// CSS class and text.
pub fn item_badge(status: ItemStatus) -> (&'static str, &'static str) {
    match status {
        ItemStatus::Draft => ("badge", "Draft"),
        ItemStatus::Scheduled => ("badge", "Starts later"),
        ItemStatus::Open => ("badge open", "Open"),
        ItemStatus::Closed => ("badge closed", "Closed"),
    }
}

#[component]
pub fn AuctionBadge(status: AuctionStatus) -> impl IntoView {
    let (class, word) = match status {
        AuctionStatus::Open => ("badge open", "Open"),
        AuctionStatus::Closed => ("badge closed", "Closed"),
    };
    view! { <span class=class>{word}</span> }
}

//! The state of an auction or an item, in a word and a colour.

use leptos::prelude::*;

use crate::model::{AuctionStatus, ItemStatus};

#[component]
pub fn ItemBadge(status: ItemStatus) -> impl IntoView {
    let (class, word) = match status {
        ItemStatus::Draft => ("badge", "Draft"),
        ItemStatus::Scheduled => ("badge", "Starts later"),
        ItemStatus::Open => ("badge open", "Open"),
        ItemStatus::Closed => ("badge closed", "Closed"),
    };
    view! { <span class=class>{word}</span> }
}

#[component]
pub fn AuctionBadge(status: AuctionStatus) -> impl IntoView {
    let (class, word) = match status {
        AuctionStatus::Open => ("badge open", "Open"),
        AuctionStatus::Closed => ("badge closed", "Closed"),
    };
    view! { <span class=class>{word}</span> }
}

//! A list with nothing in it yet.

use leptos::prelude::*;

/// Says what will be here, and offers the next step as children.
#[component]
pub fn EmptyState(
    #[prop(into)] title: String,
    #[prop(into)] text: String,
    children: Children,
) -> impl IntoView {
    view! {
        <div class="empty-state">
            <p class="empty-title">{title}</p>
            <p>{text}</p>
            <div class="actions">{children()}</div>
        </div>
    }
}

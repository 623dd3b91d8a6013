//! The placeholder of an empty list.

use leptos::prelude::*;

/// Says what the list will show. The children are links to the next step.
#[component]
pub fn EmptyState(
    #[prop(into)] title: String,
    #[prop(into)] text: String,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    view! {
        <div class="empty-state">
            <p class="empty-title">{title}</p>
            <p>{text}</p>
            {children.map(|children| view! { <div class="actions">{children()}</div> })}
        </div>
    }
}

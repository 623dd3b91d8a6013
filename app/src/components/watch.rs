//! The button with which a member watches an item, inside a form.

use leptos::prelude::*;

/// `path` is the item's page, `name` what the button is about.
#[component]
pub fn WatchButton(path: String, name: String, watched: bool) -> impl IntoView {
    let label = format!("Watch {name}");
    view! {
        <button
            class="watch"
            name="watched"
            value=if watched { "false" } else { "true" }
            formaction=path + "/watch"
            aria-pressed=if watched { "true" } else { "false" }
            aria-label=label
        >
            {if watched { "★" } else { "☆" }}
        </button>
    }
}

//! The button with which a member watches an item, inside a form.

use leptos::prelude::*;

/// Name of the button.
pub const WATCHED: &str = "watched";

/// `path` is the item's page, `name` what the button is about.
#[component]
pub fn WatchButton(path: String, name: String, watched: bool) -> impl IntoView {
    let label = format!("Watch {name}");
    view! {
        <button
            class="watch"
            name=WATCHED
            value=if watched { "false" } else { "true" }
            formaction=path + "/watch"
            aria-pressed=if watched { "true" } else { "false" }
            aria-label=label
        >
            {if watched { "★" } else { "☆" }}
        </button>
    }
}

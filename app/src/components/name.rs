//! Names that users choose.

use leptos::prelude::*;

/// A name, isolated from the text around it: one in a script from right to left does not turn the digits beside it.
#[component]
pub fn Name(#[prop(into)] text: String) -> impl IntoView {
    view! { <bdi>{text}</bdi> }
}

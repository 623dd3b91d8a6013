//! Names that users choose.

#[cfg(any(feature = "ssr", feature = "pot"))]
use leptos::prelude::*;

pub use rules_engine::words::isolated;

/// A name, isolated from the text around it: one in a script from right to left does not turn the digits
/// beside it.
#[cfg(any(feature = "ssr", feature = "pot"))]
#[component]
pub fn Name(#[prop(into)] text: String) -> impl IntoView {
    view! { <bdi>{text}</bdi> }
}

//! The initial state of an island, as JSON in a script of the page. Islands read it with the engine's JSON reader, because
//! properties of islands would need a second one, which takes a sixth of a bundle.

/// Id of the script of the island that is what the page is about.
const MAIN: &str = "island-state";

/// Writes the state into the page, for the island that is rendered next.
#[cfg(feature = "ssr")]
pub fn island_state<T: serde::Serialize + Send + Sync + 'static>(state: T) -> impl leptos::IntoView {
    named_state(MAIN, state)
}

/// Writes the state into the page, for the island that is rendered next and reads the state of this name.
#[cfg(feature = "ssr")]
pub fn named_state<T: serde::Serialize + Send + Sync + 'static>(
    name: &'static str,
    state: T,
) -> impl leptos::IntoView {
    use leptos::prelude::*;

    // In JSON `<` is part of texts only. Escaped it can't end the script.
    let json = serde_json::to_string(&state).unwrap_or_default().replace('<', "\\u003c");
    provide_context(state);
    view! { <script type="application/json" id=name inner_html=json></script> }
}

/// The state of the island that is rendered.
#[cfg(feature = "ssr")]
pub fn initial_state<T: Send + Sync + 'static>() -> Option<T> {
    initial_state_named(MAIN)
}

/// The state of this name of the island that is rendered.
#[cfg(feature = "ssr")]
pub fn initial_state_named<T: Send + Sync + 'static>(_name: &str) -> Option<T> {
    leptos::prelude::take_context()
}

/// The state of the island that is hydrated.
#[cfg(not(feature = "ssr"))]
pub fn initial_state<T: rules_engine::shape::ReadJson>() -> Option<T> {
    initial_state_named(MAIN)
}

/// The state of this name of the island that is hydrated.
#[cfg(not(feature = "ssr"))]
pub fn initial_state_named<T: rules_engine::shape::ReadJson>(name: &str) -> Option<T> {
    crate::live::browser::read_text_of(name)
}

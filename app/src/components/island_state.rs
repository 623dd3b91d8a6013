//! The initial state of an island, as JSON in a script of the page. Islands read it with the engine's JSON
//! reader, because properties of islands would need a second one, which takes a sixth of a bundle.

#[cfg(feature = "ssr")]
use crate::fragments::WithJson;

/// Id of the script. A page has at most one island with such a state.
const ID: &str = "island-state";

/// Writes the state into the page, for the island that is rendered next.
#[cfg(feature = "ssr")]
pub fn island_state<T: serde::Serialize + Send + Sync + 'static>(state: T) -> impl leptos::IntoView {
    use leptos::prelude::*;

    let state = WithJson::new(state);
    // In JSON `<` is part of texts only. Escaped it can't end the script.
    let json = state.json().replace('<', "\\u003c");
    provide_context(state);
    view! { <script type="application/json" id=ID inner_html=json></script> }
}

/// The state of the island that is rendered, with its JSON.
#[cfg(feature = "ssr")]
pub fn state_with_json<T: Send + Sync + 'static>() -> Option<WithJson<T>> {
    leptos::prelude::take_context()
}

/// The state of the island that is rendered.
#[cfg(feature = "ssr")]
pub fn initial_state<T: Send + Sync + 'static>() -> Option<T> {
    state_with_json().map(|state| state.value)
}

/// The state of the island that is hydrated.
#[cfg(not(feature = "ssr"))]
pub fn initial_state<T: rules_engine::shape::ReadJson>() -> Option<T> {
    let script = leptos::prelude::document().get_element_by_id(ID)?;
    rules_engine::shape::read_json(&script.text_content()?).ok()
}

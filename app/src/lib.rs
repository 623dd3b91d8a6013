//! Components and islands. The server renders every page with the feature `ssr`. The browser loads only the
//! islands, built with the feature `hydrate`: the parts of a page that react after it was rendered. Each page
//! with an island loads one of several bundles, which `bundles.rs` lists.
//!
//! The view of a page stands with its handler in `server/src/pages`. `render.rs` puts the document around it,
//! `request.rs` holds what components know of the request.

pub mod components;
pub mod islands;
pub mod live;
pub mod model;

#[cfg(feature = "ssr")]
pub mod assets;
#[cfg(feature = "ssr")]
pub mod blanks;
#[cfg(any(feature = "ssr", feature = "pot"))]
pub mod bounds;
#[cfg(feature = "ssr")]
pub mod bundles;
#[cfg(feature = "ssr")]
pub mod fragments;
#[cfg(feature = "ssr")]
pub mod head;
#[cfg(feature = "ssr")]
pub mod html;
#[cfg(feature = "ssr")]
pub mod render;
#[cfg(feature = "ssr")]
pub mod request;
#[cfg(feature = "ssr")]
pub mod scripts;
#[cfg(feature = "ssr")]
mod shell;

/// Prepares the hydration of islands, and writes panics to the console. `hydrate.js` calls it before it
/// hydrates the islands.
#[cfg(feature = "hydrate")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn hydrate() {
    console_error_panic_hook::set_once();
    leptos::mount::hydrate_islands();
}

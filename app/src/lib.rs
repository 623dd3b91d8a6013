//! Pages and components. The server renders every page with the feature `ssr`. The browser loads only the
//! islands, built with the feature `hydrate`: the parts of a page that react after it was rendered. Each page with an
//! island loads one of several bundles, which `bundles.rs` lists.
//!
//! `routes.rs` lists every page, `services.rs` is the pages' interface to the server, and `render.rs` is the
//! server's interface to the pages.

// The type of a rendered page is as deep as its elements.
#![recursion_limit = "256"]

pub mod components;
pub mod live;
pub mod model;
pub mod pages;

#[cfg(feature = "ssr")]
pub mod bounds;
#[cfg(feature = "ssr")]
pub mod bundles;
#[cfg(feature = "ssr")]
mod pictures_script;
#[cfg(feature = "ssr")]
pub mod render;
#[cfg(feature = "ssr")]
pub mod routes;
#[cfg(feature = "ssr")]
pub mod services;
#[cfg(feature = "ssr")]
mod shell;

/// Prepares the hydration of islands. `hydrate.js` calls it before it hydrates the islands.
#[cfg(feature = "hydrate")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn hydrate() {
    leptos::mount::hydrate_islands();
}

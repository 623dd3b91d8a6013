//! What people see. The server draws every page with the feature `ssr`; the browser loads, with the
//! feature `hydrate`, only the islands: what stays alive on a page after it was drawn.
//!
//! `routes.rs` is the whole site at a glance, `services.rs` is all that the pages know of the server.

#![recursion_limit = "256"]

pub mod components;
pub mod live;
pub mod model;
pub mod pages;
#[cfg(feature = "ssr")]
pub mod routes;
#[cfg(feature = "ssr")]
pub mod services;
#[cfg(feature = "ssr")]
pub mod shell;

/// Wakes the islands of the page. The page's boot script calls it.
#[cfg(feature = "hydrate")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn hydrate() {
    console_error_panic_hook::set_once();
    leptos::mount::hydrate_islands();
}

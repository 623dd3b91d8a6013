//! The bundles of the browser: WebAssembly modules with the islands of some pages, and the JavaScript that
//! loads them.

use std::sync::{Arc, OnceLock};

use leptos::nonce::use_nonce;
use leptos::prelude::*;
use serde::Deserialize;

use crate::head::add_to_head;

/// The build makes each bundle with the feature of this crate that has its name. An island can be in several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bundle {
    /// The item page: bid form, chart and list of bids.
    Bid,
    /// Pages that only show changes: countdowns and an auction's items.
    Follow,
    /// Bids that are evaluated and not sent: the test bench and the example on the start page.
    Bench,
    /// The page of a clerk.
    Clerk,
    /// The page that checks a draw.
    Draw,
    /// The page that shares a pot and lets balances decay.
    Pot,
}

/// The file names of the bundles: the JavaScript is `/pkg/{name}.js`, the WebAssembly module
/// `/pkg/{name}_bg.wasm`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BundleNames {
    pub bid: String,
    pub follow: String,
    pub bench: String,
    pub clerk: String,
    pub draw: String,
    pub pot: String,
}

impl BundleNames {
    fn of(&self, bundle: Bundle) -> &str {
        match bundle {
            Bundle::Bid => &self.bid,
            Bundle::Follow => &self.follow,
            Bundle::Bench => &self.bench,
            Bundle::Clerk => &self.clerk,
            Bundle::Draw => &self.draw,
            Bundle::Pot => &self.pot,
        }
    }
}

/// The bundle of the page that is being rendered, and the names of all. A context of each request.
#[derive(Debug, Clone)]
pub struct PageBundle {
    names: BundleNames,
    loaded: Arc<OnceLock<Bundle>>,
}

impl PageBundle {
    pub fn new(names: BundleNames) -> Self {
        Self { names, loaded: Arc::default() }
    }

    /// Whether an island of the page follows a stream.
    pub fn follows(&self) -> bool {
        matches!(self.loaded.get(), Some(Bundle::Bid | Bundle::Follow))
    }
}

/// Makes the page load the bundle of the island beside this component. A page loads one bundle, once: the
/// first.
#[component]
pub fn LoadBundle(bundle: Bundle) -> impl IntoView {
    let page: PageBundle = expect_context();
    if page.loaded.set(bundle).is_ok() {
        let name = page.names.of(bundle);
        let script = format!("/pkg/{name}.js");
        let module = format!("/pkg/{name}_bg.wasm");
        add_to_head(view! {
            <link as="fetch" rel="preload" type="application/wasm" crossorigin="" href=module />
            <script nonce=use_nonce() src=script type="module"></script>
        });
    }
}

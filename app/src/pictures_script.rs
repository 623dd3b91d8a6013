//! The script of the form that adds pictures.

use leptos::nonce::use_nonce;
use leptos::prelude::*;

/// Path of the script. A context of each request.
#[derive(Debug, Clone)]
pub struct PicturesScriptPath(pub String);

/// Loads the script on a page with the form.
#[component]
pub fn PicturesScript() -> impl IntoView {
    let PicturesScriptPath(path) = expect_context();
    view! { <script type="module" src=path nonce=use_nonce()></script> }
}

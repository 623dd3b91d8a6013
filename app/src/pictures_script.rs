//! The script of the form that adds pictures.

use leptos::nonce::use_nonce;
use std::sync::Arc;

use crate::render::Assets;
use leptos::prelude::*;

/// Loads the script on a page with the form.
#[component]
pub fn PicturesScript() -> impl IntoView {
    let path = expect_context::<Arc<Assets>>().pictures_script.clone();
    view! { <script type="module" src=path nonce=use_nonce()></script> }
}

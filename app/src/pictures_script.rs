//! The script of the form that adds pictures.

use leptos::nonce::use_nonce;
use leptos::prelude::*;

use crate::request::request;

/// Loads the script on a page with the form.
#[component]
pub fn PicturesScript() -> impl IntoView {
    let path = request().assets.pictures_script.clone();
    view! { <script type="module" src=path nonce=use_nonce()></script> }
}

//! The HTML document around every page.

use leptos::nonce::use_nonce;
use leptos::prelude::*;
use leptos::reactive::owner::Owner;
use leptos_meta::{Link, MetaTags, provide_meta_context};

use crate::render::Assets;
use crate::routes::App;

/// The document, with the page of the current request in its body.
pub fn shell(assets: &Assets) -> impl IntoView + use<> {
    provide_meta_context();
    // Only islands are hydrated: the rest of the page needs no data for the browser.
    if let Some(context) = Owner::current_shared_context() {
        context.set_is_hydrating(false);
    }
    view! {
        <!DOCTYPE html>
        <html lang="en">
            <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1" />
                <meta name="color-scheme" content="light dark" />
                <meta name="theme-color" media="(prefers-color-scheme: light)" content="#fbf9f4" />
                <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#171512" />
                <link rel="stylesheet" href=assets.css.clone() />
                <link rel="icon" type="image/svg+xml" href=assets.favicon.clone() />
                <link rel="apple-touch-icon" href=assets.icon.clone() />
                <link rel="manifest" href=assets.web_manifest.clone() />
                <script type="module" src=assets.page_script.clone() nonce=use_nonce()></script>
                <MetaTags />
            </head>
            <body>
                <Link rel="preload" href=assets.font.clone() as_="font" type_="font/woff2" crossorigin="" />
                <App />
            </body>
        </html>
    }
}

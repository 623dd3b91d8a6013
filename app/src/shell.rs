//! The HTML document around every page.

use leptos::prelude::*;
use leptos::tachys::html::InertElement;

use crate::assets::BuiltFile;
use crate::bundles::PageBundle;
use crate::components::footer::Footer;
use crate::components::header::Header;
use crate::head::Head;
use crate::html::Html;
use crate::model::Theme;
use crate::request::request;
use crate::scripts::ScriptElements;

/// The colour of the surface, as in `style/tokens.css`.
const LIGHT: &str = "#fbf9f4";
const DARK: &str = "#171512";

/// The document, with the page between the site's header and footer.
pub fn shell(page: Html) -> impl IntoView {
    let request = request();
    let assets = &request.assets;
    let theme = request.viewer.as_ref().and_then(|viewer| match viewer.theme {
        Theme::System => None,
        Theme::Light => Some("light"),
        Theme::Dark => Some("dark"),
    });
    let zone = request.zone.is_preferred.then_some("preferred");
    let viewer = request.viewer.as_ref().map(|viewer| viewer.id.clone());
    let is_bare = page.is_bare;
    // The bell of a signed-in viewer, islands that follow a stream, and the screen of a hall.
    let is_live = is_bare || request.viewer.is_some() || expect_context::<PageBundle>().follows();
    let live_script = is_live.then_some(BuiltFile::LiveScript);
    let scripts: Vec<_> = [BuiltFile::PageScript].into_iter().chain(live_script).collect();
    // The first colour that matches counts.
    let color = theme.map(|theme| {
        view! { <meta name="theme-color" content=if theme == "dark" { DARK } else { LIGHT } /> }
    });
    // The page is rendered already, so that its elements are complete.
    let head: Head = expect_context();
    let unlisted = (!head.is_listed()).then(|| view! { <meta name="robots" content="noindex" /> });
    let head = head.take();
    view! {
        <!DOCTYPE html>
        <html lang="en" data-theme=theme data-zone=zone data-viewer=viewer>
            <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content" />
                <meta name="color-scheme" content="light dark" />
                {unlisted}
                {color}
                <meta name="theme-color" media="(prefers-color-scheme: light)" content="#fbf9f4" />
                <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#171512" />
                <link rel="stylesheet" href=assets.address(BuiltFile::Css) />
                <link rel="icon" type="image/svg+xml" href=assets.address(BuiltFile::Favicon) />
                <link rel="apple-touch-icon" href=assets.address(BuiltFile::Icon) />
                <link rel="manifest" href=assets.address(BuiltFile::WebManifest) />
                <ScriptElements frame=scripts />
                <link as="font" rel="preload" type="font/woff2" crossorigin="" href=assets.address(BuiltFile::Font) />
                {InertElement::new(head)}
            </head>
            <body>
                {(!is_bare)
                    .then(|| {
                        view! {
                            <a class="skip" href="#content">
                                "Skip to content"
                            </a>
                            <p class="old-browser">
                                "Your browser is old: the page looks plain, and everything works. A browser of 2022 or later shows it as it is meant."
                            </p>
                            <Header />
                        }
                    })}
                <main id="content" tabindex="-1">
                    {page.into_element()}
                </main>
                {(!is_bare).then(|| view! { <Footer /> })}
            </body>
        </html>
    }
}

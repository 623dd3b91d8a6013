//! The lot as lists will show it, while its form is filled in.

use app::assets::BuiltFile;
use app::scripts::LoadScript;
use leptos::prelude::*;

/// Empty until its script shows it.
#[component]
pub fn LotPreview() -> impl IntoView {
    view! {
        <LoadScript script=BuiltFile::LotPreviewScript />
        <section class="lot-preview" aria-labelledby="lot-preview" hidden>
            <h2 id="lot-preview">"As lists show it"</h2>
            <div class="lot-preview-row">
                <div class="catalogue-frame">
                    <span class="catalogue-lot" data-part="lot" aria-hidden="true"></span>
                    <canvas width="208" height="208" hidden></canvas>
                </div>
                <div>
                    <p class="lot-preview-name" data-part="name"></p>
                    <p class="lot-preview-price" data-part="price"></p>
                    <p class="hint" data-part="estimate"></p>
                </div>
            </div>
        </section>
    }
}

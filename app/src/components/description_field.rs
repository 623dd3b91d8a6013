//! The description of an auction or an item: Markdown with a preview.

use leptos::prelude::*;

use crate::components::field::{Field, TextArea};
use crate::components::prose::Prose;
use crate::model::Refused;

/// Name of the button that shows the form again with what it would do: its handler isn't called.
pub const PREVIEW: &str = "preview";

pub const DESCRIPTION: Field = Field::new("description", "Description", "Enter a description.");

/// `about` says what belongs into the description, `save` is the label of the form's button, which Enter
/// presses.
#[component]
pub fn DescriptionField(about: &'static str, save: &'static str) -> impl IntoView {
    let preview = use_context::<Refused>().and_then(|refused| refused.preview).map(|text| {
        view! {
            <section class="description-preview" aria-labelledby="preview" tabindex="-1" autofocus>
                <h2 id="preview">"Preview of the description"</h2>
                <Prose text />
            </section>
        }
    });
    view! {
        <button class="default-button" type="submit" tabindex="-1" aria-hidden="true">
            {save}
        </button>
        <TextArea field=DESCRIPTION hint=about />
        <details class="formatting">
            <summary>"Formatting"</summary>
            <p class="hint">
                "Begin a heading with # and each entry of a list with -, write **bold** and *slanted* words, and a link as [words](https://example.org)."
            </p>
        </details>
        <p class="actions">
            <button class="button quiet" type="submit" name=PREVIEW value="true">
                "Preview"
            </button>
        </p>
        {preview}
    }
}

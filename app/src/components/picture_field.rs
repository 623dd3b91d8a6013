//! The field for the files of pictures.

use leptos::prelude::*;

use crate::assets::BuiltFile;
use crate::components::field::{Field, field_error, field_id, field_value};
use crate::scripts::LoadScript;

/// The field, with the label of a form that adds pictures.
pub const ADD_PICTURES: Field =
    Field::new("image", "Add pictures", "Choose a picture.").called("the picture");

/// The media types of pictures.
pub const ACCEPTED: &str = "image/jpeg,image/png,image/webp";

/// Beside the field of a form that is shown again.
pub const CHOOSE_AGAIN: &str = "Choose the pictures again: a browser does not keep them.";

/// Takes several files: with its script also those that are dropped on it, and shows what was chosen.
#[component]
pub fn PictureField(field: Field, hint: &'static str, #[prop(optional)] required: bool) -> impl IntoView {
    let id = field_id(field.name);
    let (hint_id, error_id) = (format!("{id}-hint"), format!("{id}-error"));
    // The page knows by their names that there were files.
    let had_files = || field_value(field.name).is_some_and(|names| !names.is_empty());
    let error = field_error(&field).or_else(|| had_files().then(|| CHOOSE_AGAIN.to_owned()));
    let described_by = if error.is_some() { format!("{hint_id} {error_id}") } else { hint_id.clone() };
    let invalid = error.as_ref().map(|_| "true");
    let class = if error.is_some() { "field picture-field invalid" } else { "field picture-field" };
    let error = error.map(|error| view! { <p class="field-error" id=error_id>{error}</p> });
    view! {
        <LoadScript script=BuiltFile::PicturesScript />
        <div class=class>
            <label for=id.clone()>{field.label}</label>
            <p class="hint" id=hint_id>{hint}</p>
            {error}
            <input
                id=id
                type="file"
                name=field.name
                accept=ACCEPTED
                multiple
                required=required
                aria-describedby=described_by
                aria-invalid=invalid
            />
            <ul class="uploads" role="list" aria-live="polite"></ul>
        </div>
    }
}

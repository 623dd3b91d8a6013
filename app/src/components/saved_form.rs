//! The form that creates or changes one object.

use leptos::prelude::*;

use crate::components::error_summary::ErrorSummary;
use crate::components::field::{Field, field_value, refused_value};
use crate::request::request;

/// Name of the hidden field with the idempotency key of a form that creates something.
const IDEMPOTENCY_KEY: &str = "idempotencyKey";

/// Name of the button that creates another object afterwards.
const ANOTHER: &str = "another";

/// The object that the form changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Existing {
    /// Sent with the change, which fails if the object has a later version.
    pub version: i64,
    /// Name on the delete button.
    pub name: String,
    /// Address of the delete button.
    pub delete: String,
    /// Why the object can't be deleted.
    pub delete_blocked: Option<&'static str>,
}

/// The errors, the fields, and buttons to save or cancel. A form that creates something has an idempotency
/// key, so that a second submission creates nothing. For an existing object there is a button to delete it
/// below the form.
#[component]
pub fn SavedForm(
    fields: &'static [&'static [Field]],
    #[prop(optional)] class: Option<&'static str>,
    /// Label of the submit button.
    save: &'static str,
    /// Label of a second button, which creates the object and then shows the form for another one.
    #[prop(optional)]
    save_another: Option<&'static str>,
    /// The second button comes first, and Enter in a field presses it.
    #[prop(optional)]
    another_first: bool,
    /// Address of the cancel link.
    #[prop(into)]
    back: String,
    #[prop(optional_no_strip)] existing: Option<Existing>,
    /// The form has a field for files.
    #[prop(optional)]
    files: bool,
    children: Children,
) -> impl IntoView {
    let (name, value) = match &existing {
        Some(existing) => ("version", field_value("version").unwrap_or_else(|| existing.version.to_string())),
        None => {
            let submitted = refused_value(IDEMPOTENCY_KEY).filter(|key| !key.is_empty());
            (IDEMPOTENCY_KEY, submitted.unwrap_or_else(|| request().new_key.clone()))
        }
    };
    let save = view! {
        <button class=if another_first { "button" } else { "button primary" } type="submit">
            {save}
        </button>
    };
    let another = save_another.map(|label| {
        let class = if another_first { "button primary" } else { "button" };
        view! {
            <button class=class type="submit" name=ANOTHER value="true">
                {label}
            </button>
        }
    });
    // Enter in a field presses the first button of the form, which is before those of the fields.
    let default = another_first.then(|| {
        view! {
            <button class="default-button" type="submit" tabindex="-1" aria-hidden="true" name=ANOTHER value="true">
                {save_another}
            </button>
        }
    });
    let buttons = if another_first { (another, save).into_any() } else { (save, another).into_any() };
    view! {
        <form class=class method="post" enctype=files.then_some("multipart/form-data") novalidate>
            <ErrorSummary fields />
            <input type="hidden" name=name value=value />
            {default}
            {children()}
            <div class="actions">
                {buttons}
                <a class="button quiet" href=back>
                    "Cancel"
                </a>
            </div>
        </form>
        {existing.map(|existing| view! { <Delete existing /> })}
    }
}

/// The delete button, with a sentence about its effect.
#[component]
fn Delete(existing: Existing) -> impl IntoView {
    let Existing { name, delete, delete_blocked, .. } = existing;
    view! {
        <form class="danger" method="post" action=delete>
            <p>{delete_blocked.unwrap_or("It is deleted at once. Bids that were placed are kept.")}</p>
            <button class="button" type="submit" disabled=delete_blocked.is_some()>
                {format!("Delete {name}")}
            </button>
        </form>
    }
}

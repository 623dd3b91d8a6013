//! The frame of a form whose fields become one thing that is kept.

use leptos::prelude::*;

use crate::components::error_summary::ErrorSummary;
use crate::components::field::field_value;

/// A thing that is there already, as its form changes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Existing {
    /// Goes with the change, so that it doesn't undo somebody else's.
    pub version: i64,
    /// What its button deletes, in words.
    pub name: String,
    /// Where that button leads.
    pub delete: String,
    /// Why it can't be deleted, where it can't.
    pub kept_by: Option<&'static str>,
}

/// What is wrong at the head; to save or to leave at the foot; and below it, for what exists, to delete it.
#[component]
pub fn SavedForm(
    #[prop(optional)] class: Option<&'static str>,
    /// The button's words.
    save: &'static str,
    /// Where one goes without saving.
    #[prop(into)]
    back: String,
    #[prop(optional_no_strip)] existing: Option<Existing>,
    children: Children,
) -> impl IntoView {
    let version = existing.as_ref().map(|existing| {
        let version = field_value("version").unwrap_or_else(|| existing.version.to_string());
        view! { <input type="hidden" name="version" value=version /> }
    });
    view! {
        <form class=class method="post" novalidate>
            <ErrorSummary />
            {version}
            {children()}
            <div class="actions">
                <button class="button primary" type="submit">
                    {save}
                </button>
                <a class="button quiet" href=back>
                    "Cancel"
                </a>
            </div>
        </form>
        {existing.map(|existing| view! { <Delete existing /> })}
    }
}

/// A dangerous button, with a sentence of what it does.
#[component]
fn Delete(existing: Existing) -> impl IntoView {
    let Existing { name, delete, kept_by, .. } = existing;
    view! {
        <form class="danger" method="post" action=delete>
            <p>{kept_by.unwrap_or("It is gone at once. Nothing that was bid is lost.")}</p>
            <button class="button" type="submit" disabled=kept_by.is_some()>
                {format!("Delete {name}")}
            </button>
        </form>
    }
}

//! `/groups/new`

use leptos::prelude::*;

use super::NAME;
use crate::components::field::{CheckField, Field, TextField};
use crate::components::page_title::PageTitle;
use crate::components::saved_form::SavedForm;
use crate::html::{Html, html};

const FIELDS: &[Field] = &[NAME];

pub fn new_group_page() -> Html {
    html(view! {
        <PageTitle text="New group" />
        <section class="form-page">
            <h1>"New group"</h1>
            <p class="lead">"Next you add the names of its people, and print their cards."</p>
            <SavedForm fields=&[FIELDS] save="Create group" back="/groups">
                <GroupFields />
            </SavedForm>
        </section>
    })
}

/// The fields of a group.
#[component]
pub fn GroupFields() -> impl IntoView {
    view! {
        <TextField field=NAME maxlength=200 required=true />
        <CheckField
            name="joinable"
            label="People with an account may join with the code"
            checked=false
            hint="Besides the people whom you add. Everyone who learns the code can then join."
        />
    }
}

//! `/auctions/new`

use leptos::either::Either;
use leptos::prelude::*;

use crate::bounds::{MAX_TITLE_CHARS, MAX_UNIT_NAME_CHARS, MAX_UNIT_SYMBOL_CHARS};
use crate::components::error_page::ErrorPage;
use crate::components::field::{RadioField, TextArea, TextField};
use crate::components::loaded::services;
use crate::components::page_title::PageTitle;
use crate::components::saved_form::SavedForm;
use crate::services::LoadError;

const JOIN_MODES: &[(&str, &str, &str)] = &[
    ("INVITE_ONLY", "Private", "Only members see it."),
    ("FREE", "Open", "Every signed-in user sees it and may join."),
];

#[component]
pub fn NewAuction() -> impl IntoView {
    if services().viewer().is_none() {
        return Either::Left(view! { <ErrorPage error=LoadError::SignInRequired /> });
    }
    Either::Right(view! {
        <PageTitle text="New auction" />
        <section class="form-page">
            <h1>"New auction"</h1>
            <p class="lead">"You will be its owner."</p>
            <SavedForm save="Create auction" back="/auctions">
                <TextField name="name" label="Name" maxlength=MAX_TITLE_CHARS required=true />
                <TextArea name="description" label="Description" hint="What is sold, and for whom. You can use Markdown." />
                <RadioField name="joinMode" legend="Who may join" choices=JOIN_MODES />
                <fieldset class="field-group">
                    <legend>"Base unit"</legend>
                    <p class="hint">
                        "If you define your own currencies, every bid is converted to this unit before it is compared. Leave it empty to sell in euros, pounds or another ISO currency."
                    </p>
                    <div class="field-row">
                        <TextField name="baseUnitName" label="Unit name" hint="Such as Knut or Point" maxlength=MAX_UNIT_NAME_CHARS />
                        <TextField
                            name="baseUnitSymbol"
                            label="Unit symbol"
                            hint="Such as ʞ or pt"
                            maxlength=MAX_UNIT_SYMBOL_CHARS
                            class="short"
                        />
                    </div>
                </fieldset>
            </SavedForm>
        </section>
    })
}

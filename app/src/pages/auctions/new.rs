//! `/auctions/new`

use leptos::prelude::*;

use crate::components::error_page::ErrorPage;
use crate::components::field::{RadioField, TextArea, TextField};
use crate::components::loaded::services;
use crate::components::page_title::PageTitle;
use crate::components::saved_form::SavedForm;
use crate::services::LoadError;
use leptos::either::Either;

const JOIN_MODES: &[(&str, &str, &str)] = &[
    ("INVITE_ONLY", "Private", "Only its members see it."),
    ("FREE", "Open", "Everyone who is signed in sees it and may join."),
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
            <p class="lead">"You will own it."</p>
            <SavedForm save="Create auction" back="/auctions">
                <TextField name="name" label="Name" maxlength="200" required=true />
                <TextArea name="description" label="Description" hint="What is sold, and for whom. Markdown is welcome." />
                <RadioField name="joinMode" legend="Who may join" choices=JOIN_MODES />
                <fieldset class="field-group">
                    <legend>"Base unit"</legend>
                    <p class="hint">
                        "If you sell in currencies of your own, every bid is converted to this unit before it is compared. Leave it empty for pounds, euros and the like."
                    </p>
                    <div class="field-row">
                        <TextField name="baseUnitName" label="Unit name" hint="Such as Knut or Point" maxlength="60" />
                        <TextField
                            name="baseUnitSymbol"
                            label="Unit symbol"
                            hint="Such as ʞ or pt"
                            maxlength="8"
                            class="short"
                        />
                    </div>
                </fieldset>
            </SavedForm>
        </section>
    })
}

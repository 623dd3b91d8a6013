//! `/auctions/new/settings`: a new auction with all its settings at once.

use leptos::prelude::*;

use crate::components::page_title::PageTitle;
use crate::components::saved_form::SavedForm;
use crate::components::unit_fields::UNIT;
use crate::html::{Html, html};
use crate::model::{Filled, Refused, SelectOption};
use crate::pages::auctions::fields::{
    AboutFields, AntiSnipeFields, BaseUnitFields, BookField, EndField, EndModeField, FIELDS, GroupField,
    InviteField, JoinField, ReadersField, VisibilityField,
};

/// The fields below “More settings”.
const FOLDED: &[&str] = &[
    "itemEndMode",
    "bidderVisibility",
    "readableBy",
    "defaultAntiSnipe",
    "defaultAntiSnipeThreshold",
    "defaultAntiSnipeExtension",
    "memberCanInvite",
];

/// `books` are the open ones that the viewer keeps, and `groups` those that the viewer keeps.
pub fn auction_with_settings_page(books: Vec<SelectOption>, groups: Vec<SelectOption>) -> Html {
    let seconds = ["defaultAntiSnipeThreshold", "defaultAntiSnipeExtension"];
    provide_context(Filled(seconds.map(|name| (name.to_owned(), "300".to_owned())).into()));
    // An error must not be hidden.
    let open = use_context::<Refused>()
        .is_some_and(|refused| FOLDED.iter().any(|field| refused.problem(field).is_some()));
    html(view! {
        <PageTitle text="New auction" />
        <section class="form-page">
            <h1>"New auction"</h1>
            <p class="lead">"All settings at once. You can change them later."</p>
            <SavedForm fields=&[FIELDS, UNIT] save="Create auction" back="/auctions/new">
                <AboutFields save="Create auction" />
                <JoinField />
                <EndField />
                <GroupField groups />
                <BookField books />
                <BaseUnitFields />
                <details class="more-fields" open=open>
                    <summary>"More settings"</summary>
                    <div class="field-group">
                        <EndModeField />
                        <AntiSnipeFields />
                        <VisibilityField />
                        <ReadersField />
                        <InviteField />
                    </div>
                </details>
            </SavedForm>
        </section>
    })
}

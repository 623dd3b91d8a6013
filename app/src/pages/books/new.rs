//! `/books/new`

use leptos::either::Either;
use leptos::prelude::*;

use super::fields::BookFields;
use crate::components::error_page::ErrorPage;
use crate::components::loaded::services;
use crate::components::page_title::PageTitle;
use crate::components::saved_form::SavedForm;
use crate::services::LoadError;

#[component]
pub fn NewBook() -> impl IntoView {
    if services().viewer().is_none() {
        return Either::Left(view! { <ErrorPage error=LoadError::SignInRequired /> });
    }
    Either::Right(view! {
        <PageTitle text="New book" />
        <section class="form-page">
            <h1>"New book"</h1>
            <p class="lead">"A book outlives auctions: what is left after one can be spent in the next."</p>
            <SavedForm save="Create book" back="/books">
                <BookFields />
            </SavedForm>
        </section>
    })
}

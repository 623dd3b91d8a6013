//! `/auctions/new/settings`: creates an auction with all its settings.

use app::components::page_title::PageTitle;
use app::components::saved_form::SavedForm;
use app::components::unit_fields::UNIT;
use app::html::{Html, html};
use app::model::{Filled, Refused, SelectOption};
use auction_house::auctions::create::create_auction;
use axum::response::Response;
use leptos::prelude::*;
use platform::http::problem::Problem;

use super::fields::{
    AboutFields, AntiSnipeFields, BaseUnitFields, BookField, EndField, EndModeField, FIELDS, GroupField,
    InviteField, JoinField, ReadersField, VisibilityField,
};
use super::terms::TermsForm;
use crate::pages::books::facts::kept;
use crate::pages::error::Loaded;
use crate::pages::form::renamed;
use crate::pages::form_route::FormRequest;
use crate::pages::groups;
use crate::pages::request::PageRequest;
use crate::pages::unit_form::BASE_UNIT_FIELDS;

/// `GET /auctions/new/settings`
pub async fn show(request: PageRequest) -> Response {
    let choices = choices(&request).await;
    request.render(choices, |(books, groups)| auction_with_settings_page(books, groups))
}

/// The books and the groups that the viewer may choose.
async fn choices(request: &PageRequest) -> Loaded<(Vec<SelectOption>, Vec<SelectOption>)> {
    let user = request.user_id()?;
    let mut db = request.db().await?;
    Ok((kept(&mut db, user).await?, groups::facts::choices(&mut db, None, user).await?))
}

/// `POST /auctions/new/settings`
pub async fn create(request: FormRequest<()>) -> Result<String, Problem> {
    let FormRequest { state, user, form, .. } = request;
    let made = create_auction(&state.context, user, TermsForm(form)).await;
    let made = made.map_err(|error| renamed(error.into(), BASE_UNIT_FIELDS))?;
    Ok(format!("/auctions/{}", made.resource.auction.id))
}

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
fn auction_with_settings_page(books: Vec<SelectOption>, groups: Vec<SelectOption>) -> Html {
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

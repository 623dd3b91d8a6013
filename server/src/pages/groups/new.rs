//! `/groups/new`: creates a group.

use app::components::field::{CheckField, Field, TextField};
use app::components::page_title::PageTitle;
use app::components::saved_form::SavedForm;
use app::html::{Html, html};
use auction_house::groups::create::create_group;
use axum::response::Response;
use leptos::prelude::*;
use platform::fields::Object;
use platform::http::problem::Problem;

use super::NAME;
use super::show::done;
use crate::pages::form::{Form, FormBody};
use crate::pages::form_route::FormRequest;
use crate::pages::request::PageRequest;

/// `GET /groups/new`
pub async fn show(request: PageRequest) -> Response {
    let user = request.user_id();
    request.render(user, |_| new_group_page())
}

/// `POST /groups/new`
pub async fn create(request: FormRequest<()>) -> Result<String, Problem> {
    let FormRequest { state, user, form, .. } = request;
    let object = terms(&form);
    let made = create_group(&state.context, user, FormBody { object, form }).await?;
    Ok(done(made.resource.id, "created"))
}

/// A group as a form describes it. A checkbox that is not checked is not sent.
pub fn terms(form: &Form) -> Object {
    let mut object = Object::default();
    object.set("name", &form.text("name"));
    object.set("joinable", &form.get("joinable").is_some());
    object
}

const FIELDS: &[Field] = &[NAME];

fn new_group_page() -> Html {
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

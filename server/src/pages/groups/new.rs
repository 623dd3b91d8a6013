//! `/groups/new`: creates a group.

use app::pages::groups::new::new_group_page;
use auction_house::groups::create::create_group;
use axum::response::Response;
use platform::fields::Object;
use platform::http::problem::Problem;

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

//! The forms of one person on the page of a group.

use auction_house::groups::people::change::change_person;
use auction_house::groups::people::remove::remove_person;
use auction_house::groups::removed;
use auction_house::path::{PersonPath, RemovedPersonPath};
use platform::fields::Object;
use platform::http::problem::Problem;
use platform::text::ascii_digits;

use super::show::done;
use crate::codes;
use crate::pages::form::Form;
use crate::pages::form_route::{FormRequest, SessionFormRequest};

/// `POST /groups/{group_id}/people/{person}/change`
pub async fn change(request: SessionFormRequest<PersonPath>) -> Result<String, Problem> {
    let SessionFormRequest { request: FormRequest { state, user, path, form }, .. } = request;
    let whom = (path.group_id, user, path.person);
    let changed = change_person(&state.context, &state.accounts, whom, patch(&form)).await;
    changed.map_err(|error| of_a_row(error.into()))?;
    Ok(done(path.group_id, "changed"))
}

/// `POST /groups/{group_id}/people/{person}/remove`, a button.
pub async fn remove(request: FormRequest<PersonPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path, .. } = request;
    let whom = (path.group_id, user, path.person);
    remove_person(&state.context, &state.accounts, whom).await?;
    Ok(done(path.group_id, "removed"))
}

/// `POST /groups/{group_id}/removed/{user_id}/readmit`, a button.
pub async fn readmit(request: FormRequest<RemovedPersonPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path, .. } = request;
    let RemovedPersonPath { group_id, user_id } = path;
    removed::readmit(&state.context, group_id, user, user_id).await?;
    Ok(done(group_id, "readmitted"))
}

/// What the form changes: its fields are those of a row, or a button.
fn patch(form: &Form) -> Object {
    let mut patch = Object::default();
    // A keeper without a number has an empty field.
    let number = form.get("number").filter(|text| !text.trim().is_empty());
    match number.map(|text| ascii_digits(text.trim()).parse::<i64>().map_err(|_| text)) {
        Some(Ok(number)) => patch.set("number", &number),
        Some(Err(text)) => patch.set("number", &text),
        None => {}
    }
    for name in ["name", "role"] {
        patch.set_given(name, form.get(name).as_ref());
    }
    if let Some(disabled) = form.get("disabled") {
        patch.set("disabled", &(disabled == "true"));
    }
    patch
}

/// Each row has the form: its error is one of the page.
fn of_a_row(problem: Problem) -> Problem {
    match problem.code {
        codes::INVALID_BODY => {
            Problem::new(codes::INVALID_BODY, "Enter a number from 1 to 9999, and a name that can be read.")
        }
        _ => problem,
    }
}

//! What forms say of the terms of a book.

use crate::pages::auctions::terms::{BASE_UNIT_FIELDS, base_unit};
use crate::pages::form::{Form, renamed, texts};
use platform::fields::Object;
use platform::http::problem::Problem;

/// A book as a form describes it.
pub fn terms(form: &Form) -> Object {
    let mut object = texts(form, &["visibility"]);
    object.set("name", &form.text("name"));
    object.set("baseUnit", &base_unit(form));
    for name in ["startingBalance", "creditLimit"] {
        object.set(name, &form.number(name));
    }
    object
}

/// The problem with the form's names, and a missing unit beside its name.
pub fn in_form(problem: Problem) -> Problem {
    let names: Vec<_> = BASE_UNIT_FIELDS.iter().copied().chain([("baseUnit", "baseUnitName")]).collect();
    renamed(problem, &names)
}

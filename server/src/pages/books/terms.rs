//! What forms say of the terms of a book.

use crate::pages::amounts::Amounts;
use crate::pages::form::{Form, renamed, texts};
use crate::pages::unit_form::{BASE_UNIT_FIELDS, base_unit};
use platform::fields::Object;
use platform::http::problem::Problem;

/// A book as a form describes it. Its amounts may be in pieces of `amounts` or in the unit of the form.
pub fn terms(form: &Form, amounts: Option<Amounts>) -> Object {
    let mut object = texts(form, &["visibility"]);
    object.set("name", &form.text("name"));
    object.set("baseUnit", &base_unit(form));
    let plural = form.get("baseUnitPlural");
    let unit = Amounts::of_unit(form.text("baseUnitName"), plural, form.text("baseUnitSymbol"));
    let currencies = amounts.map(|amounts| amounts.currencies).unwrap_or_default();
    let amounts = Amounts { currencies, ..unit };
    for name in ["startingBalance", "creditLimit"] {
        object.set(name, &amounts.number(form, name));
    }
    object
}

/// The problem with the form's names, and a missing unit beside its name.
pub fn in_form(problem: Problem) -> Problem {
    let names: Vec<_> = BASE_UNIT_FIELDS.iter().copied().chain([("baseUnit", "baseUnitName")]).collect();
    renamed(problem, &names)
}

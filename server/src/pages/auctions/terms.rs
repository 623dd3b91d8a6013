//! What forms say of the terms of an auction or of a book.

use std::sync::Arc;

use crate::pages::form::{Form, texts};
use auction_house::auctions::AntiSnipe;
use platform::body::Body;
use platform::fields::{FieldError, Object};
use platform::http::problem::Problem;
use platform::idempotency::KeyedRequest;

/// The terms that a form gives an auction. The form has a field for each of them.
pub struct TermsForm(pub Arc<Form>);

impl Body for TermsForm {
    fn read(self) -> Result<Object, Problem> {
        terms(&self.0)
    }

    fn keyed(&self) -> Result<Option<KeyedRequest>, Problem> {
        self.0.keyed()
    }
}

/// An empty field is null: it removes the member.
fn terms(form: &Form) -> Result<Object, Problem> {
    let mut object = texts(form, &["joinMode", "bidderVisibility", "itemEndMode"]);
    object.set("name", &form.text("name"));
    object.set("description", &form.get("description"));
    // Browsers do not send an unchecked box.
    for name in ["memberCanInvite", "defaultAntiSnipe"] {
        object.set(name, &form.get(name).is_some());
    }
    let mut errors = Vec::new();
    for (name, bounds) in [
        ("defaultAntiSnipeThreshold", AntiSnipe::THRESHOLD),
        ("defaultAntiSnipeExtension", AntiSnipe::EXTENSION),
    ] {
        let seconds = form.get(name).map(|text| text.trim().parse().ok().filter(|it| bounds.contains(it)));
        match seconds {
            Some(None) => {
                let (least, most) = bounds.into_inner();
                errors.push(FieldError::explained(
                    name,
                    format!("Enter whole seconds from {least} to {most}."),
                ));
            }
            given => object.set(name, &given.flatten()),
        }
    }
    match form.moment("endDate") {
        Ok(end) => object.set("endDate", &end),
        Err(error) => errors.push(error),
    }
    object.set("baseUnit", &base_unit(form));
    object.set("bookId", &form.get("bookId"));
    if errors.is_empty() { Ok(object) } else { Err(Problem::fields(errors)) }
}

/// What the members of a base unit are called in forms.
pub const BASE_UNIT_FIELDS: &[(&str, &str)] = &[
    ("baseUnit.name", "baseUnitName"),
    ("baseUnit.plural", "baseUnitPlural"),
    ("baseUnit.symbol", "baseUnitSymbol"),
];

/// The base unit that a form names; none where it is left empty.
pub fn base_unit(form: &Form) -> Option<Object> {
    let mut unit = Object::default();
    for (field, member) in
        [("baseUnitName", "name"), ("baseUnitPlural", "plural"), ("baseUnitSymbol", "symbol")]
    {
        if let Some(text) = form.get(field) {
            unit.set(member, &text);
        }
    }
    (!unit.is_empty()).then_some(unit)
}

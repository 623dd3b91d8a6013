//! What forms say of the terms of an auction or of a book.

use crate::pages::unit_form::base_unit;
use std::sync::Arc;

use app::components::subjects::SUBJECT;

use crate::pages::form::{Form, set_texts};
use auction_house::auctions::AntiSnipe;
use platform::body::Body;
use platform::fields::{FieldError, Object};
use platform::http::problem::Problem;
use platform::idempotency::KeyedRequest;

/// The terms that a form gives an auction. The form has a field for each of them.
pub struct TermsForm(pub Arc<Form>);

/// The terms of one subject of the settings: those that its form has fields for.
pub struct PartForm {
    pub form: Arc<Form>,
    /// The goal as the API takes it.
    pub goal: Option<String>,
}

/// A subject of the settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    About,
    People,
    End,
    Money,
}

impl Part {
    const ALL: [Self; 4] = [Self::About, Self::People, Self::End, Self::Money];

    fn named(name: &str) -> Option<Self> {
        match name {
            "about" => Some(Self::About),
            "people" => Some(Self::People),
            "end" => Some(Self::End),
            "money" => Some(Self::Money),
            _ => None,
        }
    }
}

impl Body for PartForm {
    fn read(self) -> Result<Object, Problem> {
        let part = self.form.get(SUBJECT).and_then(Part::named);
        let parts = part.as_ref().map_or(&Part::ALL[..], std::slice::from_ref);
        let mut object = terms(&self.form, parts)?;
        if parts.contains(&Part::Money) {
            object.set("goal", &self.goal);
        }
        Ok(object)
    }
}

impl Body for TermsForm {
    fn read(self) -> Result<Object, Problem> {
        terms(&self.0, &Part::ALL)
    }

    fn keyed(&self) -> Result<Option<KeyedRequest>, Problem> {
        self.0.keyed()
    }
}

/// An empty field is null: it removes the member.
fn terms(form: &Form, parts: &[Part]) -> Result<Object, Problem> {
    let (mut object, mut errors) = (Object::default(), Vec::new());
    for part in parts {
        match part {
            Part::About => {
                object.set("name", &form.text("name"));
                object.set("description", &form.get("description"));
                object.set("collection", &form.get("collection"));
            }
            Part::People => {
                set_texts(&mut object, form, &["joinMode", "bidderVisibility", "readableBy"]);
                // Browsers do not send an unchecked box.
                object.set("memberCanInvite", &form.get("memberCanInvite").is_some());
                object.set("groupId", &form.get("groupId"));
            }
            Part::End => end(form, &mut object, &mut errors),
            Part::Money => {
                object.set("baseUnit", &base_unit(form));
                object.set("bookId", &form.get("bookId"));
                object.set("currencyCode", &form.get("currencyCode"));
            }
        }
    }
    if errors.is_empty() { Ok(object) } else { Err(Problem::fields(errors)) }
}

/// The end of the auction and of its items.
fn end(form: &Form, object: &mut Object, errors: &mut Vec<FieldError>) {
    set_texts(object, form, &["itemEndMode"]);
    object.set("defaultAntiSnipe", &form.get("defaultAntiSnipe").is_some());
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
}

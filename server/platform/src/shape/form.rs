//! Fields of HTML forms, as the members of a shape: texts, whole numbers, boxes and moments. Amounts and
//! nested objects have fields of their own, which a form reads by itself.

use std::ops::RangeInclusive;

use serde::Serialize;

use crate::fields::{FieldError, Object};

/// A form that was submitted.
pub trait SubmittedForm {
    /// The text of a field. An empty one is none.
    fn given(&self, name: &str) -> Option<&str>;

    /// Whether the form has the field, empty or not. A browser does not send a box that is not checked.
    fn has(&self, name: &str) -> bool;

    /// The moment that a field for a date and a time holds, as requests give it.
    fn moment(&self, name: &str) -> Result<Option<String>, FieldError>;
}

/// Reads what a form says of the members of a shape, as a request gives them.
pub struct FormReader<'a> {
    pub(super) form: &'a dyn SubmittedForm,
    /// Each box that may be sent unchecked, and a field that is sent beside it.
    pub(super) boxes: &'a [(&'a str, &'a str)],
    /// What whole numbers count, for the error: `whole seconds`.
    pub(super) numbers: &'a str,
    pub(super) object: &'a mut Object,
    pub(super) errors: &'a mut Vec<FieldError>,
}

impl FormReader<'_> {
    /// A text. An empty one is null, unless it must be given.
    pub(super) fn text(&mut self, name: &str, is_required: bool) {
        if self.form.has(name) {
            let text = self.form.given(name);
            self.object.set(name, &if is_required { Some(text.unwrap_or_default()) } else { text });
        }
    }

    /// A text that is null if nothing but blanks is entered.
    pub(super) fn line(&mut self, name: &str) {
        if self.form.has(name) {
            let text = self.form.given(name).map(str::trim).filter(|text| !text.is_empty());
            self.object.set(name, &text);
        }
    }

    /// One of several values.
    pub(super) fn choice(&mut self, name: &str) {
        self.object.set_given(name, self.form.given(name).as_ref());
    }

    pub(super) fn flag(&mut self, name: &str) {
        let beside = self.boxes.iter().find(|(own, _)| *own == name).map(|(_, beside)| *beside);
        if self.form.has(name) || beside.is_some_and(|beside| self.form.has(beside)) {
            self.object.set(name, &self.form.given(name).is_some());
        }
    }

    pub(super) fn integer(&mut self, name: &str, bounds: &RangeInclusive<i64>) {
        if !self.form.has(name) {
            return;
        }
        let text = self.form.given(name).map(str::trim).filter(|text| !text.is_empty());
        let number = text.map(|text| text.parse::<i64>().ok().filter(|number| bounds.contains(number)));
        if number == Some(None) {
            let (least, most) = (bounds.start(), bounds.end());
            let message = format!("Enter {} from {least} to {most}.", self.numbers);
            self.errors.push(FieldError::explained(name, message));
        } else {
            self.object.set(name, &number.flatten());
        }
    }

    pub(super) fn moment(&mut self, name: &str) {
        if self.form.has(name) {
            match self.form.moment(name) {
                Ok(moment) => self.object.set(name, &moment),
                Err(error) => self.errors.push(error),
            }
        }
    }
}

/// Writes the initial values of the fields of a form, by name.
#[derive(Default)]
pub struct FormValues(pub(super) Vec<(String, String)>);

impl FormValues {
    pub(super) fn text(&mut self, name: &str, text: impl Into<String>) {
        self.0.push((name.to_owned(), text.into()));
    }

    /// A flag that is set, or one of several values.
    pub(super) fn value(&mut self, name: &str, value: &impl Serialize) {
        let mut object = Object::default();
        object.set(name, value);
        let is_set = object.get(name).filter(|is_set| *is_set);
        if let Some(text) = object.get(name).or(is_set.map(|is_set: bool| is_set.to_string())) {
            self.text(name, text);
        }
    }
}

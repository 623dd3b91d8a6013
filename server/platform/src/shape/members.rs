//! Visiting the members of a shape, to read, write or describe them, or to fill or read a form.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::Serialize;
use serde::de::DeserializeOwned;
use utoipa::openapi::schema::{KnownFormat, SchemaFormat, Type};

use super::form::{FormReader, FormValues};
use super::schema::{Description, Visited};
use super::{Shape, write};
use crate::fields::{FieldError, Fields, Object};
use crate::time::Moment;

/// Visits the members of a shape, in one of five modes.
pub struct Members<'a>(Mode<'a>);

enum Mode<'a> {
    Read(&'a mut Fields),
    Write(&'a mut Object),
    Describe(&'a mut Description),
    /// Writes the values of a form's fields.
    Fill(&'a mut FormValues),
    /// Reads a form's fields.
    Gather(FormReader<'a>),
}

impl<'a> Members<'a> {
    pub(super) fn read(fields: &'a mut Fields) -> Self {
        Self(Mode::Read(fields))
    }

    pub(super) fn write(object: &'a mut Object) -> Self {
        Self(Mode::Write(object))
    }

    pub(super) fn describe(description: &'a mut Description) -> Self {
        Self(Mode::Describe(description))
    }

    pub(super) fn fill(values: &'a mut FormValues) -> Self {
        Self(Mode::Fill(values))
    }

    pub(super) fn gather(reader: FormReader<'a>) -> Self {
        Self(Mode::Gather(reader))
    }

    /// A text with a length within `chars`; required if it may not be empty.
    pub fn text(&mut self, name: &str, chars: RangeInclusive<usize>, value: &mut String) -> Visited<'_> {
        self.bounded_text(name, chars, Fields::text, value)
    }

    /// A text of one line with a length within `chars`; required if it may not be empty.
    pub fn line(&mut self, name: &str, chars: RangeInclusive<usize>, value: &mut String) -> Visited<'_> {
        self.bounded_text(name, chars, Fields::line, value)
    }

    /// A text of one line with a length within `chars`, which may be absent.
    pub fn optional_line(
        &mut self,
        name: &str,
        chars: RangeInclusive<usize>,
        value: &mut Option<String>,
    ) -> Visited<'_> {
        match &mut self.0 {
            Mode::Read(fields) => *value = fields.optional_line(name, chars),
            Mode::Write(object) => object.set_given(name, value.as_ref()),
            Mode::Fill(values) => values.text(name, value.clone().unwrap_or_default()),
            Mode::Gather(form) => form.line(name),
            Mode::Describe(description) => {
                return description.add(name, false, Type::String).length(&chars);
            }
        }
        Visited::none()
    }

    fn bounded_text(
        &mut self,
        name: &str,
        chars: RangeInclusive<usize>,
        read: fn(&mut Fields, &str, RangeInclusive<usize>) -> String,
        value: &mut String,
    ) -> Visited<'_> {
        match &mut self.0 {
            Mode::Read(fields) => *value = read(fields, name, chars),
            Mode::Write(object) => object.set(name, value),
            Mode::Fill(values) => values.text(name, value.as_str()),
            Mode::Gather(form) => form.text(name, *chars.start() > 0),
            Mode::Describe(description) => {
                let required = *chars.start() > 0;
                let member = description.add(name, required, Type::String).length(&chars);
                return if required { member } else { member.default_of(value) };
            }
        }
        Visited::none()
    }

    /// An integer within bounds.
    pub fn integer(&mut self, name: &str, bounds: RangeInclusive<i64>, value: &mut i64) -> Visited<'_> {
        match &mut self.0 {
            Mode::Read(fields) => *value = fields.integer(name, bounds, *value),
            Mode::Write(object) => object.set(name, value),
            Mode::Fill(values) => values.text(name, value.to_string()),
            Mode::Gather(form) => form.integer(name, &bounds),
            Mode::Describe(description) => {
                return description.add(name, false, Type::Integer).bounds(&bounds).default_of(value);
            }
        }
        Visited::none()
    }

    /// An integer within bounds, without a default.
    pub fn optional_integer(
        &mut self,
        name: &str,
        bounds: RangeInclusive<i64>,
        value: &mut Option<i64>,
    ) -> Visited<'_> {
        self.bounded(name, bounds, Fields::optional_integer, false, value)
    }

    /// An integer within bounds, or null. It must be given.
    pub fn integer_or_null(
        &mut self,
        name: &str,
        bounds: RangeInclusive<i64>,
        value: &mut Option<i64>,
    ) -> Visited<'_> {
        if let Mode::Write(object) = &mut self.0 {
            object.set(name, value);
            return Visited::none();
        }
        self.bounded(name, bounds, Fields::integer_or_null, true, value).or_null()
    }

    /// An integer within bounds that must be given. `None` after an error only.
    pub fn required_integer(
        &mut self,
        name: &str,
        bounds: RangeInclusive<i64>,
        value: &mut Option<i64>,
    ) -> Visited<'_> {
        self.bounded(name, bounds, Fields::required_integer, true, value)
    }

    fn bounded(
        &mut self,
        name: &str,
        bounds: RangeInclusive<i64>,
        read: fn(&mut Fields, &str, RangeInclusive<i64>) -> Option<i64>,
        required: bool,
        value: &mut Option<i64>,
    ) -> Visited<'_> {
        match &mut self.0 {
            Mode::Read(fields) => *value = read(fields, name, bounds),
            Mode::Write(object) => object.set_given(name, value.as_ref()),
            Mode::Fill(values) => values.text(name, value.map(|value| value.to_string()).unwrap_or_default()),
            Mode::Gather(form) => form.integer(name, &bounds),
            Mode::Describe(description) => {
                return description.add(name, required, Type::Integer).bounds(&bounds);
            }
        }
        Visited::none()
    }

    pub fn flag(&mut self, name: &str, value: &mut bool) -> Visited<'_> {
        self.typed(name, Type::Boolean, value)
    }

    /// A value written as a string. [`Visited::of`] sets its schema, if it has its own.
    pub fn value<T: DeserializeOwned + Serialize>(&mut self, name: &str, value: &mut T) -> Visited<'_> {
        self.typed(name, Type::String, value)
    }

    fn typed<T: DeserializeOwned + Serialize>(
        &mut self,
        name: &str,
        kind: Type,
        value: &mut T,
    ) -> Visited<'_> {
        match &mut self.0 {
            Mode::Read(fields) => {
                if let Some(given) = fields.optional(name) {
                    *value = given;
                }
            }
            Mode::Write(object) => object.set(name, value),
            Mode::Fill(values) => values.value(name, value),
            Mode::Gather(form) if kind == Type::Boolean => form.flag(name),
            Mode::Gather(form) => form.choice(name),
            Mode::Describe(description) => return description.add(name, false, kind).default_of(value),
        }
        Visited::none()
    }

    /// A value without a default, written as a string unless [`Visited::of`] says otherwise.
    pub fn optional<T: DeserializeOwned + Serialize>(
        &mut self,
        name: &str,
        value: &mut Option<T>,
    ) -> Visited<'_> {
        match &mut self.0 {
            Mode::Read(fields) => *value = fields.optional(name),
            Mode::Write(object) => object.set_given(name, value.as_ref()),
            Mode::Fill(_) | Mode::Gather(_) => {}
            Mode::Describe(description) => return description.add(name, false, Type::String),
        }
        Visited::none()
    }

    /// A value that is read from another type, without a default in the schema. An absent one stays as it is.
    pub fn read_from<G: DeserializeOwned, T: Serialize>(
        &mut self,
        name: &str,
        value: &mut T,
        read: impl FnOnce(G) -> Result<T, FieldError>,
    ) -> Visited<'_> {
        match &mut self.0 {
            Mode::Read(fields) => match fields.optional(name).map(read) {
                Some(Ok(read)) => *value = read,
                Some(Err(error)) => fields.report(error),
                None => {}
            },
            Mode::Write(object) => object.set(name, value),
            Mode::Fill(_) | Mode::Gather(_) => {}
            Mode::Describe(description) => return description.add(name, false, Type::String),
        }
        Visited::none()
    }

    /// A flag without a default.
    pub fn optional_flag(&mut self, name: &str, value: &mut Option<bool>) -> Visited<'_> {
        self.optional(name, value).typed(Type::Boolean)
    }

    /// A change of a flag. It may be absent but not null.
    pub fn flag_change(&mut self, name: &str, value: &mut Option<bool>) -> Visited<'_> {
        match &mut self.0 {
            Mode::Read(fields) => *value = fields.unless_absent(name),
            Mode::Write(object) => object.set_given(name, value.as_ref()),
            Mode::Fill(_) | Mode::Gather(_) => {}
            Mode::Describe(description) => return description.add(name, false, Type::Boolean).never_null(),
        }
        Visited::none()
    }

    /// A value that must be given. It keeps its default after an error only.
    pub fn given<T: DeserializeOwned + Serialize>(&mut self, name: &str, value: &mut T) -> Visited<'_> {
        match &mut self.0 {
            Mode::Read(fields) => {
                if let Some(given) = fields.required(name) {
                    *value = given;
                }
            }
            Mode::Write(object) => object.set(name, value),
            Mode::Fill(_) | Mode::Gather(_) => {}
            Mode::Describe(description) => return description.add(name, true, Type::String),
        }
        Visited::none()
    }

    /// A value that must be given. `None` after an error only.
    pub fn required<T: DeserializeOwned + Serialize>(
        &mut self,
        name: &str,
        value: &mut Option<T>,
    ) -> Visited<'_> {
        match &mut self.0 {
            Mode::Read(fields) => *value = fields.required(name),
            Mode::Write(object) => object.set_given(name, value.as_ref()),
            Mode::Fill(_) | Mode::Gather(_) => {}
            Mode::Describe(description) => return description.add(name, true, Type::String),
        }
        Visited::none()
    }

    /// A text that is parsed and may be absent.
    pub fn parsed<T: FromStr<Err: Display> + Display>(
        &mut self,
        name: &str,
        value: &mut Option<T>,
    ) -> Visited<'_> {
        self.parse(name, Fields::optional, false, value)
    }

    /// A text that is parsed and may be absent. A whole number stands for its digits.
    pub fn parsed_or_integer<T: FromStr<Err: Display> + Display>(
        &mut self,
        name: &str,
        value: &mut Option<T>,
    ) -> Visited<'_> {
        self.parse(name, Fields::text_or_integer, false, value).or_integer()
    }

    /// A change of a text that is parsed. It may be absent but not null.
    pub fn parsed_change<T: FromStr<Err: Display> + Display>(
        &mut self,
        name: &str,
        value: &mut Option<T>,
    ) -> Visited<'_> {
        self.parse(name, Fields::unless_absent, false, value).never_null()
    }

    /// A text that is parsed and must be given.
    pub fn required_parsed<T: FromStr<Err: Display> + Display>(
        &mut self,
        name: &str,
        value: &mut Option<T>,
    ) -> Visited<'_> {
        self.parse(name, Fields::required, true, value)
    }

    /// A time in RFC 3339.
    pub fn moment(&mut self, name: &str, value: &mut Option<Moment>) -> Visited<'_> {
        match &mut self.0 {
            Mode::Fill(_) => return Visited::none(),
            Mode::Gather(form) => {
                form.moment(name);
                return Visited::none();
            }
            _ => {}
        }
        self.parse(name, Fields::optional, false, value)
            .format(SchemaFormat::KnownFormat(KnownFormat::DateTime))
    }

    /// A password or another secret that must be given. It is parsed, and never written.
    pub fn required_secret<T: FromStr<Err: Display>>(
        &mut self,
        name: &str,
        value: &mut Option<T>,
    ) -> Visited<'_> {
        self.secret(name, Fields::required, true, value)
    }

    /// A password or another secret that may be absent. It is parsed, and never written.
    pub fn optional_secret<T: FromStr<Err: Display>>(
        &mut self,
        name: &str,
        value: &mut Option<T>,
    ) -> Visited<'_> {
        self.secret(name, Fields::optional, false, value)
    }

    fn secret<T: FromStr<Err: Display>>(
        &mut self,
        name: &str,
        read: fn(&mut Fields, &str) -> Option<String>,
        required: bool,
        value: &mut Option<T>,
    ) -> Visited<'_> {
        match &mut self.0 {
            Mode::Read(fields) => {
                *value = read(fields, name).and_then(|text| fields.parse(name, &text));
            }
            Mode::Write(_) | Mode::Fill(_) | Mode::Gather(_) => {}
            Mode::Describe(description) => {
                return description
                    .add(name, required, Type::String)
                    .format(SchemaFormat::KnownFormat(KnownFormat::Password));
            }
        }
        Visited::none()
    }

    fn parse<T: FromStr<Err: Display> + Display>(
        &mut self,
        name: &str,
        read: fn(&mut Fields, &str) -> Option<String>,
        required: bool,
        value: &mut Option<T>,
    ) -> Visited<'_> {
        match &mut self.0 {
            Mode::Read(fields) => {
                *value = read(fields, name).and_then(|text| fields.parse(name, &text));
            }
            Mode::Write(object) => {
                object.set_given(name, value.as_ref().map(ToString::to_string).as_ref());
            }
            Mode::Fill(values) => {
                if let Some(value) = value {
                    values.text(name, value.to_string());
                }
            }
            Mode::Gather(form) => form.line(name),
            Mode::Describe(description) => return description.add(name, required, Type::String),
        }
        Visited::none()
    }

    /// An object with members of its own.
    pub fn object<S: Shape>(&mut self, name: &str, value: &mut Option<S>) -> Visited<'_> {
        match &mut self.0 {
            Mode::Read(fields) => *value = fields.object(name, read_new),
            Mode::Write(object) => object.set_given(name, value.as_ref().map(write).as_ref()),
            Mode::Fill(_) | Mode::Gather(_) => {}
            Mode::Describe(description) => return description.add_object::<S>(name),
        }
        Visited::none()
    }

    /// A list of objects, empty by default.
    pub fn list<S: Shape>(&mut self, name: &str, value: &mut Vec<S>) -> Visited<'_> {
        match &mut self.0 {
            Mode::Read(fields) => *value = fields.list(name, read_new),
            Mode::Write(object) => object.set(name, &value.iter().map(write).collect::<Vec<_>>()),
            Mode::Fill(_) | Mode::Gather(_) => {}
            Mode::Describe(description) => return description.add_list::<S>(name),
        }
        Visited::none()
    }
}

fn read_new<S: Shape>(fields: &mut Fields) -> S {
    let mut shape = S::default();
    super::read(&mut shape, fields);
    shape
}

//! The values and errors of forms.

use super::RenderedText;

/// The initial values of a form: field name and value. A page provides it as context.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filled(pub Vec<(String, String)>);

impl Filled {
    pub fn value(&self, name: &str) -> Option<&str> {
        find(&self.0, name).map(String::as_str)
    }
}

/// A form that the server refused: the submitted values and the errors. [`render`](crate::render) provides it
/// as context of the page that shows the form again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Refused {
    /// Field name and submitted value.
    pub values: Vec<(String, String)>,
    /// The form had no fields, only a button. The other forms of the page keep their initial values.
    pub is_button: bool,
    /// One sentence about the whole form. Empty if the fields say it all.
    pub message: String,
    /// The way out, for an error that no change of the fields corrects.
    pub next_step: Option<NextStep>,
    /// Path of a field, and what is wrong with it.
    pub fields: Vec<(String, FieldProblem)>,
    /// The submitted description, if a preview was requested: then nothing was refused.
    pub preview: Option<RenderedText>,
}

/// Problem of a field, of which the form makes a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldProblem {
    /// Nothing was entered, or nothing that can be read.
    Missing,
    /// The value is none that the field can have.
    Invalid,
    /// The moment is after another one that it must precede.
    TooLate,
    /// The rest of a sentence that begins with the field: `can have at most 100 characters.`
    Predicate(String),
    /// A sentence that asks for another value.
    Ask(String),
    /// A whole sentence, which names the field or its row.
    Sentence(String),
}

/// A link to another page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextStep {
    pub label: &'static str,
    pub path: String,
}

impl Refused {
    pub fn value(&self, name: &str) -> Option<&str> {
        find(&self.values, name).map(String::as_str)
    }

    /// Problem of the field at this path.
    pub fn problem(&self, path: &str) -> Option<&FieldProblem> {
        find(&self.fields, path)
    }
}

fn find<'a, T>(entries: &'a [(String, T)], name: &str) -> Option<&'a T> {
    entries.iter().find(|(field, _)| field == name).map(|(_, found)| found)
}

//! The values and errors of forms.

use rules_engine::{BidForm, Violation};

use super::RenderedText;

/// The initial values of a form: field name and value. A page provides it as context.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filled(pub Vec<(String, String)>);

impl Filled {
    pub fn value(&self, name: &str) -> Option<&str> {
        find(&self.0, name)
    }
}

/// A form that the server refused: the submitted values and the errors. [`render`](crate::render) provides it
/// as context of the page that shows the form again.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Refused {
    /// Field name and submitted value.
    pub values: Vec<(String, String)>,
    /// The form had no fields, only a button. The other forms of the page keep their initial values.
    pub is_button: bool,
    /// One sentence about the whole form. Empty if the errors of the fields say it all.
    pub message: String,
    /// The way out, for an error that no change of the fields corrects.
    pub next_step: Option<NextStep>,
    /// Field name and error message.
    pub fields: Vec<(String, String)>,
    /// The rules that a bid broke.
    pub violations: Vec<Violation>,
    /// The bid that was refused.
    pub bid: Option<BidForm>,
    /// The submitted description, if a preview was requested: then nothing was refused.
    pub preview: Option<RenderedText>,
}

/// A link to another page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextStep {
    pub label: &'static str,
    pub path: String,
}

impl Refused {
    pub fn value(&self, name: &str) -> Option<&str> {
        find(&self.values, name)
    }

    pub fn error(&self, name: &str) -> Option<&str> {
        find(&self.fields, name)
    }
}

fn find<'a>(entries: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let found = entries.iter().find(|(field, _)| field == name);
    found.map(|(_, text)| text.as_str())
}

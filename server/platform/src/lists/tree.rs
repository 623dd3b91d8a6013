//! The values of a file.

/// A value, with what is in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Tree {
    /// A text, a number or a boolean, as a cell of a table has it.
    Text(String),
    List(Vec<Tree>),
    /// Members by their names, in their order.
    Record(Vec<(String, Tree)>),
}

impl Tree {
    pub(super) fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::List(_) | Self::Record(_) => None,
        }
    }

    /// The text of the member `name`, by which people know the record.
    pub(super) fn name(&self) -> Option<&str> {
        let Self::Record(members) = self else { return None };
        let name = members.iter().find(|(key, _)| key.eq_ignore_ascii_case("name"))?.1.as_text()?;
        Some(name).filter(|name| !name.is_empty())
    }
}

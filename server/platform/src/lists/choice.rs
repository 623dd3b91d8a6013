//! Which list of a file is read.

use super::ListError;
use crate::text::caseless;

/// Names of lists that a message has, at most.
const NAMES_MAX: usize = 20;

/// Names the columns of rows without a header by what is in them. None if the rows are of another kind.
pub type Headless = fn(&[Vec<String>]) -> Option<Vec<&'static str>>;

/// How well a list fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// It names no column.
    Not,
    Partly,
    /// It has the columns that an import needs, or that its program is known by.
    Wholly,
}

/// What is wanted of a file.
pub struct Wanted<'w> {
    /// Name of the list that is asked for.
    pub name: Option<&'w str>,
    /// How well a list with these columns fits.
    pub fit: &'w dyn Fn(&[&str]) -> Fit,
    pub headless: Option<Headless>,
}

impl Wanted<'_> {
    pub(super) fn fit(&self, headings: &[String]) -> Fit {
        (self.fit)(&headings.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// The index of the list that is asked for, else of the only one. Of several, a request says which one it
    /// means: they are those of different groups, or a history beside the balances.
    pub(super) fn choose(&self, names: &[&str]) -> Result<usize, ListError> {
        let listed = || {
            let names: Vec<String> = names.iter().take(NAMES_MAX).map(|name| format!("`{name}`")).collect();
            names.join(", ")
        };
        match (names, self.name) {
            ([], _) => Err(ListError::None),
            (_, Some(asked)) => {
                let asked = caseless(asked.trim());
                let found = names.iter().position(|name| caseless(name.trim()) == asked);
                found.ok_or_else(|| ListError::NoSuchList(listed()))
            }
            ([_], None) => Ok(0),
            (_, None) => Err(ListError::Several(listed())),
        }
    }
}

//! What an import knows of its tables beside the names of their columns.

use std::collections::HashSet;

use super::column::{Column, Meaning, Need, Vocabulary, key};
use super::kinds::Kinds;
use crate::lists::{Fit, Headless};

/// The tables that an import expects.
#[derive(Debug, Clone, Copy, Default)]
pub struct Expected {
    pub columns: &'static [Column],
    pub(super) kinds: Option<Kinds>,
    pub(super) headless: Option<Headless>,
    known: &'static [&'static [&'static str]],
}

impl Expected {
    pub const fn of(columns: &'static [Column]) -> Self {
        Self { columns, kinds: None, headless: None, known: &[] }
    }

    /// Tables whose rows are of several kinds.
    #[must_use]
    pub const fn kinds(self, kinds: Kinds) -> Self {
        Self { kinds: Some(kinds), ..self }
    }

    /// Tables without a header, whose columns are known by what is in them.
    #[must_use]
    pub const fn headless(self, headless: Headless) -> Self {
        Self { headless: Some(headless), ..self }
    }

    /// Lists that are known by these headings, also where a column must still be chosen.
    #[must_use]
    pub const fn known(self, headings: &'static [&'static [&'static str]]) -> Self {
        Self { known: headings, ..self }
    }

    /// How well a list with these headings fits.
    pub(super) fn fit(&self, words: &Vocabulary, headings: &[&str]) -> Fit {
        let keys: HashSet<String> = headings.iter().map(|heading| key(heading)).collect();
        let is_known = |names: &&[&str]| names.iter().all(|name| keys.contains(&key(name)));
        let meanings: HashSet<Meaning> =
            headings.iter().filter_map(|heading| words.meaning(heading.trim())).collect();
        let of = |need: Need| {
            let columns = self.columns.iter().enumerate().filter(move |(_, column)| column.need == need);
            columns.map(|(at, _)| meanings.iter().any(|meaning| meaning.column == at))
        };
        let has_needed = of(Need::Required).all(|has| has)
            && (of(Need::OneOf).any(|has| has) || of(Need::OneOf).next().is_none());
        if self.known.iter().any(is_known) || (has_needed && meanings.len() >= self.columns.len().min(2)) {
            return Fit::Wholly;
        }
        if meanings.is_empty() { Fit::Not } else { Fit::Partly }
    }
}

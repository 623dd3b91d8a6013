//! Columns of a table, and the headings that name them.

use std::collections::HashMap;

use crate::text::searchable;

/// A column of a table, which is found by its heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    pub(super) name: &'static str,
    also: &'static [&'static str],
    /// None if a table has one column for it.
    parts: Option<&'static [&'static [&'static str]]>,
    pub(super) need: Need,
}

/// Whether a table must have a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    Required,
    /// The table has at least one of the columns with this need.
    OneOf,
    Optional,
}

impl Column {
    pub const fn required(name: &'static str) -> Self {
        Self::new(name, Need::Required)
    }

    /// A column that a table may lack if it has another one of these.
    pub const fn one_of(name: &'static str) -> Self {
        Self::new(name, Need::OneOf)
    }

    pub const fn optional(name: &'static str) -> Self {
        Self::new(name, Need::Optional)
    }

    const fn new(name: &'static str, need: Need) -> Self {
        Self { name, also: &[], parts: None, need }
    }

    /// Usual names of the column, beside its own.
    #[must_use]
    pub const fn also(mut self, names: &'static [&'static str]) -> Self {
        self.also = names;
        self
    }

    /// Several columns of a table may be joined to this one, with a blank between their cells. `parts` has
    /// the usual names of such columns, in their order.
    #[must_use]
    pub const fn joined(mut self, parts: &'static [&'static [&'static str]]) -> Self {
        self.parts = Some(parts);
        self
    }

    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Whether several columns of a table may be joined to this one.
    pub(super) const fn can_be_joined(&self) -> bool {
        self.parts.is_some()
    }
}

/// The meaning of a heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Meaning {
    /// Index of the column.
    pub column: usize,
    /// Index of the part that is joined. None if the heading names the whole column.
    pub part: Option<usize>,
}

/// The headings that name columns, in the form of [`key`].
#[derive(Debug)]
pub(super) struct Vocabulary(HashMap<String, Meaning>);

impl Vocabulary {
    /// A name that is usual for two columns means the first.
    pub fn of(columns: &[Column]) -> Self {
        let mut words = HashMap::new();
        for (column, Column { name, also, parts, .. }) in columns.iter().enumerate() {
            for word in [*name].iter().chain(*also) {
                words.entry(key(word)).or_insert(Meaning { column, part: None });
            }
            for (part, names) in parts.iter().copied().flatten().enumerate() {
                for word in *names {
                    words.entry(key(word)).or_insert(Meaning { column, part: Some(part) });
                }
            }
        }
        Self(words)
    }

    /// The meaning of a heading in which `#` reads as “number”.
    pub fn numbered(&self, heading: &str) -> Option<Meaning> {
        self.0.get(&key(&heading.replace('#', "number"))).copied()
    }

    /// The meaning of a heading in which `#` is a mark without a meaning.
    pub fn unmarked(&self, heading: &str) -> Option<Meaning> {
        self.0.get(&key(heading)).copied()
    }

    pub fn meaning(&self, heading: &str) -> Option<Meaning> {
        self.numbered(heading).or_else(|| self.unmarked(heading))
    }
}

/// A heading without case, accents, blanks and `. _ - # / :`.
pub(super) fn key(heading: &str) -> String {
    let is_mark = |letter: char| {
        letter.is_whitespace()
            || matches!(letter, '.' | '_' | '-' | '#' | '/' | ':' | '\u{2010}'..='\u{2015}')
    };
    searchable(heading).chars().filter(|letter| !is_mark(*letter)).collect()
}

/// The address of a cell in a spreadsheet, such as C17. The first column has the index 0.
pub fn address(column: usize, row: usize) -> String {
    format!("{}{row}", letters(column))
}

/// The letters of a column in a spreadsheet. The first one has the index 0.
pub fn letters(index: usize) -> String {
    let mut letters = Vec::new();
    let mut rest = index + 1;
    while rest > 0 {
        let digit = u8::try_from((rest - 1) % 26).unwrap_or_default();
        letters.push(char::from(b'A' + digit));
        rest = (rest - 1) / 26;
    }
    letters.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_is_read_without_case_accents_blanks_and_marks() {
        let columns = [
            Column::optional("lot").also(&["lot number", "number", "Los-Nummer"]),
            Column::optional("seller").also(&["Verkäufer"]),
            Column::optional("name").joined(&[&["first name"], &["last name"]]),
        ];
        let words = Vocabulary::of(&columns);
        let column = |heading: &str| words.meaning(heading).map(|meaning| meaning.column);
        for heading in
            ["lot", "LOT", "Lot #", "Lot-Number", "#", "Los Nummer", "losnummer", "L.o.t: n_u-m#b/er"]
        {
            assert_eq!(column(heading), Some(0), "{heading}");
        }
        for heading in ["Verkaufer", "VERKÄUFER", "Verka\u{308}ufer", " s\u{a0}eller "] {
            assert_eq!(column(heading), Some(1), "{heading}");
        }
        assert_eq!(words.meaning("Last_Name"), Some(Meaning { column: 2, part: Some(1) }));
        assert_eq!(["lots", "seller name", ""].map(column), [None; 3]);
    }

    #[test]
    fn a_mark_is_a_number_where_that_is_a_name() {
        let columns =
            [Column::optional("lot").also(&["item number"]), Column::optional("name").also(&["item"])];
        let words = Vocabulary::of(&columns);
        assert_eq!(words.numbered("Item #").map(|meaning| meaning.column), Some(0));
        assert_eq!(words.meaning("#name").map(|meaning| meaning.column), Some(1));
    }

    #[test]
    fn columns_have_the_letters_of_a_spreadsheet() {
        assert_eq!(
            [0, 2, 25, 26, 51, 52, 701, 702].map(letters),
            ["A", "C", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]
        );
    }
}

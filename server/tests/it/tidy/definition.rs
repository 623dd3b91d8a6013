//! Definitions of types, and the types that contain them.

use std::collections::BTreeSet;

use super::source::{Source, item_length, words};

/// The definition of a struct or an enum, with its attributes.
pub struct Definition {
    pub source: &'static Source,
    pub offset: usize,
    pub name: &'static str,
    pub code: &'static str,
}

impl Definition {
    /// Whether the definition or its attributes contain this word.
    pub fn names(&self, word: &str) -> bool {
        words(self.code).any(|(_, other)| other == word)
    }
}

/// All definitions in a file.
pub fn definitions(source: &'static Source) -> impl Iterator<Item = Definition> {
    let keywords = source.words().filter(|(_, word)| matches!(*word, "struct" | "enum"));
    keywords.filter_map(move |(at, keyword)| {
        let (space, name) = words(&source.code[at + keyword.len()..]).next()?;
        // A macro that defines types names none.
        if source.code[..at + keyword.len() + space].ends_with('$') {
            return None;
        }
        // The attributes are between the previous item and this one.
        let offset = source.code[..at].rfind(['}', ';']).map_or(0, |end| end + 1);
        let code = &source.code[offset..at + item_length(&source.code[at..])];
        Some(Definition { source, offset, name, code })
    })
}

/// The types of these names, and every type that contains one of them.
pub fn naming(
    definitions: &[Definition],
    names: impl Iterator<Item = &'static str>,
) -> BTreeSet<&'static str> {
    let mut types: BTreeSet<_> = names.collect();
    loop {
        let contains_one =
            |definition: &&Definition| words(definition.code).any(|(_, word)| types.contains(word));
        let found: Vec<_> =
            definitions.iter().filter(contains_one).map(|definition| definition.name).collect();
        let before = types.len();
        types.extend(found);
        if types.len() == before {
            return types;
        }
    }
}

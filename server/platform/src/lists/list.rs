//! The lists of a file.

use std::collections::{HashMap, HashSet};

use super::choice::Headless;
use super::tree::Tree;
use super::{COLUMNS_MAX, LISTS_MAX, ListError, ROWS_MAX};
use crate::text::caseless;

/// A list of records, or of rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct List {
    pub name: String,
    /// Empty if the rows have no names of columns.
    pub headings: Vec<String>,
    /// The cells with their columns, those without a value left out.
    pub rows: Vec<Vec<(usize, String)>>,
}

impl List {
    /// Names the columns of rows without names, if they are known by what is in them.
    pub(super) fn name_columns(&mut self, headless: Option<Headless>) {
        if !self.headings.is_empty() {
            return;
        }
        let cells = |row: &Vec<(usize, String)>| row.iter().map(|(_, cell)| cell.clone()).collect::<Vec<_>>();
        let rows: Vec<Vec<String>> = self.rows.iter().map(cells).collect();
        let known = headless.and_then(|headless| headless(&rows));
        self.headings.extend(known.into_iter().flatten().map(str::to_owned));
    }

    /// The text of a table with commas.
    pub(super) fn csv(&self) -> String {
        // The separator is named: no other mark is taken for it.
        let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(b"sep=,\n".to_vec());
        let mut rows = Vec::with_capacity(self.rows.len() + 1);
        if !self.headings.is_empty() {
            rows.push(self.headings.iter().map(String::as_str).collect::<Vec<_>>());
        }
        for row in &self.rows {
            let width = row.iter().map(|(column, _)| column + 1).max().unwrap_or(1);
            let mut cells = vec![""; width.max(self.headings.len())];
            for (column, cell) in row {
                if let Some(place) = cells.get_mut(*column) {
                    *place = cell;
                }
            }
            rows.push(cells);
        }
        for cells in rows {
            // INVARIANT: writing to memory does not fail.
            let _ = writer.write_record(cells);
        }
        let text = writer.into_inner().unwrap_or_default();
        String::from_utf8(text).unwrap_or_default()
    }
}

/// All lists of a file, from the outside in.
pub(super) fn all_of(tree: &Tree) -> Result<Vec<List>, ListError> {
    let mut lists = Vec::new();
    walk(tree, &mut Path::default(), &mut lists)?;
    Ok(lists)
}

/// The way to a value.
#[derive(Default)]
struct Path {
    keys: Vec<String>,
    /// Names of the records in which it stands.
    names: Vec<String>,
}

impl Path {
    /// What a list is called: by the names of its records, where they have one.
    fn label(&self) -> String {
        match (self.names.is_empty(), self.keys.first()) {
            (true, _) => self.keys.join("/"),
            (false, Some(first)) => format!("{} ({first})", self.names.join("/")),
            (false, None) => self.names.join("/"),
        }
    }
}

fn walk(tree: &Tree, path: &mut Path, lists: &mut Vec<List>) -> Result<(), ListError> {
    match tree {
        Tree::Text(_) => {}
        Tree::Record(members) => {
            if let Some(keyed) = keyed(members) {
                return walk(&keyed, path, lists);
            }
            for (key, value) in members {
                path.keys.push(key.clone());
                walk(value, path, lists)?;
                path.keys.pop();
            }
        }
        Tree::List(items) => {
            if let Some(list) = read(items, path)? {
                if lists.len() == LISTS_MAX {
                    return Err(ListError::TooLarge("100 lists"));
                }
                lists.push(list);
            }
            for item in items {
                let name = item.name().map(str::to_owned);
                let is_named = name.is_some();
                path.names.extend(name);
                walk(item, path, lists)?;
                if is_named {
                    path.names.pop();
                }
            }
        }
    }
    Ok(())
}

/// The records of an object whose members are records, such as `{"Ada": {"points": 5}}`, as a list. The keys
/// are names where the records have none. None if a member is anything else, or has no text.
fn keyed(members: &[(String, Tree)]) -> Option<Tree> {
    let has_text = |tree: &Tree| match tree {
        Tree::Record(members) => members.iter().any(|(_, value)| value.as_text().is_some()),
        Tree::Text(_) | Tree::List(_) => false,
    };
    if members.len() < 2 || !members.iter().all(|(_, tree)| has_text(tree)) {
        return None;
    }
    let is_named = members.iter().any(|(_, tree)| tree.name().is_some());
    let record = |(key, tree): &(String, Tree)| {
        let own = Some(("name".to_owned(), Tree::Text(key.clone()))).filter(|_| !is_named);
        let Tree::Record(members) = tree else { return tree.clone() };
        Tree::Record(own.into_iter().chain(members.iter().cloned()).collect())
    };
    Some(Tree::List(members.iter().map(record).collect()))
}

/// The records with their texts, or the rows of texts. None if there are neither.
fn read(items: &[Tree], path: &Path) -> Result<Option<List>, ListError> {
    let mut list = List { name: path.label(), headings: Vec::new(), rows: Vec::new() };
    let mut places: HashMap<&str, usize> = HashMap::new();
    for item in items {
        let Tree::Record(members) = item else { continue };
        let mut row = Vec::new();
        for (key, value) in members {
            let Some(text) = value.as_text() else { continue };
            let at = *places.entry(key).or_insert_with(|| {
                list.headings.push(key.clone());
                list.headings.len() - 1
            });
            if !text.is_empty() {
                row.push((at, text.to_owned()));
            }
        }
        if list.headings.len() > COLUMNS_MAX {
            return Err(ListError::TooLarge("200 columns"));
        }
        if list.rows.len() < ROWS_MAX {
            list.rows.push(row);
        }
    }
    if !list.headings.is_empty() {
        return Ok(Some(list));
    }
    list.rows.clear();
    for item in items {
        let Tree::List(cells) = item else { continue };
        let row: Option<Vec<(usize, String)>> =
            cells.iter().enumerate().map(|(at, cell)| Some((at, cell.as_text()?.to_owned()))).collect();
        let Some(row) = row.filter(|row| !row.is_empty()) else { continue };
        if row.len() > COLUMNS_MAX {
            return Err(ListError::TooLarge("200 columns"));
        }
        if list.rows.len() < ROWS_MAX {
            list.rows.push(row);
        }
    }
    Ok(Some(list).filter(|list| !list.rows.is_empty()))
}

/// Gives lists of one name a number each, and a list without one a word.
pub(super) fn name_apart(lists: &mut [List]) {
    let mut taken = HashSet::new();
    for list in lists {
        if list.name.is_empty() {
            list.name.push_str("List");
        }
        let name = list.name.clone();
        let mut number = 2;
        while !taken.insert(caseless(&list.name)) {
            list.name = format!("{name} {number}");
            number += 1;
        }
    }
}

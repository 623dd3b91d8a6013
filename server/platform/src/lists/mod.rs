//! Lists in JSON, XML, Lua and the sections of a text, as texts of tables with commas (SPEC, section 3):
//! other programs export their people and points so. A file comes from anybody: it is bounded before
//! anything of it is kept, but for its bytes, which the caller bounds.

mod choice;
mod json;
mod list;
mod lua;
mod sections;
mod tree;
mod xml;

use crate::sheet::number;

pub use self::choice::{Fit, Headless, Wanted};
use self::list::List;

/// Levels of a file.
const LEVELS_MAX: usize = 32;
/// Values of a file, lists and records included.
const VALUES_MAX: usize = 500_000;
const LISTS_MAX: usize = 100;
/// Rows of a list that are kept. A table has fewer: its reader says which row is one too many.
const ROWS_MAX: usize = 5_101;
const COLUMNS_MAX: usize = 200;

/// Why lists are not read as a table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ListError {
    #[error("The JSON ends or goes wrong in line {0}, column {1}: copy the whole export.")]
    Json(usize, usize),
    #[error("The XML ends or goes wrong in line {0}: copy the whole export.")]
    Xml(usize),
    #[error("The saved variables end or go wrong in line {0}: take the whole file.")]
    Lua(usize),
    #[error("This is a web page: open it in a browser, and copy its table from there.")]
    Html,
    #[error("A file of lists has at most {0}: export less at once.")]
    TooLarge(&'static str),
    #[error("There is no list of people or things in this file.")]
    None,
    #[error("must be one of the lists: {0}")]
    NoSuchList(String),
    #[error("must say which list is meant: {0}")]
    Several(String),
}

/// The format of a text with lists, by its beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Json,
    Xml,
    Html,
    Sections,
    Lua,
}

impl Format {
    /// None for a table, whatever separates its cells.
    fn of(text: &str) -> Option<Self> {
        let text = text.trim_start_matches('\u{feff}').trim_start();
        let mut letters = text.chars().filter(|letter| !letter.is_whitespace());
        match (letters.next()?, letters.next()) {
            ('{', Some('"' | '}')) | ('[', Some('{' | '[' | '"' | ']')) => Some(Self::Json),
            ('<', Some(second)) if second.is_ascii_alphabetic() || matches!(second, '?' | '!') => {
                Some(if is_web_page(text) { Self::Html } else { Self::Xml })
            }
            ('#', _) if sections::begin(text) => Some(Self::Sections),
            _ if lua::begins(text) => Some(Self::Lua),
            _ => None,
        }
    }
}

fn is_web_page(text: &str) -> bool {
    let start: String = text.chars().take(1_000).collect::<String>().to_ascii_lowercase();
    ["<!doctype html", "<html", "<body", "<table", "<div"].iter().any(|mark| start.contains(mark))
}

/// Whether a text has lists instead of a table.
pub fn are_in(text: &str) -> bool {
    Format::of(text).is_some()
}

/// Whether a file of these bytes may have lists.
pub fn may_be_in(bytes: &[u8]) -> bool {
    let start = bytes.iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0xef | 0xbb | 0xbf));
    match start {
        Some(b'{' | b'[' | b'<' | b'#') => true,
        // The name of a variable, or a comment above it.
        Some(_) => bytes.windows(4).any(|mark| mark == b" = {"),
        None => false,
    }
}

/// The list that is wanted, as a text of a table with commas.
///
/// # Errors
/// Why none is read.
pub fn csv_of(text: &str, wanted: &Wanted<'_>) -> Result<String, ListError> {
    let lists = lists_of(text, wanted)?;
    let names: Vec<&str> = lists.iter().map(|list| list.name.as_str()).collect();
    let chosen = wanted.choose(&names)?;
    lists.get(chosen).map(List::csv).ok_or(ListError::None)
}

/// Names of the lists that fit best, in their order.
///
/// # Errors
/// Why the file is not read.
pub fn names_of(text: &str, wanted: &Wanted<'_>) -> Result<Vec<String>, ListError> {
    Ok(lists_of(text, wanted)?.into_iter().map(|list| list.name).collect())
}

fn lists_of(text: &str, wanted: &Wanted<'_>) -> Result<Vec<List>, ListError> {
    let text = text.trim_start_matches('\u{feff}');
    let mut lists = match Format::of(text) {
        Some(Format::Json) => list::all_of(&json::read(text)?)?,
        Some(Format::Xml) => list::all_of(&xml::read(text)?)?,
        Some(Format::Html) => return Err(ListError::Html),
        Some(Format::Sections) => sections::read(text)?,
        Some(Format::Lua) => list::all_of(&lua::read(text)?)?,
        None => Vec::new(),
    };
    for list in &mut lists {
        list.name_columns(wanted.headless);
    }
    // Beside a list that fits, one that does not is a part of its program's settings.
    let best = lists.iter().map(|list| wanted.fit(&list.headings)).max().unwrap_or(Fit::Not);
    lists.retain(|list| wanted.fit(&list.headings) == best);
    list::name_apart(&mut lists);
    Ok(lists)
}

/// A number of a program in the digits of a table. Exactly three digits after the point get a zero, so that
/// the point is not taken for one between thousands. None if the text is no such number.
fn decimal(text: &str) -> Option<String> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) =
        unsigned.split_once(['e', 'E']).map_or((unsigned, None), |(m, e)| (m, Some(e)));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_whole = are_digits(whole) && (whole == "0" || !whole.starts_with('0'));
    if !is_whole || !are_digits(fraction) {
        return None;
    }
    if exponent.is_some() {
        return text.parse().ok().and_then(number);
    }
    if mantissa.bytes().all(|byte| matches!(byte, b'0' | b'.')) {
        return Some("0".to_owned());
    }
    Some(if fraction.len() == 3 { format!("{text}0") } else { text.to_owned() })
}

#[cfg(test)]
mod tests;

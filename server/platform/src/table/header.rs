//! The header of a table, and the columns that its headings name.

use std::collections::HashSet;

use super::column::{Column, Meaning, Need, Vocabulary};
use super::layout::{HeadedColumn, Layout};
use super::reading::{COLUMN, HEADER_ROW, Reading};
use super::records::Records;
use super::{Unreadable, row_path};
use crate::fields::FieldError;
use crate::text::{caseless, composed};

/// The first rows of a table, of which one is the header.
const ROWS_MAX: usize = 20;
/// Names of columns that a message lists, at most.
const NAMES_MAX: usize = 20;

/// The row of a header with its cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Header {
    pub row: usize,
    pub headings: Vec<String>,
    /// How many columns it names.
    pub named: usize,
}

/// The places of the cells of each column, in the order in which they are joined.
pub(super) type Places<const N: usize> = [Vec<usize>; N];

/// The header of a text: the row that the request chooses, else the first of the first 20 rows that names two
/// columns, else the first that names one.
pub(super) fn find(text: &str, separator: u8, words: &Vocabulary, reading: &Reading) -> Option<Header> {
    let headers = Records::of(text, separator).map(|(row, record)| {
        let headings: Vec<String> = record.iter().map(|cell| composed(cell.trim())).collect();
        let named = named(&headings, words, reading);
        Header { row, headings, named }
    });
    if let Some(asked) = reading.header_row {
        return headers
            .into_iter()
            .take_while(|header| header.row <= asked)
            .find(|header| header.row == asked);
    }
    let mut best: Option<Header> = None;
    for header in headers.take_while(|header| header.row <= ROWS_MAX) {
        if header.named.min(2) > best.as_ref().map_or(0, |best| best.named.min(2)) {
            best = Some(header);
        }
    }
    best
}

/// How many columns these headings name.
fn named(headings: &[String], words: &Vocabulary, reading: &Reading) -> usize {
    let chosen: HashSet<String> = reading.choices.iter().map(|choice| same(&choice.heading)).collect();
    let meanings: HashSet<Meaning> = headings.iter().filter_map(|heading| words.meaning(heading)).collect();
    let others: HashSet<&String> = headings
        .iter()
        .filter(|heading| chosen.contains(&same(heading)) && words.meaning(heading).is_none())
        .collect();
    meanings.len() + others.len()
}

/// The columns of a header: those that the request chooses, and the leftmost ones with their names. With an
/// error if one is missing that a table must have.
pub(super) fn places<const N: usize>(
    header: Option<Header>,
    columns: &[Column; N],
    words: &Vocabulary,
    reading: &Reading,
    separator: u8,
) -> Result<(Places<N>, Layout, Option<FieldError>), Unreadable> {
    let Some(header) = header else {
        return Err(match reading.header_row {
            Some(row) => Unreadable::Request(FieldError::new(
                HEADER_ROW,
                format!("must be a row of the table: row {row} is empty"),
            )),
            None => Unreadable::Table(no_header(1, columns)),
        });
    };
    let chosen = chosen(&header.headings, columns, words, reading)
        .map_err(|message| Unreadable::Request(FieldError::new(COLUMN, message)))?;
    let is_free: Vec<bool> = (0..header.headings.len()).map(|at| !chosen.is_decided(at)).collect();
    let places = by_name(&header.headings, &is_free, words, chosen.places);
    if places.iter().all(Vec::is_empty) {
        let error = no_header(header.row, columns);
        return Err(match reading.header_row {
            Some(_) => Unreadable::Request(FieldError::new(HEADER_ROW, error.message)),
            None => Unreadable::Table(error),
        });
    }
    let missing = missing(&places, columns).map(|missing| missing_column(&header, &missing, separator));
    let field = |at: usize| {
        let found = places.iter().zip(columns).find(|(places, _)| places.contains(&at));
        found.map(|(_, column)| column.name)
    };
    let headed = header.headings.iter().enumerate();
    let headed = headed.map(|(at, heading)| HeadedColumn::of(at, heading, field(at))).collect();
    let mut layout = Layout { header_row: header.row, columns: headed, separator, ..Layout::default() };
    layout.silence_errors();
    Ok((places, layout, missing))
}

/// What a request chooses.
struct Chosen<const N: usize> {
    places: Places<N>,
    not_read: Vec<usize>,
}

impl<const N: usize> Chosen<N> {
    fn is_decided(&self, at: usize) -> bool {
        self.not_read.contains(&at) || self.places.iter().any(|places| places.contains(&at))
    }
}

/// The places that a request chooses. Of columns with one heading the first choice takes the first one.
fn chosen<const N: usize>(
    headings: &[String],
    columns: &[Column; N],
    words: &Vocabulary,
    reading: &Reading,
) -> Result<Chosen<N>, String> {
    let mut chosen = Chosen { places: [const { Vec::new() }; N], not_read: Vec::new() };
    for choice in &reading.choices {
        let label = |at: usize, heading: &String| HeadedColumn::of(at, heading, None).label;
        let is_named = |at: usize, heading: &String| same(&label(at, heading)) == same(&choice.heading);
        let mut with_heading = headings.iter().enumerate().filter(|(at, heading)| is_named(*at, heading));
        let Some(first) = with_heading.next() else {
            return Err(format!(
                "must name a heading of the table, which has no `{}`; it has {}",
                choice.heading,
                listed(headings)
            ));
        };
        let mut all = [first].into_iter().chain(with_heading).map(|(at, _)| at);
        let Some(at) = all.find(|at| !chosen.is_decided(*at)) else {
            return Err(format!("must name each column once, not `{}` again", choice.heading));
        };
        let Some(field) = &choice.field else {
            chosen.not_read.push(at);
            continue;
        };
        let found = chosen.places.iter_mut().zip(columns).find(|(_, column)| column.name == field);
        match found {
            None => {
                let known: Vec<String> = columns.iter().map(|column| format!("`{}`", column.name)).collect();
                return Err(format!("must begin with a field, which `{field}` is not: {}", known.join(", ")));
            }
            Some((places, column)) if !places.is_empty() && !column.can_be_joined() => {
                return Err(format!("must choose one column for the field `{field}`"));
            }
            Some((places, _)) => places.push(at),
        }
    }
    // The first name stands before the last name, also where a table has them the other way round.
    let part = |at: &usize| {
        let meaning = headings.get(*at).and_then(|heading| words.meaning(heading));
        meaning.and_then(|meaning| meaning.part)
    };
    for places in &mut chosen.places {
        if places.iter().all(|at| part(at).is_some()) {
            places.sort_by_key(part);
        }
    }
    Ok(chosen)
}

/// Adds the leftmost of the free places whose headings name a column that has none. A heading for a whole
/// column wins over those of its parts.
fn by_name<const N: usize>(
    headings: &[String],
    is_free: &[bool],
    words: &Vocabulary,
    chosen: Places<N>,
) -> Places<N> {
    let mut found: [Vec<(Option<usize>, usize)>; N] = [const { Vec::new() }; N];
    let readings: [fn(&Vocabulary, &str) -> Option<Meaning>; 2] =
        [Vocabulary::numbered, Vocabulary::unmarked];
    for (is_second, meaning) in readings.into_iter().enumerate().map(|(round, read)| (round > 0, read)) {
        let before = found.clone();
        for (at, heading) in headings.iter().enumerate().filter(|(at, _)| is_free.get(*at) == Some(&true)) {
            let Some(Meaning { column, part }) = meaning(words, heading) else { continue };
            let is_named = is_second && before.get(column).is_some_and(|places| !places.is_empty());
            if let Some(places) = found.get_mut(column).filter(|_| !is_named)
                && places.iter().all(|(taken, place)| *taken != part && *place != at)
            {
                places.push((part, at));
            }
        }
    }
    let mut places = chosen;
    for (places, mut found) in places.iter_mut().zip(found).filter(|(places, _)| places.is_empty()) {
        // None is less than each part.
        found.sort_unstable();
        let whole = found.iter().take_while(|(part, _)| part.is_none()).count();
        found.truncate(if whole > 0 { whole } else { found.len() });
        places.extend(found.into_iter().map(|(_, at)| at));
    }
    places
}

/// The names of columns of which the table must have one, and has none.
fn missing<const N: usize>(places: &Places<N>, columns: &[Column; N]) -> Option<Vec<&'static str>> {
    let of = |need: Need| places.iter().zip(columns).filter(move |(_, column)| column.need == need);
    let required = of(Need::Required).find(|(places, _)| places.is_empty());
    let choice: Vec<_> = of(Need::OneOf).collect();
    match required {
        _ if !choice.is_empty() && choice.iter().all(|(places, _)| places.is_empty()) => {
            Some(choice.iter().map(|(_, column)| column.name).collect())
        }
        Some((_, column)) => Some(vec![column.name]),
        None => None,
    }
}

fn no_header<const N: usize>(row: usize, columns: &[Column; N]) -> FieldError {
    let known: Vec<String> = columns.iter().map(|column| format!("`{}`", column.name)).collect();
    FieldError::new(
        row_path(row),
        format!("must be the header, with some of the columns {}", known.join(", ")),
    )
}

fn missing_column(header: &Header, names: &[&str], separator: u8) -> FieldError {
    let separated = match separator {
        b',' => ", separated by commas",
        b';' => ", separated by semicolons",
        b'\t' => ", separated by tabs",
        _ => "",
    };
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let (names, found) = (names.join(" or "), listed(&header.headings));
    if header.row == 0 {
        let message = format!("has no header, and none of its columns {found} is {names}: choose one");
        return FieldError::new(row_path(1), message);
    }
    FieldError::new(
        row_path(header.row),
        format!("must be the header with the column {names}; it has {found}{separated}"),
    )
}

/// A heading as a request repeats it: a form sends other ends of lines than a table has.
fn same(heading: &str) -> String {
    caseless(&heading.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn listed(headings: &[String]) -> String {
    let found: Vec<String> = headings.iter().take(NAMES_MAX).map(|name| format!("`{name}`")).collect();
    found.join(", ")
}

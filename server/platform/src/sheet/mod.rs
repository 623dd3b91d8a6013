//! Spreadsheets (`.xlsx`, `.ods`) as texts of tables with commas (SPEC, section 3). A file comes from
//! anybody: nothing is kept before it is counted, and no size that the file states is believed.
//!
//! The library for spreadsheets, calamine, takes no such limits, tells no percentage of an `.ods`, and
//! refuses a whole file for one error value that it does not know.

mod cell_error;
mod grid;
mod kind;
mod number_format;
mod ods;
mod package;
mod value;
mod xlsx;
mod xml;

pub use self::cell_error::error_in;
pub use self::kind::Kind;
pub(crate) use self::value::number;

use self::grid::Grid;
use self::package::Package;
use crate::text::caseless;

/// Bytes of the file of a spreadsheet, at most.
pub const FILE_BYTES_MAX: usize = 5_000_000;
/// Rows from the top in which a header is looked for.
const HEADER_ROWS: u32 = 20;

/// Bounds of what is read of a spreadsheet.
#[derive(Debug, Clone, Copy)]
struct Limits {
    /// Bytes of the parts that are unpacked.
    unpacked: u64,
    /// The same, for each byte of the file.
    ratio: u64,
    parts: usize,
    /// Bytes of a tag or of a text.
    token: usize,
    /// Rows with a value. A table has fewer: its reader says which row is one too many.
    rows: usize,
    columns: u32,
    /// Bytes of the values.
    text: usize,
    /// Texts that cells share.
    strings: usize,
    merged: usize,
}

const LIMITS: Limits = Limits {
    unpacked: 50_000_000,
    ratio: 200,
    parts: 1_000,
    token: 1_000_000,
    rows: 5_101,
    columns: 200,
    text: 5_000_000,
    strings: 400_000,
    merged: 10_000,
};

/// Why a file is not read as a table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SheetError {
    /// The file is of another kind. The words say what to do.
    #[error("{0}")]
    Unsupported(&'static str),
    #[error("A spreadsheet has at most {0}: save the sheet alone, or as “CSV UTF-8”.")]
    TooLarge(&'static str),
    #[error("The spreadsheet can’t be read: open it, and save it again or as “CSV UTF-8”.")]
    Damaged,
    #[error("The spreadsheet has no visible sheet with values.")]
    Empty,
    #[error("must be one of the visible sheets: {0}")]
    NoSuchSheet(String),
}

/// The sheet that is read: the named one, else the first visible one that has a header, else the first
/// visible one with values.
struct Wanted<'w> {
    name: Option<&'w str>,
    is_header: &'w dyn Fn(&[&str]) -> bool,
    /// The first visible sheet with values, if it has no header.
    first: Option<Grid>,
    /// Names of the visible sheets.
    names: Vec<String>,
}

impl<'w> Wanted<'w> {
    fn new(name: Option<&'w str>, is_header: &'w dyn Fn(&[&str]) -> bool) -> Self {
        Self { name, is_header, first: None, names: Vec::new() }
    }

    /// Whether a visible sheet of this name may be the one.
    fn wants(&mut self, name: &str) -> bool {
        self.names.push(name.to_owned());
        // Spreadsheets do not tell names apart by case.
        self.name.is_none_or(|wanted| caseless(wanted.trim()) == caseless(name.trim()))
    }

    /// The sheet, if it is the one.
    fn take(&mut self, grid: Grid) -> Option<Grid> {
        if self.name.is_some() || grid.first_rows(HEADER_ROWS).iter().any(|row| (self.is_header)(row)) {
            return Some(grid);
        }
        if self.first.is_none() && !grid.is_empty() {
            self.first = Some(grid);
        }
        None
    }

    fn rest(self) -> Result<Grid, SheetError> {
        match (self.first, self.name) {
            (Some(grid), _) => Ok(grid),
            (None, None) => Err(SheetError::Empty),
            (None, Some(_)) => {
                let names: Vec<_> = self.names.iter().map(|name| format!("`{name}`")).collect();
                Err(SheetError::NoSuchSheet(names.join(", ")))
            }
        }
    }
}

/// The text of a sheet as a table with commas, in which rows and columns have the places that they have in
/// the spreadsheet. `is_header` says whether the cells of a row are those of a header.
///
/// # Errors
/// Why it is not read.
pub fn csv_of(
    bytes: &[u8],
    name: Option<&str>,
    is_header: &dyn Fn(&[&str]) -> bool,
) -> Result<String, SheetError> {
    csv_within(&LIMITS, bytes, name, is_header)
}

/// Names of the visible sheets, in their order.
///
/// # Errors
/// Why the file is not read.
pub fn names_of(bytes: &[u8]) -> Result<Vec<String>, SheetError> {
    let mut package = Package::open(bytes, &LIMITS)?;
    match ods::is_one(&mut package)? {
        true => ods::names(&mut package),
        false => xlsx::names(&mut package),
    }
}

fn csv_within(
    limits: &Limits,
    bytes: &[u8],
    name: Option<&str>,
    is_header: &dyn Fn(&[&str]) -> bool,
) -> Result<String, SheetError> {
    let mut package = Package::open(bytes, limits)?;
    let wanted = Wanted::new(name, is_header);
    let grid = match ods::is_one(&mut package)? {
        true => ods::read(&mut package, wanted)?,
        false => xlsx::read(&mut package, wanted)?,
    };
    grid.csv()
}

#[cfg(test)]
mod tests;

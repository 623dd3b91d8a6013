//! The values of a sheet, within the limits of what is read.

use std::ops::RangeInclusive;

use super::{Limits, SheetError};

/// Rows of a sheet, at most: no spreadsheet has more.
pub(super) const ROWS_MAX: u32 = 1_048_576;

/// Values with their places. One text holds all of them, so that many small ones cost no more than their
/// bytes.
pub(super) struct Grid {
    cells: Vec<Cell>,
    text: String,
    /// Rows with a value, as they came.
    rows: usize,
    limits: Limits,
}

#[derive(Debug, Clone, Copy)]
struct Cell {
    /// Row and column, from 0.
    place: (u32, u32),
    start: usize,
    end: usize,
}

impl Grid {
    pub(super) fn new(limits: &Limits) -> Self {
        Self { cells: Vec::new(), text: String::new(), rows: 0, limits: *limits }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Whether there are more rows than any table has.
    pub(super) fn is_full(&self) -> bool {
        self.rows > self.limits.rows
    }

    /// Sets the value of a cell. Blank ones are not kept.
    ///
    /// # Errors
    /// A sheet has fewer columns, or less text.
    pub(super) fn set(&mut self, place: (u32, u32), value: &str) -> Result<(), SheetError> {
        if value.trim().is_empty() {
            return Ok(());
        }
        if place.1 >= self.limits.columns {
            return Err(SheetError::TooLarge("200 columns"));
        }
        if place.0 >= ROWS_MAX {
            return Err(SheetError::Damaged);
        }
        if self.cells.last().is_none_or(|last| last.place.0 != place.0) {
            self.rows += 1;
            if self.is_full() {
                return Ok(());
            }
        }
        let start = self.text.len();
        if start + value.len() > self.limits.text {
            return Err(SheetError::TooLarge("5 MB of text"));
        }
        self.text.push_str(value);
        self.cells.push(Cell { place, start, end: self.text.len() });
        Ok(())
    }

    /// Brings the cells into the order of their places, in which files write them anyway.
    pub(super) fn sort(&mut self) {
        self.cells.sort_by_key(|cell| cell.place);
    }

    /// Clears all cells of a merged area but the first. The cells are in order.
    pub(super) fn merge(&mut self, rows: RangeInclusive<u32>, columns: &RangeInclusive<u32>) {
        let first = (*rows.start(), *columns.start());
        let from = self.cells.partition_point(|cell| cell.place.0 < *rows.start());
        let to = self.cells.partition_point(|cell| cell.place.0 <= *rows.end());
        for cell in self.cells.get_mut(from..to).unwrap_or_default() {
            if columns.contains(&cell.place.1) && cell.place != first {
                cell.end = cell.start;
            }
        }
    }

    /// The values of each of the first rows. The cells are in order.
    pub(super) fn first_rows(&self, rows: u32) -> Vec<Vec<&str>> {
        let mut first = vec![Vec::new(); rows as usize];
        for cell in self.cells.iter().take_while(|cell| cell.place.0 < rows) {
            if let Some(row) = first.get_mut(cell.place.0 as usize) {
                row.push(self.value(cell));
            }
        }
        first
    }

    fn value(&self, cell: &Cell) -> &str {
        self.text.get(cell.start..cell.end).unwrap_or_default()
    }

    /// The sheet as a table with commas. Blank rows and columns are kept, so that places stay as they are.
    /// The cells are in order.
    pub(super) fn csv(&self) -> Result<String, SheetError> {
        // The separator is named: no other mark in the header is taken for it.
        let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(b"sep=,\n".to_vec());
        let mut cells = self.cells.iter().peekable();
        let mut row = 0;
        let mut values: Vec<&str> = Vec::new();
        while let Some(next) = cells.peek() {
            values.clear();
            let is_here = next.place.0 == row;
            while let Some(cell) = cells.next_if(|cell| is_here && cell.place.0 == row) {
                let column = cell.place.1 as usize;
                values.resize(values.len().max(column), "");
                // Of two values of a cell the last one counts.
                values.truncate(column);
                values.push(self.value(cell));
            }
            if values.is_empty() {
                values.push("");
            }
            writer.write_record(&values).map_err(|_| SheetError::Damaged)?;
            row += 1;
        }
        let text = writer.into_inner().map_err(|_| SheetError::Damaged)?;
        String::from_utf8(text).map_err(|_| SheetError::Damaged)
    }
}

#[cfg(test)]
mod tests {
    use super::super::LIMITS;
    use super::*;

    fn grid(cells: &[(u32, u32, &str)]) -> Grid {
        let mut grid = Grid::new(&LIMITS);
        for (row, column, value) in cells {
            grid.set((*row, *column), value).unwrap();
        }
        grid.sort();
        grid
    }

    #[test]
    fn cells_keep_their_places() {
        let mut grid =
            grid(&[(1, 1, "number"), (1, 2, "a \"name\", long"), (4, 2, "Ada\nB"), (3, 1, "7"), (5, 0, " ")]);
        let text = "sep=,\n\"\"\n,number,\"a \"\"name\"\", long\"\n\"\"\n,7\n,,\"Ada\nB\"\n";
        assert_eq!(grid.csv().unwrap(), text);
        grid.merge(1..=4, &(1..=2));
        assert_eq!(grid.csv().unwrap(), "sep=,\n\"\"\n,number,\n\"\"\n,\n,,\n");
    }

    #[test]
    fn what_is_kept_has_bounds() {
        let limits = Limits { rows: 2, columns: 2, text: 10, ..LIMITS };
        let mut grid = Grid::new(&limits);
        assert_eq!(grid.set((0, 2), "a"), Err(SheetError::TooLarge("200 columns")));
        assert_eq!(grid.set((ROWS_MAX, 0), "a"), Err(SheetError::Damaged));
        assert_eq!(grid.set((0, 2), "  "), Ok(()), "nothing is there");
        for row in 0..4 {
            grid.set((row, 0), "ab").unwrap();
        }
        assert!(grid.is_full());
        assert_eq!(grid.csv().unwrap(), "sep=,\nab\nab\n");
        assert_eq!(grid.set((1, 1), "ninebytes"), Err(SheetError::TooLarge("5 MB of text")));
    }
}

//! Tables as workbooks (`.xlsx`) of which a spreadsheet changes no cell.

use std::io::{BufWriter, Error, Write};

use rust_xlsxwriter::{DocProperties, ExcelDateTime, Workbook as Book, XlsxError};

use crate::cell::Cell;
use crate::csv_text::with_apostrophe_kept;

/// Rows of a sheet, at most.
const ROWS_MAX: u32 = 1_048_576;

/// A workbook that is being written, row by row. Its rows wait in a temporary file. A table with more rows
/// than a sheet has goes on in another sheet.
pub struct Workbook {
    book: Book,
    headings: Vec<String>,
    /// Index of the last sheet.
    sheet: usize,
    /// Rows of the last sheet.
    rows: u32,
    rows_max: u32,
}

impl Workbook {
    /// # Errors
    /// There is no room for a temporary file.
    pub fn begin(headings: &[&str]) -> Result<Self, Error> {
        Self::with_rows(headings, ROWS_MAX)
    }

    fn with_rows(headings: &[&str], rows_max: u32) -> Result<Self, Error> {
        let mut book = Book::new();
        // The same table has the same bytes at any time.
        let created = ExcelDateTime::from_ymd(2000, 1, 1).map_err(error)?;
        book.set_properties(&DocProperties::new().set_creation_datetime(&created));
        let headings = headings.iter().map(|heading| (*heading).to_owned()).collect();
        let mut workbook = Self { book, headings, sheet: 0, rows: 0, rows_max };
        workbook.add_sheet()?;
        Ok(workbook)
    }

    fn add_sheet(&mut self) -> Result<(), Error> {
        self.book.add_worksheet_with_constant_memory().map_err(error)?;
        self.rows = 0;
        let headings: Vec<_> = self.headings.iter().map(Cell::text).collect();
        self.write_cells(&headings)
    }

    /// # Errors
    /// A text is longer than a cell may be.
    pub fn write_row(&mut self, cells: &[Cell]) -> Result<(), Error> {
        if self.rows == self.rows_max {
            self.sheet += 1;
            self.add_sheet()?;
        }
        self.write_cells(cells)
    }

    fn write_cells(&mut self, cells: &[Cell]) -> Result<(), Error> {
        let sheet = self.book.worksheet_from_index(self.sheet).map_err(error)?;
        for (column, cell) in (0..).zip(cells).filter(|(_, cell)| !cell.as_str().is_empty()) {
            let written = match cell.exact() {
                Some(number) => sheet.write_number(self.rows, column, number),
                // Never a formula, whatever the text begins with.
                None => sheet.write_string(self.rows, column, with_apostrophe_kept(cell.as_str())),
            };
            written.map_err(error)?;
        }
        self.rows += 1;
        Ok(())
    }

    /// Writes the file. This takes long for many rows.
    ///
    /// # Errors
    /// There is no room for the file.
    pub fn save(mut self, file: impl Write + Send) -> Result<(), Error> {
        let mut file = BufWriter::new(file);
        self.book.save_to_writer(&mut file).map_err(error)?;
        file.flush()
    }
}

fn error(error: XlsxError) -> Error {
    match error {
        XlsxError::IoError(error) | XlsxError::TempFileError(_, error) => error,
        other => Error::other(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::csv_of;

    fn saved(workbook: Workbook) -> Vec<u8> {
        let mut bytes = Vec::new();
        workbook.save(&mut bytes).unwrap();
        bytes
    }

    fn read(bytes: &[u8], sheet: Option<&str>) -> String {
        csv_of(bytes, sheet, &|cells| cells.contains(&"lot")).unwrap()
    }

    #[test]
    fn texts_stay_texts_and_exact_numbers_are_numbers() {
        let texts = [
            "12E3",
            "1-2",
            "007",
            "KM-2",
            "=1+1",
            "+x",
            "'=x",
            "a_x0041_",
            "a\u{1}b",
            " a ",
            "a\nb \"c\", d",
            "ä🎈",
            "1.10",
        ];
        let numbers = ["12.5", "1000.50", "1234567890123456", "-3", "0.125", ""];
        let mut workbook = Workbook::begin(&["lot", "minimum"]).unwrap();
        for (text, number) in texts.iter().zip(numbers.iter().cycle()) {
            workbook.write_row(&[Cell::text(*text), Cell::number(Some(number))]).unwrap();
        }
        let bytes = saved(workbook);
        let text = read(&bytes, None);
        let rows: Vec<_> = csv::ReaderBuilder::new()
            .flexible(true)
            .from_reader(text.strip_prefix("sep=,\n").unwrap().as_bytes())
            .into_records()
            .map(|row| row.unwrap().iter().map(str::to_owned).collect::<Vec<_>>())
            .collect();
        for (row, text) in rows.iter().zip(texts) {
            assert_eq!(crate::csv_text::without_apostrophe(&row[0]), text);
        }
        let read: Vec<_> = rows.iter().take(6).map(|row| row.get(1).map_or("", String::as_str)).collect();
        assert_eq!(read, ["12.5", "1000.50", "1234567890123456", "-3", "0.1250", ""]);
        let mut archive = zip::ZipArchive::new(std::io::Cursor::new(&bytes)).unwrap();
        let mut sheet = String::new();
        let mut part = archive.by_name("xl/worksheets/sheet1.xml").unwrap();
        std::io::Read::read_to_string(&mut part, &mut sheet).unwrap();
        let numbers: Vec<_> =
            sheet.split("<v>").skip(1).map(|rest| rest.split('<').next().unwrap()).collect();
        assert_eq!(numbers, ["12.5", "-3", "0.125", "12.5", "-3", "0.125", "12.5"]);
        assert!(!sheet.contains("<f>"), "{sheet}");
    }

    #[test]
    fn a_table_goes_on_in_another_sheet_and_has_the_same_bytes_each_time() {
        let workbook = || {
            let mut workbook = Workbook::with_rows(&["lot"], 3).unwrap();
            for lot in ["1", "2", "3"] {
                workbook.write_row(&[Cell::text(lot)]).unwrap();
            }
            saved(workbook)
        };
        let bytes = workbook();
        assert_eq!(read(&bytes, None), "sep=,\nlot\n1\n2\n");
        assert_eq!(read(&bytes, Some("Sheet2")), "sep=,\nlot\n3\n");
        assert_eq!(workbook(), bytes);
    }
}

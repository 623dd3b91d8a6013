//! The wrong rows of a table as a table of their own, each with its error (SPEC, section 3).

use super::column::letters;
use super::layout::Layout;
use super::listing::row_of_path;
use super::quotation::without_wrong_rows;
use super::records::{Records, named_separator};
use crate::fields::FieldError;

/// Headings behind those of the table, whose columns so keep their letters.
pub(super) const OWN: [&str; 3] = ["row", "column", "error"];

/// The wrong rows of a table with their errors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongRows {
    pub headings: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl WrongRows {
    /// The rows of a text that these errors name, in their order. A row has a line for each of its errors.
    pub fn of(text: &str, layout: &Layout, errors: &[FieldError]) -> Self {
        let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n").replace('\r', "\n");
        let (_, text) = named_separator(&text);
        let mut named: Vec<(usize, &FieldError)> =
            errors.iter().filter_map(|error| Some((row_of_path(&error.path)?, error))).collect();
        named.sort_by_key(|(row, _)| *row);
        let mut headings: Vec<String> = layout.columns.iter().map(|column| column.label.clone()).collect();
        let (text, _) = without_wrong_rows(text, layout.separator);
        let mut records = Records::of(&text, layout.separator).peekable();
        let mut rows: Vec<(Vec<String>, [String; 3])> = Vec::with_capacity(named.len());
        for (row, error) in named {
            while records.next_if(|(number, _)| *number < row).is_some() {}
            let columns = columns_in(&error.message, row);
            let labels: Vec<String> = columns.into_iter().map(|column| layout.label(&column)).collect();
            let own = [row.to_string(), labels.join(", "), error.message.clone()];
            let cells = records.peek().filter(|(number, _)| *number == row).map(|(_, record)| record);
            let cells: Vec<String> = cells.into_iter().flatten().map(str::to_owned).collect();
            // A row may have more cells than the header.
            headings.resize(headings.len().max(cells.len()), String::new());
            rows.push((cells, own));
        }
        let width = headings.len();
        let row = |(mut cells, own): (Vec<String>, [String; 3])| {
            cells.resize(width, String::new());
            cells.into_iter().chain(own).collect()
        };
        let rows = rows.into_iter().map(row).collect();
        headings.extend(OWN.map(str::to_owned));
        Self { headings, rows }
    }
}

/// The letters of the columns whose cells of this row the words name, beside what they quote.
fn columns_in(words: &str, row: usize) -> Vec<String> {
    let row = row.to_string();
    let mut columns = Vec::new();
    let own = words.split('`').step_by(2);
    for word in own.flat_map(|part| part.split(|letter: char| !letter.is_ascii_alphanumeric())) {
        let Some(column) = word.strip_suffix(row.as_str()).filter(|column| !column.is_empty()) else {
            continue;
        };
        if column.bytes().all(|byte| byte.is_ascii_uppercase())
            && !columns.iter().any(|known| known == column)
        {
            columns.push(column.to_owned());
        }
    }
    columns
}

impl Layout {
    /// The heading of the column with these letters.
    fn label(&self, column: &str) -> String {
        let at = (0..self.columns.len()).find(|at| letters(*at) == column);
        let found = at.and_then(|at| self.columns.get(at));
        found.map_or_else(|| column.to_owned(), |found| found.label.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Column, Reading, Table};

    const COLUMNS: [Column; 2] = [Column::required("number"), Column::optional("name")];

    #[test]
    fn each_wrong_row_stands_beside_its_errors() {
        let text = "sep=;\r\nA sale\r\nNumber;Shelf;Name\r\n1;\"a;b\";Ada\r\n\r\n2;c;12\" mix\r\nx;d;Bea\r\n";
        let table = Table::read(text, &COLUMNS, &Reading::default(), 10).unwrap();
        let own = [
            FieldError::new("row 6", "has `C6` in A6: write a number, and needs a name in C6, not A6"),
            FieldError::new("row 3", "has no one"),
            FieldError::new("rows", "3 more are wrong"),
        ];
        let errors = [table.errors.as_slice(), &own].concat();
        let WrongRows { headings, rows } = WrongRows::of(text, &table.layout, &errors);
        assert_eq!(headings, ["Number", "Shelf", "Name", "row", "column", "error"]);
        let (words, wrong) = (own[0].message.as_str(), table.errors[0].message.as_str());
        assert_eq!(
            rows,
            [
                ["1", "a;b", "Ada", "3", "", "has no one"],
                ["", "", "", "5", "Name", wrong],
                ["x", "d", "Bea", "6", "Number, Name", words],
            ]
        );
    }

    #[test]
    fn corrected_rows_are_read_without_their_errors() {
        let columns = |text| Table::read(text, &COLUMNS, &Reading::default(), 10).unwrap().layout;
        let corrected = columns("Number,Shelf,row,column,error\n1,a,2,Number,has `x`\n");
        assert_eq!(
            (corrected.unread(), corrected.ignored_columns()),
            (vec!["Shelf".to_owned()], vec!["Shelf".to_owned()])
        );
        assert_eq!(columns("row,column,error,Number\na,b,c,1\n").unread(), ["row", "column", "error"]);
    }

    #[test]
    fn a_table_without_a_header_has_its_error_alone() {
        let error = FieldError::new("row 1", "must be the header");
        let WrongRows { headings, rows } = WrongRows::of("a,b\n", &Layout::default(), &[error]);
        assert_eq!(headings, ["", "row", "column", "error"]);
        assert_eq!(rows, [["a,b", "1", "", "must be the header"]]);
    }
}

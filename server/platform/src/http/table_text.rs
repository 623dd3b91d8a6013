//! Lists as files with the columns of the import that reads them.

use super::download::{ExportError, ExportPart, ExportParts};
use super::format::ExportFormat;
use super::rows::RowWriter;
use crate::cell::Cell;
use crate::db::{DbError, json};

/// Writes a list of `N` columns, part by part: as a table, or as a JSON object with one list of objects,
/// whose members are the columns. An empty cell is null there.
pub struct TableText<const N: usize> {
    /// None for JSON.
    rows: Option<RowWriter>,
    /// Name of the list.
    list: &'static str,
    columns: [&'static str; N],
    has_begun: bool,
    has_rows: bool,
}

impl<const N: usize> TableText<N> {
    /// # Errors
    /// There is no room for a workbook.
    pub fn new(
        format: ExportFormat,
        list: &'static str,
        columns: [&'static str; N],
    ) -> Result<Self, ExportError> {
        let rows = match format {
            ExportFormat::Table(format) => Some(RowWriter::begin(format, &columns)?),
            ExportFormat::Json => None,
        };
        Ok(Self { rows, list, columns, has_begun: false, has_rows: false })
    }

    /// The next rows, which may be the last ones.
    ///
    /// # Errors
    /// `Corrupt` if a cell can't be written as JSON; a workbook takes no more rows.
    pub fn part(&mut self, rows: &[[Cell; N]], is_last: bool) -> Result<ExportPart, ExportError> {
        if let Some(writer) = &mut self.rows {
            for row in rows {
                writer.write(row)?;
            }
            return Ok(writer.part(is_last));
        }
        let mut text = Vec::new();
        if !std::mem::replace(&mut self.has_begun, true) {
            text.extend_from_slice(format!("{{\"{}\":[", self.list).as_bytes());
        }
        for row in rows {
            if std::mem::replace(&mut self.has_rows, true) {
                text.push(b',');
            }
            text.extend_from_slice(self.object(row)?.as_bytes());
        }
        if is_last {
            text.extend_from_slice(b"]}");
        }
        Ok(ExportPart::Text(text))
    }

    fn object(&self, row: &[Cell; N]) -> Result<String, DbError> {
        let member = |(column, cell): (&&str, &Cell)| {
            let value = json(&Some(cell.as_str()).filter(|cell| !cell.is_empty()))?;
            Ok(format!("\"{column}\":{value}"))
        };
        let members = self.columns.iter().zip(row).map(member).collect::<Result<Vec<_>, DbError>>()?;
        Ok(format!("{{{}}}", members.join(",")))
    }
}

/// A list that is read as a whole.
pub struct WholeTable(Option<ExportPart>);

impl WholeTable {
    /// # Errors
    /// `Corrupt` if a cell can't be written as JSON; a workbook takes no more rows.
    pub fn new<const N: usize>(mut text: TableText<N>, rows: &[[Cell; N]]) -> Result<Self, ExportError> {
        Ok(Self(Some(text.part(rows, true)?)))
    }
}

impl ExportParts for WholeTable {
    async fn next(&mut self) -> Result<Option<ExportPart>, ExportError> {
        Ok(self.0.take())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csv_text::Dialect;
    use crate::http::format::TableFormat;

    const CSV: ExportFormat = ExportFormat::Table(TableFormat::Csv(Dialect::Comma));

    /// The text of parts with these rows.
    fn written(format: ExportFormat, parts: &[&[[&str; 2]]]) -> String {
        let mut table = TableText::new(format, "people", ["number", "name"]).unwrap();
        let mut text = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            let rows: Vec<_> = part.iter().map(|row| row.map(Cell::text)).collect();
            match table.part(&rows, at + 1 == parts.len()).unwrap() {
                ExportPart::Text(part) => text.extend(part),
                ExportPart::Workbook(_) => panic!("a workbook"),
            }
        }
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn parts_are_one_list_in_both_formats() {
        let parts: [&[[&str; 2]]; 3] = [&[["1", "Ada \"A\""]], &[], &[["2", ""], ["3", "Bob"]]];
        assert_eq!(written(CSV, &parts), "\u{feff}number,name\r\n1,\"Ada \"\"A\"\"\"\r\n2,\r\n3,Bob\r\n");
        assert_eq!(
            written(ExportFormat::Json, &parts),
            r#"{"people":[{"number":"1","name":"Ada \"A\""},{"number":"2","name":null},{"number":"3","name":"Bob"}]}"#
        );
    }

    #[test]
    fn an_empty_list_has_its_header() {
        assert_eq!(written(CSV, &[&[]]), "\u{feff}number,name\r\n");
        assert_eq!(written(ExportFormat::Json, &[&[]]), r#"{"people":[]}"#);
    }
}

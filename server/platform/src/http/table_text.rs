//! Lists as files with the columns of the import that reads them.

use super::download::{Format, Parts};
use crate::csv_text;
use crate::db::{DbError, json};

/// Writes a list of `N` columns, part by part: as CSV, or as a JSON object with one list of objects, whose
/// members are the columns. An empty cell is null there.
#[derive(Debug)]
pub struct TableText<const N: usize> {
    format: Format,
    /// Name of the list.
    list: &'static str,
    columns: [&'static str; N],
    has_begun: bool,
    has_rows: bool,
}

impl<const N: usize> TableText<N> {
    pub fn new(format: Format, list: &'static str, columns: [&'static str; N]) -> Self {
        Self { format, list, columns, has_begun: false, has_rows: false }
    }

    /// The text of the next rows.
    ///
    /// # Errors
    /// `Corrupt` if a cell can't be written as JSON.
    pub fn part(&mut self, rows: &[[String; N]]) -> Result<Vec<u8>, DbError> {
        let mut text = Vec::new();
        if !std::mem::replace(&mut self.has_begun, true) {
            match self.format {
                Format::Csv => csv_text::begin(&mut text, self.columns),
                Format::Json => text.extend_from_slice(format!("{{\"{}\":[", self.list).as_bytes()),
            }
        }
        for row in rows {
            match self.format {
                Format::Csv => csv_text::write_row(&mut text, row.iter().map(String::as_str)),
                Format::Json => {
                    if self.has_rows {
                        text.push(b',');
                    }
                    text.extend_from_slice(self.object(row)?.as_bytes());
                }
            }
            self.has_rows = true;
        }
        Ok(text)
    }

    fn object(&self, row: &[String; N]) -> Result<String, DbError> {
        let member = |(column, cell): (&&str, &String)| {
            let value = json(&Some(cell).filter(|cell| !cell.is_empty()))?;
            Ok(format!("\"{column}\":{value}"))
        };
        let members = self.columns.iter().zip(row).map(member).collect::<Result<Vec<_>, DbError>>()?;
        Ok(format!("{{{}}}", members.join(",")))
    }

    /// The text after the last row.
    pub fn end(&self) -> &'static [u8] {
        match self.format {
            Format::Csv => b"",
            Format::Json => b"]}",
        }
    }
}

/// A list that is read as a whole.
#[derive(Debug)]
pub struct WholeTable(Option<Vec<u8>>);

impl WholeTable {
    /// # Errors
    /// `Corrupt` if a cell can't be written as JSON.
    pub fn new<const N: usize>(mut text: TableText<N>, rows: &[[String; N]]) -> Result<Self, DbError> {
        let mut whole = text.part(rows)?;
        whole.extend_from_slice(text.end());
        Ok(Self(Some(whole)))
    }
}

impl Parts for WholeTable {
    async fn next(&mut self) -> Result<Option<Vec<u8>>, DbError> {
        Ok(self.0.take())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of parts with these rows.
    fn written(format: Format, parts: &[&[[&str; 2]]]) -> String {
        let mut table = TableText::new(format, "people", ["number", "name"]);
        let mut text = Vec::new();
        for part in parts {
            let rows: Vec<_> = part.iter().map(|row| row.map(str::to_owned)).collect();
            text.extend(table.part(&rows).unwrap());
        }
        text.extend_from_slice(table.end());
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn parts_are_one_list_in_both_formats() {
        let parts: [&[[&str; 2]]; 3] = [&[["1", "Ada \"A\""]], &[], &[["2", ""], ["3", "Bob"]]];
        assert_eq!(
            written(Format::Csv, &parts),
            "\u{feff}number,name\r\n1,\"Ada \"\"A\"\"\"\r\n2,\r\n3,Bob\r\n"
        );
        assert_eq!(
            written(Format::Json, &parts),
            r#"{"people":[{"number":"1","name":"Ada \"A\""},{"number":"2","name":null},{"number":"3","name":"Bob"}]}"#
        );
    }

    #[test]
    fn an_empty_list_has_its_header() {
        assert_eq!(written(Format::Csv, &[&[]]), "\u{feff}number,name\r\n");
        assert_eq!(written(Format::Json, &[&[]]), r#"{"people":[]}"#);
    }
}

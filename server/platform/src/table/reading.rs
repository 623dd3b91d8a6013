//! The header and the columns that a request chooses for its table (SPEC, section 3).

use sha2::{Digest, Sha256};

use crate::fields::FieldError;

/// Name of the parameter with the row of the header.
pub const HEADER_ROW: &str = "headerRow";
/// Name of the parameter, and of the fields of forms, with the choice of a column.
pub const COLUMN: &str = "column";

/// The header and the columns that a request chooses. By default they are found by their names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    pub(super) header_row: Option<usize>,
    pub(super) choices: Vec<Choice>,
}

/// A column of the table with the field that it is read as.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Choice {
    /// None if the column is not read.
    pub field: Option<String>,
    pub heading: String,
}

impl Reading {
    /// The parameters `headerRow` and `column` of a request.
    ///
    /// # Errors
    /// All parameters that can't be read.
    pub fn parse<'a>(
        parameters: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, Vec<FieldError>> {
        let (mut reading, mut errors) = (Self::default(), Vec::new());
        for (name, value) in parameters {
            match name {
                HEADER_ROW => match value.parse() {
                    Ok(row) if row > 0 => reading.header_row = Some(row),
                    _ => errors.push(FieldError::new(HEADER_ROW, "must be the number of a row, from 1")),
                },
                COLUMN => match value.split_once(':') {
                    Some((field, heading)) => reading.choices.push(Choice {
                        field: Some(field.trim().to_owned()).filter(|field| !field.is_empty()),
                        heading: heading.trim().to_owned(),
                    }),
                    None => errors.push(FieldError::new(
                        COLUMN,
                        "must be a field, a colon and a heading, such as `name:Title`, or `:Title` for a column that is not read",
                    )),
                },
                _ => {}
            }
        }
        if errors.is_empty() { Ok(reading) } else { Err(errors) }
    }
}

/// Hash of a text and the row of its header, as a request names it. A form sends other ends of lines than a
/// file has.
pub fn fingerprint(text: &str, header_row: &str) -> String {
    let lines = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut hash = Sha256::new();
    hash.update(header_row);
    hash.update("\n");
    hash.update(lines.trim_end_matches('\n'));
    const_hex::encode(hash.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_split_at_its_first_colon() {
        let given =
            [("column", "lot:Tag: #"), ("dryRun", "true"), ("column", " : Shelf "), ("headerRow", "3")];
        let reading = Reading::parse(given).unwrap();
        let choice = |field: Option<&str>, heading: &str| Choice {
            field: field.map(str::to_owned),
            heading: heading.to_owned(),
        };
        assert_eq!(reading.header_row, Some(3));
        assert_eq!(reading.choices, [choice(Some("lot"), "Tag: #"), choice(None, "Shelf")]);
    }

    #[test]
    fn each_parameter_that_can_not_be_read_is_named() {
        for row in ["0", "-1", "x", "", "1.5"] {
            let errors = Reading::parse([(HEADER_ROW, row), (COLUMN, "lot")]).unwrap_err();
            let paths: Vec<&str> = errors.iter().map(|error| error.path.as_str()).collect();
            assert_eq!(paths, [HEADER_ROW, COLUMN], "{row}");
        }
    }
}

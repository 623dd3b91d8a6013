//! The table of an import: its columns, its valid rows, and what is wrong with the others.

use rules_engine::money::Normalized;

use crate::books::amount::{SIGNED, amount};
use crate::engine::number_in_table;
use crate::ids::{GroupId, UserId};
use crate::work::LongWork;
use accounts::groups::PersonNumber;
use platform::email::Email;
use platform::fields::FieldError;
use platform::limits::TooMany;
use platform::table::{self, Column, Table, row_path};

/// Rows of one import, at most.
const ROWS_MAX: usize = 5_000;
const REASON_CHARS_MAX: usize = 500;
const AMOUNT: Column = Column::required("amount");
const REASON: Column = Column::required("reason");
const EMAIL: Column = Column::required("email");
const NUMBER: Column = Column::required("number");
const BY_EMAIL: [Column; 3] = [EMAIL, AMOUNT, REASON];
const BY_NUMBER: [Column; 3] = [NUMBER, AMOUNT, REASON];
/// The columns of tables of either kind.
pub const COLUMNS: [Column; 4] = [EMAIL, NUMBER, AMOUNT, REASON];

/// A table that is read: its valid rows, and the errors of the others.
#[derive(Debug, Default)]
pub struct Entries {
    pub(super) rows: Vec<Row>,
    pub(super) errors: Vec<FieldError>,
    pub(super) ignored_columns: Vec<String>,
    /// Group of the people whom the rows name by their numbers.
    pub(super) group: Option<GroupId>,
}

/// A valid row, whose e-mail or number may be that of nobody.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) row: usize,
    pub(super) whom: Whom,
    pub(super) amount: Normalized,
    pub(super) reason: String,
}

/// The person of a row.
#[derive(Debug)]
pub(super) enum Whom {
    Email(Email),
    Number(PersonNumber),
}

impl Entries {
    pub(super) fn read(csv: &str, group: Option<GroupId>) -> Self {
        let columns = if group.is_some() { BY_NUMBER } else { BY_EMAIL };
        let table = match Table::read(csv, &columns, ROWS_MAX) {
            Ok(table) => table,
            Err(error) => return Self { errors: vec![error], ..Self::default() },
        };
        let Table { rows, errors, ignored_columns, has_decimal_comma, .. } = table;
        let mut entries = Self { rows: Vec::with_capacity(rows.len()), errors, ignored_columns, group };
        for table::Row { number: row, cells } in rows {
            match check(cells, group.is_some(), has_decimal_comma) {
                Ok((whom, amount, reason)) => entries.rows.push(Row { row, whom, amount, reason }),
                Err(message) => entries.errors.push(FieldError::new(row_path(row), message)),
            }
        }
        entries
    }

    pub(super) fn row_count(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn charge(&self, work: &LongWork, user: UserId, bytes: usize) -> Result<(), TooMany> {
        work.charge(user, self.rows.len() + self.errors.len(), bytes)
    }
}

/// The cells of a row, or what is wrong with it.
fn check(
    [whom, typed, reason]: [String; 3],
    is_by_number: bool,
    has_decimal_comma: bool,
) -> Result<(Whom, Normalized, String), &'static str> {
    let whom = if is_by_number {
        Whom::Number(whom.parse().map_err(|_| "has no valid number from 1 to 9999")?)
    } else {
        Whom::Email(whom.parse().map_err(|_| "has no valid e-mail")?)
    };
    let amount = amount(&number_in_table(&typed, has_decimal_comma), &SIGNED)
        .filter(|amount| *amount != Normalized::ZERO)
        .ok_or("has no valid amount, such as 12 or -2.5, without a mark between thousands")?;
    if !(1..=REASON_CHARS_MAX).contains(&reason.chars().count()) {
        return Err("needs a reason of at most 500 characters");
    }
    Ok((whom, amount, reason))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors(csv: &str) -> Vec<String> {
        Entries::read(csv, None).errors.into_iter().map(|error| error.path).collect()
    }

    #[test]
    fn each_row_that_is_wrong_is_named() {
        let table = "email,amount,reason\r\nada@example.org,12,Cakes\r\nnobody,1,x\r\nb@example.org,,x\r\n\
                     c@example.org,0,x\r\nd@example.org,1\r\ne@example.org,1e3,x\r\nf@example.org,2,\r\n";
        assert_eq!(errors(table), ["row 3", "row 4", "row 5", "row 6", "row 7", "row 8"]);
        assert_eq!(errors("\u{feff}email,amount,reason\na@example.org, -2.5 ,\"Cake, late\"\n"), [""; 0]);
        assert_eq!(errors("mail,amount\n"), ["row 1"]);
        assert_eq!(errors("email,amount,reason\n"), ["row 2"]);
    }

    #[test]
    fn a_comma_is_decimal_where_it_separates_nothing() {
        let amounts = |separator: char| -> Vec<Option<String>> {
            let cells = ["12,5", "12.5", "1.000", "1,000", "1.000,50", "-2,5", "1 000"];
            let read = |cell: &str| {
                let table = format!(
                    "email{separator}amount{separator}reason\na@example.org{separator}\"{cell}\"{separator}x"
                );
                Entries::read(&table, None).rows.first().map(|row| row.amount.to_string())
            };
            cells.into_iter().map(read).collect()
        };
        let [some, none] = [|text: &str| Some(text.to_owned()), |_: &str| None];
        for separator in [';', '\t'] {
            let expected =
                [some("12.5"), some("12.5"), none(""), none(""), none(""), some("-2.5"), some("1000")];
            assert_eq!(amounts(separator), expected);
        }
        let expected = [none(""), some("12.5"), some("1"), none(""), none(""), none(""), some("1000")];
        assert_eq!(amounts(','), expected);
    }

    #[test]
    fn a_table_has_at_most_5_000_rows() {
        let table = |rows| format!("email,amount,reason\n{}", "a@example.org,1,x\n".repeat(rows));
        assert!(errors(&table(ROWS_MAX)).is_empty());
        assert_eq!(errors(&table(ROWS_MAX + 1)), ["row 5002"]);
    }
}

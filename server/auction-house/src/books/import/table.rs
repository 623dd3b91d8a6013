//! The table of an import: its columns, its valid rows, and what is wrong with the others.

use std::str::FromStr;

use rules_engine::money::Normalized;

use super::headless::{EARNED, SPENT, headings};
use super::units::{BookUnits, TypedUnits};
use crate::books::amount::{SIGNED, amount};
use crate::ids::{GroupId, UserId};
use crate::imports::Repeat;
use crate::work::LongWork;
use accounts::groups::{PersonNumber, headings as usual};
use platform::email::Email;
use platform::fields::FieldError;
use platform::limits::TooMany;
use platform::table::{self, Column, ContentHash, Expected, Layout, Reading, Table, Unreadable, row_path};
use platform::text::composed;

/// Rows of one import, at most.
const ROWS_MAX: usize = 5_000;
const REASON_CHARS_MAX: usize = 500;
const NAME: Column = Column::one_of("name").also(usual::NAME).joined(usual::NAME_PARTS);
const AMOUNT: Column = Column::required("amount").also(&[
    "balance",
    "points",
    "dkp",
    "tokens",
    "credits",
    "total",
    "current",
    "current balance",
    "current points",
    "current dkp",
    "checking balance",
    "points current",
    "balance display",
    "Betrag",
    "Punkte",
    "Guthaben",
    "Saldo",
]);
const EMAIL: Column = Column::one_of("email").also(&["e-mail", "mail", "e-mail address", "E-Mail-Adresse"]);
const NUMBER: Column = Column::one_of("number").also(usual::NUMBER);
const REASON: &[&str] =
    &["note", "notes", "comment", "comments", "description", "memo", "Grund", "Bemerkung", "Beschreibung"];
/// Indices of the columns.
const WHOM: usize = 0;
const NAMES: usize = 1;
const AMOUNTS: usize = 2;
const REASONS: usize = 3;

/// The columns of tables of either kind.
const COLUMNS: [Column; 5] = [EMAIL, NUMBER, NAME, AMOUNT, Column::optional("reason").also(REASON)];
/// The tables that an import of entries expects. Where points are earned and spent in two columns, the
/// keeper chooses the one that is taken along.
pub const EXPECTED: Expected = Expected::of(&COLUMNS).headless(headings).known(&[&["name", EARNED, SPENT]]);

/// The group, the reason and the reading that a request gives its table.
#[derive(Debug, Clone, Default)]
pub struct EntriesRequest {
    /// Group of the people whom the rows name by their numbers.
    pub group: Option<GroupId>,
    /// The reason of the rows without one.
    pub reason: Option<EntryReason>,
    pub reading: Reading,
    pub units: BookUnits,
    pub repeat: Repeat,
    pub unknown: Unknown,
}

/// Choice for the rows of unknown people. By default they refuse the table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Unknown {
    /// The rows are left out.
    pub skip: bool,
    /// Rows with an e-mail wait for its user, to whom the link of the book is mailed.
    pub invite: bool,
}

impl EntriesRequest {
    /// The columns of the table, with the names that other programs give them.
    pub fn columns(&self) -> [Column; 4] {
        let whom = if self.group.is_some() { NUMBER } else { EMAIL };
        let reason = match self.reason {
            Some(_) => Column::optional("reason"),
            None => Column::required("reason"),
        };
        [whom, NAME, AMOUNT, reason.also(REASON)]
    }
}

/// Why an entry is written, in 1–500 characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryReason(String);

/// The text is no reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must have 1 to 500 characters, none of them NUL")]
pub struct NoReason;

impl FromStr for EntryReason {
    type Err = NoReason;

    fn from_str(text: &str) -> Result<Self, NoReason> {
        let reason = composed(text.trim());
        let is_long = !(1..=REASON_CHARS_MAX).contains(&reason.chars().count());
        if is_long || reason.contains('\0') { Err(NoReason) } else { Ok(Self(reason)) }
    }
}

/// A table that is read: its valid rows, and the errors of the others.
#[derive(Debug, Default)]
pub struct Entries {
    pub(super) rows: Vec<Row>,
    /// Rows of 0, which write nothing.
    pub(super) zeros: Vec<Row>,
    pub(super) errors: Vec<FieldError>,
    pub(super) layout: Layout,
    /// Group of the people whom the rows name by their numbers.
    pub(super) group: Option<GroupId>,
    pub(super) unknown: Unknown,
    pub(super) hash: Option<ContentHash>,
}

/// A valid row, whose person may be nobody.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) row: usize,
    pub(super) whom: Whom,
    /// The cell that names the person, in words.
    pub(super) cell: String,
    pub(super) amount: Normalized,
    pub(super) reason: String,
}

/// The person of a row.
#[derive(Debug)]
pub(super) enum Whom {
    Email(Email),
    Number(PersonNumber),
    Name(String),
}

impl Whom {
    pub(super) fn email(&self) -> Option<&Email> {
        match self {
            Self::Email(email) => Some(email),
            Self::Number(_) | Self::Name(_) => None,
        }
    }
}

impl Entries {
    /// # Errors
    /// The request chooses a header or columns that the table lacks.
    pub(super) fn read(csv: &str, request: &EntriesRequest) -> Result<Self, FieldError> {
        let EntriesRequest { group, reason, reading, units, unknown, .. } = request;
        let columns = request.columns();
        let table = match Table::read_expected(csv, &columns, &EXPECTED, reading, ROWS_MAX) {
            Ok(table) => table,
            Err(Unreadable::Table(error)) => return Ok(Self { errors: vec![error], ..Self::default() }),
            Err(Unreadable::Column(error, layout)) => {
                return Ok(Self { errors: vec![error], layout: *layout, ..Self::default() });
            }
            Err(Unreadable::Request(error)) => return Err(error),
        };
        let (group_id, reason_of_all) = (group.map(|group| group.to_string()), reason.as_ref());
        let further = group_id.as_deref().map(|id| ("groupId", id));
        let hash = table.content_hash(&columns, further.as_slice(), |at, cell| match (at, reason_of_all) {
            (REASONS, Some(EntryReason(reason))) if cell.is_empty() => reason,
            _ => cell,
        });
        let Table { rows, errors, layout, .. } = table;
        let units = units.typed();
        let (group, unknown) = (*group, *unknown);
        let mut entries = Self { errors, layout, group, unknown, hash, ..Self::default() };
        for cells in rows {
            match check(&cells, group.is_some(), reason.as_ref(), &units) {
                Ok(row) if row.amount == Normalized::ZERO => entries.zeros.push(row),
                Ok(row) => entries.rows.push(row),
                Err(message) => entries.errors.push(FieldError::new(row_path(cells.number), message)),
            }
        }
        Ok(entries)
    }

    /// Headings of the filled columns that an import does not read.
    pub fn unread(csv: &str, request: &EntriesRequest) -> Vec<String> {
        Self::read(csv, request).map(|entries| entries.layout.unread()).unwrap_or_default()
    }

    /// A table of which nothing but errors is known.
    pub fn of_errors(errors: Vec<FieldError>) -> Self {
        Self { errors, ..Self::default() }
    }

    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    pub(super) fn row_count(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn charge(&self, work: &LongWork, user: UserId, bytes: usize) -> Result<(), TooMany> {
        work.charge(user, self.rows.len() + self.errors.len(), bytes)
    }
}

/// The cells of a row, or all that is wrong with them.
fn check(
    cells: &table::Row<4>,
    is_by_number: bool,
    reason_of_all: Option<&EntryReason>,
    units: &TypedUnits<'_>,
) -> Result<Row, String> {
    let mut wrong = Vec::new();
    let [typed_whom, name, typed_amount, typed_reason] = &cells.cells;
    let at_name = if typed_whom.is_empty() && !name.is_empty() { NAMES } else { WHOM };
    let cell = cells.cell(at_name);
    let whom = match (at_name == WHOM, is_by_number) {
        (false, _) => Some(Whom::Name(name.clone())),
        (true, true) => typed_whom.parse().map(Whom::Number).ok(),
        (true, false) => typed_whom.parse().map(Whom::Email).ok(),
    };
    if whom.is_none() {
        let words = match (typed_whom.is_empty(), is_by_number) {
            (true, true) => "names nobody: write a number or a name".to_owned(),
            (true, false) => "names nobody: write an e-mail".to_owned(),
            (false, true) => format!("has {cell}: write a number from 1 to 9999"),
            (false, false) => format!("has {cell}: write a valid e-mail"),
        };
        wrong.push(words);
    }
    let amount = amount(&units.amount(typed_amount), &SIGNED);
    if amount.is_none() {
        let cell = cells.cell(AMOUNTS);
        wrong.push(format!(
            "has {cell}: write an amount such as 12 or -2.50, alone or beside its unit, without a mark between thousands"
        ));
    }
    let reason = match typed_reason.as_str() {
        "" => reason_of_all.cloned(),
        text => text.parse().ok(),
    };
    if reason.is_none() {
        let at = cells.address(REASONS).map(|address| format!(" in {address}")).unwrap_or_default();
        wrong.push(format!("needs a reason{at} of at most 500 characters"));
    }
    match (whom, amount, reason) {
        (Some(whom), Some(amount), Some(EntryReason(reason))) => {
            Ok(Row { row: cells.number, whom, cell, amount, reason })
        }
        _ => Err(wrong.join(", and ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors(csv: &str) -> Vec<String> {
        Entries::read(csv, &EntriesRequest::default())
            .unwrap()
            .errors
            .into_iter()
            .map(|error| error.path)
            .collect()
    }

    #[test]
    fn balances_of_other_programs_are_read_by_their_headings() {
        let request = EntriesRequest { reason: "Before".parse().ok(), ..EntriesRequest::default() };
        for (csv, unread) in [
            ("player,class,DKP,previousDKP\nAda B,MAGE,12.5,7\n", ["class", "previousDKP"].as_slice()),
            (
                "First Name,Last Initial,Block,Checking Balance,Savings Balance,Total Earnings\nAda,B,3,12.50,5.00,80.00\n",
                &["Block", "Savings Balance", "Total Earnings"],
            ),
            ("Member;Name;Guthaben\nyes;Ada B;12,5\n", &["Member"]),
            ("First Name,Nickname,Last Name,Current DKP\nAda,Bee,B,12.5\n", &["Nickname"]),
            ("Name,Class,Earned,Spent,Current\nAda B,Mage,20,7.5,12.5\n", &["Class", "Earned", "Spent"]),
        ] {
            let entries = Entries::read(csv, &request).unwrap();
            let rows: Vec<_> = entries.rows.iter().map(|row| (&row.whom, row.amount.to_string())).collect();
            let [(Whom::Name(name), amount)] = rows.as_slice() else { panic!("{csv}: {entries:?}") };
            assert_eq!((name.as_str(), amount.as_str()), ("Ada B", "12.5"), "{csv}");
            assert_eq!(entries.layout.unread(), unread, "{csv}");
        }
    }

    #[test]
    fn each_row_that_is_wrong_is_named() {
        let table = "email,amount,reason\r\nada@example.org,12,Cakes\r\nnobody,1,x\r\nb@example.org,,x\r\n\
                     c@example.org,0,x\r\nd@example.org,1\r\ne@example.org,1e3,x\r\nf@example.org,2,\r\n";
        assert_eq!(errors(table), ["row 3", "row 4", "row 6", "row 7", "row 8"], "0 writes nothing");
        assert_eq!(errors("\u{feff}email,amount,reason\na@example.org, -2.5 ,\"Cake, late\"\n"), [""; 0]);
        assert_eq!(errors("mail,amount\n"), ["row 1"]);
        assert_eq!(errors("email,amount,reason\n"), ["row 2"]);
    }

    #[test]
    fn amounts_are_read_alike_whatever_separates_the_cells() {
        let read = |separator: char, cell: &str| -> Option<String> {
            let table = format!(
                "email{separator}amount{separator}reason\na@example.org{separator}\"{cell}\"{separator}x"
            );
            let entries = Entries::read(&table, &EntriesRequest::default()).unwrap();
            entries.rows.first().map(|row| row.amount.to_string())
        };
        for separator in [',', ';', '\t'] {
            for (cell, amount) in [
                ("12,5", Some("12.5")),
                ("12.5", Some("12.5")),
                ("-3,00", Some("-3")),
                ("0,3", Some("0.3")),
                ("-2,5", Some("-2.5")),
                ("1 000", Some("1000")),
                ("1.000,50", Some("1000.5")),
                ("1,000.50", Some("1000.5")),
                ("1.0000", Some("1")),
                ("1.000", None),
                ("1,000", None),
                ("1,000,000", None),
            ] {
                assert_eq!(read(separator, cell).as_deref(), amount, "{cell}");
            }
        }
    }

    #[test]
    fn a_table_has_at_most_5_000_rows() {
        let table = |rows| format!("email,amount,reason\n{}", "a@example.org,1,x\n".repeat(rows));
        assert!(errors(&table(ROWS_MAX)).is_empty());
        assert_eq!(errors(&table(ROWS_MAX + 1)), ["row 5002"]);
    }

    #[test]
    fn all_that_is_wrong_with_a_row_is_said_with_its_cells() {
        let request = EntriesRequest::default();
        let entries = Entries::read("Note,Points,Mail\n,1e3,ada\n", &request).unwrap();
        let message = &entries.errors[0].message;
        for words in ["`ada` in C2", "`1e3` in B2", "a reason in A2"] {
            assert!(message.contains(words), "{message}");
        }
    }

    #[test]
    fn one_reason_may_be_that_of_all_rows_without_one() {
        let reasons = |csv: &str, reason: &str| -> Result<Vec<String>, Vec<FieldError>> {
            let request = EntriesRequest { reason: reason.parse().ok(), ..EntriesRequest::default() };
            let Entries { rows, errors, .. } = Entries::read(csv, &request).unwrap();
            if errors.is_empty() { Ok(rows.into_iter().map(|row| row.reason).collect()) } else { Err(errors) }
        };
        assert_eq!(reasons("name,dkp\nAda,5\n", " Raid ").unwrap(), ["Raid"]);
        assert_eq!(reasons("name,dkp,memo\nAda,5,\nBob,1,Late\n", "Raid").unwrap(), ["Raid", "Late"]);
        for (csv, row) in [("name,dkp\nAda,5\n", "row 1"), ("name,dkp,memo\nAda,5,\n", "row 2")] {
            assert_eq!(reasons(csv, "").unwrap_err()[0].path, row, "{csv}");
        }
        assert_eq!("a\0".parse::<EntryReason>(), Err(NoReason));
        assert_eq!("a".repeat(501).parse::<EntryReason>(), Err(NoReason));
    }
}

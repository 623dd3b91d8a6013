//! Grants from a CSV table: all rows or none.

use std::collections::{BTreeSet, HashMap, HashSet};

use rules_engine::money::Normalized;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::access::authorize;
use super::amount::{SIGNED, amount};
use super::entries::notify::notify;
use super::posting::{EntryRange, Posting};
use super::state::OutOfBounds;
use super::{Book, BookView, Entry, store};
use crate::codes;
use crate::context::Context;
use crate::creations::{Created, Creation};
use crate::ids::{BookId, UserId};
use crate::locks::LockingWrites;
use platform::body::Body;
use platform::db::{Connection, DbError};
use platform::email::Email;
use platform::fields::FieldError;
use platform::refusals;
use platform::shape::{self, Members, Shape};
use platform::verb::VerbError;

/// Rows of one import, at most.
const ROWS_MAX: usize = 5_000;
/// Bytes of a table, at most.
pub const BYTES_MAX: usize = 1024 * 1024;
const REASON_CHARS_MAX: usize = 500;
const HEADER: [&str; 3] = ["email", "amount", "reason"];

/// The table as a body.
#[derive(Debug, Clone, Default)]
pub struct ImportBody {
    csv: String,
}

impl Shape for ImportBody {
    const NAME: &'static str = "BookImport";

    fn members(&mut self, members: &mut Members<'_>) {
        members.text("csv", 1..=BYTES_MAX, &mut self.csv);
    }
}

refusals! {
    /// Why nothing is imported.
    pub enum ImportRefusal {
        Closed => codes::CLOSED, "The book is closed: it takes no more entries.";
        TooMany => codes::LIMIT_REACHED, "A book has at most 10,000 holders.";
    }
}

/// A row as it would be written.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = BookImportRow)]
pub struct PreviewRow {
    /// 1 is the row below the header.
    pub row: usize,
    pub email: String,
    pub name: String,
    /// A decimal in base units.
    #[schema(value_type = String)]
    pub amount: Normalized,
    pub reason: String,
    #[serde(skip)]
    user_id: UserId,
}

/// What an import would write.
#[derive(Debug, Default, Serialize, ToSchema)]
#[schema(as = BookImportPreview)]
pub struct Preview {
    pub rows: Vec<PreviewRow>,
    pub errors: Vec<FieldError>,
}

#[derive(Debug, Deserialize)]
struct Record {
    email: String,
    amount: String,
    reason: String,
}

/// Writes one GRANT for each row. A registered user who is not a holder becomes one, with the starting
/// balance.
pub async fn import(
    context: &Context,
    book_id: BookId,
    user: UserId,
    body: impl Body,
) -> Result<Created<Vec<Entry>>, VerbError<ImportRefusal>> {
    let now = context.clock.now();
    let mut db = context.db.write_in_book(book_id).await?;
    let seen = authorize(&mut db, book_id, user).await?.require_keeper()?;
    let (object, creation) = Creation::read(&mut db, user, format!("imports/{book_id}"), body, now).await?;
    creation.require_key()?;
    if let Some(EntryRange { first, last }) = creation.replays() {
        return Ok(Created::replayed(store::entries::between(&mut db, book_id, first, last).await?));
    }
    let ImportBody { csv } = shape::parse(object)?;
    let Preview { rows, errors } = read(&mut db, &csv).await?;
    if !errors.is_empty() {
        return Err(errors.into());
    }
    creation.check_key()?;
    if seen.book.is_closed() {
        return Err(ImportRefusal::Closed.into());
    }
    let users: BTreeSet<UserId> = rows.iter().map(|row| row.user_id).collect();
    let mut posting = Posting::locked(&mut db, book_id, users.iter().copied()).await?;
    posting.join(&mut db, users).await.map_err(|error| error.or(ImportRefusal::TooMany))?;
    for PreviewRow { row, user_id, amount, reason, .. } in rows {
        posting
            .book
            .grant(user_id, amount, reason, user)
            .map_err(|OutOfBounds| vec![FieldError::new(path(row), BEYOND)])?;
    }
    let range = posting.write(&mut db, now).await?;
    let written = store::entries::between(&mut db, book_id, range.first, range.last).await?;
    creation.record(&mut db, range, now).await?;
    let signal = notify(context, &mut db, &seen.book, &written, user, now).await?;
    db.commit().await?;
    context.events.publish(&signal);
    Ok(Created::new(written))
}

const BEYOND: &str = "takes the balance beyond 10^15";

/// What an import would write, without writing it.
pub async fn preview(conn: &mut Connection, seen: &BookView, csv: &str) -> Result<Preview, DbError> {
    let mut preview = read(conn, csv).await?;
    let beyond = out_of_bounds(conn, &seen.book, &preview.rows).await?;
    preview.errors.extend(beyond.map(|row| FieldError::new(path(row), BEYOND)));
    Ok(preview)
}

/// The first row that would take a balance out of bounds.
async fn out_of_bounds(
    conn: &mut Connection,
    book: &Book,
    rows: &[PreviewRow],
) -> Result<Option<usize>, DbError> {
    let holders: HashSet<_> = rows.iter().map(|row| (book.id, row.user_id)).collect();
    let mut balances = store::batch::balances(conn, &Vec::from_iter(holders)).await?;
    for row in rows {
        let balance = balances.entry((book.id, row.user_id)).or_insert(book.terms.starting_balance);
        match balance.checked_add(row.amount).filter(|after| SIGNED.contains(after)) {
            Some(after) => *balance = after,
            None => return Ok(Some(row.row)),
        }
    }
    Ok(None)
}

/// The valid rows of a table, and the errors of the others.
async fn read(conn: &mut Connection, csv: &str) -> Result<Preview, DbError> {
    let mut preview = Preview::default();
    let mut records = Vec::new();
    match parse(csv) {
        Err(error) => preview.errors.push(error),
        Ok(parsed) => {
            for (row, record) in parsed {
                match record.and_then(|record| check(row, record)) {
                    Ok(checked) => records.push(checked),
                    Err(error) => preview.errors.push(error),
                }
            }
        }
    }
    let emails: Vec<&Email> = records.iter().map(|(_, email, ..)| email).collect();
    let people: HashMap<String, (UserId, String)> = accounts::store::people_by_email(conn, &emails).await?;
    for (row, email, amount, reason) in records {
        match people.get(email.folded()) {
            Some((user_id, name)) => preview.rows.push(PreviewRow {
                row,
                email: email.as_typed().to_owned(),
                name: name.clone(),
                amount,
                reason,
                user_id: *user_id,
            }),
            None => preview.errors.push(FieldError::new(path(row), "has an e-mail that no account has")),
        }
    }
    Ok(preview)
}

type Parsed = Vec<(usize, Result<Record, FieldError>)>;

fn parse(csv: &str) -> Result<Parsed, FieldError> {
    let header = || FieldError::new("row 0", "must be the header `email,amount,reason`");
    // A spreadsheet begins its UTF-8 with a byte order mark.
    let text = csv.trim_start_matches('\u{feff}');
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let found = reader.headers().map_err(|_| header())?;
    if found.iter().ne(HEADER) {
        return Err(header());
    }
    let mut parsed = Vec::new();
    for (row, record) in (1..).zip(reader.deserialize::<Record>()) {
        if row > ROWS_MAX {
            return Err(FieldError::new(path(row), "is one too many: an import has at most 5,000 rows"));
        }
        let record = record
            .map_err(|_| FieldError::new(path(row), "must have the three cells e-mail, amount and reason"));
        parsed.push((row, record));
    }
    if parsed.is_empty() { Err(FieldError::new(path(1), "is missing")) } else { Ok(parsed) }
}

fn check(row: usize, record: Record) -> Result<(usize, Email, Normalized, String), FieldError> {
    let wrong = |message: &str| FieldError::new(path(row), message);
    let email = record.email.parse().map_err(|_| wrong("has no valid e-mail"))?;
    let amount = amount(&record.amount, &SIGNED)
        .filter(|amount| *amount != Normalized::ZERO)
        .ok_or_else(|| wrong("has no valid amount, such as 12 or -2.5"))?;
    let chars = record.reason.chars().count();
    if chars == 0 || chars > REASON_CHARS_MAX {
        return Err(wrong("needs a reason of at most 500 characters"));
    }
    Ok((row, email, amount, record.reason))
}

fn path(row: usize) -> String {
    format!("row {row}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors(csv: &str) -> Vec<String> {
        match parse(csv) {
            Err(error) => vec![error.path],
            Ok(rows) => rows
                .into_iter()
                .filter_map(|(row, record)| record.and_then(|record| check(row, record)).err())
                .map(|error| error.path)
                .collect(),
        }
    }

    #[test]
    fn each_row_that_is_wrong_is_named() {
        let table = "email,amount,reason\r\nada@example.org,12,Cakes\r\nnobody,1,x\r\nb@example.org,,x\r\n\
                     c@example.org,0,x\r\nd@example.org,1\r\ne@example.org,1e3,x\r\nf@example.org,2,\r\n";
        assert_eq!(errors(table), ["row 2", "row 3", "row 4", "row 5", "row 6", "row 7"]);
        assert_eq!(errors("\u{feff}email,amount,reason\na@example.org, -2.5 ,\"Cake, late\"\n"), [""; 0]);
        assert_eq!(errors("mail,amount\n"), ["row 0"]);
        assert_eq!(errors("email,amount,reason\n"), ["row 1"]);
    }

    #[test]
    fn a_table_has_at_most_5_000_rows() {
        let table = |rows| format!("email,amount,reason\n{}", "a@example.org,1,x\n".repeat(rows));
        assert!(errors(&table(ROWS_MAX)).is_empty());
        assert_eq!(errors(&table(ROWS_MAX + 1)), ["row 5001"]);
    }
}

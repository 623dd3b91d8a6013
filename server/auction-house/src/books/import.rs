//! Grants from a CSV table: all rows or none. The table is read on a thread of low priority, before the
//! transaction, and its rows cost as many writes as long work does.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::convert::Infallible;

use rules_engine::money::Normalized;
use serde::Serialize;
use utoipa::ToSchema;

use super::access::authorize;
use super::amount::{SIGNED, amount};
use super::entries::notify::notify;
use super::holders::reach::{self, Asker, ReachError};
use super::posting::{EntryRange, Posting};
use super::state::OutOfBounds;
use super::{Book, BookView, Entry, store};
use crate::codes;
use crate::context::Context;
use crate::creations::{Created, Creation};
use crate::engine::number_in_table;
use crate::ids::{BookId, GroupId, UserId};
use crate::locks::LockingWrites;
use crate::work::LongWork;
use accounts::groups::PersonNumber;
use accounts::store::groups;
use platform::body::Body;
use platform::db::{Connection, DbError};
use platform::email::Email;
use platform::fields::FieldError;
use platform::http::csv_body::CsvBody;
use platform::http::problem::Problem;
use platform::limits::TooMany;
use platform::refusals;
use platform::shape::{self, Members, Shape};
use platform::table::{self, Column, Table, row_path};
use platform::verb::VerbError;

/// Rows of one import, at most.
const ROWS_MAX: usize = 5_000;
/// Bytes of a table, at most.
pub const BYTES_MAX: usize = 1024 * 1024;
const REASON_CHARS_MAX: usize = 500;
const AMOUNT: Column = Column::required("amount");
const REASON: Column = Column::required("reason");
const BY_EMAIL: [Column; 3] = [Column::required("email"), AMOUNT, REASON];
const BY_NUMBER: [Column; 3] = [Column::required("number"), AMOUNT, REASON];

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
    /// As a spreadsheet shows it: the header is row 1.
    pub row: usize,
    pub email: Option<String>,
    /// Of the person in the group of the import.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<i64>,
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
#[serde(rename_all = "camelCase")]
#[schema(as = BookImportPreview)]
pub struct Preview {
    pub rows: Vec<PreviewRow>,
    pub errors: Vec<FieldError>,
    /// Names of columns that the import does not read.
    pub ignored_columns: Vec<String>,
}

/// A table that is read: its valid rows, and the errors of the others.
#[derive(Debug, Default)]
pub struct Entries {
    rows: Vec<Row>,
    errors: Vec<FieldError>,
    ignored_columns: Vec<String>,
    /// Of the people whom the rows name by their numbers.
    group: Option<GroupId>,
}

/// A valid row, whose e-mail or number may be that of nobody.
#[derive(Debug)]
struct Row {
    row: usize,
    whom: Whom,
    amount: Normalized,
    reason: String,
}

/// The person of a row.
#[derive(Debug)]
enum Whom {
    Email(Email),
    Number(PersonNumber),
}

/// Writes one GRANT for each row. Rows name people by their numbers in a group, if one is given. A user who
/// shares an auction with the keeper and is not a holder becomes one, with the starting balance.
pub async fn import(
    context: &Context,
    asker: &Asker,
    (book_id, group): (BookId, Option<GroupId>),
    user: UserId,
    body: impl Body + 'static,
) -> Result<Created<Vec<Entry>>, VerbError<ImportRefusal>> {
    authorize(&mut context.db.read().await?, book_id, user).await?.require_keeper()?;
    let _permit = context.work.begin_bulk_write(user).await?;
    let read = context.work.compute(move || {
        let keyed = body.keyed();
        let ImportBody { csv } = shape::parse(body.read()?)?;
        Ok::<_, VerbError<ImportRefusal>>((keyed?, Entries::read(&csv, group), csv.len()))
    });
    let (keyed, table, bytes) = read.await??;
    table.charge(&context.work, user, bytes)?;
    let now = context.clock.now();
    let mut db = context.db.write_in_book(book_id).await?;
    let seen = authorize(&mut db, book_id, user).await?.require_keeper()?;
    let collection = match group {
        Some(group) => format!("imports/{book_id}/{group}"),
        None => format!("imports/{book_id}"),
    };
    let creation = Creation::find(&mut db, user, collection, keyed, now).await?;
    creation.require_key()?;
    if let Some(EntryRange { first, last }) = creation.replays() {
        return Ok(Created::replayed(store::entries::between(&mut db, book_id, first, last).await?));
    }
    let Preview { rows, errors, .. } = table.look_up(&mut db, asker, &seen).await?;
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
            .map_err(|OutOfBounds| vec![FieldError::new(row_path(row), BEYOND)])?;
    }
    let range = posting.write(&mut db, now).await?;
    let written = store::entries::between(&mut db, book_id, range.first, range.last).await?;
    creation.record(&mut db, range, now).await?;
    let signal = notify(context, &mut db, &seen.book, &written, user, now).await?;
    db.commit().await?;
    context.events.publish(&signal);
    Ok(Created::new(written))
}

/// Returns the entries that the import of a body would write, without writing them.
pub async fn preview_import(
    context: &Context,
    asker: &Asker,
    (book_id, group): (BookId, Option<GroupId>),
    user: UserId,
    body: CsvBody,
) -> Result<Preview, Problem> {
    authorize(&mut context.db.read().await?, book_id, user).await?.require_keeper()?;
    let _permit = context.work.begin_bulk_write(user).await?;
    let (shared, asker) = (context.clone(), asker.clone());
    let preview = context.work.run(async move {
        let table = read_table(&shared, user, group, || body.text()).await?;
        let mut db = shared.db.snapshot().await?;
        let seen = authorize(&mut db, book_id, user).await?.require_keeper()?;
        Ok(preview(&mut db, &asker, &seen, table).await?)
    });
    preview.await?
}

/// Reads a table on a thread of low priority, and counts its rows as writes of the user.
pub async fn read_table(
    context: &Context,
    user: UserId,
    group: Option<GroupId>,
    text: impl FnOnce() -> Result<String, Problem> + Send + 'static,
) -> Result<Entries, Problem> {
    let read = context.work.compute(move || text().map(|csv| (Entries::read(&csv, group), csv.len())));
    let (table, bytes) = read.await??;
    table.charge(&context.work, user, bytes)?;
    Ok(table)
}

/// Reads a table again whose rows were counted when it was refused.
pub async fn read_refused_table(
    context: &Context,
    group: Option<GroupId>,
    csv: String,
) -> Result<Entries, Problem> {
    context.work.compute(move || Entries::read(&csv, group)).await
}

const NO_HOLDER: &str = "has an e-mail that no holder has, and nobody who shares an auction with you";
const NOT_IN_GROUP: &str = "has a number that nobody in the group has";
const BEYOND: &str = "takes the balance beyond 10^15";

const TOO_MANY_STRANGERS: &str =
    "is of a table with more than 50 e-mails that are not those of holders: pass on the link of the book";

/// What the import of a table would write, without writing it.
pub async fn preview(
    conn: &mut Connection,
    asker: &Asker,
    seen: &BookView,
    table: Entries,
) -> Result<Preview, VerbError<Infallible>> {
    let mut preview = table.look_up(conn, asker, seen).await?;
    let beyond = out_of_bounds(conn, &seen.book, &preview.rows).await?;
    preview.errors.extend(beyond.map(|row| FieldError::new(row_path(row), BEYOND)));
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

impl Entries {
    fn read(csv: &str, group: Option<GroupId>) -> Self {
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

    fn charge(&self, work: &LongWork, user: UserId, bytes: usize) -> Result<(), TooMany> {
        work.charge(user, self.rows.len() + self.errors.len(), bytes)
    }

    /// The rows with the users whom they name and whom the keeper reaches.
    async fn look_up<R>(
        self,
        conn: &mut Connection,
        asker: &Asker,
        seen: &BookView,
    ) -> Result<Preview, VerbError<R>> {
        let mut preview = Preview {
            rows: Vec::with_capacity(self.rows.len()),
            errors: self.errors,
            ignored_columns: self.ignored_columns,
        };
        let numbers = match self.group {
            Some(group) if groups::keeps(conn, group, seen.viewer).await? => {
                groups::by_number(conn, group).await?
            }
            Some(_) => return Err(VerbError::NotFound),
            None => HashMap::new(),
        };
        let emails = self.rows.iter().filter_map(|row| match &row.whom {
            Whom::Email(email) => Some(email),
            Whom::Number(_) => None,
        });
        let emails: Vec<&Email> = emails.collect();
        let people = match reach::by_email(conn, asker, seen, &emails).await {
            Ok(people) => people,
            Err(ReachError::TooManyStrangers) => {
                let errors = vec![FieldError::new(row_path(1), TOO_MANY_STRANGERS)];
                return Ok(Preview { errors, ..preview });
            }
            Err(error) => return Err(error.or(VerbError::NotFound)),
        };
        for Row { row, whom, amount, reason } in self.rows {
            let (found, email, number, nobody) = match whom {
                Whom::Email(email) => {
                    let found = people.get(email.folded()).map(|found| (found.id, found.name.clone()));
                    (found, Some(email.as_typed().to_owned()), None, NO_HOLDER)
                }
                Whom::Number(number) => {
                    let found = numbers.get(&number).map(|found| (found.id, found.name.clone()));
                    (found, None, Some(number.get()), NOT_IN_GROUP)
                }
            };
            match found {
                Some((user_id, name)) => {
                    preview.rows.push(PreviewRow { row, email, number, name, amount, reason, user_id });
                }
                None => preview.errors.push(FieldError::new(row_path(row), nobody)),
            }
        }
        Ok(preview)
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

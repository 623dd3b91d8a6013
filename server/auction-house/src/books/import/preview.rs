//! What the import of a table would write.

use std::collections::{HashMap, HashSet};
use std::convert::Infallible;

use rules_engine::money::Normalized;
use serde::Serialize;
use utoipa::ToSchema;

use super::table::{Entries, Row, Whom};
use super::{BEYOND, read_table};
use crate::books::access::authorize;
use crate::books::amount::SIGNED;
use crate::books::holders::reach::{self, Asker, ReachError};
use crate::books::{Book, BookView, store};
use crate::context::Context;
use crate::ids::{BookId, GroupId, UserId};
use accounts::groups::store as groups;
use platform::db::{Connection, DbError};
use platform::email::Email;
use platform::fields::FieldError;
use platform::http::csv_body::CsvBody;
use platform::http::problem::Problem;
use platform::table::{cut_rows, is_zero, listed, row_path};
use platform::verb::VerbError;

const NO_HOLDER: &str =
    "has an e-mail that no holder has, and no member of an auction that you manage, or of the book";
const HAS_LEFT: &str = "is of a person who has left the book: pass on its link";
const NOT_IN_GROUP: &str = "has a number that nobody in the group has";
const TOO_MANY_STRANGERS: &str =
    "is of a table with more than 50 e-mails that are not those of holders: pass on the link of the book";

/// A row as it would be written.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = BookImportRow)]
pub struct PreviewRow {
    /// Number of the row in a spreadsheet: the header is row 1.
    pub row: usize,
    pub email: Option<String>,
    /// Number of the person in the group of the import.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<i64>,
    pub name: String,
    /// A decimal in base units.
    #[schema(value_type = String)]
    pub amount: Normalized,
    pub reason: String,
    #[serde(skip)]
    pub(super) user_id: UserId,
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
    /// Rows that are left out of the answer, which has no room for them. Absent if all are listed.
    #[serde(skip_serializing_if = "is_zero")]
    #[schema(required = false)]
    pub more_rows: usize,
}

impl Preview {
    /// The preview with as many rows as an answer has room for.
    #[must_use]
    pub fn cut(mut self) -> Self {
        self.more_rows = cut_rows(&mut self.rows);
        self
    }
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
    /// The rows with the users whom they name and whom the keeper reaches.
    pub(super) async fn look_up<R>(
        self,
        conn: &mut Connection,
        asker: &Asker,
        seen: &BookView,
    ) -> Result<Preview, VerbError<R>> {
        let mut preview = Preview {
            rows: Vec::with_capacity(self.rows.len()),
            errors: self.errors,
            ignored_columns: self.ignored_columns,
            more_rows: 0,
        };
        let numbers = match self.group {
            Some(group) if groups::keeps(conn, group, seen.viewer).await? => {
                groups::by_number(conn, group).await?
            }
            Some(_) => return Err(VerbError::NotFound),
            None => HashMap::new(),
        };
        let ids: Vec<UserId> = numbers.values().map(|person| person.id).collect();
        let left = store::holders::left_among(conn, seen.book.id, &ids).await?;
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
                Some((user_id, _)) if left.contains(&user_id) => {
                    preview.errors.push(FieldError::new(row_path(row), HAS_LEFT));
                }
                Some((user_id, name)) => {
                    preview.rows.push(PreviewRow { row, email, number, name, amount, reason, user_id });
                }
                None => preview.errors.push(FieldError::new(row_path(row), nobody)),
            }
        }
        preview.errors = listed(preview.errors);
        Ok(preview)
    }
}

//! What the import of a table would write.

use std::collections::{HashMap, HashSet};
use std::convert::Infallible;

use rules_engine::money::Normalized;
use serde::{Serialize, Serializer};
use utoipa::ToSchema;

use super::names::{Found, Named, Names, Written};
use super::table::{Entries, EntriesRequest, Row, Whom};
use super::{BEYOND, BookUnits, read_table};
use crate::books::access::authorize;
use crate::books::amount::SIGNED;
use crate::books::holders::reach::{self, Asker, ReachError};
use crate::books::{Book, BookView, store};
use crate::context::Context;
use crate::ids::{BookId, UserId};
use crate::imports::{ImportPlace, ImportedBefore};
use accounts::Person;
use accounts::groups::PersonNumber;
use accounts::groups::store as groups;
use accounts::user::FoundPerson;
use platform::db::{Connection, DbError};
use platform::email::Email;
use platform::fields::FieldError;
use platform::http::problem::Problem;
use platform::table::{Layout, cut_lists, is_zero, listed, row_path};
use platform::verb::VerbError;

const NO_HOLDER: &str =
    "an e-mail that no holder has, and no member of an auction that you manage, or of the book";
const HAS_LEFT: &str = "a person who has left the book: pass on its link";
const NOT_IN_GROUP: &str = "a number that nobody in the group has";
const NO_NAME_IN_GROUP: &str = "a name that nobody in the group has";
const NO_NAME: &str = "a name that no holder has: give an e-mail";
const SEVERAL: &str = "the name of several people: give numbers, or in a book without a group e-mails";
const SEVERAL_REALMS: &str =
    "a name that rows of several realms have: give numbers, or in a book without a group e-mails";
const TOO_MANY_STRANGERS: &str =
    "is of a table with more than 50 e-mails that are not those of holders: pass on the link of the book";

/// A row as it would be written.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = BookImportRow)]
pub struct PreviewRow {
    /// Number of the row in a spreadsheet: the first row is 1.
    pub row: usize,
    pub email: Option<String>,
    /// Number of the person in the group of the import.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<i64>,
    pub name: String,
    /// The realm that stands behind the name in the table, and is no part of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub realm: Option<String>,
    /// A decimal in base units.
    #[schema(value_type = String)]
    pub amount: Normalized,
    pub reason: String,
    #[serde(skip)]
    pub(super) user_id: UserId,
}

/// A row of an unknown person.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = BookImportUnknown)]
pub struct UnknownRow {
    /// Number of the row in a spreadsheet: the first row is 1.
    pub row: usize,
    #[serde(serialize_with = "as_typed")]
    #[schema(value_type = Option<String>)]
    pub email: Option<Email>,
    /// A number that nobody in the group of the import has.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub number: Option<i64>,
    /// A name that nobody has.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub name: Option<String>,
    /// A decimal in base units.
    #[schema(value_type = String)]
    pub amount: Normalized,
    pub reason: String,
    /// The grant would wait for the user with the e-mail. Otherwise the row is left out, or refuses the
    /// table.
    pub waits: bool,
}

#[expect(clippy::ref_option, reason = "the signature that serde calls")]
fn as_typed<S: Serializer>(email: &Option<Email>, serializer: S) -> Result<S::Ok, S::Error> {
    email.as_ref().map(Email::as_typed).serialize(serializer)
}

/// What an import would write.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BookImportPreview)]
pub struct Preview {
    pub rows: Vec<PreviewRow>,
    /// Rows of unknown people. Absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub unknown: Vec<UnknownRow>,
    pub errors: Vec<FieldError>,
    /// Numbers of the rows above the header, and of those of 0, which write nothing.
    pub passed_over: Vec<usize>,
    /// Headings of columns that the import does not read.
    pub ignored_columns: Vec<String>,
    /// Headings of the columns that have values and are not read, and the letters of those without a heading.
    pub unread: Vec<String>,
    /// Rows that are left out of the answer, which has no room for them. Absent if all are listed.
    #[serde(skip_serializing_if = "is_zero")]
    #[schema(required = false)]
    pub more_rows: usize,
    /// An earlier import of the same table, which is not undone. Absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub imported_before: Option<ImportedBefore>,
    /// Number of the rows of 0.
    #[serde(skip)]
    pub zeros: usize,
    #[serde(skip)]
    pub layout: Layout,
}

impl Preview {
    /// The preview with as many rows as an answer has room for.
    #[must_use]
    pub fn cut(mut self) -> Self {
        self.errors = listed(self.errors);
        self.more_rows = cut_lists(&mut self.rows, &mut self.unknown);
        self
    }
}

/// Returns the entries that the import of a body would write, without writing them.
pub async fn preview_import(
    context: &Context,
    asker: &Asker,
    (book_id, mut request): (BookId, EntriesRequest),
    user: UserId,
    text: impl FnOnce() -> Result<String, Problem> + Send + 'static,
) -> Result<Preview, Problem> {
    let mut conn = context.db.read().await?;
    let seen = authorize(&mut conn, book_id, user).await?.require_keeper()?;
    request.units = BookUnits::of(&mut conn, &seen.book).await?;
    drop(conn);
    let _permit = context.work.begin_bulk_write(user).await?;
    let (shared, asker) = (context.clone(), asker.clone());
    let preview = context.work.run(async move {
        let table = read_table(&shared, user, request, text).await?;
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
    let imported_before =
        ImportPlace::all_of(seen.book.id).imported_before(conn, table.hash.as_ref()).await?;
    let mut preview = table.look_up(conn, asker, seen).await?;
    preview.imported_before = imported_before;
    let beyond = out_of_bounds(conn, &seen.book, &preview.rows).await?;
    preview.errors.extend(beyond.map(|row| FieldError::new(row_path(row), BEYOND)));
    Ok(preview)
}

/// Why a row names nobody who gets a grant.
enum Nobody {
    /// Nobody is known by this e-mail, number or name.
    Unknown(&'static str),
    Refused(&'static str),
}

impl UnknownRow {
    fn new(row: usize, whom: Whom, (amount, reason): (Normalized, String), waits: bool) -> Self {
        let (mut email, mut number, mut name) = (None, None, None);
        match whom {
            Whom::Email(typed) => email = Some(typed),
            Whom::Number(given) => number = Some(given.get()),
            Whom::Name(given) => name = Some(given),
        }
        Self { row, email, number, name, amount, reason, waits }
    }
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
        let zeros = self.zeros.len();
        let mut preview = Preview {
            rows: Vec::with_capacity(self.rows.len()),
            unknown: Vec::new(),
            errors: self.errors,
            passed_over: self
                .layout
                .passed_over()
                .into_iter()
                .chain(self.zeros.iter().map(|row| row.row))
                .collect(),
            ignored_columns: self.layout.ignored_columns(),
            unread: self.layout.unread(),
            more_rows: 0,
            imported_before: None,
            zeros,
            layout: self.layout,
        };
        let people_of_group = match self.group {
            Some(group) if groups::keeps(conn, group, seen.viewer).await? => {
                groups::named_people(conn, group).await?
            }
            Some(_) => return Err(VerbError::NotFound),
            None => Vec::new(),
        };
        let named = |(number, Person { id, name }): (_, Person)| Named { number, id, name };
        let of_group: Vec<Named> = people_of_group.into_iter().map(named).collect();
        let ids: Vec<UserId> = of_group.iter().map(|person| person.id).collect();
        let left = store::holders::left_among(conn, seen.book.id, &ids).await?;
        let emails: Vec<&Email> = self.rows.iter().filter_map(|row| row.whom.email()).collect();
        let people = match reach::by_email(conn, asker, seen, &emails).await {
            Ok(people) => people,
            Err(ReachError::TooManyStrangers) => {
                let errors = vec![FieldError::new(row_path(1), TOO_MANY_STRANGERS)];
                return Ok(Preview { errors, ..preview });
            }
            Err(error) => return Err(error.or(VerbError::NotFound)),
        };
        let by_name = self.rows.iter().any(|row| matches!(row.whom, Whom::Name(_)));
        let names = match (by_name, self.group) {
            (false, _) => Names::default(),
            (true, Some(_)) => Names::of(of_group.iter().cloned()),
            (true, None) => {
                let holders = store::holders::names(conn, seen.book.id, None).await?;
                Names::of(holders.into_iter().map(|(id, name)| Named { number: None, id, name }))
            }
        };
        let numbers: HashMap<PersonNumber, Named> =
            of_group.into_iter().filter_map(|person| Some((person.number?, person))).collect();
        let written = self.rows.iter().chain(&self.zeros).filter_map(|row| match &row.whom {
            Whom::Name(name) => Some(name.as_str()),
            Whom::Email(_) | Whom::Number(_) => None,
        });
        let written = Written::of(written);
        for Row { row, whom, cell, amount, reason } in self.rows {
            let mut realm = None;
            let found = match &whom {
                Whom::Email(typed) => {
                    let named =
                        |found: &FoundPerson| Named { number: None, id: found.id, name: found.name.clone() };
                    people.get(typed.folded()).map(named).ok_or(Nobody::Unknown(NO_HOLDER))
                }
                Whom::Number(number) => numbers.get(number).cloned().ok_or(Nobody::Unknown(NOT_IN_GROUP)),
                Whom::Name(name) => match names.find(name, &written) {
                    Found::One(named, of_realm) => {
                        realm = of_realm;
                        Ok(named)
                    }
                    Found::Several => Err(Nobody::Refused(SEVERAL)),
                    Found::OfSeveralRealms => Err(Nobody::Refused(SEVERAL_REALMS)),
                    Found::Nobody if self.group.is_some() => Err(Nobody::Unknown(NO_NAME_IN_GROUP)),
                    Found::Nobody => Err(Nobody::Unknown(NO_NAME)),
                },
            };
            let found = found.and_then(|found| match left.contains(&found.id) {
                true => Err(Nobody::Refused(HAS_LEFT)),
                false => Ok(found),
            });
            let (mut refused, mut unknown) = (None, None);
            match found {
                Ok(Named { number, id: user_id, name }) => {
                    let number = number.map(PersonNumber::get);
                    let email = whom.email().map(|email| email.as_typed().to_owned());
                    let row = PreviewRow { row, email, number, name, realm, amount, reason, user_id };
                    preview.rows.push(row);
                }
                Err(Nobody::Refused(words)) => refused = Some(words),
                Err(Nobody::Unknown(words)) => {
                    let waits = self.unknown.invite && whom.email().is_some();
                    refused = Some(words).filter(|_| !waits && !self.unknown.skip);
                    unknown = Some(UnknownRow::new(row, whom, (amount, reason), waits));
                }
            }
            preview.unknown.extend(unknown);
            let message = refused.map(|words| format!("has {cell}, {words}"));
            preview.errors.extend(message.map(|message| FieldError::new(row_path(row), message)));
        }
        Ok(preview)
    }
}

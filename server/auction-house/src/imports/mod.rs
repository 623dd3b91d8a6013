//! Imports of tables into auctions, groups and books: the record of each, by which the same table is known
//! again, and what it has written, by which it is undone (SPEC, section 3).

pub mod document;
pub mod store;

use accounts::Person;
use platform::db::{Connection, DbError};
use platform::http::problem::Problem;
use platform::ids::{Id, Uuid};
use platform::paging::{Page, Paged};
use platform::refusals;
use platform::table::ContentHash;
use platform::time::Moment;
use platform::verb::VerbError;
use serde::Serialize;
use utoipa::ToSchema;

use crate::codes;
use crate::ids::{ImportId, UserId};

/// The auction, the group or the book into which a table is imported, as one user sees its imports.
#[derive(Debug, Clone, Copy)]
pub struct ImportPlace {
    id: Uuid,
    /// A user who sees the own imports only.
    own: Option<UserId>,
}

/// An import of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    pub id: ImportId,
    pub by: Person,
    pub counts: Counts,
    /// Sequences of the first and the last entry of a book.
    pub entries: Option<(i64, i64)>,
    pub created_at: Moment,
    pub undone: Option<Undone>,
}

/// When an import was undone, and by which user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undone {
    pub at: Moment,
    pub by: Person,
}

/// How many rows of a table have created, changed and kept something.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    pub created: u32,
    pub changed: u32,
    pub unchanged: u32,
}

/// An import that is to be kept.
#[derive(Debug)]
pub struct NewImport<'h> {
    pub id: ImportId,
    pub hash: &'h ContentHash,
    pub by: UserId,
    pub counts: Counts,
    pub entries: Option<(i64, i64)>,
}

/// One item or person that an import has written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenRow {
    pub subject: Uuid,
    /// Its state right after the import.
    pub mark: String,
    /// What it was. None for what the import has created.
    pub before: Option<String>,
}

/// An earlier import of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema, sqlx_macros::FromRow)]
#[serde(rename_all = "camelCase")]
#[schema(as = ImportedBefore)]
pub struct ImportedBefore {
    #[schema(value_type = String, format = "uuid")]
    pub id: ImportId,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Moment,
}

/// Whether a table that was imported before is imported again: `?again=true`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Repeat {
    #[default]
    Refused,
    Wanted,
}

impl Repeat {
    /// The choice of a request.
    pub fn of(is_again: bool) -> Self {
        if is_again { Self::Wanted } else { Self::Refused }
    }
}

impl ImportPlace {
    /// A place all of whose imports are seen.
    pub fn all_of(place: impl Id) -> Self {
        Self { id: place.uuid(), own: None }
    }

    /// A place of whose imports a user sees the own ones.
    pub fn own_of(place: impl Id, user: UserId) -> Self {
        Self { own: Some(user), ..Self::all_of(place) }
    }

    /// The newest import of the same table that is not undone.
    pub async fn imported_before(
        self,
        conn: &mut Connection,
        hash: Option<&ContentHash>,
    ) -> Result<Option<ImportedBefore>, DbError> {
        match hash {
            Some(hash) => store::with_hash(conn, self, hash).await,
            None => Ok(None),
        }
    }

    /// Refuses a table that was imported before, unless it is imported again on request.
    pub async fn require_new(
        self,
        conn: &mut Connection,
        hash: Option<&ContentHash>,
        repeat: Repeat,
    ) -> Result<(), Problem> {
        if repeat == Repeat::Wanted {
            return Ok(());
        }
        match self.imported_before(conn, hash).await? {
            Some(before) => {
                let words = "This table was imported before: nothing was imported now.";
                Err(Problem::new(codes::IMPORTED_BEFORE, words).with_details(&before))
            }
            None => Ok(()),
        }
    }

    /// The imports, newest first.
    pub async fn imports(
        self,
        conn: &mut Connection,
        page: Page<ImportId>,
    ) -> Result<Paged<Import>, DbError> {
        let found = store::list(conn, self, page.after, page.rows()).await?;
        Ok(page.paged(found, |import| import.id.to_string()))
    }

    /// An import that can be undone: it exists and is not undone yet.
    pub async fn undoable(
        self,
        conn: &mut Connection,
        import_id: ImportId,
    ) -> Result<Import, VerbError<UndoneRefusal>> {
        let import = store::find(conn, self, import_id).await?.ok_or(VerbError::NotFound)?;
        if import.undone.is_some() { Err(UndoneRefusal::AlreadyUndone.into()) } else { Ok(import) }
    }
}

refusals! {
    /// Why an import is not undone, whatever it has written.
    pub enum UndoneRefusal {
        AlreadyUndone => codes::ALREADY_UNDONE, "The import was undone already.";
    }
}

//! Imports in SQL.

use accounts::Person;
use platform::db::{
    Connection, DbError, Transaction, columns, concatcp, for_each_row, insert, insert_all, query,
    query_scalar, rows,
};
use platform::ids::{Id, Uuid};
use platform::table::ContentHash;
use platform::time::Moment;

use super::{Counts, Import, ImportPlace, ImportedBefore, NewImport, Undone, WrittenRow};
use crate::ids::{ImportId, UserId};

/// Reads an [`ImportRow`] for each import `i`.
const SELECT_IMPORTS: &str =
    "SELECT i.id, i.by_id, b.name AS by_name, i.created, i.changed, i.unchanged, i.first_entry, i.last_entry,
                 i.created_at, i.undone_at, i.undone_by, u.name AS undone_by_name
             FROM imports i JOIN users b ON b.id = i.by_id LEFT JOIN users u ON u.id = i.undone_by
             WHERE i.place_id = $1 AND ($2 IS NULL OR i.by_id = $2) AND ";

#[derive(sqlx_macros::FromRow)]
struct ImportRow {
    id: ImportId,
    by_id: UserId,
    by_name: String,
    created: i64,
    changed: i64,
    unchanged: i64,
    first_entry: Option<i64>,
    last_entry: Option<i64>,
    created_at: Moment,
    undone_at: Option<Moment>,
    undone_by: Option<UserId>,
    undone_by_name: Option<String>,
}

impl From<ImportRow> for Import {
    fn from(row: ImportRow) -> Self {
        let undone_by = row.undone_by.zip(row.undone_by_name).map(|(id, name)| Person { id, name });
        let count = |rows: i64| u32::try_from(rows).unwrap_or(u32::MAX);
        Self {
            id: row.id,
            by: Person { id: row.by_id, name: row.by_name },
            counts: Counts {
                created: count(row.created),
                changed: count(row.changed),
                unchanged: count(row.unchanged),
            },
            entries: row.first_entry.zip(row.last_entry),
            created_at: row.created_at,
            undone: row.undone_at.zip(undone_by).map(|(at, by)| Undone { at, by }),
        }
    }
}

/// The newest import of a table with this hash that is not undone.
pub(super) async fn with_hash(
    conn: &mut Connection,
    place: ImportPlace,
    hash: &ContentHash,
) -> Result<Option<ImportedBefore>, DbError> {
    query(
        "SELECT id, created_at FROM imports
         WHERE place_id = $1 AND ($2 IS NULL OR by_id = $2) AND hash = $3 AND undone_at IS NULL
         ORDER BY id DESC LIMIT 1",
    )
    .bind(place.id)
    .bind(place.own)
    .bind(hash.as_str())
    .fetch_optional(conn)
    .await
}

/// Imports before this one, newest first.
pub(super) async fn list(
    conn: &mut Connection,
    place: ImportPlace,
    before: Option<ImportId>,
    limit: i64,
) -> Result<Vec<Import>, DbError> {
    let found: Vec<ImportRow> =
        query(concatcp!(SELECT_IMPORTS, "($3 IS NULL OR i.id < $3) ORDER BY i.id DESC LIMIT $4"))
            .bind(place.id)
            .bind(place.own)
            .bind(before)
            .bind(limit)
            .fetch_all(conn)
            .await?;
    Ok(found.into_iter().map(Into::into).collect())
}

/// An import into the place.
pub async fn find(
    conn: &mut Connection,
    place: ImportPlace,
    id: ImportId,
) -> Result<Option<Import>, DbError> {
    let found: Option<ImportRow> = query(concatcp!(SELECT_IMPORTS, "i.id = $3"))
        .bind(place.id)
        .bind(place.own)
        .bind(id)
        .fetch_optional(conn)
        .await?;
    Ok(found.map(Into::into))
}

/// Keeps an import with what it has written.
pub async fn keep(
    conn: &mut Transaction,
    place: impl Id,
    import: NewImport<'_>,
    written: &[WrittenRow],
    now: Moment,
) -> Result<(), DbError> {
    let (first_entry, last_entry) = import.entries.unzip();
    let row = columns! {
        id: import.id,
        place_id: place,
        hash: import.hash.as_str(),
        by_id: import.by,
        created: i64::from(import.counts.created),
        changed: i64::from(import.counts.changed),
        unchanged: i64::from(import.counts.unchanged),
        first_entry: first_entry,
        last_entry: last_entry,
        created_at: now,
    };
    insert(conn, "imports", row).await?;
    let row = |row: &WrittenRow| {
        columns! { import_id: import.id, subject_id: row.subject, mark: &row.mark, before: row.before.as_deref() }
    };
    insert_all(conn, "import_rows", written.iter().map(row)).await
}

/// What an import has written.
pub async fn written_by(conn: &mut Connection, import: ImportId) -> Result<Vec<WrittenRow>, DbError> {
    let sql = "SELECT subject_id, mark, before FROM import_rows WHERE import_id = $1 ORDER BY subject_id";
    let found: Vec<(Uuid, String, Option<String>)> = query(sql).bind(import).fetch_all(conn).await?;
    Ok(found.into_iter().map(|(subject, mark, before)| WrittenRow { subject, mark, before }).collect())
}

/// Records that an import was undone. What it had written is forgotten.
pub async fn set_undone(
    conn: &mut Transaction,
    import: ImportId,
    by: UserId,
    now: Moment,
) -> Result<(), DbError> {
    query("UPDATE imports SET undone_at = $2, undone_by = $3 WHERE id = $1")
        .bind(import)
        .bind(now)
        .bind(by)
        .execute(&mut *conn)
        .await?;
    query("DELETE FROM import_rows WHERE import_id = $1").bind(import).execute(conn).await?;
    Ok(())
}

/// Forgets what deleted users were before imports.
pub async fn forget_people(conn: &mut Transaction, users: &[UserId]) -> Result<(), DbError> {
    query(for_each_row!(
        "UPDATE import_rows SET before = '' WHERE before IS NOT NULL AND subject_id IN (SELECT given.user_id FROM",
        [user_id id],
        ")"
    ))
    .bind(rows(users.iter().map(|user| [user]))?)
    .execute(conn)
    .await?;
    Ok(())
}

/// How many rows the imports into a place have.
pub async fn written_rows(conn: &mut Connection, place: impl Id) -> Result<usize, DbError> {
    let rows: i64 = query_scalar(
        "SELECT COUNT(*) FROM imports i JOIN import_rows r ON r.import_id = i.id WHERE i.place_id = $1",
    )
    .bind(place)
    .fetch_one(conn)
    .await?;
    Ok(usize::try_from(rows).unwrap_or(0))
}

/// Deletes at most `limit` rows of the imports into a place that is deleted, and at last the imports. Whether
/// all are gone.
pub async fn delete_part(conn: &mut Transaction, place: impl Id, limit: usize) -> Result<bool, DbError> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    for sql in [
        "DELETE FROM import_rows WHERE (import_id, subject_id) IN (
             SELECT r.import_id, r.subject_id FROM imports i JOIN import_rows r ON r.import_id = i.id
             WHERE i.place_id = $1 LIMIT $2)",
        "DELETE FROM imports WHERE id IN (SELECT i.id FROM imports i WHERE i.place_id = $1 LIMIT $2)",
    ] {
        let deleted = query(sql).bind(place).bind(limit).execute(&mut *conn).await?;
        if i64::try_from(deleted).unwrap_or(i64::MAX) >= limit {
            return Ok(false);
        }
    }
    Ok(true)
}

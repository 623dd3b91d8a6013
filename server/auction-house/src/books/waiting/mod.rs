//! What keepers see and do of the grants that wait, and the job that writes them.

mod claim;
pub mod document;
pub mod routes;

pub use claim::{claim_all, claim_of, run};

use crate::books::BookView;
use crate::books::access::authorize;
use crate::context::Context;
use crate::ids::{BookId, UserId, WaitingGrantId};
use crate::locks::LockingWrites;
use crate::waiting::{WaitingGrant, store};
use platform::db::{Connection, DbError};
use platform::paging::{Page, Paged};
use platform::time::Moment;
use platform::verb::VerbError;

/// Grants of a book that wait, oldest first, for a keeper.
pub async fn list_waiting(
    conn: &mut Connection,
    seen: &BookView,
    page: Page<WaitingGrantId>,
    now: Moment,
) -> Result<Paged<WaitingGrant>, DbError> {
    let found = store::list(conn, seen.book.id, page.after, page.rows(), now).await?;
    Ok(page.paged(found, |grant| grant.id.to_string()))
}

/// Takes back a grant that waits.
pub async fn delete_waiting(
    context: &Context,
    book_id: BookId,
    user: UserId,
    id: WaitingGrantId,
) -> Result<(), VerbError<std::convert::Infallible>> {
    let mut db = context.db.write_in_book(book_id).await?;
    authorize(&mut db, book_id, user).await?.require_keeper()?;
    if !store::delete(&mut db, book_id, id).await? {
        return Err(VerbError::NotFound);
    }
    Ok(db.commit().await?)
}

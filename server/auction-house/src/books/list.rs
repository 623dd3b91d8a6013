//! Lists the books of a user.

use super::{BookView, store};
use crate::ids::{BookId, UserId};
use platform::db::{Connection, DbError};
use platform::paging::{Page, Paged};

/// The books in which the user is a holder, newest first.
pub async fn list_books(
    conn: &mut Connection,
    user: UserId,
    page: Page<BookId>,
) -> Result<Paged<BookView>, DbError> {
    let found = store::list(conn, user, page.after, page.rows()).await?;
    Ok(page.paged(found, |seen| seen.book.id.to_string()))
}

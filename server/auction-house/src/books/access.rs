//! Authorization for a book. Every resource within a book is authorized here first.

use super::{BookRole, BookView, BookVisibility, store};
use crate::ids::{BookId, UserId};
use crate::usage;
use platform::db::Connection;
use platform::verb::AccessError;

/// The book, for its holders.
pub async fn authorize(
    conn: &mut Connection,
    book_id: BookId,
    viewer: UserId,
) -> Result<BookView, AccessError> {
    let seen = store::find(conn, book_id, viewer).await?.ok_or(AccessError::NotFound)?;
    let is_shown = !seen.role.keeps() && seen.book.terms.visibility == BookVisibility::Members;
    let hides_bidders = is_shown && usage::book_hides_bidders(conn, book_id).await?;
    Ok(BookView { hides_bidders, ..seen })
}

impl BookView {
    /// Refuses everyone but the OWNER.
    pub fn require_owner(self) -> Result<Self, AccessError> {
        if self.role == BookRole::Owner { Ok(self) } else { Err(AccessError::Forbidden) }
    }

    /// Refuses holders who do not keep the book.
    pub fn require_keeper(self) -> Result<Self, AccessError> {
        if self.role.keeps() { Ok(self) } else { Err(AccessError::Forbidden) }
    }

    /// Whether the viewer sees the balances of all holders. In a hidden auction they would tell who leads
    /// what.
    pub fn sees_holders(&self) -> bool {
        let is_shown = self.book.terms.visibility == BookVisibility::Members && !self.hides_bidders;
        self.role.keeps() || is_shown
    }
}

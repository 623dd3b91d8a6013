//! Authorization for a book. Every resource within a book is authorized here first.

use super::{BookRole, BookView, BookVisibility, store};
use crate::ids::{BookId, UserId};
use platform::db::Connection;
use platform::verb::AccessError;

/// The book, for its holders.
pub async fn authorize(
    conn: &mut Connection,
    book_id: BookId,
    viewer: UserId,
) -> Result<BookView, AccessError> {
    store::find(conn, book_id, viewer).await?.ok_or(AccessError::NotFound)
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

    /// Whether the viewer sees the balances of all holders.
    pub fn sees_holders(&self) -> bool {
        self.role.keeps() || self.book.terms.visibility == BookVisibility::Members
    }
}

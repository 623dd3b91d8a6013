//! Creates a book, which its creator owns.

use super::access::authorize;
use super::{Book, BookRole, BookStatus, BookTerms, BookView, store};
use crate::codes;
use crate::context::Context;
use crate::creations::{Created, Creation};
use crate::ids::{BookId, UserId};
use accounts::locks::write_as;
use platform::body::Body;
use platform::db::{DbError, Transaction};
use platform::refusals;
use platform::time::Moment;
use platform::token::LinkToken;
use platform::verb::VerbError;

/// Books of which one user is the OWNER, at most.
const BOOKS_MAX: i64 = 1_000;

refusals! {
    /// Why a book is not created.
    pub enum CreateBookRefusal {
        LimitReached => codes::LIMIT_REACHED, "You own 1,000 books: delete some first.";
    }
}

/// The owner has a balance like every holder, without a grant.
pub async fn create_book(
    context: &Context,
    owner: UserId,
    body: impl Body,
) -> Result<Created<BookView>, VerbError<CreateBookRefusal>> {
    let now = context.clock.now();
    let mut db = write_as(&context.db, owner).await?;
    let (object, creation) = Creation::read(&mut db, owner, "books".to_owned(), body, now).await?;
    if let Some(earlier) = creation.replays() {
        return Ok(Created::replayed(authorize(&mut db, earlier, owner).await?));
    }
    let terms = BookTerms::parse(object)?;
    creation.check_key()?;
    let book = insert_book(&mut db, owner, terms, now).await?;
    creation.record(&mut db, book.id, now).await?;
    db.commit().await?;
    Ok(Created::new(BookView { book, viewer: owner, role: BookRole::Owner, hides_bidders: false }))
}

/// Writes a new book with its owner. The transaction has locked the account.
pub async fn insert_book(
    db: &mut Transaction,
    owner: UserId,
    terms: BookTerms,
    now: Moment,
) -> Result<Book, VerbError<CreateBookRefusal>> {
    if store::owns(db, owner, BOOKS_MAX).await? {
        return Err(CreateBookRefusal::LimitReached.into());
    }
    let closed_at = (terms.status == BookStatus::Closed).then_some(now);
    let link_token = LinkToken::new().map_err(DbError::from)?;
    let id = BookId::new(now);
    let book = Book { id, terms, link_token, closed_at, version: 1, created_at: now, updated_at: now };
    store::insert(db, &book).await?;
    store::holders::insert(db, book.id, owner, BookRole::Owner, now).await?;
    Ok(book)
}

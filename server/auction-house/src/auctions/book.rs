//! The book of an auction: with what its bidders bid (SPEC, section 12).

use super::{AuctionTerms, BaseUnit};
use crate::books::store::choice::{self, ChosenBook};
use crate::codes;
use crate::ids::{BookId, UserId};
use platform::db::{Connection, DbError};
use platform::fields::FieldError;
use platform::refusals;
use platform::verb::VerbError;

refusals! {
    /// Why a book is not the auction's.
    pub enum BookRefusal {
        Closed => codes::CLOSED, "The book is closed: it takes no auction.";
    }
}

/// The base unit of an auction with a book is that of the book: a unit that is not given, or is that of `had`
/// before, gives way to it.
pub async fn fit(
    conn: &mut Connection,
    terms: &mut AuctionTerms,
    had: Option<&AuctionTerms>,
    user: UserId,
) -> Result<(), VerbError<BookRefusal>> {
    let Some(book_id) = terms.book_id else { return Ok(()) };
    let is_new = had.is_none_or(|had| had.book_id != Some(book_id));
    let book = choice::find(conn, book_id, user).await?;
    let book = book.filter(|book| book.is_keeper || !is_new);
    let Some(ChosenBook { base_unit: unit, is_closed, .. }) = book else {
        let message = "must be the id of a book of which you are OWNER or TELLER";
        return Err(vec![FieldError::new("bookId", message)].into());
    };
    if is_new && is_closed {
        return Err(BookRefusal::Closed.into());
    }
    let is_given = terms.base_unit.is_some() && had.is_none_or(|had| had.base_unit != terms.base_unit);
    let is_other = terms.base_unit.as_ref().is_some_and(|given| !given.may_mean(&unit));
    if is_given && is_other || (!is_new && (terms.base_unit.is_none() || is_other)) {
        return Err(not_its_unit(&unit));
    }
    terms.base_unit = Some(unit);
    Ok(())
}

/// Refuses a book that was closed, or got another base unit, before the transaction has written the auction
/// with it. From then on neither is possible.
pub async fn check_written(
    conn: &mut Connection,
    terms: &AuctionTerms,
    user: UserId,
) -> Result<(), VerbError<BookRefusal>> {
    let Some(book_id) = terms.book_id else { return Ok(()) };
    let book = choice::find(conn, book_id, user).await?.filter(|book| !book.is_closed);
    let unit = book.ok_or(BookRefusal::Closed)?.base_unit;
    if terms.base_unit.as_ref() == Some(&unit) { Ok(()) } else { Err(not_its_unit(&unit)) }
}

fn not_its_unit(unit: &BaseUnit) -> VerbError<BookRefusal> {
    let message = format!("must be the base unit of the book: `{}`", unit.name);
    vec![FieldError::new("baseUnit", message)].into()
}

/// The book of an auction that is copied, if the user may choose it for the copy.
pub async fn of_copy(
    conn: &mut Connection,
    book_id: Option<BookId>,
    user: UserId,
) -> Result<Option<BookId>, DbError> {
    let Some(book_id) = book_id else { return Ok(None) };
    let book = choice::find(conn, book_id, user).await?;
    Ok(book.is_some_and(|book| book.is_keeper && !book.is_closed).then_some(book_id))
}

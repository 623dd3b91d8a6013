//! The link of a book: what it leads to, a new one, and becoming a holder with it.

use accounts::locks::lock_account;

use crate::books::access::authorize;
use crate::books::posting::Posting;
use crate::books::{BookView, store, waiting};
use crate::codes;
use crate::context::Context;
use crate::ids::{BookId, UserId};
use crate::locks::LockingWrites;
use platform::body::Body;
use platform::db::{Connection, DbError};
use platform::refusals;
use platform::shape::{self, Members, Shape};
use platform::token::LinkToken;
use platform::verb::VerbError;

/// The book to which a link leads, for a user who has it.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct BookLinkTarget {
    pub id: BookId,
    pub name: String,
    pub owner_name: String,
    pub is_closed: bool,
}

/// `None` for a token that was replaced.
pub async fn book_link_target(conn: &mut Connection, token: &str) -> Result<Option<BookLinkTarget>, DbError> {
    store::links::target(conn, token).await
}

/// Makes a new link, and revokes the one before. For the keepers.
pub async fn renew_book_link(
    context: &Context,
    book_id: BookId,
    user: UserId,
) -> Result<BookView, VerbError<std::convert::Infallible>> {
    let mut db = context.db.write_in_book(book_id).await?;
    authorize(&mut db, book_id, user).await?.require_keeper()?;
    store::links::replace(&mut db, book_id, &LinkToken::new().map_err(DbError::from)?).await?;
    let seen = authorize(&mut db, book_id, user).await?;
    db.commit().await?;
    waiting::claim_of(context, user).await;
    Ok(seen)
}

/// The secret of the link.
#[derive(Debug, Clone, Default)]
pub struct BookJoinBody {
    invite_token: String,
}

impl Shape for BookJoinBody {
    const NAME: &'static str = "BookJoinBody";

    fn members(&mut self, members: &mut Members<'_>) {
        members.text("inviteToken", 1..=200, &mut self.invite_token).about("Of the book's link.");
    }
}

refusals! {
    /// Why a user does not become a holder.
    pub enum JoinBookRefusal {
        WrongLink => codes::FORBIDDEN, "This is not the link that the book has now: ask for it.";
        Closed => codes::CLOSED, "The book is closed: it takes no more holders.";
        TooMany => codes::LIMIT_REACHED, "A book has at most 10,000 holders.";
    }
}

/// Makes the user a HOLDER with the starting balance, or a holder again with the balance from before. With
/// the link the user consents, also to grants that wait for the e-mail. Without it a book is not found.
pub async fn join_book(
    context: &Context,
    book_id: BookId,
    user: UserId,
    body: impl Body,
) -> Result<BookView, VerbError<JoinBookRefusal>> {
    let now = context.clock.now();
    let mut db = context.db.write_in_book(book_id).await?;
    let link = store::links::of(&mut db, book_id).await?.ok_or(VerbError::NotFound)?;
    let BookJoinBody { invite_token } = shape::parse(body.read()?)?;
    let seen = store::find(&mut db, book_id, user).await?;
    if let Some(seen) = seen {
        drop(db);
        waiting::claim_of(context, user).await;
        return Ok(seen);
    }
    if !link.token.is(&invite_token) {
        return Err(JoinBookRefusal::WrongLink.into());
    }
    if link.is_closed {
        return Err(JoinBookRefusal::Closed.into());
    }
    lock_account(&mut db, user).await?;
    accounts::user::store::user_by_id(&mut db, user).await?.ok_or(VerbError::NotFound)?;
    let mut posting = Posting::locked(&mut db, book_id, [user]).await?;
    posting.rejoin(&mut db, &[user].into()).await?;
    let joined = posting.join(&mut db, [user].into()).await;
    joined.map_err(|error| error.or(JoinBookRefusal::TooMany))?;
    posting.write(&mut db, now).await?;
    let seen = authorize(&mut db, book_id, user).await?;
    db.commit().await?;
    waiting::claim_of(context, user).await;
    Ok(seen)
}

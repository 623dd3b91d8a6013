//! Adds a holder, who gets the starting balance: a user whom the keeper reaches (`reach`).

use accounts::locks::lock_account;
use std::collections::BTreeSet;

use crate::books::access::authorize;
use crate::books::holders::reach::{self, Asker};
use crate::books::posting::Posting;
use crate::books::{Holder, store};
use crate::codes;
use crate::context::Context;
use crate::ids::{BookId, UserId};
use crate::locks::LockingWrites;
use platform::body::Body;
use platform::email::Email;
use platform::fields::FieldError;
use platform::refusals;
use platform::shape::{self, Members, Shape};
use platform::verb::VerbError;

/// A user who is to become a holder, by id or by e-mail.
#[derive(Debug, Clone, Default)]
pub struct HolderBody {
    user_id: Option<UserId>,
    email: Option<Email>,
}

impl Shape for HolderBody {
    const NAME: &'static str = "NewBookHolder";
    const ABOUT: &'static str = "Either of both.";

    fn members(&mut self, members: &mut Members<'_>) {
        members.parsed("userId", &mut self.user_id);
        members
            .parsed("email", &mut self.email)
            .about("Of a member of an auction that you manage, or of the book.");
    }
}

refusals! {
    /// Why a holder is not added.
    pub enum AddHolderRefusal {
        Closed => codes::CLOSED, "The book is closed: it takes no more holders.";
        NotRegistered => codes::USER_NOT_REGISTERED, "No member of an auction that you manage, or of the book, has this e-mail, it is not confirmed, or its user has left the book: pass on the link of the book.";
        TooMany => codes::LIMIT_REACHED, "A book has at most 10,000 holders.";
    }
}

/// A user who is a holder already stays as they are. Others need to be members of an auction that the keeper
/// manages, or of the book: without it the link of the book asks for their consent.
pub async fn add_holder(
    context: &Context,
    asker: &Asker,
    book_id: BookId,
    user: UserId,
    body: impl Body,
) -> Result<Holder, VerbError<AddHolderRefusal>> {
    let now = context.clock.now();
    let mut db = context.db.write_in_book(book_id).await?;
    let seen = authorize(&mut db, book_id, user).await?.require_keeper()?;
    let added = match shape::parse(body.read()?)? {
        HolderBody { user_id: Some(id), email: None } => id,
        HolderBody { user_id: None, email: Some(email) } => {
            let found = reach::by_email(&mut db, asker, &seen, &[&email]).await;
            let mut found = found.map_err(|error| error.or(AddHolderRefusal::NotRegistered.into()))?;
            found.remove(email.folded()).ok_or(AddHolderRefusal::NotRegistered)?.id
        }
        HolderBody { user_id: None, email: None } => return Err(vec![FieldError::missing("email")].into()),
        HolderBody { .. } => {
            return Err(vec![FieldError::new("email", "must be absent beside `userId`")].into());
        }
    };
    if seen.book.is_closed() {
        return Err(AddHolderRefusal::Closed.into());
    }
    lock_account(&mut db, added).await?;
    let is_registered = accounts::user::store::user_by_id(&mut db, added).await?.is_some();
    if !is_registered || !reach::by_id(&mut db, &seen, added).await? {
        let message = "must be the id of a member of an auction that you manage, or of the book, who has not left the book";
        return Err(vec![FieldError::new("userId", message)].into());
    }
    let mut posting = Posting::locked(&mut db, book_id, [added]).await?;
    let joined = posting.join(&mut db, BTreeSet::from([added])).await;
    joined.map_err(|error| error.or(AddHolderRefusal::TooMany))?;
    posting.write(&mut db, now).await?;
    let holder = store::holders::find(&mut db, book_id, added).await?.ok_or(VerbError::NotFound)?;
    db.commit().await?;
    Ok(holder)
}

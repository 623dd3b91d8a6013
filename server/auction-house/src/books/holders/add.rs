//! Adds a holder, who gets the starting balance.

use accounts::locks::lock_account;
use std::collections::BTreeSet;

use crate::books::access::authorize;
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
        members.parsed("email", &mut self.email).about("Of a registered user.");
    }
}

refusals! {
    /// Why a holder is not added.
    pub enum AddHolderRefusal {
        Closed => codes::CLOSED, "The book is closed: it takes no more holders.";
        NotRegistered => codes::USER_NOT_REGISTERED, "No account has this e-mail.";
        TooMany => codes::LIMIT_REACHED, "A book has at most 10,000 holders.";
    }
}

/// A user who is a holder already stays as they are.
pub async fn add_holder(
    context: &Context,
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
            let found = accounts::store::by_email(&mut db, &email).await?;
            found.ok_or(AddHolderRefusal::NotRegistered)?.0.id
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
    if accounts::store::user_by_id(&mut db, added).await?.is_none() {
        return Err(vec![FieldError::new("userId", "must be the id of a registered user")].into());
    }
    let mut posting = Posting::locked(&mut db, book_id, [added]).await?;
    let joined = posting.join(&mut db, BTreeSet::from([added])).await;
    joined.map_err(|error| error.or(AddHolderRefusal::TooMany))?;
    posting.write(&mut db, now).await?;
    let holder = store::holders::find(&mut db, book_id, added).await?.ok_or(VerbError::NotFound)?;
    db.commit().await?;
    Ok(holder)
}

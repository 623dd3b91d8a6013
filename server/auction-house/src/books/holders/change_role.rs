//! Changes the role of a holder.

use crate::books::access::authorize;
use crate::books::{BookRole, Holder, store};
use crate::codes;
use crate::context::Context;
use crate::ids::{BookId, UserId};
use crate::locks::LockingWrites;
use accounts::locks::lock_account;
use platform::body::Body;
use platform::fields::FieldError;
use platform::refusals;
use platform::shape::{self, Members, Shape};
use platform::verb::VerbError;

/// A change of a holder.
#[derive(Debug, Clone, Default)]
pub struct HolderPatchBody {
    role: Option<BookRole>,
}

impl Shape for HolderPatchBody {
    const NAME: &'static str = "BookHolderRole";

    fn members(&mut self, members: &mut Members<'_>) {
        members.required("role", &mut self.role).of::<BookRole>();
    }
}

refusals! {
    /// Why a role is not changed.
    pub enum ChangeRoleRefusal {
        OwnRole => codes::FORBIDDEN, "A book always has an owner: make another holder the owner instead.";
    }
}

/// Changes the role of another holder, whose account was not deleted. The OWNER becomes TELLER by making
/// another holder the OWNER.
pub async fn change_role(
    context: &Context,
    book_id: BookId,
    user: UserId,
    holder_id: UserId,
    body: impl Body,
) -> Result<Holder, VerbError<ChangeRoleRefusal>> {
    let mut db = context.db.write_in_book(book_id).await?;
    authorize(&mut db, book_id, user).await?.require_owner()?;
    // The lock keeps the account from being deleted: each book has an owner.
    lock_account(&mut db, holder_id).await?;
    let account = accounts::user::store::user_by_id(&mut db, holder_id).await?.ok_or(VerbError::NotFound)?;
    let holder = store::holders::find(&mut db, book_id, holder_id).await?.ok_or(VerbError::NotFound)?;
    let HolderPatchBody { role } = shape::parse(body.read()?)?;
    let Some(role) = role.filter(|role| *role != holder.role) else { return Ok(holder) };
    if account.is_managed() {
        return Err(vec![FieldError::new("role", "must be HOLDER: the user has no e-mail")].into());
    }
    if holder_id == user {
        return Err(ChangeRoleRefusal::OwnRole.into());
    }
    if role == BookRole::Owner {
        store::holders::set_role(&mut db, book_id, user, BookRole::Teller).await?;
    }
    store::holders::set_role(&mut db, book_id, holder_id, role).await?;
    db.commit().await?;
    Ok(Holder { role, ..holder })
}

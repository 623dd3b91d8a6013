//! Accepts an invite.

use crate::access::Role;
use crate::access::store::{self, invites, removed};
use crate::auctions;
use crate::auctions::access::AuctionView;
use crate::books::posting;
use crate::codes;
use crate::context::Context;
use crate::locks::LockingWrites;
use accounts::User;
use platform::refusals;
use platform::verb::VerbError;

refusals! {
    /// Why an invite is not accepted.
    pub enum AcceptRefusal {
        OtherEmail => codes::FORBIDDEN, "This invitation is for another e-mail: sign in with the account that has it.";
        Closed => codes::CLOSED, "The auction is closed: it takes no more members.";
        BookFull => codes::LIMIT_REACHED, "The book of the auction has 10,000 holders, as many as it can have: nobody can join.";
    }
}

/// Makes the user a member with the role of the invite, and uses it up. It also brings back a user who was
/// removed. A member keeps a higher role.
pub async fn accept_invite(
    context: &Context,
    user: &User,
    token: &str,
) -> Result<AuctionView, VerbError<AcceptRefusal>> {
    let now = context.clock.now();
    let found = invites::by_token(&mut context.db.read().await?, token, now).await?;
    let auction_id = found.ok_or(VerbError::NotFound)?.auction_id;
    let mut db = context.db.write_in(&[auction_id]).await?;
    // A concurrent request may have used or deleted it.
    let invite = invites::by_token(&mut db, token, now).await?.ok_or(VerbError::NotFound)?;
    if !user.email.as_deref().is_some_and(|email| invite.is_for(email)) {
        return Err(AcceptRefusal::OtherEmail.into());
    }
    let found = auctions::store::find(&mut db, auction_id, user.id, now).await?;
    let mut seen = found.ok_or(VerbError::NotFound)?;
    if seen.auction.is_closed(now) {
        return Err(AcceptRefusal::Closed.into());
    }
    let role = Role::from(invite.role);
    let role = seen.role.map_or(role, |has| has.or_higher(role));
    if let Some(book_id) = seen.auction.terms.book_id {
        let joined = posting::join(&mut db, book_id, [user.id], now).await;
        joined.map_err(|error| error.or(AcceptRefusal::BookFull))?;
    }
    match seen.role {
        Some(_) => store::set_role(&mut db, auction_id, user.id, role).await?,
        None => store::insert(&mut db, auction_id, user.id, role, now).await?,
    }
    removed::delete(&mut db, auction_id, user.id).await?;
    invites::delete(&mut db, invite.id).await?;
    db.commit().await?;
    seen.role = Some(role);
    Ok(seen)
}

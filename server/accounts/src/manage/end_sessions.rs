//! Ends all sessions of a user, on every browser.

use std::convert::Infallible;

use super::store;
use crate::audit::{self, AuditAction};
use crate::context::Accounts;
use crate::ids::UserId;
use crate::locks::write_as;
use crate::session::store as sessions;
use crate::signal::{self, Signal};
use platform::verb::VerbError;

/// Without an actor, the owner of the machine acts from a shell.
pub async fn end_sessions(
    accounts: &Accounts,
    actor: Option<UserId>,
    id: UserId,
) -> Result<(), VerbError<Infallible>> {
    let mut db = write_as(&accounts.db, id).await?;
    if store::by_id(&mut db, id).await?.is_none() {
        return Err(VerbError::NotFound);
    }
    sessions::delete_others(&mut db, id, None).await?;
    audit::record(&mut db, accounts.clock.now(), actor, &AuditAction::SessionsEnded(id)).await?;
    signal::send(&mut db, &Signal::User(id)).await?;
    db.commit().await?;
    accounts.signals.publish(&Signal::User(id));
    Ok(())
}

//! Makes a link with which a user who has lost the password sets a new one.

use super::store;
use crate::audit::{self, AuditAction};
use crate::codes;
use crate::context::Accounts;
use crate::ids::UserId;
use crate::locks::write_as;
use crate::reset_links::store as reset_links;
use platform::db::DbError;
use platform::refusals;
use platform::time::Moment;
use platform::token::Token;
use platform::verb::VerbError;

/// How long a link works.
const LIFETIME_SECONDS: i64 = 60 * 60;

/// A link that works once.
pub struct ResetLink {
    token: Token,
    pub expires_at: Moment,
}

impl ResetLink {
    /// The path of its page, which contains the secret token.
    pub fn path(&self) -> String {
        format!("/reset-password/{}", self.token.as_str())
    }
}

refusals! {
    /// Why there is no link.
    pub enum ResetLinkRefusal {
        Managed => codes::MANAGED_USER, "This user signs in with a number: the keeper of the group gives a new PIN.";
    }
}

/// The link replaces an earlier one of the user. Without an actor, the owner of the machine acts from a
/// shell. A link that is mailed to a folded e-mail confirms that e-mail when it is used.
pub async fn create_reset_link(
    accounts: &Accounts,
    actor: Option<UserId>,
    (id, mailed_to): (UserId, Option<&str>),
) -> Result<ResetLink, VerbError<ResetLinkRefusal>> {
    let mut db = write_as(&accounts.db, id).await?;
    let found = store::by_id(&mut db, id).await?.ok_or(VerbError::NotFound)?;
    if found.user.is_managed() {
        return Err(ResetLinkRefusal::Managed.into());
    }
    let now = accounts.clock.now();
    let token = Token::new().map_err(DbError::from)?;
    let expires_at = now.plus_seconds(LIFETIME_SECONDS);
    reset_links::replace(&mut db, (id, mailed_to), &token.hash(), expires_at).await?;
    audit::record(&mut db, now, actor, &AuditAction::ResetLink(id)).await?;
    db.commit().await?;
    Ok(ResetLink { token, expires_at })
}

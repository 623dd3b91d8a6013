//! Registers an account. Where registration is by invitation, the secret of an invite or of the link of an
//! auction admits the visitor.

use accounts::Accounts;
use accounts::register::{self, RegisterRefusal};
use accounts::registration::{Registration, RegistrationMode};
use accounts::session::Visitor;
use accounts::sign_in::Entry;
use platform::db::DbError;
use platform::verb::VerbError;

use crate::access::store::invites;
use crate::usage;

/// Registers the account and signs the visitor in. The token is that of an invite, or of the link of an
/// auction.
pub async fn register(
    accounts: &Accounts,
    visitor: &Visitor,
    registration: Registration,
    invite_token: Option<&str>,
) -> Result<Entry, VerbError<RegisterRefusal>> {
    let is_invited =
        accounts.registration == RegistrationMode::Invited && is_invited(accounts, invite_token).await?;
    register::register(accounts, visitor, registration, is_invited).await
}

/// Whether the token is that of an invite or of the link of an auction. An e-mail that nobody has confirmed
/// admits nobody.
async fn is_invited(accounts: &Accounts, invite_token: Option<&str>) -> Result<bool, DbError> {
    let Some(token) = invite_token else { return Ok(false) };
    let (mut db, now) = (accounts.db.read().await?, accounts.clock.now());
    Ok(usage::is_open_link(&mut db, token).await? || invites::by_token(&mut db, token, now).await?.is_some())
}

//! Who may become the first Deployment Admin, as the operator decides: any user, one account, which has
//! proved its e-mail, or a user with the one-time code.

use std::net::SocketAddr;

use crate::Installation;
use crate::config::{Settings, Switch};
use crate::ids::UserId;
use accounts::User;
use accounts::administration::issue_claim_code;
use accounts::administration::store::admin_id;
use accounts::user::store::user_by_id;
use platform::db::{Connection, DbError};

/// The terms on which a user may claim the role while there is no Deployment Admin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimTerms {
    Open,
    /// With the one-time code.
    WithCode,
    /// The operator has named this account, whose e-mail is to be confirmed first.
    Unconfirmed,
    /// The operator has named another account.
    Reserved,
}

/// The terms for this user.
pub async fn terms(settings: &Settings, db: &mut Connection, user: UserId) -> Result<ClaimTerms, DbError> {
    if let Some(named) = &settings.admin_email {
        let account = user_by_id(db, user).await?;
        let is_named =
            |account: &User| account.parsed_email().is_some_and(|email| email.folded() == named.folded());
        let Some(account) = account.filter(is_named) else { return Ok(ClaimTerms::Reserved) };
        if settings.mailer().is_some() && account.email_verified_at.is_none() {
            return Ok(ClaimTerms::Unconfirmed);
        }
    }
    Ok(if needs_code(settings) { ClaimTerms::WithCode } else { ClaimTerms::Open })
}

/// Without mail nobody can prove to be the account that the operator has named, except with the code.
fn needs_code(settings: &Settings) -> bool {
    settings.claim_code == Switch::On || (settings.admin_email.is_some() && settings.mailer().is_none())
}

/// Logs how the role can be claimed while there is no Deployment Admin. Must be called at each start.
pub async fn log_claim(installation: &Installation, listens: SocketAddr) -> Result<(), DbError> {
    let Installation { db, settings, clock, .. } = installation;
    if admin_id(&mut db.read().await?).await?.is_some() {
        return Ok(());
    }
    if let Some(email) = &settings.admin_email {
        tracing::info!("there is no Deployment Admin yet: `{email}` can become it on /admin");
    }
    if needs_code(settings) {
        if let Some(code) = issue_claim_code(db, clock.now()).await? {
            tracing::info!("there is no Deployment Admin yet: the claim code for /admin is {code}");
        }
    } else if settings.admin_email.is_none() && !listens.ip().is_loopback() {
        tracing::warn!(
            "any user can become the Deployment Admin: claim the role on /admin now, or start with --claim-code on \
             or --admin-email"
        );
    }
    Ok(())
}

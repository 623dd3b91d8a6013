//! Who may become the first Deployment Admin, as the operator decides: any user, one account, or a user with the one-time
//! code.

use std::fmt;
use std::net::SocketAddr;

use super::store;
use crate::Installation;
use crate::accounts::Accounts;
use crate::config::{Settings, Switch};
use crate::ids::UserId;
use platform::db::{Connection, Database, DbError};
use platform::email::Email;
use platform::random::{self, NoEntropy};
use platform::time::Moment;
use platform::token::TokenHash;

/// The digits of a code, in groups of this many.
const GROUP_DIGITS: usize = 5;

/// The terms on which a user may claim the role while there is no Deployment Admin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimTerms {
    Open,
    /// With the one-time code.
    WithCode,
    /// The operator has named another account.
    Reserved,
}

/// 80 random bits in hexadecimal digits, which the log and the shell show: `1a2b3-…`.
#[derive(Debug, Clone)]
pub struct ClaimCode(String);

impl ClaimCode {
    pub fn new() -> Result<Self, NoEntropy> {
        let digits = const_hex::encode(random::bytes::<10>()?);
        let groups: Vec<String> = digits
            .as_bytes()
            .chunks(GROUP_DIGITS)
            .map(|group| String::from_utf8_lossy(group).into())
            .collect();
        Ok(Self(groups.join("-")))
    }

    pub(super) fn stored(text: String) -> Self {
        Self(text)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this was typed, in upper or lower case, with or without hyphens and spaces.
    pub fn is(&self, typed: &str) -> bool {
        // The comparison of hashes takes the same time for any text.
        let hash = |text: &str| {
            let digits: String = text.chars().filter(char::is_ascii_alphanumeric).collect();
            TokenHash::of(&digits.to_ascii_lowercase())
        };
        hash(&self.0) == hash(typed)
    }
}

impl fmt::Display for ClaimCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The terms for this user.
pub async fn terms(
    settings: &Settings,
    db: &mut Connection,
    accounts: &dyn Accounts,
    user: UserId,
) -> Result<ClaimTerms, DbError> {
    if let Some(named) = &settings.admin_email {
        let account = accounts.by_id(db, user).await?;
        let email = account.and_then(|account| account.email.parse::<Email>().ok());
        if email.is_none_or(|email| email.folded() != named.folded()) {
            return Ok(ClaimTerms::Reserved);
        }
    }
    Ok(if settings.claim_code == Switch::On { ClaimTerms::WithCode } else { ClaimTerms::Open })
}

/// The code of this installation, created if there is none; `None` if there is a Deployment Admin. All servers on one
/// database have the same code.
pub async fn claim_code(db: &Database, now: Moment) -> Result<Option<ClaimCode>, DbError> {
    let mut connection = db.read().await?;
    if store::admin_id(&mut connection).await?.is_some() {
        return Ok(None);
    }
    if let Some(code) = store::claim_code(&mut connection).await? {
        return Ok(Some(code));
    }
    drop(connection);
    let mut transaction = db.write().await?;
    store::add_claim_code(&mut transaction, &ClaimCode::new()?, now).await?;
    let code = store::claim_code(&mut transaction).await?;
    transaction.commit().await?;
    Ok(code)
}

/// Logs how the role can be claimed while there is no Deployment Admin. Must be called at each start.
pub async fn log_claim(installation: &Installation, listens: SocketAddr) -> Result<(), DbError> {
    let Installation { db, settings, clock, .. } = installation;
    if store::admin_id(&mut db.read().await?).await?.is_some() {
        return Ok(());
    }
    if let Some(email) = &settings.admin_email {
        tracing::info!("there is no Deployment Admin yet: `{email}` can become it on /admin");
    }
    if settings.claim_code == Switch::On {
        if let Some(code) = claim_code(db, clock.now()).await? {
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

#[cfg(test)]
mod tests {
    use super::ClaimCode;

    #[test]
    fn a_code_is_recognized_as_it_may_be_typed() {
        let code = ClaimCode::new().unwrap();
        assert_eq!(code.as_str().split('-').map(str::len).collect::<Vec<_>>(), [5, 5, 5, 5]);
        let text = code.as_str();
        for typed in [text.to_owned(), text.to_uppercase(), text.replace('-', ""), format!(" {text} ")] {
            assert!(code.is(&typed), "{typed}");
        }
        for typed in ["", "-", &text[1..], ClaimCode::new().unwrap().as_str()] {
            assert!(!code.is(typed), "{typed}");
        }
    }
}

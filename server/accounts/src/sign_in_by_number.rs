//! Signs a managed user in with the code of a group, a number and a PIN (SPEC, section 14). A try counts as a
//! failure, for all servers, from before its PIN is verified until it turns out right: also many tries at
//! once are no more than the limit.

use super::Accounts;
use super::audit::{self, AuditAction};
use super::credentials::Credentials;
use super::device::DeviceId;
use super::groups::{GroupCode, PersonNumber};
use super::hashing::HashError;
use super::limits::Source;
use super::session;
use super::session::Visitor;
use super::sign_in::{Entry, Known, record_failure};
use super::store::{self, groups, number_failures};
use crate::codes;
use crate::ids::{FailureId, UserId};
use crate::locks::{lock_account, write_in_group_of_code};
use platform::db::DbError;
use platform::limits::TooMany;
use platform::refusals;
use platform::time::Moment;
use platform::verb::VerbError;

refusals! {
    /// Why a visitor is not signed in.
    pub enum NumberRefusal {
        /// The answer does not tell which of the three is wrong.
        InvalidCredentials => codes::INVALID_CREDENTIALS, "Code, number or PIN is wrong.";
    }
    wraps { Hash(HashError) }
}

/// Code and number as typed. A text that can't be one is nobody's.
pub struct Door {
    code: Option<GroupCode>,
    number: Option<PersonNumber>,
}

impl Door {
    pub fn of(code: &str, number: &str) -> Self {
        Self { code: code.parse().ok(), number: number.parse().ok() }
    }

    fn known(&self) -> Option<(&GroupCode, PersonNumber)> {
        self.code.as_ref().zip(self.number)
    }
}

/// Does the same work for a number that no user has, so that the time tells nothing.
pub async fn sign_in_by_number(
    accounts: &Accounts,
    visitor: &Visitor,
    door: &Door,
    pin: String,
) -> Result<Entry, VerbError<NumberRefusal>> {
    let found = match door.known() {
        Some((code, number)) => groups::sign_in(&mut accounts.db.read().await?, code, number).await?,
        None => None,
    };
    let known = Known::of(visitor, found.as_ref().map(|(_, credentials)| credentials));
    if let Some((id, _)) = &found {
        accounts.limits.check_proof(*id)?;
    }
    let guess = accounts.limits.guess(None, known.source)?;
    let tried = match (known.source, &found) {
        // What others guess does not count for a browser in which the user has signed in before.
        (Source::Device(device), Some((id, _))) => {
            accounts.limits.code((*id, Some(device)))?;
            None
        }
        _ => match count(accounts, door).await {
            Ok(tried) => tried,
            Err(error) => {
                guess.forgive();
                return Err(error);
            }
        },
    };
    let kept = found.as_ref().map(|(_, credentials)| credentials.password_hash.clone());
    let verified = accounts.passwords.verify(known.caller, pin, kept).await;
    let is_wrong = matches!(verified, Ok(false));
    if !is_wrong {
        guess.forgive();
        if let (Source::Device(device), Some((id, _))) = (known.source, &found) {
            accounts.limits.forgive_code((*id, Some(device)));
        }
    }
    let refused = || VerbError::from(NumberRefusal::InvalidCredentials);
    match (verified, found) {
        (Ok(true), Some((id, credentials))) => {
            accounts.limits.proof(id)?;
            begin(accounts, visitor, door, (id, credentials, known), tried).await?.ok_or_else(refused)
        }
        (Ok(_), found) => {
            record_failure(accounts, visitor, found.map(|(id, _)| id)).await;
            Err(refused())
        }
        (Err(error), _) => {
            forget(accounts, tried).await?;
            Err(NumberRefusal::Hash(error).into())
        }
    }
}

/// Counts a try as a failure, unless the number is locked.
async fn count(accounts: &Accounts, door: &Door) -> Result<Option<FailureId>, VerbError<NumberRefusal>> {
    let Some((code, number)) = door.known() else { return Ok(None) };
    let now = accounts.clock.now();
    let mut db = write_in_group_of_code(&accounts.db, code).await?;
    if let Some(end) = number_failures::locked_until(&mut db, code, number, now).await? {
        return Err(TooMany { retry_after_seconds: seconds_until(end, now) }.into());
    }
    let id = FailureId::new(now);
    number_failures::insert(&mut db, id, code, number, now).await?;
    db.commit().await?;
    Ok(Some(id))
}

/// The PIN was not verified.
async fn forget(accounts: &Accounts, tried: Option<FailureId>) -> Result<(), DbError> {
    let Some(id) = tried else { return Ok(()) };
    let mut db = accounts.db.write().await?;
    number_failures::delete(&mut db, id).await?;
    db.commit().await
}

/// Begins a session, unless the door was closed meanwhile.
async fn begin(
    accounts: &Accounts,
    visitor: &Visitor,
    door: &Door,
    (id, credentials, known): (UserId, Credentials, Known),
    tried: Option<FailureId>,
) -> Result<Option<Entry>, DbError> {
    let now = accounts.clock.now();
    let mut db = accounts.db.write().await?;
    lock_account(&mut db, id).await?;
    let still = match door.known() {
        Some((code, number)) => groups::sign_in(&mut db, code, number).await?,
        None => None,
    };
    let is_same =
        still.is_some_and(|(user, now)| user == id && now.password_hash == credentials.password_hash);
    let user = store::user_by_id(&mut db, id).await?.filter(|_| is_same);
    let Some(user) = user else { return Ok(None) };
    if let Some(tried) = tried {
        number_failures::delete(&mut db, tried).await?;
    }
    let session = session::begin(&mut db, id, visitor, now).await?;
    audit::record_from(&mut db, now, visitor.address, Some(id), &AuditAction::SignedIn(id)).await?;
    db.commit().await?;
    if let Some(old) = &visitor.session {
        accounts.sessions.forget(old);
    }
    let device = known.device.map_or_else(DeviceId::new, Ok).map_err(DbError::from)?;
    let device = credentials.device_key.sign(device);
    Ok(Some(Entry { user, session, device, is_new_browser: known.device.is_none() }))
}

fn seconds_until(end: Moment, now: Moment) -> u32 {
    u32::try_from((end.millis() - now.millis()).div_euclid(1_000) + 1).unwrap_or(1)
}

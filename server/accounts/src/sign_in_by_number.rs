//! Signs a managed user in with the code of a group, a number and a PIN, or with the secret of the card
//! (SPEC, section 14). A try with a PIN counts as a failure, for all servers, from before it is verified
//! until it turns out right: also many tries at once are no more than the limit.

use crate::audit::{self, AuditAction};
use crate::change_password::PasswordRefusal;
use crate::codes;
use crate::context::Accounts;
use crate::credentials::Credentials;
use crate::device::DeviceId;
use crate::groups::Threshold;
use crate::groups::store as groups;
use crate::groups::store::number_failures;
use crate::groups::{CardSecret, GroupCode, PersonNumber};
use crate::hashing::{HashError, HashingClient};
use crate::ids::{FailureId, UserId};
use crate::limits::{Guess, GuessSource};
use crate::locks::{lock_account, write_in_group_of_code};
use crate::session;
use crate::session::Visitor;
use crate::sign_in::{Entry, Known, record_failure};
use crate::user::store;
use platform::db::DbError;
use platform::limits::TooMany;
use platform::net::ClientAddress;
use platform::refusals;
use platform::text::ascii_digits;
use platform::time::Moment;
use platform::verb::VerbError;

/// How long the button of a keeper keeps numbers from being locked.
pub const OPEN_SECONDS: i64 = 10 * 60;
/// Failures from one address in that time, after which that address is refused.
const OPEN_FAILURES_MAX: i64 = 100;

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

/// What opens the door.
pub enum Key {
    /// A PIN as typed.
    Pin(String),
    /// The secret of a card. A text that can't be one is that of no card.
    Card(Option<CardSecret>),
}

impl Door {
    pub fn of(code: &str, number: &str) -> Self {
        Self { code: code.parse().ok(), number: ascii_digits(number).parse().ok() }
    }

    fn known(&self) -> Option<(&GroupCode, PersonNumber)> {
        self.code.as_ref().zip(self.number)
    }
}

impl Key {
    /// What was typed into a field for a PIN: the secret of a card is read there, too.
    pub fn typed(text: &str) -> Self {
        match text.parse() {
            Ok(secret) => Self::Card(Some(secret)),
            Err(_) => Self::Pin(text.trim().to_owned()),
        }
    }

    /// Whether it is the secret of this user's card.
    fn is_card_of(&self, credentials: &Credentials) -> bool {
        let hash = match self {
            Self::Card(secret) => secret.as_ref().map(CardSecret::hash),
            Self::Pin(_) => None,
        };
        hash.is_some() && hash == credentials.card_hash
    }
}

/// Does the same work for a number that no user has, so that the time tells nothing. The right secret of a
/// card is refused by no limit on failures.
pub async fn sign_in_by_number(
    accounts: &Accounts,
    visitor: &Visitor,
    door: &Door,
    key: Key,
) -> Result<Entry, VerbError<NumberRefusal>> {
    sign_in(accounts, visitor, door, key).await.map_err(session::told_of_a_full_disk)
}

async fn sign_in(
    accounts: &Accounts,
    visitor: &Visitor,
    door: &Door,
    key: Key,
) -> Result<Entry, VerbError<NumberRefusal>> {
    let (found, threshold) = match door.known() {
        Some((code, number)) => {
            let mut db = accounts.db.read().await?;
            (groups::sign_in(&mut db, code, number).await?, groups::threshold(&mut db, code, number).await?)
        }
        None => (None, None),
    };
    let known = Known::of(visitor, found.as_ref().map(|(user, credentials)| (*user, credentials)));
    if let Some((id, _)) = &found {
        accounts.limits.check_proof(*id)?;
    }
    let refused = || VerbError::from(NumberRefusal::InvalidCredentials);
    if let Some((id, credentials)) = found.as_ref().filter(|(_, credentials)| key.is_card_of(credentials)) {
        accounts.limits.proof(*id)?;
        let found = (*id, credentials.clone(), known);
        return begin(accounts, visitor, door, found, None).await?.ok_or_else(refused);
    }
    let guess = match accounts.limits.guess(None, known.source) {
        Ok(guess) => Some(guess),
        // While a keeper has opened the numbers, a hall is not refused because of one who guesses there.
        Err(_) if is_open(threshold.as_ref(), accounts.clock.now()) => None,
        Err(error) => return Err(error.into()),
    };
    let tried = match (known.source, &found) {
        // What others guess does not count for a browser in which the user has signed in before.
        (GuessSource::Device(device), Some((id, _))) => {
            accounts.limits.code((*id, Some(device)))?;
            None
        }
        _ => match count(accounts, door, threshold, visitor.address).await {
            Ok(tried) => tried,
            Err(error) => {
                guess.into_iter().for_each(Guess::forgive);
                return Err(error);
            }
        },
    };
    let verified = match key {
        Key::Pin(pin) => {
            let kept = found.as_ref().map(|(_, credentials)| credentials.password_hash.clone());
            let caller = match known.caller {
                HashingClient::Stranger(address) => HashingClient::Number(address),
                caller => caller,
            };
            accounts.passwords.verify(caller, ascii_digits(&pin), kept).await
        }
        Key::Card(_) => Ok(false),
    };
    if !matches!(verified, Ok(false)) {
        guess.into_iter().for_each(Guess::forgive);
        if let (GuessSource::Device(device), Some((id, _))) = (known.source, &found) {
            accounts.limits.forgive_code((*id, Some(device)));
        }
    }
    match (verified, found) {
        (Ok(true), Some((id, credentials))) => {
            accounts.limits.proof(id)?;
            begin(accounts, visitor, door, (id, credentials, known), tried).await?.ok_or_else(refused)
        }
        (Ok(_), found) => {
            count_in_the_open(accounts, door, known.source, tried).await?;
            record_failure(accounts, visitor, found.map(|(id, _)| id)).await;
            Err(refused())
        }
        (Err(error), _) => {
            forget(accounts, tried).await?;
            Err(NumberRefusal::Hash(error).into())
        }
    }
}

/// Verifies the PIN of a managed user in the user's own session, and returns the hash that it matches. A
/// wrong one counts as a failed sign-in with the number. The caller compares the hash again within its
/// transaction.
pub async fn prove_pin(
    accounts: &Accounts,
    visitor: &Visitor,
    id: UserId,
    pin: String,
) -> Result<String, VerbError<PasswordRefusal>> {
    let mut conn = accounts.db.read().await?;
    let place = groups::place_of_managed(&mut conn, id).await?;
    let door = match &place {
        Some(place) => Door { code: Some(place.code.clone()), number: Some(place.number.0) },
        None => Door { code: None, number: None },
    };
    let threshold = match door.known() {
        Some((code, number)) => groups::threshold(&mut conn, code, number).await?,
        None => None,
    };
    let kept = store::password_hash(&mut conn, id).await?;
    drop(conn);
    accounts.limits.proof(id)?;
    let source = GuessSource::Address(visitor.address);
    let guess = accounts.limits.guess(Some(&id.to_string()), source)?;
    let tried = match count(accounts, &door, threshold, visitor.address).await {
        Ok(tried) => tried,
        Err(error) => {
            guess.forgive();
            return Err(error);
        }
    };
    let verified =
        accounts.passwords.verify(HashingClient::User(id), ascii_digits(pin.trim()), kept.clone()).await;
    if matches!(verified, Ok(false)) {
        count_in_the_open(accounts, &door, source, tried).await?;
        record_failure(accounts, visitor, Some(id)).await;
        return Err(PasswordRefusal::WrongPassword.into());
    }
    guess.forgive();
    forget(accounts, tried).await?;
    match (verified?, kept) {
        (true, Some(kept)) => Ok(kept),
        _ => Err(PasswordRefusal::WrongPassword.into()),
    }
}

fn is_open(threshold: Option<&Threshold>, now: Moment) -> bool {
    threshold.is_some_and(|threshold| threshold.open_until > now)
}

/// Counts a try as a failure, unless the number is locked, or the address is refused while the numbers are
/// open. A number that no person has counts for the address alone.
async fn count<R>(
    accounts: &Accounts,
    door: &Door,
    threshold: Option<Threshold>,
    address: ClientAddress,
) -> Result<Option<FailureId>, VerbError<R>> {
    let Some((code, number)) = door.known() else { return Ok(None) };
    let now = accounts.clock.now();
    if is_open(threshold.as_ref(), now) {
        let until = threshold.map_or(now, |threshold| threshold.open_until);
        let since = until.plus_seconds(-OPEN_SECONDS);
        let failures =
            number_failures::of_address(&mut accounts.db.read().await?, code, address, since).await?;
        return match failures >= OPEN_FAILURES_MAX {
            true => Err(TooMany { retry_after_seconds: seconds_until(until, now) }.into()),
            false => Ok(None),
        };
    }
    let mut db = write_in_group_of_code(&accounts.db, code).await?;
    let threshold = groups::threshold(&mut db, code, number).await?;
    let number = threshold.as_ref().filter(|threshold| threshold.has_person).map(|_| number);
    if let Some((number, threshold)) = number.zip(threshold) {
        let moments = (threshold.open_until, now);
        if let Some(end) = number_failures::locked_until(&mut db, code, number, moments).await? {
            return Err(TooMany { retry_after_seconds: seconds_until(end, now) }.into());
        }
    }
    let id = FailureId::new(now);
    number_failures::insert(&mut db, id, (code, number), address, now).await?;
    db.commit().await?;
    Ok(Some(id))
}

/// Counts a failure that was not counted before, because the numbers were open: a hall that signs in at once
/// is no failure.
async fn count_in_the_open(
    accounts: &Accounts,
    door: &Door,
    source: GuessSource,
    tried: Option<FailureId>,
) -> Result<(), DbError> {
    let (Some((code, number)), GuessSource::Address(address), None) = (door.known(), source, tried) else {
        return Ok(());
    };
    let now = accounts.clock.now();
    let mut db = write_in_group_of_code(&accounts.db, code).await?;
    let threshold = groups::threshold(&mut db, code, number).await?;
    let number = threshold.filter(|threshold| threshold.has_person).map(|_| number);
    number_failures::insert(&mut db, FailureId::new(now), (code, number), address, now).await?;
    db.commit().await
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
    // A new PIN comes with a new secret.
    let is_same =
        still.is_some_and(|(user, now)| user == id && now.password_hash == credentials.password_hash);
    let user = store::user_by_id(&mut db, id).await?.filter(|_| is_same);
    let Some(user) = user else { return Ok(None) };
    if let Some(tried) = tried {
        number_failures::delete(&mut db, tried).await?;
    }
    session::record_uses(&accounts.sessions, &mut db, id, now).await?;
    let session = session::begin(&mut db, id, visitor, now).await?;
    audit::record_from(&mut db, now, visitor.address, Some(id), &AuditAction::SignedIn(id)).await?;
    db.commit().await?;
    if let Some(old) = &visitor.session {
        accounts.sessions.forget(old);
    }
    let device = known.device.map_or_else(DeviceId::new, Ok).map_err(DbError::from)?;
    let device = credentials.device_key.sign(device);
    Ok(Some(Entry { user, session, device }))
}

fn seconds_until(end: Moment, now: Moment) -> u32 {
    u32::try_from((end.millis() - now.millis()).div_euclid(1_000) + 1).unwrap_or(1)
}

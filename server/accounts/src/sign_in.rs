//! Signs in with e-mail and password, and with a code if the account has a second factor. A user who
//! wants it is told of a browser that is new to the account.

use crate::audit::{self, AuditAction, FailedSignIn};
use crate::codes;
use crate::context::Accounts;
use crate::credentials::Credentials;
use crate::device::{DeviceCookie, DeviceId};
use crate::hashing::{HashError, HashingClient};
use crate::ids::UserId;
use crate::limits::GuessSource;
use crate::locks::write_as;
use crate::new_browser;
use crate::second_factor::ticket::Ticket;
use crate::second_factor::{CodeGuess, Proven, TypedCode, prove};
use crate::session;
use crate::session::Visitor;
use crate::user::User;
use crate::user::store;
use platform::db::DbError;
use platform::email::Email;
use platform::refusals;
use platform::token::Token;
use platform::verb::VerbError;

refusals! {
    /// Why a visitor is not signed in.
    pub enum SignInRefusal {
        /// The answer does not tell which of the two is wrong.
        InvalidCredentials => codes::INVALID_CREDENTIALS;
        InvalidCode => codes::INVALID_CODE;
    }
    wraps { Hash(HashError) }
}

/// A user who has just signed in, and what the browser keeps of it.
pub struct Entry {
    pub user: User,
    pub session: Token,
    pub device: DeviceCookie,
}

/// What a right password leads to.
pub enum SignIn {
    Entered(Entry),
    /// The account has a second factor, whose code is to follow.
    CodeNeeded(Ticket),
}

/// The browser of a visitor, as the account knows it.
#[derive(Debug, Clone, Copy)]
pub struct Known {
    pub(crate) device: Option<DeviceId>,
    pub(crate) source: GuessSource,
    pub(crate) caller: HashingClient,
}

impl Known {
    pub fn of(visitor: &Visitor, found: Option<(UserId, &Credentials)>) -> Self {
        let device = visitor.device.as_ref().zip(found).and_then(|(device, (user, credentials))| {
            credentials.device_key.verify(device).map(|device| (user, device))
        });
        match device {
            Some((user, id)) => {
                Self { device: Some(id), source: GuessSource::Device(id), caller: HashingClient::Known(user) }
            }
            None => {
                let (source, caller) =
                    (GuessSource::Address(visitor.address), HashingClient::Stranger(visitor.address));
                Self { device: None, source, caller }
            }
        }
    }
}

/// Does the same work whether or not the account exists, so that the time tells nothing.
pub async fn sign_in(
    accounts: &Accounts,
    visitor: &Visitor,
    email: &str,
    password: String,
    code: Option<&str>,
) -> Result<SignIn, VerbError<SignInRefusal>> {
    let email: Option<Email> = email.parse().ok();
    let found = match &email {
        Some(email) => store::by_email(&mut accounts.db.read().await?, email).await?,
        None => None,
    };
    let known = Known::of(visitor, found.as_ref().map(|(user, credentials)| (user.id, credentials)));
    let Known { source, caller, .. } = known;
    if let Some((user, _)) = &found {
        accounts.limits.check_proof(user.id)?;
    }
    let guess = accounts.limits.guess(email.as_ref().map(Email::folded), source)?;
    let kept = found.as_ref().map(|(_, credentials)| credentials.password_hash.clone());
    let verified = accounts.passwords.verify(caller, password.clone(), kept).await;
    if !matches!(verified, Ok(false)) {
        guess.forgive();
    }
    let (user, credentials) = match (verified?, found) {
        (true, Some(found)) => found,
        (_, found) => {
            record_failure(accounts, visitor, found.map(|(user, _)| user.id)).await;
            return Err(SignInRefusal::InvalidCredentials.into());
        }
    };
    accounts.limits.proof(user.id)?;
    // Another hash of the password is no condition for signing in.
    let renewed = accounts.passwords.renew(caller, password, &credentials.password_hash).await.ok().flatten();
    let code = code.map(TypedCode::of);
    enter(accounts, visitor, user, credentials, known, renewed, code).await
}

/// Begins a session of a user whose password was right, unless a code is missing or wrong.
pub(crate) async fn enter(
    accounts: &Accounts,
    visitor: &Visitor,
    user: User,
    credentials: Credentials,
    known: Known,
    renewed_hash: Option<String>,
    code: Option<TypedCode>,
) -> Result<SignIn, VerbError<SignInRefusal>> {
    let email = user.parsed_email();
    let account = email.as_ref().map(Email::folded);
    let id = user.id;
    let guess = match &code {
        Some(code) => Some(CodeGuess::take(&accounts.limits, account, id, known.source, code)?),
        None => None,
    };
    let entered = begin(accounts, visitor, user, credentials, known, renewed_hash, code).await;
    let entered = entered.map_err(session::told_of_a_full_disk);
    match (&entered, guess) {
        (Err(VerbError::Refused(SignInRefusal::InvalidCode)), _) => {
            record_failure(accounts, visitor, Some(id)).await;
        }
        (_, Some(guess)) => guess.forgive(),
        (_, None) => {}
    }
    entered
}

/// Whether or not there is an account, so that the time tells nothing. The owner of the machine can refuse an
/// address that guesses by the line of the log, which does not name the e-mail.
pub(crate) async fn record_failure(accounts: &Accounts, visitor: &Visitor, user: Option<UserId>) {
    let address = visitor.address;
    let logged_user = user.map(|user| user.to_string()).unwrap_or_default();
    tracing::warn!(%address, user = logged_user, "a sign-in has failed");
    let failure = FailedSignIn { at: accounts.clock.now(), address, user };
    accounts.failed_sign_ins.record(&accounts.db, failure).await;
}

async fn begin(
    accounts: &Accounts,
    visitor: &Visitor,
    user: User,
    credentials: Credentials,
    known: Known,
    renewed_hash: Option<String>,
    code: Option<TypedCode>,
) -> Result<SignIn, VerbError<SignInRefusal>> {
    let now = accounts.clock.now();
    let mut db = write_as(&accounts.db, user.id).await?;
    // A concurrent change of the password has ended every session.
    if store::password_hash(&mut db, user.id).await?.as_ref() != Some(&credentials.password_hash) {
        return Err(SignInRefusal::InvalidCredentials.into());
    }
    match prove(&mut db, user.id, code.as_ref(), now).await? {
        Proven::Yes => {}
        Proven::Missing => {
            return Ok(SignIn::CodeNeeded(Ticket::new(user.id, &credentials.device_key, now)));
        }
        Proven::Wrong => return Err(SignInRefusal::InvalidCode.into()),
    }
    if let Some(hash) = renewed_hash {
        store::set_password_hash(&mut db, user.id, &hash).await?;
    }
    session::record_uses(&accounts.sessions, &mut db, user.id, now).await?;
    let session = session::begin(&mut db, user.id, visitor, now).await?;
    let action = AuditAction::SignedIn(user.id);
    audit::record_from(&mut db, now, visitor.address, Some(user.id), &action).await?;
    let is_wanted = new_browser::is_wanted(&user, known.device.is_none());
    let news = accounts.new_browser.as_deref().filter(|_| is_wanted);
    if let Some(news) = news {
        new_browser::write(news, &mut db, user.id, visitor.address, now).await?;
    }
    db.commit().await?;
    if let Some(news) = news {
        news.publish(user.id);
    }
    if let Some(old) = &visitor.session {
        accounts.sessions.forget(old);
    }
    let device = known.device.map_or_else(DeviceId::new, Ok).map_err(DbError::from)?;
    Ok(SignIn::Entered(Entry { user, session, device: credentials.device_key.sign(device) }))
}

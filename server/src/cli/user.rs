//! `farthing user`: for the owner of the machine, also beside a running server.

use std::convert::Infallible;
use std::io::Write;
use std::sync::Arc;

use clap::Subcommand;

use accounts::failed_sign_ins::FailedSignIns;
use accounts::hashing::Passwords;
use accounts::limits::RateLimits;
use accounts::manage::SystemUser;
use accounts::manage::disable::{DisableRefusal, set_disabled};
use accounts::manage::list::list_users;
use accounts::manage::reset_link::{ResetLinkRefusal, create_reset_link};
use accounts::manage::store as system_users;
use accounts::outbox::Outbox;
use accounts::registration::RegistrationMode;
use accounts::second_factor::turn_off::turn_off_by_shell;
use accounts::{Accounts, User};
use installation::config::Settings;
use platform::db::{Database, DbError, OpenError};
use platform::email::{Email, NoEmail};
use platform::http::HttpSettings;
use platform::low_priority::LowPriority;
use platform::signals::Signals;
use platform::verb::VerbError;

/// Accounts that are read at once.
const CHUNK: usize = 500;

#[derive(Subcommand)]
pub enum UserCommand {
    /// Prints every account: e-mail, name, registration, last sign-in, and whether it is disabled
    List,
    /// Prints a link with which a user who has lost the password sets a new one; it works once, for an hour
    ResetPassword {
        /// E-mail of the user
        email: String,
    },
    /// Turns off the second factor of a user who has lost the app and the recovery codes; all sessions end
    RemoveSecondFactor {
        /// E-mail of the user
        email: String,
    },
    /// Ends all sessions of a user, who then can't sign in
    Disable {
        /// E-mail of the user
        email: String,
    },
    /// Lets a disabled user sign in again
    Enable {
        /// E-mail of the user
        email: String,
    },
}

/// Why it failed, in one line.
#[derive(Debug, thiserror::Error)]
pub enum UserError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("`{0}` is not a valid e-mail: it {1}")]
    Email(String, NoEmail),
    #[error("there is no account with the e-mail `{0}`")]
    NotRegistered(String),
    #[error(
        "`{0}` is the Deployment Admin: make another user the Deployment Admin first, with `farthing admin set EMAIL`"
    )]
    DeploymentAdmin(String),
    #[error(transparent)]
    Disable(VerbError<DisableRefusal>),
    #[error(transparent)]
    ResetLink(#[from] VerbError<ResetLinkRefusal>),
    #[error(transparent)]
    Failed(#[from] VerbError<Infallible>),
    #[error(transparent)]
    Db(#[from] DbError),
    #[error("can't start threads: {0}")]
    Threads(std::io::Error),
    #[error("can't write: {0}")]
    Write(#[from] std::io::Error),
}

pub async fn user(command: UserCommand, settings: &Settings) -> Result<(), UserError> {
    let accounts = open(settings).await?;
    let done = match command {
        UserCommand::List => list(&accounts).await,
        UserCommand::ResetPassword { email } => reset_password(&accounts, &email).await,
        UserCommand::RemoveSecondFactor { email } => remove_second_factor(&accounts, &email).await,
        UserCommand::Disable { email } => switch(&accounts, &email, true).await,
        UserCommand::Enable { email } => switch(&accounts, &email, false).await,
    };
    accounts.db.close().await;
    done
}

/// The accounts of the database, without rate limits. Other servers on PostgreSQL are notified of changes; a
/// server on the same SQLite file reads them within seconds.
async fn open(settings: &Settings) -> Result<Accounts, UserError> {
    let db = Database::open_existing(&settings.database_url).await?;
    let clock = db.clock().await?;
    Ok(Accounts {
        db,
        clock: Arc::clone(&clock),
        signals: Signals::new(Vec::new()),
        limits: Arc::new(RateLimits::new(false, clock)),
        passwords: Passwords::new(Arc::new(LowPriority::start().map_err(UserError::Threads)?)),
        failed_sign_ins: FailedSignIns::default(),
        sessions: Arc::default(),
        http: Arc::new(HttpSettings { public_url: settings.public_url.clone(), ..HttpSettings::default() }),
        // No command registers an account.
        registration: RegistrationMode::Closed,
        new_browser: None,
        outbox: Outbox { sends_mail: settings.mailer().is_some() },
    })
}

async fn find(accounts: &Accounts, email: &str) -> Result<SystemUser, UserError> {
    let email: Email = email.parse().map_err(|error| UserError::Email(email.to_owned(), error))?;
    let found = system_users::by_email(&mut accounts.db.read().await?, &email).await?;
    found.ok_or_else(|| UserError::NotRegistered(email.to_string()))
}

async fn list(accounts: &Accounts) -> Result<(), UserError> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "E-MAIL\tNAME\tREGISTERED\tLAST SIGN-IN\tSTATUS")?;
    let mut after = None;
    loop {
        let users = list_users(&mut accounts.db.read().await?, None, after, CHUNK).await?;
        let Some(last) = users.last() else { return Ok(()) };
        after = Some(last.user.id);
        for SystemUser { user, last_sign_in_at, is_disabled } in users {
            let (email, name) = (shown_email(&user), printable(&user.name));
            let last_sign_in = last_sign_in_at.map_or_else(|| "never".to_owned(), |at| at.to_string());
            let status = if is_disabled { "disabled" } else { "active" };
            writeln!(out, "{email}\t{name}\t{}\t{last_sign_in}\t{status}", user.created_at)?;
        }
    }
}

async fn reset_password(accounts: &Accounts, email: &str) -> Result<(), UserError> {
    let SystemUser { user, is_disabled, .. } = find(accounts, email).await?;
    let link = create_reset_link(accounts, None, (user.id, None)).await?;
    let mut out = std::io::stdout();
    match &accounts.http.public_url {
        Some(site) => writeln!(out, "{}{}", site.as_str(), link.path())?,
        None => writeln!(
            out,
            "{}\nThis is the path of the link: append it to the address of the site.",
            link.path()
        )?,
    }
    writeln!(
        out,
        "With it, the password of {} can be set once, until {}.",
        shown_email(&user),
        link.expires_at
    )?;
    if is_disabled {
        writeln!(out, "The account is disabled: the user can sign in after `farthing user enable`.")?;
    }
    Ok(())
}

async fn remove_second_factor(accounts: &Accounts, email: &str) -> Result<(), UserError> {
    let found = find(accounts, email).await?;
    let email = shown_email(&found.user);
    let said = if turn_off_by_shell(accounts, found.user.id).await? {
        format!(
            "{email} has no second factor any more, and signs in with the password alone. Every session ends."
        )
    } else {
        format!("{email} has no second factor.")
    };
    Ok(writeln!(std::io::stdout(), "{said}")?)
}

async fn switch(accounts: &Accounts, email: &str, is_disabled: bool) -> Result<(), UserError> {
    let found = find(accounts, email).await?;
    let email = shown_email(&found.user);
    set_disabled(accounts, None, found.user.id, is_disabled).await.map_err(|error| match error {
        VerbError::Refused(DisableRefusal::DeploymentAdmin) => UserError::DeploymentAdmin(email.clone()),
        error => UserError::Disable(error),
    })?;
    let effect = if is_disabled { "can no longer sign in. Every session ends" } else { "can sign in" };
    Ok(writeln!(std::io::stdout(), "{email} {effect}.")?)
}

/// The e-mail; a managed user has none.
fn shown_email(user: &User) -> String {
    user.email.as_deref().map_or_else(|| "-".to_owned(), printable)
}

/// The text without what would control a terminal: control characters, and characters that are invisible or
/// change the direction of text.
fn printable(text: &str) -> String {
    // Debug output escapes them, and quotes the text.
    let quoted = format!("{text:?}");
    quoted[1..quoted.len() - 1].replace("\\\"", "\"")
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn a_name_does_not_control_the_terminal() {
        assert_eq!(printable("Zoë \"Z\" O'Hara 🦉"), "Zoë \"Z\" O'Hara 🦉");
        for hostile in ["\u{1b}[2J", "\u{9b}2J", "a\tb\nc", "\u{202e}gnp", "\u{200b}", "\u{7f}"] {
            assert!(printable(hostile).chars().all(|letter| letter.is_ascii_graphic()), "{hostile:?}");
        }
    }
}

//! `farthing admin`: for the owner of the machine, also beside a running server.

use std::io::Write;

use clap::Subcommand;

use accounts::administration::appoint::{AppointError, appoint};
use accounts::administration::issue_claim_code;
use installation::config::Settings;
use installation::settings::store;
use platform::db::{Database, DbError, OpenError};
use platform::email::{Email, NoEmail};

#[derive(Subcommand)]
pub enum AdminCommand {
    /// Prints the e-mail of the Deployment Admin
    Show,
    /// Makes a registered user the Deployment Admin, in place of any other
    Set {
        /// E-mail of the user
        email: String,
    },
    /// Prints the one-time code with which a user becomes the first Deployment Admin on /admin
    ClaimCode,
}

/// Why it failed, in one line.
#[derive(Debug, thiserror::Error)]
pub enum AdminCommandError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("`{0}` is not a valid e-mail: it {1}")]
    Email(String, NoEmail),
    #[error(
        "there is a Deployment Admin already, so there is no claim code: `farthing admin set EMAIL` replaces them"
    )]
    Claimed,
    #[error(transparent)]
    Appoint(#[from] AppointError),
    #[error(transparent)]
    Db(#[from] DbError),
    #[error("can't write: {0}")]
    Write(#[from] std::io::Error),
}

pub async fn admin(command: AdminCommand, settings: &Settings) -> Result<(), AdminCommandError> {
    let mut out = std::io::stdout();
    match command {
        AdminCommand::Show => {
            let db = Database::open_existing(&settings.database_url).await?;
            match store::settings(&mut db.read().await?).await?.admin {
                Some(admin) => writeln!(out, "{}", admin.email.unwrap_or_default())?,
                None => writeln!(out, "Nobody is the Deployment Admin yet.")?,
            }
            db.close().await;
        }
        AdminCommand::Set { email } => {
            let email: Email =
                email.parse().map_err(|error| AdminCommandError::Email(email.clone(), error))?;
            let db = Database::open_existing(&settings.database_url).await?;
            let admin = appoint(&db, &*db.clock().await?, &email).await?;
            writeln!(out, "{admin} is the Deployment Admin now.")?;
            db.close().await;
        }
        AdminCommand::ClaimCode => {
            let db = Database::open_existing(&settings.database_url).await?;
            let code = issue_claim_code(&db, db.clock().await?.now()).await?;
            db.close().await;
            writeln!(out, "{}", code.ok_or(AdminCommandError::Claimed)?)?;
        }
    }
    Ok(())
}
